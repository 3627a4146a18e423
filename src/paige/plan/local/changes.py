"""Changes of what a lesson says: harder or plainer, more practice, help for some pupils.

Each takes a lesson and gives it back changed, with the words for what was done, or why it was not.
What moves minutes, level or class stands in `refining`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from paige.plan.classes import ClassProfile
from paige.plan.curriculum.values import Library
from paige.plan.lesson import Adaptation, Cycle, Lesson, Question
from paige.plan.local.practice import (
    CORE,
    START,
    STRETCH,
    join_practice,
    minutes_in,
    practice_minutes,
    split_practice,
    task_line,
    with_minutes,
)
from paige.plan.local.simpler import simplify
from paige.plan.local.topics import Task, Topic

_MACHINES = ("laptop", "computer", "machine", "tablet", "device")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a change may draw on: the lesson's topic, the curriculum, the classes, what they know.

    `taught` gives what a class was taught, so that a lesson moved to it recalls the right things.
    """

    topic: Topic | None
    library: Library
    classes: Sequence[ClassProfile]
    taught: Callable[[str], Sequence[Topic]]
    request: str = ""

    def profile(self, class_id: str) -> ClassProfile | None:
        """One class by its name."""
        wanted = class_id.casefold()
        return next((each for each in self.classes if each.id.casefold() == wanted), None)


class Outcome(NamedTuple):
    """The lesson after a change, and what was done or why not."""

    lesson: Lesson
    done: str = ""
    problem: str = ""


def asked_in(lesson: Lesson) -> list[Question]:
    """Every question of a lesson."""
    checks = [Question(c.question, c.answer) for cycle in lesson.cycles for c in cycle.checks]
    return [*lesson.starter.questions, *checks, *lesson.exit_check.questions]


def _longer_practice(lesson: Lesson, context: Context) -> Outcome:
    cycles: list[Cycle] = []
    for at, cycle in enumerate(lesson.cycles):
        minutes = minutes_in(cycle.practice) or practice_minutes(cycle.minutes)
        longer = min(minutes + 4, max(minutes, cycle.minutes - 5))
        head, tasks = split_practice(with_minutes(cycle.practice, longer))
        extra = _spare_task(lesson, context, at)
        cycles.append(replace(cycle, practice=join_practice(head, [*tasks, extra])))
    said = "practice is longer in every cycle, with one more task; explanations must be brisker"
    return Outcome(replace(lesson, cycles=tuple(cycles)), said)


def _shorter_practice(lesson: Lesson, context: Context) -> Outcome:
    cycles: list[Cycle] = []
    for cycle in lesson.cycles:
        minutes = minutes_in(cycle.practice) or practice_minutes(cycle.minutes)
        head, tasks = split_practice(with_minutes(cycle.practice, max(3, minutes - 3)))
        cycles.append(replace(cycle, practice=join_practice(head, tasks[: max(2, len(tasks) - 1)])))
    said = "practice is shorter in every cycle; its last task is left out"
    return Outcome(replace(lesson, cycles=tuple(cycles)), said)


def _spare_task(lesson: Lesson, context: Context, at: int) -> str:
    """A question of the topic that the lesson does not ask yet, or one made from its checks."""
    if context.topic is not None:
        asked = {each.question for each in asked_in(lesson)}
        for step in context.topic.steps[at : at + 1]:
            for check in step.questions:
                if check.question not in asked:
                    return task_line(CORE, Task(check.question, check.answer))
    check = lesson.cycles[at].checks[0] if lesson.cycles[at].checks else None
    answer = f"for example like: {check.question}" if check else "a partner solves it"
    return task_line(CORE, Task("Make a task like these for a partner, and solve theirs.", answer))


def _challenge(lesson: Lesson, context: Context) -> Outcome:
    cycles: list[Cycle] = []
    for cycle in lesson.cycles:
        head, tasks = split_practice(cycle.practice)
        new = [flaw_task(cycle)] if cycle.checks else []
        cycles.append(replace(cycle, practice=join_practice(head, [*tasks, *new])))
    extra = "Task with the flaw in each cycle: say what the pupil thought, and put it right."
    changed = replace(
        lesson,
        cycles=tuple(cycles),
        differentiation=_strengthened(lesson.differentiation, "Stretch", extra),
    )
    return Outcome(changed, "a harder task in every cycle, and more for those who need stretch")


def flaw_task(cycle: Cycle) -> str:
    """A task made from a wrong option: what was thought, and what is right?"""
    check = cycle.checks[-1]
    asked = (
        f"Someone answers “{check.distractors[0]}” to “{_one_line(check.question)}”. "
        "What did they think? Put it right."
    )
    return task_line(STRETCH, Task(asked, f"right is: {check.answer}"))


