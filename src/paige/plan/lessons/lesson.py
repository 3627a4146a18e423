"""A lesson as a value and as markdown that teachers read, print and edit.

What it holds, how much of it, and nothing about where it is kept. `parser.parse` reads it back,
`sections` cuts it into what a teacher judges, `faults` holds it to its limits. The types of its
fields say what form of a text survives the way to markdown and back; `tidy` gives it.
"""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, TypeAdapter

from paige.plan.lessons.text import block, escape, escape_line, indented, one_line, opens_fence

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
_QUOTES = {ord(mark): "'" for mark in '"\u201c\u201d'}


def _lines(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for text in texts if (line := one_line(text)))


def _label(text: str) -> str:
    label = one_line(text)
    while "**:" in label:
        label = label.replace("**:", ":")
    return label


Line = Annotated[str, AfterValidator(one_line)]
Lines = Annotated[tuple[str, ...], AfterValidator(_lines)]
"""Texts of one line each, without empty ones."""
Block = Annotated[str, AfterValidator(block)]
Label = Annotated[str, AfterValidator(_label)]
"""A text that can stand between `**` and `**:`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a lesson says about the curriculum: the code, its words, and where they stand."""

    code: str
    quote: Annotated[str, AfterValidator(lambda text: one_line(text.translate(_QUOTES)))]
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

    word: Label
    meaning: Line


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the answer the teacher expects."""

    question: Block
    answer: Line


@dataclass(frozen=True, slots=True)
class Check:
    """A check for understanding: one right answer among plausible wrong ones."""

    question: Block
    answer: Line
    distractors: Lines

    @property
    def options(self) -> tuple[str, ...]:
        """Every option in the order it is shown: the right one is not always the first."""
        at = sum(self.question.encode()) % (len(self.distractors) + 1)
        return (*self.distractors[:at], self.answer, *self.distractors[at:])


@dataclass(frozen=True, slots=True)
class Activity:
    """The start or the end of a lesson: what to do, and the questions asked."""

    minutes: int
    instructions: Block
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Cycle:
    """One round of teaching: explain, show, practise, check."""

    title: Line
    minutes: int
    explanation: Block
    worked_example: Block
    practice: Block
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What is different for some pupils: `EAL`, `ASN`, `Stretch`, or another group."""

    audience: Label
    what: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One lesson for one class. `source` is `local`, or the provider whose model wrote it."""

    __pydantic_config__ = ConfigDict(revalidate_instances="always")

    title: Line
    class_id: Line
    year: Line
    subject: Line
    level: Line
    minutes: int
    outcome: Line
    success_criteria: Lines
    curriculum: tuple[Claim, ...]
    prior_knowledge: Lines
    key_points: Lines
    keywords: Annotated[
        tuple[Keyword, ...],
        AfterValidator(lambda found: tuple(each for each in found if each.word)),
    ]
    misconceptions: Lines
    starter: Activity
    cycles: tuple[Cycle, ...]
    exit_check: Activity
    differentiation: tuple[Adaptation, ...] = ()
    resources: Lines = ()
    homework: Annotated[str | None, AfterValidator(lambda text: block(text or "") or None)] = None
    notes: Lines = ()
    date: dt.date | None = None
    source: Annotated[str, AfterValidator(lambda text: one_line(text) or LOCAL_SOURCE)] = (
        LOCAL_SOURCE
    )

    @property
    def planned_minutes(self) -> int:
        """The minutes of its parts together; they should be those of the lesson."""
        return (
            self.starter.minutes
            + sum(cycle.minutes for cycle in self.cycles)
            + self.exit_check.minutes
        )


@dataclass(frozen=True, slots=True)
class LessonProblem:
    """Something in a lesson's markdown that cannot be read: where, what, and what to change."""

    line: int
    message: str
    fix: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}. {self.fix}"


@dataclass(frozen=True, slots=True)
class Problems:
    """Why a markdown text is not a lesson."""

    problems: tuple[LessonProblem, ...]

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


_ADAPTER = TypeAdapter(Lesson)


def tidy(lesson: Lesson) -> Lesson:
    """The lesson as it comes back from its markdown: spaces in order, empty items gone."""
    return _ADAPTER.validate_python(lesson)


LOCAL_MARK = "Composed without a model"
INDENT = 3


