"""Lessons that someone from another subject can take: nothing new, everything written out."""

from dataclasses import replace

from paige.plan.lesson import Activity, Adaptation, Lesson, tidy
from paige.plan.local.brief import Brief
from paige.plan.local.composing import compose, topic_of
from paige.plan.local.starters import as_question
from paige.plan.local.topics import Topic

TITLE = "Cover: "
_ALOUD = "Read this out, or let pupils read it silently:"
_SAY = "If an answer is wrong, say"
_PLAIN = {
    "eal": "Pupils who are learning English",
    "asn": "Pupils who need the page made easier",
    "stretch": "Pupils who finish early",
    "support": "Pupils who need a first step",
    "care": "Handle with care",
}


def cover_topic(brief: Brief) -> Topic | None:
    """A topic the class has been taught: the one that is asked for, else the newest."""
    asked = topic_of(brief)
    if asked is not None:
        return asked
    return brief.taught[-1] if brief.taught else None


def compose_cover(brief: Brief, topic: Topic) -> Lesson:
    """A lesson that makes something known secure, for a colleague who does not teach it."""
    lesson = compose(_without_routines(brief), topic)
    known = topic.id in {each.id for each in brief.taught}
    cycles = tuple(
        replace(
            cycle,
            explanation=f"{_ALOUD}\n\n{cycle.explanation}",
            practice=_on_paper(cycle.practice),
        )
        for cycle in lesson.cycles
    )
    resources = ("Paper and pencils", "This plan; all answers are in it")
    return tidy(
        replace(
            lesson,
            title=f"{TITLE}{lesson.title}"[:80],
            starter=_starter(lesson, topic),
            cycles=cycles,
            resources=resources,
            differentiation=_plainly(lesson.differentiation),
            homework=None,
            notes=(
                *_for_the_colleague(brief, lesson),
                *_likeliest(lesson, topic),
                *_new(topic, known=known),
                *lesson.notes[:1],
                *(note for note in lesson.notes[1:] if "unverified" in note),
            ),
        )
    )


def _without_routines(brief: Brief) -> Brief:
    """Routines need someone who knows them, and often machines."""
    if brief.profile is None:
        return brief
    return replace(brief, profile=replace(brief.profile, works=()))


def _starter(lesson: Lesson, topic: Topic) -> Activity:
    """Questions on what is practised today, so that nobody needs to know anything else."""
    asked = {each.question for cycle in lesson.cycles for each in cycle.checks}
    asked |= {each.question for each in lesson.exit_check.questions}
    own = [as_question(each) for each in topic.questions if each.question not in asked]
    questions = (*topic.recall, *own)[: max(2, len(lesson.starter.questions))]
    words = (
        "Say: “Answer these on paper, alone and in silence. We go through them in five minutes.”"
    )
    return Activity(lesson.starter.minutes, words, tuple(questions))


def _on_paper(practice: str) -> str:
    return practice.replace(
        "Alone first, then compare with a partner.",
        "Say: “On paper, alone first, then compare with a partner. Start with task 1.”",
        1,
    )


def _plainly(adaptations: tuple[Adaptation, ...]) -> tuple[Adaptation, ...]:
    """Needs as things to do, without the words of a diagnosis."""
    plain: list[Adaptation] = []
    for each in adaptations:
        kind = each.audience.casefold().split("(")[0].strip()
        label = _PLAIN.get(kind, each.audience.split("(")[0].strip())
        same = next((at for at, known in enumerate(plain) if known.audience == label), None)
        if same is None:
            plain.append(Adaptation(label, each.what))
        else:
            plain[same] = replace(plain[same], what=f"{plain[same].what} {each.what}")
    return tuple(plain)


def _for_the_colleague(brief: Brief, lesson: Lesson) -> tuple[str, ...]:
    profile = brief.profile
    sentences = " ".join(profile.ability.split()).split(". ")[:2] if profile else []
    like = ". ".join(sentences).rstrip(".")
    about = f"{like}." if like else "a class you need not know; the plan says all."
    last = lesson.cycles[-1].title
    return (
        f"The class: {about}",
        "Have ready: paper, and the questions of the starter on the board before they come in. "
        "No computers and no logins are needed.",
        "Collect: the exit check, with the class name on top. Leave it on the teacher's desk.",
        "If it goes too fast: pupils make three questions like those of the exit check, with "
        "answers, and swap them.",
        f"If it goes too slowly: leave out the last task of “{last}”. Do the exit check anyway.",
    )


def _likeliest(lesson: Lesson, topic: Topic) -> list[str]:
    found: list[str] = []
    for step, _cycle in zip(topic.steps, lesson.cycles, strict=False):
        check = step.questions[0]
        asked = " ".join(check.question.split())
        found.append(
            f"{_SAY}: to “{asked}” many answer “{check.distractors[0]}”; right is “{check.answer}”."
        )
    return found


def _new(topic: Topic, *, known: bool) -> tuple[str, ...]:
    if known:
        return ()
    return (
        f"“{topic.title}” is not in what the class was taught, so it may be new to them. A cover "
        "lesson should practise something known: check this before you hand it on.",
    )
