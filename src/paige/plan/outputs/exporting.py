"""One way out for lessons: a markdown text and a format in, a file out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from paige.base.errors import BadInput
from paige.exercise.exchange.qti import write_qti
from paige.exercise.exchange.worksheet_quiz import quiz_of
from paige.exercise.worksheet.render import render_worksheet
from paige.plan.lesson import Lesson, Problems
from paige.plan.lesson_reading import parse
from paige.plan.outputs.blocks import read_blocks
from paige.plan.outputs.calendar import calendar_of
from paige.plan.outputs.pdf import write_pdf
from paige.plan.outputs.slides import slides_of
from paige.plan.outputs.word import title_of, write_word
from paige.plan.outputs.worksheet import worksheet_of

Format = Literal["docx", "pdf", "md", "slides", "worksheet", "qti", "ics"]
FORMATS: tuple[Format, ...] = get_args(Format)
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file ready to be written or sent."""

    name: str
    media_type: str
    content: bytes


def export_lesson(markdown: str, to: Format, *, stem: str, now: datetime) -> Exported:
    """The lesson in another form; `stem` is its file name without the ending.

    Word, PDF and markdown take any text. The others need to know what is a question and what an
    answer: what keeps the text from being read as a lesson is named with its lines.
    Raises: BadInput.
    """
    match to:
        case "md":
            return Exported(f"{stem}.md", _MARKDOWN, markdown.encode())
        case "docx" | "pdf":
            blocks = read_blocks(markdown)
            title = title_of(blocks, stem)
            if to == "docx":
                return Exported(f"{stem}.docx", _WORD, write_word(blocks, title=title, now=now))
            content = write_pdf(blocks, title=title, now=now)
            return Exported(f"{stem}.pdf", "application/pdf", content)
        case _:
            return _structured(_read(markdown), to, stem, now)


def _structured(
    lesson: Lesson, to: Literal["slides", "worksheet", "qti", "ics"], stem: str, now: datetime
) -> Exported:
    match to:
        case "slides":
            return Exported(f"{stem}-slides.md", _MARKDOWN, slides_of(lesson).encode())
        case "worksheet":
            text = render_worksheet(worksheet_of(lesson, slug=stem, now=now))
            return Exported(f"{stem}-worksheet.md", _MARKDOWN, text.encode())
        case "qti":
            quiz = quiz_of(worksheet_of(lesson, slug=stem, now=now))
            return Exported(f"{stem}-qti.zip", "application/zip", write_qti(quiz))
        case "ics":
            content = calendar_of(lesson, slug=stem, now=now)
            return Exported(f"{stem}.ics", "text/calendar; charset=utf-8", content)


def _read(markdown: str) -> Lesson:
    found = parse(markdown)
    if isinstance(found, Problems):
        raise BadInput(f"The text cannot be read as a lesson.\n{found}", hint="Change those lines.")
    return found
