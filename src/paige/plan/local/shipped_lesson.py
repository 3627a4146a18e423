"""A lesson that Paige comes with, as it is, with the class's facts, its rows and its minutes.

Nothing is written here: the words are those of the shipped file, of the class profile, of the
curriculum and of memory. Its notes are facts of the class and of memory, and where they come from;
a frame has them too.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from paige.plan.classes import ClassProfile, Need
from paige.plan.handout.notes import WorksheetNote, to_take_up
from paige.plan.lessons import lesson as limits
from paige.plan.lessons.lesson import (
    LOCAL_MARK,
    LOCAL_SOURCE,
    Activity,
    Adaptation,
    Cycle,
    Lesson,
    Question,
    tidy,
)
from paige.plan.local.brief import Brief, cycles_for, share, without_codes
from paige.plan.local.fit import Fit, is_called, levels_of
from paige.plan.local.rows import rows_of
from paige.plan.local.topics import Step, Topic

AGAIN = "Once more: "
CHECKS = 2
MOST_AGAIN = 2
MOST_EXIT = 3
_PUPILS = re.compile(r"^\s*\d+\s*(?:pupils?|learners?)?\s*,?\s*", re.I)


def shipped_lesson(brief: Brief, topic: Topic, found: Fit | None = None) -> Lesson:
    """The whole lesson for the class of a brief. Raises: BadInput when the time is too short."""
    rows = rows_of(topic, brief.library, brief.level, brief.codes)
    steps = topic.steps[: cycles_for(brief.minutes, len(topic.steps))]
    begin, minutes, end = share(brief.minutes, len(steps), brief.starter)
    again = to_take_up(brief.worksheets, topic.subject)[:MOST_AGAIN]
    own = [each for each in brief.often if is_called(each.partition(":")[0], topic)]
    usual = [each.sentence for each in topic.misconceptions]
    return tidy(
        Lesson(
            title=topic.title,
            class_id=brief.class_id,
            year=brief.profile.year if brief.profile else "",
            subject=topic.subject,
            level=brief.level or (rows.outcomes[0].level if rows.outcomes else ""),
            minutes=brief.minutes,
            outcome=f"{limits.OUTCOME_START} {topic.outcome}.",
            success_criteria=tuple(f"I can {each}." for each in topic.criteria),
            curriculum=rows.claims,
            prior_knowledge=topic.prior,
            resources=topic.resources or ("Show-me boards",),
            key_points=topic.ideas,
            keywords=topic.words,
            misconceptions=tuple([*own, *usual][: limits.MISCONCEPTIONS[1]]),
            starter=_starter(topic, begin, again),
            cycles=tuple(_cycle(*each) for each in zip(steps, minutes, strict=True)),
            exit_check=_exit(steps, end),
            differentiation=adaptations(brief.profile, topic),
            homework=topic.homework or None,
            notes=(
                f"{LOCAL_MARK}: a lesson that Paige comes with, as it is. Read it with your own "
                "eyes before you teach it.",
                *rows.remarks,
                *_left_out(topic, steps),
                *(_taken_up(each) for each in again),
                *(["A misconception comes from the work of your own learners."] if own else []),
                *fact_notes(brief, topic),
                *often_notes([each for each in brief.often if each not in own]),
                *said_notes(brief),
                *([topic.care] if topic.care else []),
                *near_notes(brief, found.near if found else ()),
            ),
            source=LOCAL_SOURCE,
        )
    )


def adaptations(profile: ClassProfile | None, topic: Topic | None = None) -> tuple[Adaptation, ...]:
    """The needs in the class's profile, then what the lesson has for such pupils."""
    needs = profile.needs if profile else ()
    found = [Adaptation(_label(need, needs), _sentence(need.what)) for need in needs]
    shipped = {"EAL": topic.eal, "ASN": topic.asn, "Stretch": topic.stretch} if topic else {}
    for kind, text in shipped.items():
        at = next((at for at, need in enumerate(needs) if _kind(need) == kind.casefold()), None)
        if text and at is not None:
            found[at] = replace(found[at], what=f"{found[at].what} {text}")
        elif text:
            found.append(Adaptation(kind, text))
    return tuple(found)


def _starter(topic: Topic, minutes: int, again: Sequence[WorksheetNote]) -> Activity:
    """The lesson's own questions, after what the class got wrong in its last worksheet."""
    asked = [Question(_again(each), without_codes(each.right)) for each in again]
    how = "From memory, alone, on show-me boards or paper. Show the answers at once."
    return Activity(minutes, how, (*asked, *topic.recall))


def _again(note: WorksheetNote) -> str:
    """A question that is asked once more, however often it was asked before."""
    asked = without_codes(note.asked)
    while asked.startswith(AGAIN):
        asked = asked.removeprefix(AGAIN)
    return f"{AGAIN}{asked}"