def render(lesson: Lesson) -> str:
    """The whole lesson; `lesson_reading.parse` reads it back."""
    lesson = tidy(lesson)
    lines = [
        *_head(lesson),
        *_section("Learning outcome", [escape_line(lesson.outcome)]),
        *_section("Success criteria", _bullets(lesson.success_criteria)),
        *_section("Curriculum", _bullets(render_claim(claim) for claim in lesson.curriculum)),
        *_section("Before the lesson", _before(lesson)),
        *_section("Key learning points", _bullets(lesson.key_points)),
        *_section("Keywords", _bullets(f"**{k.word}**: {k.meaning}" for k in lesson.keywords)),
        *_section("Misconceptions", _bullets(lesson.misconceptions)),
        *_activity("Starter", lesson.starter),
        *(line for number, cycle in enumerate(lesson.cycles, 1) for line in _cycle(number, cycle)),
        *_activity("Exit check", lesson.exit_check),
        *_section(
            "Differentiation",
            _bullets(
                f"**{each.audience}**: {each.what}".rstrip() for each in lesson.differentiation
            ),
        ),
    ]
    if lesson.homework is not None:
        lines += _section("Homework", [escape(lesson.homework)])
    lines += _section("Notes", _bullets(lesson.notes))
    return "\n".join(lines).rstrip("\n") + "\n"


def render_claim(claim: Claim) -> str:
    """A curriculum claim as the evidence check reads it."""
    edition = f" (edition {claim.edition})" if claim.edition else ""
    return f'[{claim.code}]({claim.file}#L{claim.start}-L{claim.end}) "{claim.quote}"{edition}'


def source_line(source: str) -> str:
    """Who wrote the lesson, in words."""
    return f"{source} ({LOCAL_MARK})" if source == LOCAL_SOURCE else source


def _head(lesson: Lesson) -> Iterator[str]:
    yield f"# {lesson.title}"
    yield ""
    facts = {
        "Class": lesson.class_id,
        "Year": lesson.year,
        "Subject": lesson.subject,
        "Level": lesson.level,
        "Minutes": str(lesson.minutes),
        "Date": lesson.date.isoformat() if lesson.date else "",
        "Source": source_line(lesson.source),
    }
    yield from (f"- {name}: {value}" for name, value in facts.items() if value)
    yield ""


def _section(title: str, body: Iterable[str]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    lines = list(body)
    yield from lines
    if lines:
        yield ""


def _bullets(items: Iterable[str]) -> Iterator[str]:
    return (f"- {item}" for item in items)


def _before(lesson: Lesson) -> Iterator[str]:
    yield "### Prior knowledge"
    yield ""
    yield from _bullets(lesson.prior_knowledge)
    if lesson.resources:
        yield ""
        yield "### Resources"
        yield ""
        yield from _bullets(lesson.resources)


def _activity(name: str, activity: Activity) -> Iterator[str]:
    body: list[str] = []
    if activity.instructions:
        body += [escape(activity.instructions), ""]
    body += ["### Questions", "", *_questions(activity.questions)]
    return _section(f"{name} ({activity.minutes} min)", body)


def _cycle(number: int, cycle: Cycle) -> Iterator[str]:
    parts = (
        ("Explanation", cycle.explanation),
        ("Worked example", cycle.worked_example),
        ("Practice", cycle.practice),
    )
    body: list[str] = []
    for name, text in parts:
        body += [f"### {name}", "", *([escape(text), ""] if text else [])]
    body += ["### Checks for understanding", "", *_checks(cycle.checks)]
    title = f"Learning cycle {number}" + (f": {cycle.title}" if cycle.title else "")
    return _section(f"{title} ({cycle.minutes} min)", body)


def _questions(questions: Iterable[Question]) -> Iterator[str]:
    for number, each in enumerate(questions, 1):
        yield from _numbered(number, each.question)
        yield " " * INDENT + f"- Answer: {each.answer}".rstrip()


def _checks(checks: Iterable[Check]) -> Iterator[str]:
    for number, check in enumerate(checks, 1):
        yield from _numbered(number, check.question)
        right = sum(check.question.encode()) % (len(check.distractors) + 1)
        for at, option in enumerate(check.options):
            yield " " * INDENT + f"- [{'x' if at == right else ' '}] {option}".rstrip()


def _numbered(number: int, question: str) -> Iterator[str]:
    first, *rest = escape(question, items=True).split("\n")
    if opens_fence(first):  # a code block has to begin on a line of its own
        first, rest = "", [first, *rest]
    yield f"{number}. {first}".rstrip()
    yield from (line for text in rest for line in indented(text, INDENT))