def _support(lesson: Lesson, context: Context) -> Outcome:
    cycles: list[Cycle] = []
    together = Task(
        "Together: cover the end of the worked example and say what comes next.", "as shown above"
    )
    for cycle in lesson.cycles:
        head, tasks = split_practice(cycle.practice)
        line = task_line(START, together)
        new = tasks if line in tasks else [line, *tasks]
        cycles.append(replace(cycle, practice=join_practice(head, new)))
    extra = "The worked example stays in view; the first task is done together."
    changed = replace(
        lesson,
        cycles=tuple(cycles),
        differentiation=_strengthened(lesson.differentiation, "Support", extra),
    )
    return Outcome(changed, "one guided task more in every cycle, and the example stays in view")


def _eal(lesson: Lesson, context: Context) -> Outcome:
    words = ", ".join(keyword.word for keyword in lesson.keywords)
    what = (
        f"A word bank with pictures for {words}, said aloud together before the first task. "
        "Frames for speaking and writing: “It is … because …”, “First …, then …”. "
        "Two minutes to talk with a partner, in any language, before answers are written."
    )
    changed = replace(
        lesson,
        differentiation=_strengthened(lesson.differentiation, "EAL", what),
        resources=(*lesson.resources, f"Word bank: {words}"),
    )
    return Outcome(changed, "support for EAL: word bank, sentence frames, time to talk")


def _asn(lesson: Lesson, context: Context) -> Outcome:
    what = (
        "Instructions as numbered steps, one at a time, read aloud once. Wide spacing and a "
        "sans-serif font; answers may be spoken, sorted or in key words. Each task has an end."
    )
    differentiation = _strengthened(lesson.differentiation, "ASN", what)
    said = "support for ASN: steps, spacing, other ways to answer"
    return Outcome(replace(lesson, differentiation=differentiation), said)


def _strengthened(
    adaptations: tuple[Adaptation, ...], audience: str, what: str
) -> tuple[Adaptation, ...]:
    """The adaptations with more for one group, which is added when it is not there."""
    found = next(
        (at for at, each in enumerate(adaptations) if each.audience.startswith(audience)), None
    )
    if found is None:
        return (*adaptations, Adaptation(audience, what))
    old = adaptations[found]
    if what in old.what:
        return adaptations
    new = replace(old, what=f"{old.what} {what}")
    return (*adaptations[:found], new, *adaptations[found + 1 :])


def _simpler(lesson: Lesson, context: Context) -> Outcome:
    keep = [keyword.word for keyword in lesson.keywords]

    def plain(text: str) -> str:
        return simplify(text, keep)

    changed = replace(
        lesson,
        outcome=plain(lesson.outcome),
        success_criteria=tuple(map(plain, lesson.success_criteria)),
        starter=replace(lesson.starter, instructions=plain(lesson.starter.instructions)),
        cycles=tuple(
            replace(
                cycle,
                explanation=plain(cycle.explanation),
                worked_example=plain(cycle.worked_example),
                practice=plain(cycle.practice),
            )
            for cycle in lesson.cycles
        ),
        exit_check=replace(lesson.exit_check, instructions=plain(lesson.exit_check.instructions)),
    )
    if changed == lesson:
        return Outcome(lesson, problem="no plainer words are known for those in the lesson")
    return Outcome(changed, "plainer words and shorter sentences in what pupils read")


def _homework(lesson: Lesson, context: Context) -> Outcome:
    if lesson.homework:
        return Outcome(lesson, problem="the lesson has homework already")
    given = context.topic.homework if context.topic else ""
    words = ", ".join(keyword.word for keyword in lesson.keywords[:3])
    own = (
        f"On paper, ten minutes, no internet needed: explain {words} to someone at home, or to "
        "yourself aloud. Then write from memory one example of each, and one question."
    )
    return Outcome(replace(lesson, homework=given or own), "homework of about ten minutes added")


def _no_homework(lesson: Lesson, context: Context) -> Outcome:
    if lesson.homework is None:
        return Outcome(lesson, problem="the lesson has no homework")
    return Outcome(replace(lesson, homework=None), "homework left out")


def _no_machines(lesson: Lesson, context: Context) -> Outcome:
    resources = tuple(
        each for each in lesson.resources if not any(word in each.lower() for word in _MACHINES)
    )
    line = "On paper, without machines: predict, trace or act it out in place of running it."
    cycles = tuple(
        cycle
        if line in cycle.practice
        else replace(cycle, practice=_with_line(cycle.practice, line))
        for cycle in lesson.cycles
    )
    paper = "Paper and show-me boards"
    if paper not in resources:
        resources = (*resources, paper)
    changed = replace(lesson, resources=resources, cycles=cycles)
    return Outcome(changed, "practice on paper, without machines")


def _with_line(practice: str, line: str) -> str:
    head, tasks = split_practice(practice)
    return join_practice(f"{head} {line}".strip(), tasks) if tasks else f"{line}\n\n{practice}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


CHANGES: dict[str, Callable[[Lesson, Context], Outcome]] = {
    "longer-practice": _longer_practice,
    "shorter-practice": _shorter_practice,
    "challenge": _challenge,
    "support": _support,
    "eal": _eal,
    "asn": _asn,
    "simpler": _simpler,
    "homework": _homework,
    "no-homework": _no_homework,
    "no-machines": _no_machines,
}
"""What can be changed by a word, and how."""