def _taken_up(note: WorksheetNote) -> str:
    what = without_codes(note.asked).rstrip(".?! ")
    same = f', {note.same} of them with "{without_codes(note.answer)}"' if note.answer else ""
    told = f'{note.count} of {note.total} got "{what}" wrong{same}.'
    return f"The starter takes up {note.source}: {told}"


def _cycle(step: Step, minutes: int) -> Cycle:
    return Cycle(
        title=step.title,
        minutes=minutes,
        explanation=step.explain,
        worked_example=step.example,
        practice=_practice(step, minutes),
        checks=step.questions[:CHECKS],
    )


def _practice(step: Step, minutes: int) -> str:
    """The tasks of a step from easy to hard, with their answers; about half of a cycle."""
    levels = (("Start", step.support), ("Core", step.core), ("Stretch", step.stretch))
    tasks = [
        f"**{name}**: {each.task} *(Answer: {each.answer})*" for name, own in levels for each in own
    ]
    numbered = [f"{number}. {task}" for number, task in enumerate(tasks, 1)]
    time = max(4, minutes * 9 // 20)
    head = f"About {time} minutes. Alone first, then compare with a partner."
    return "\n".join([head, "", *numbered])


def _exit(steps: Sequence[Step], minutes: int) -> Activity:
    """Questions that were not asked before; the last step has the last word."""
    left = [step.questions[CHECKS:] for step in steps]
    rounds = range(max(map(len, left), default=0))
    questions = [each[at] for at in rounds for each in left if at < len(each)]
    last = questions[-1:] if len(questions) > MOST_EXIT else []
    chosen = [*questions[: MOST_EXIT - len(last)], *last]
    how = "Alone, on paper, boards away. Sort the answers into three piles afterwards."
    return Activity(minutes, how, tuple(Question(each.question, each.answer) for each in chosen))


def _left_out(topic: Topic, steps: Sequence[Step]) -> list[str]:
    rest = [f"“{step.title}”" for step in topic.steps[len(steps) :]]
    return [f"Left out, because the time is too short: {', '.join(rest)}."] if rest else []


def _label(need: Need, needs: Sequence[Need]) -> str:
    """`EAL`; where a class has two needs of one kind, what tells them apart: `ASN (hearing)`."""
    kind = need.kind or "Support"
    same = [each for each in needs if _kind(each) == _kind(need)]
    about = _PUPILS.sub("", need.about).split(",")[0].strip()
    return f"{kind} ({about})" if len(same) > 1 and about else kind


def _kind(need: Need) -> str:
    return need.kind.casefold().split("(")[0].strip()


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


MOST_REMEMBERED = 3
MOST_OFTEN = 2


def fact_notes(brief: Brief, topic: Topic | None = None) -> list[str]:
    """What is known of the class, and what had to be assumed."""
    if brief.set_aside:
        return ["You set aside what is known of the class, so the plan does not use it."]
    notes = [*_assumed(brief, topic)]
    if brief.profile is not None:
        notes += [f"Works in this class: {_quoted(each)}" for each in brief.profile.works]
    own = [each.text for each in brief.remembered if each.about == "class"]
    others = [each.text for each in brief.remembered if each.about != "class"]
    kept = [*own[-MOST_REMEMBERED:], *others[-MOST_REMEMBERED:]]
    notes += [f"From memory: {_quoted(each)}" for each in kept]
    return notes


def often_notes(lines: Sequence[str]) -> list[str]:
    """What many of the class get wrong."""
    return [f"Often wrong in this class: {_quoted(each)}" for each in lines[:MOST_OFTEN]]


def said_notes(brief: Brief) -> list[str]:
    """What the teacher added, which rules do not work into a lesson."""
    if not brief.said.strip():
        return []
    return [f"You added, for whoever goes on with it: {_quoted(brief.said)}"]


def near_notes(brief: Brief, topics: Sequence[Topic]) -> list[str]:
    """Shipped lessons that a request comes near to, each by the title it can be asked for by."""
    return [
        f"Paige comes with “{topic.title}” ({topic.subject}{_levels(topic, brief)}). If you mean "
        "that lesson, ask for it by its title."
        for topic in topics
    ]


def _levels(topic: Topic, brief: Brief) -> str:
    levels = levels_of(topic, brief)
    return f", {' and '.join(levels)} level" if levels else ""


def _assumed(brief: Brief, topic: Topic | None) -> list[str]:
    if brief.profile is None:
        who = f"class {brief.class_id}" if brief.class_id else "a class"
        return [f"There is no profile of {who}: {brief.minutes} minutes were assumed."]
    if topic is not None and topic.curriculum not in brief.curricula:
        return [f"{topic.subject} is not a subject of {brief.class_id}'s profile."]
    return []


def _quoted(text: str) -> str:
    return f'"{" ".join(without_codes(text).split()).rstrip(".")}".'
