"""Puts a lesson together from a topic, a class and what is known of it. Pure, and never random."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paige.plan import lesson as limits
from paige.plan.handout_notes import WorksheetNote, newest_first, read_note, to_take_up
from paige.plan.lesson import LOCAL_SOURCE, Activity, Cycle, Lesson, Question, tidy
from paige.plan.lesson_rendering import LOCAL_MARK
from paige.plan.local.adapting import adaptations
from paige.plan.local.brief import Brief, without_codes
from paige.plan.local.choosing import Chosen, rows_for
from paige.plan.local.practice import practice_minutes, practice_text
from paige.plan.local.preferences import Preferences
from paige.plan.local.routines import Routines, routines_of
from paige.plan.local.starters import (
    EARLIER,
    again_question,
    as_question,
    count_for,
    recall_questions,
    seed_of,
    with_again,
)
from paige.plan.local.timing import cycles_for, share
from paige.plan.local.topic_finding import find_topics
from paige.plan.local.topics import Step, Topic

CHECKS = 2
MOST_EXIT = 3
MOST_REMEMBERED = 3
MOST_OWN = 2
FLOWCHART = "Draw or show the flowchart first; the code comes after it."
PICTURE = "Show it as a picture or diagram before it is said in words."
ALONE = "Alone first, then compare with a partner."


@dataclass(frozen=True, slots=True)
class Frame:
    """The minutes of a lesson and what of the class goes where."""

    starter: int
    cycles: tuple[int, ...]
    exit: int
    routines: Routines


def topic_of(brief: Brief) -> Topic | None:
    """The topic a request is about, or nothing when Paige has no material on it."""
    taught = {topic.id for topic in brief.taught}
    words = without_codes(brief.request)
    found = find_topics(words, brief.topics, curricula=brief.curricula, taught=taught)
    if found:
        return found[0].topic
    named = [topic for topic in brief.topics if set(brief.codes) & set(topic.outcomes)]
    fresh = [topic for topic in named if topic.id not in taught]
    return next(iter((*fresh, *named)), None)


def compose(brief: Brief, topic: Topic) -> Lesson:
    """A whole lesson on a topic for the class of a brief."""
    chosen = rows_for(topic, brief.library, brief.level, brief.codes)
    steps = topic.steps[: cycles_for(brief.minutes, len(topic.steps))]
    frame = frame_of(brief, len(steps))
    starter = starter_for(brief, topic, frame)
    return tidy(
        Lesson(
            title=topic.title,
            class_id=brief.class_id,
            year=brief.profile.year if brief.profile else "",
            subject=topic.subject,
            level=brief.level or chosen.level,
            minutes=brief.minutes,
            outcome=f"{limits.OUTCOME_START} {topic.outcome}.",
            success_criteria=tuple(f"I can {each}." for each in topic.criteria),
            curriculum=chosen.claims,
            prior_knowledge=topic.prior,
            resources=_resources(topic, brief),
            key_points=topic.ideas,
            keywords=topic.words,
            misconceptions=misconceptions_for(brief, topic),
            starter=starter,
            cycles=tuple(
                cycle_for(step, minutes, at, brief.preferences, frame.routines)
                for at, (step, minutes) in enumerate(zip(steps, frame.cycles, strict=True))
            ),
            exit_check=exit_for(steps, frame),
            differentiation=adaptations(brief.profile, topic),
            homework=topic.homework or None,
            notes=(*notes_for(brief, topic, chosen, frame), *recalled_notes(brief, starter)),
            source=LOCAL_SOURCE,
        )
    )


def frame_of(brief: Brief, cycles: int) -> Frame:
    """How the minutes are shared out, and the routines of the class."""
    starter, minutes, end = share(brief.minutes, cycles, brief.preferences.starter)
    return Frame(starter, tuple(minutes), end, routines_of(brief.profile))


def starter_for(brief: Brief, topic: Topic | None, frame: Frame) -> Activity:
    """A retrieval starter as long as memory or habit say."""
    seed = seed_of(brief.request, brief.class_id)
    number = count_for(frame.starter)
    recalled = recall_questions(topic, brief.taught, number, seed)
    questions = with_again(revision_for(brief, topic), recalled, number)
    lines = ["From memory, alone, on show-me boards or paper. Show the answers at once."]
    lines += [f"Keep in mind: {routine}" for routine in frame.routines.start[:1]]
    return Activity(frame.starter, "\n\n".join(lines), questions)


def cycle_for(
    step: Step, minutes: int, at: int, preferences: Preferences, routines: Routines
) -> Cycle:
    """One learning cycle from one step of a topic."""
    first: list[str] = []
    if preferences.flowcharts_first and _has_code(step):
        first.append(FLOWCHART)
    elif preferences.visuals:
        first.append(PICTURE)
    practice = practice_minutes(minutes) + (2 if preferences.longer_practice else 0)
    how = ALONE
    if at < len(routines.practice):
        how = f"{ALONE} A routine that works here: {routines.practice[at]}"
    return Cycle(
        title=step.title,
        minutes=minutes,
        explanation="\n\n".join([*first, step.explain]),
        worked_example=step.example,
        practice=practice_text(step, practice, how),
        checks=step.questions[:CHECKS],
    )


def exit_for(steps: Sequence[Step], frame: Frame) -> Activity:
    """Questions that were not asked before; the last step has the last word."""
    left = [[as_question(each) for each in step.questions[CHECKS:]] for step in steps]
    questions: list[Question] = []
    for at in range(max(map(len, left), default=0)):
        questions += [each[at] for each in left if at < len(each)]
    lines = ["Alone, on paper, boards away. Sort the answers into three piles afterwards."]
    lines += [f"Keep in mind: {routine}" for routine in frame.routines.end[:1]]
    last = questions[-1:] if len(questions) > MOST_EXIT else []
    chosen = [*questions[: MOST_EXIT - len(last)], *last]
    return Activity(frame.exit, "\n\n".join(lines), tuple(chosen))


def misconceptions_for(brief: Brief, topic: Topic) -> tuple[str, ...]:
    """What the class is known to get wrong about the topic, then what pupils usually do."""
    own = [each for each in brief.often if is_about(each, topic, brief)]
    usual = [each.sentence for each in topic.misconceptions]
    return tuple(dict.fromkeys([*own[:MOST_OWN], *usual]))[: limits.MISCONCEPTIONS[1]]


def is_about(often: str, topic: Topic, brief: Brief) -> bool:
    """Whether what a class gets wrong belongs to a topic: it begins with the concept's title."""
    concept = often.partition(":")[0]
    return any(each.topic.id == topic.id for each in find_topics(concept, brief.topics))


