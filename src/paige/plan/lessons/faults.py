"""What is wrong with a lesson: its limits, its minutes, its questions.

Whether what it says about the curriculum is true is judged by `evidence`; whether it fits the class
by `criteria`. Here only the lesson itself is looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from paige.plan.lessons import lesson as limits
from paige.plan.lessons.lesson import Activity, Check, Cycle, Fault, Lesson, Problems, render
from paige.plan.lessons.parser import parse
from paige.plan.lessons.sections import MESSAGE, find_section, is_open, sections

LONGEST_LESSON = 240
SIMILAR_LENGTH = 2.0
"""The longest option of a check may be this many times as long as the shortest ..."""
FREE_DIFFERENCE = 16
"""... unless they differ by fewer characters than this: short answers may differ freely."""


@dataclass(frozen=True, slots=True)
class _UnplacedFault:
    """A fault before its line is known."""

    section: str
    message: str
    near: str = ""


def faults(lesson: Lesson, *, text: str | None = None) -> list[Fault]:
    """Every fault, with its line in `text` (or in the lesson's own markdown)."""
    found = [*_counts(lesson), *_lengths(lesson), *_timing(lesson), *_questions(lesson)]
    if not found:
        return []
    markdown = render(lesson) if text is None else text
    placed = [Fault(each.section, _line(markdown, each), each.message) for each in found]
    return sorted(placed, key=lambda fault: fault.line)


def faults_in(markdown: str) -> list[Fault]:
    """The faults of a lesson's markdown; what cannot be read, or is open, is a fault too."""
    lesson = parse(markdown)
    every = sections(markdown)
    if not isinstance(lesson, Problems):
        left = {each.id: each for each in every if is_open(each.text)}
        others = [each for each in faults(lesson, text=markdown) if each.section not in left]
        found = [Fault(id, each.start, MESSAGE) for id, each in left.items()]
        return sorted([*others, *found], key=lambda fault: fault.line)
    return [
        Fault(
            next((each.id for each in every if each.start <= problem.line <= each.end), "lesson"),
            problem.line,
            f"{problem.message}. {problem.fix}",
        )
        for problem in lesson.problems
    ]


def uneven(check: Check) -> bool:
    """Whether the length of an option gives the answer away."""
    lengths = [len(option) for option in check.options]
    longest, shortest = max(lengths), min(lengths)
    return longest - shortest >= FREE_DIFFERENCE and longest > shortest * SIMILAR_LENGTH


def _counts(lesson: Lesson) -> Iterator[_UnplacedFault]:
    counted: Sequence[tuple[str, str, Sequence[object], tuple[int, int]]] = (
        ("success-criteria", "success criteria", lesson.success_criteria, limits.SUCCESS_CRITERIA),
        (
            "before-the-lesson",
            "items of prior knowledge",
            lesson.prior_knowledge,
            limits.PRIOR_KNOWLEDGE,
        ),
        ("key-learning-points", "key learning points", lesson.key_points, limits.KEY_POINTS),
        ("keywords", "keywords", lesson.keywords, limits.KEYWORDS),
        ("misconceptions", "misconceptions", lesson.misconceptions, limits.MISCONCEPTIONS),
        ("learning-cycle-1", "learning cycles", lesson.cycles, limits.CYCLES),
        ("starter", "starter questions", lesson.starter.questions, (1, 12)),
        ("exit-check", "exit questions", lesson.exit_check.questions, (1, 12)),
    )
    for section, name, items, (fewest, most) in counted:
        if not fewest <= len(items) <= most:
            yield _UnplacedFault(
                section, f"there are {len(items)} {name}; {fewest} to {most} are needed"
            )
    if not lesson.curriculum:
        yield _UnplacedFault(
            "curriculum", "no curriculum outcome is named, so nothing can be checked"
        )


def _lengths(lesson: Lesson) -> Iterator[_UnplacedFault]:
    yield from _too_long("lesson", "the title", lesson.title, limits.TITLE_LENGTH)
    outcome = lesson.outcome
    yield from _too_long("learning-outcome", "the outcome", outcome, limits.OUTCOME_LENGTH)
    if not outcome.startswith(f"{limits.OUTCOME_START} "):
        message = f"the outcome should begin with `{limits.OUTCOME_START}`"
        yield _UnplacedFault("learning-outcome", message, outcome)
    for keyword in lesson.keywords:
        yield from _too_long("keywords", "the keyword", keyword.word, limits.WORD_LENGTH)
        yield from _too_long("keywords", "the meaning", keyword.meaning, limits.MEANING_LENGTH)
        if not keyword.meaning:
            yield _UnplacedFault("keywords", f"`{keyword.word}` has no meaning", keyword.word)
    for text in lesson.misconceptions:
        longest = limits.MISCONCEPTION_LENGTH
        yield from _too_long("misconceptions", "the misconception", text, longest)


def _too_long(section: str, what: str, text: str, most: int) -> Iterator[_UnplacedFault]:
    if len(text) > most:
        message = f"{what} has {len(text)} characters; {most} are the most"
        yield _UnplacedFault(section, message, text)


def _timing(lesson: Lesson) -> Iterator[_UnplacedFault]:
    if not 1 <= lesson.minutes <= LONGEST_LESSON:
        yield _UnplacedFault("lesson", f"a lesson of {lesson.minutes} minutes cannot be taught")
    timed: list[tuple[str, Activity | Cycle]] = [("starter", lesson.starter)]
    timed += [(f"learning-cycle-{at}", cycle) for at, cycle in enumerate(lesson.cycles, 1)]
    timed.append(("exit-check", lesson.exit_check))
    for section, each in timed:
        if each.minutes < 1:
            yield _UnplacedFault(section, "this part has no minutes")
    planned = lesson.planned_minutes
    if planned != lesson.minutes:
        message = f"the parts take {planned} minutes, the lesson has {lesson.minutes}"
        yield _UnplacedFault("lesson", message)


def _questions(lesson: Lesson) -> Iterator[_UnplacedFault]:
    for section, activity in (("starter", lesson.starter), ("exit-check", lesson.exit_check)):
        for each in activity.questions:
            if not each.question or not each.answer:
                message = "a question or its answer is empty"
                yield _UnplacedFault(section, message, each.question or each.answer)
    for at, cycle in enumerate(lesson.cycles, 1):
        yield from _cycle(f"learning-cycle-{at}", cycle)


def _cycle(section: str, cycle: Cycle) -> Iterator[_UnplacedFault]:
    pieces = {
        "title": cycle.title,
        "explanation": cycle.explanation,
        "worked example": cycle.worked_example,
        "practice": cycle.practice,
    }
    for name, text in pieces.items():
        if not text:
            yield _UnplacedFault(section, f"the {name} is missing")
    if len(cycle.checks) < limits.FEWEST_CHECKS:
        message = (
            f"there are {len(cycle.checks)} checks; at least {limits.FEWEST_CHECKS} are needed"
        )
        yield _UnplacedFault(section, message)
    for check in cycle.checks:
        yield from (_UnplacedFault(section, each, check.question) for each in _check(check))


def _check(check: Check) -> Iterable[str]:
    if not check.question or not check.answer:
        yield "a check has no question or no answer"
        return
    wrong = check.distractors
    if len(wrong) < limits.FEWEST_DISTRACTORS:
        yield f"a check has {len(wrong)} wrong options; at least {limits.FEWEST_DISTRACTORS}"
    folded = [option.casefold() for option in check.options]
    if len(set(folded)) != len(folded):
        yield "two options of a check are the same"
    if uneven(check):
        yield "the options of a check differ so much in length that they give the answer away"


def _line(markdown: str, found: _UnplacedFault) -> int:
    section = find_section(markdown, found.section)
    first = section.start if section else 1
    near = found.near.split("\n")[0][:40]
    if near:
        lines = markdown.split("\n")[first - 1 : section.end if section else None]
        for at, line in enumerate(lines):
            if near in line:
                return first + at
    return first
