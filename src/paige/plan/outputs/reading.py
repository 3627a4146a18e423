"""What a markdown text of the workspace is for those who need more than its words."""

from datetime import datetime

from paige.base.errors import BadInput
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.exercise.worksheet.values import Worksheet
from paige.plan.lesson import Lesson, Problems
from paige.plan.lesson_reading import parse
from paige.plan.outputs.worksheet import worksheet_of
from paige.plan.saving import slug_of


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