def often_notes(brief: Brief, topic: Topic) -> list[str]:
    """What the class gets wrong elsewhere, and that some of it was taken up here."""
    own = [each for each in brief.often if is_about(each, topic, brief)]
    others = [each for each in brief.often if each not in own]
    taken = ["A misconception in this plan comes from the work of your own learners."]
    rest = [f"Often wrong in this class, elsewhere: {_quoted(each)}" for each in others[:MOST_OWN]]
    return [*(taken if own else []), *rest]


def notes_for(brief: Brief, topic: Topic, chosen: Chosen, frame: Frame) -> tuple[str, ...]:
    """What the teacher should know: who wrote it, what was used, what was assumed."""
    notes = [
        f"{LOCAL_MARK}, from Paige's own material on this topic. Read it with your own eyes before "
        "you teach it.",
        *chosen.remarks,
        *memory_notes(brief),
        *often_notes(brief, topic),
    ]
    if topic.id in {each.id for each in brief.taught}:
        notes.append("The class has met this topic already: use the lesson to make it secure.")
    notes += assumptions(brief, topic)
    notes += [f"Examples that work here: {each}" for each in frame.routines.settings[:1]]
    if len(frame.cycles) > 1:
        late = brief.minutes - frame.exit - frame.cycles[-1] + 5
        notes.append(f"If the last cycle starts after minute {late}, do its first two tasks only.")
    if topic.care:
        notes.append(topic.care)
    if following := [each.title for each in brief.topics if topic.id in each.after][:3]:
        notes.append(f"What builds on it: {'; '.join(following)}.")
    return tuple(notes)


def revision_for(brief: Brief, topic: Topic | None) -> tuple[WorksheetNote, ...]:
    """What the class got wrong in its last worksheet of the subject, without codes of outcomes."""
    subject = topic.subject if topic else ""
    found = to_take_up(brief.worksheets, subject)
    return tuple(_plain(each) for each in found)


def _plain(note: WorksheetNote) -> WorksheetNote:
    return replace(note, asked=without_codes(note.asked), right=without_codes(note.right))


def recalled_notes(brief: Brief, starter: Activity) -> list[str]:
    """Which taught topics the starter brings back, and what of the last worksheet."""
    asked = {each.question.removeprefix(EARLIER) for each in starter.questions}
    back = [t.title for t in brief.taught if asked & {check.question for check in t.questions}]
    told = [f"The starter brings back: {'; '.join(back)}."] if back else []
    return [*again_notes(brief, starter), *told]


def again_notes(brief: Brief, starter: Activity) -> list[str]:
    """Why the starter asks something once more: what the last worksheet showed, and its source."""
    asked = {each.question for each in starter.questions}
    found: dict[str, str] = {}
    for line in newest_first(brief.worksheets):
        note = read_note(line)
        if note is None or again_question(_plain(note)) not in asked:
            continue
        what = without_codes(note.asked).rstrip(".?! ")
        told = f'{note.count} of {note.total} got "{what}" wrong{_with(note)}.'
        found.setdefault(note.asked, f"The starter takes up {note.source}: {told}")
    return list(found.values())


def _with(note: WorksheetNote) -> str:
    return f', {note.same} of them with "{without_codes(note.answer)}"' if note.answer else ""


def memory_notes(brief: Brief) -> list[str]:
    """Which memories shaped the lesson, and those a person should keep in mind."""
    used = brief.preferences.used
    shown = [f"From memory, used in this plan: {_quoted(each.text)}" for each in used]
    rest = [each for each in brief.preferences.rest if each.about == "class"]
    kept = [f"From memory, to keep in mind: {_quoted(each.text)}" for each in rest]
    return [*shown[: MOST_REMEMBERED + 1], *kept[:MOST_REMEMBERED]]


def assumptions(brief: Brief, topic: Topic | None) -> list[str]:
    """What had to be assumed because nobody said it."""
    notes: list[str] = []
    if brief.set_aside:
        notes.append("You set aside what is known of the class, so the plan does not use it.")
    elif brief.profile is None:
        who = f"class {brief.class_id}" if brief.class_id else "a class"
        notes.append(f"There is no profile of {who}: {brief.minutes} minutes were assumed.")
    elif topic is not None and topic.curriculum not in brief.curricula:
        notes.append(f"{topic.subject} is not a subject of {brief.class_id}'s profile.")
    return notes


def _resources(topic: Topic, brief: Brief) -> tuple[str, ...]:
    resources = topic.resources or ("Show-me boards",)
    if brief.preferences.flowcharts_first and any(_has_code(step) for step in topic.steps):
        return (*resources, "A flowchart of each program, one for each pair")
    return resources


def _has_code(step: Step) -> bool:
    return "```python" in step.example


def _quoted(text: str) -> str:
    return f'"{" ".join(without_codes(text).split()).rstrip(".")}".'
