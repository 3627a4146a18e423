"""A lesson as a value: what it holds, how much of it, and nothing about where it is kept.

Written as markdown by `lesson_rendering.render`, read back by `lesson_reading.parse`, cut into
sections for a teacher to judge by `lesson_sections`, and held to its limits by
`lesson_faults.faults`. `tidy` gives the form that survives the way to markdown and back.
"""

import datetime as dt
from dataclasses import dataclass, replace

from paige.plan.lesson_text import block, one_line

TITLE_LENGTH = 80
OUTCOME_LENGTH = 190
OUTCOME_START = "I can"
SUCCESS_CRITERIA = (2, 4)
PRIOR_KNOWLEDGE = (1, 5)
KEY_POINTS = (3, 4)
KEYWORDS = (1, 5)
WORD_LENGTH = 30
MEANING_LENGTH = 200
MISCONCEPTIONS = (1, 3)
MISCONCEPTION_LENGTH = 250
CYCLES = (1, 3)
FEWEST_CHECKS = 2
FEWEST_DISTRACTORS = 2
LOCAL_SOURCE = "local"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a lesson says about the curriculum: the code, its words, and where they stand."""

    code: str
    quote: str
    file: str
    start: int
    end: int
    edition: str = ""

    @property
    def lines(self) -> str:
        """Such as `12-14`."""
        return f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word pupils should know, and what it means."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the answer the teacher expects."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Check:
    """A check for understanding: one right answer among plausible wrong ones."""

    question: str
    answer: str
    distractors: tuple[str, ...]

    @property
    def options(self) -> tuple[str, ...]:
        """Every option in the order it is shown: the right one is not always the first."""
        at = sum(self.question.encode()) % (len(self.distractors) + 1)
        return (*self.distractors[:at], self.answer, *self.distractors[at:])


@dataclass(frozen=True, slots=True)
class Activity:
    """The start or the end of a lesson: what to do, and the questions asked."""

    minutes: int
    instructions: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Cycle:
    """One round of teaching: explain, show, practise, check."""

    title: str
    minutes: int
    explanation: str
    worked_example: str
    practice: str
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What is different for some pupils: `EAL`, `ASN`, `Stretch`, or another group."""

    audience: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson for one class. `source` is `local`, or the provider whose model wrote it."""

    title: str
    class_id: str
    year: str
    subject: str
    level: str
    minutes: int
    outcome: str
    success_criteria: tuple[str, ...]
    curriculum: tuple[Claim, ...]
    prior_knowledge: tuple[str, ...]
    key_points: tuple[str, ...]
    keywords: tuple[Keyword, ...]
    misconceptions: tuple[str, ...]
    starter: Activity
    cycles: tuple[Cycle, ...]
    exit_check: Activity
    differentiation: tuple[Adaptation, ...] = ()
    resources: tuple[str, ...] = ()
    homework: str | None = None
    notes: tuple[str, ...] = ()
    date: dt.date | None = None
    source: str = LOCAL_SOURCE

    @property
    def planned_minutes(self) -> int:
        """The minutes of its parts together; they should be those of the lesson."""
        return (
            self.starter.minutes
            + sum(cycle.minutes for cycle in self.cycles)
            + self.exit_check.minutes
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a lesson's markdown that cannot be read: where, what, and what to change."""

    line: int
    message: str
    fix: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}. {self.fix}"


@dataclass(frozen=True, slots=True)
class Problems:
    """Why a markdown text is not a lesson."""

    problems: tuple[Problem, ...]

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Fault:
    """A limit that a lesson breaks: in which section, on which line, and how."""

    section: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"Line {self.line} ({self.section}): {self.message}"


def tidy(lesson: Lesson) -> Lesson:
    """The lesson as it comes back from its markdown: spaces in order, empty items gone."""
    return replace(
        lesson,
        title=one_line(lesson.title),
        class_id=one_line(lesson.class_id),
        year=one_line(lesson.year),
        subject=one_line(lesson.subject),
        level=one_line(lesson.level),
        outcome=one_line(lesson.outcome),
        success_criteria=tidy_lines(lesson.success_criteria),
        curriculum=tuple(_claim(claim) for claim in lesson.curriculum),
        prior_knowledge=tidy_lines(lesson.prior_knowledge),
        key_points=tidy_lines(lesson.key_points),
        keywords=tuple(each for keyword in lesson.keywords if (each := _keyword(keyword)).word),
        misconceptions=tidy_lines(lesson.misconceptions),
        starter=_activity(lesson.starter),
        cycles=tuple(_cycle(cycle) for cycle in lesson.cycles),
        exit_check=_activity(lesson.exit_check),
        differentiation=tuple(
            Adaptation(tidy_label(each.audience), one_line(each.what))
            for each in lesson.differentiation
        ),
        resources=tidy_lines(lesson.resources),
        homework=block(lesson.homework or "") or None,
        notes=tidy_lines(lesson.notes),
        source=one_line(lesson.source) or LOCAL_SOURCE,
    )


def tidy_lines(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Each text as one line, without the empty ones."""
    return tuple(line for text in texts if (line := one_line(text)))


def tidy_label(text: str) -> str:
    """A text that can stand between `**` and `**:`."""
    label = one_line(text)
    while "**:" in label:
        label = label.replace("**:", ":")
    return label


def _claim(claim: Claim) -> Claim:
    quote = one_line(claim.quote.translate({ord(mark): "'" for mark in '"\u201c\u201d'}))
    return replace(claim, quote=quote)


def _keyword(keyword: Keyword) -> Keyword:
    return Keyword(tidy_label(keyword.word), one_line(keyword.meaning))


def _activity(activity: Activity) -> Activity:
    questions = tuple(
        Question(block(each.question), one_line(each.answer)) for each in activity.questions
    )
    return replace(activity, instructions=block(activity.instructions), questions=questions)


def _cycle(cycle: Cycle) -> Cycle:
    return replace(
        cycle,
        title=one_line(cycle.title),
        explanation=block(cycle.explanation),
        worked_example=block(cycle.worked_example),
        practice=block(cycle.practice),
        checks=tuple(
            Check(block(each.question), one_line(each.answer), tidy_lines(each.distractors))
            for each in cycle.checks
        ),
    )
