"""A lesson's questions as a worksheet of the Study door, with its key, so that it can be marked."""

import re
from collections.abc import Sequence
from datetime import datetime

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.exercise.worksheet.values import BLANK, Question, Section, Worksheet, make_worksheet
from paige.language.english import NUMBERS
from paige.plan.lessons.lesson import Activity, Check, Lesson, Problems
from paige.plan.lessons.parser import parse
from paige.plan.lessons.text import one_line
from paige.plan.products import slug_of

_HOW_MANY = re.compile(r"\bhow (?:many|often)\b", re.I)
_QUANTITY = re.compile(rf"(?P<number>\d+|{'|'.join(NUMBERS)}) [a-z]+", re.I)
KeyedPrompt = tuple[str, str]  # a prompt with its blank, and the accepted answers


def worksheet_of(lesson: Lesson, *, slug: str, now: datetime) -> Worksheet:
    """The worksheet of a lesson. Raises: BadInput when the lesson asks nothing."""
    # How a starter is run is for the teacher; pupils get the questions only.
    parts: list[tuple[str, list[KeyedPrompt]]] = [
        ("Warm-up", _open(lesson.starter)),
        *((cycle.title, [_choice(check) for check in cycle.checks]) for cycle in lesson.cycles),
        ("Before you go", _open(lesson.exit_check)),
    ]
    asked = [part for part in parts if part[1]]
    if not asked:
        raise BadInput(
            f"The lesson `{lesson.title}` asks no questions, so there is nothing for a worksheet",
            hint="Add questions to the starter, the checks or the exit check.",
        )
    sections = tuple(_section(number, title, rows) for number, (title, rows) in enumerate(asked, 1))
    key = {
        f"{number}.{at}": answers
        for number, (_, rows) in enumerate(asked, 1)
        for at, (_, answers) in enumerate(rows, 1)
    }
    return make_worksheet(
        Worksheet(
            course=one_line(lesson.subject).lower().replace(" ", "-") or "lesson",
            concept=slug,
            concept_name=lesson.title,
            title=lesson.title,
            sections=sections,
            generated=to_iso(now),
            bloom_level="understand",
            instructions="Write your answer where the `___` is. For choices, write the letter.",
            time_estimate=f"{max(5, len(key) * 2)} minutes",
            key=key,
        )
    )


def _section(number: int, title: str, rows: Sequence[KeyedPrompt]) -> Section:
    questions = tuple(Question(number, at, prompt) for at, (prompt, _) in enumerate(rows, 1))
    return Section(number, one_line(title), questions)


def _open(activity: Activity) -> list[KeyedPrompt]:
    return [
        (f"{_without_blanks(each.question)} {BLANK}", _open_answers(each.question, each.answer))
        for each in activity.questions
    ]


def _open_answers(question: str, answer: str) -> str:
    """The accepted answers; who is asked how many may leave out of what."""
    accepted = _answers(answer)
    found = _QUANTITY.fullmatch(accepted)
    if found is None or not _HOW_MANY.search(question):
        return accepted
    return f"{accepted} / {found['number']}"


def _choice(check: Check) -> KeyedPrompt:
    letters = {option: chr(65 + at) for at, option in enumerate(check.options)}
    shown = "  ".join(f"{letter}) {_without_blanks(option)}" for option, letter in letters.items())
    answers = f"{letters[check.answer]} / {_answers(check.answer)}"
    return f"{_without_blanks(check.question)}  {shown}  {BLANK}", answers


def _without_blanks(text: str) -> str:
    """The text on one line; a blank of its own would be one more answer."""
    return one_line(text.replace(BLANK, "…"))


def _answers(text: str) -> str:
    """An accepted answer; what separates alternatives or blanks in a key is not part of it."""
    return one_line(text.replace(";", ",").replace(" / ", " or "))


def worksheet_in(markdown: str, now: datetime) -> Worksheet:
    """A worksheet as it is, or the one of a lesson. Raises: BadInput."""
    if looks_like_worksheet(markdown):
        return parse_worksheet(markdown).worksheet
    lesson = lesson_in(markdown)
    return worksheet_of(lesson, slug=slug_of(lesson.title), now=now)


def lesson_in(markdown: str) -> Lesson:
    """The lesson that a text is. Raises: BadInput, naming the lines."""
    if looks_like_worksheet(markdown):
        raise BadInput(
            "This is a worksheet, not a lesson",
            hint="It can become a Word file, a PDF, a worksheet or a quiz.",
        )
    found = parse(markdown)
    if isinstance(found, Problems):
        raise BadInput(f"The text cannot be read as a lesson.\n{found}", hint="Change those lines.")
    return found
