"""One way out for lessons: a markdown text and a format in, a file out."""

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal, get_args

from paige.exercise.exchange.qti import write_qti
from paige.exercise.exchange.worksheet_quiz import quiz_of
from paige.exercise.worksheet.parse import looks_like_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.plan.outputs.blocks import read_blocks
from paige.plan.outputs.calendar import calendar_of
from paige.plan.outputs.pdf import write_pdf
from paige.plan.outputs.reading import lesson_in, worksheet_in
from paige.plan.outputs.slides import slides_of
from paige.plan.outputs.word import title_of, write_word

Format = Literal["docx", "pdf", "md", "slides", "worksheet", "qti", "ics"]
FORMATS: tuple[Format, ...] = get_args(Format)
MOST_SHOWN = 12
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Exported:
    """A file ready to be written or sent, and what a person should know about it."""

    name: str
    media_type: str
    content: bytes
    note: str = ""


def export_lesson(
    markdown: str, to: Format, *, stem: str, now: datetime, day: date | None = None
) -> Exported:
    """The lesson in another form; `stem` is its file name without the ending.

    Word, PDF and markdown take any text. The others need to know what is a question and what an
    answer: what keeps the text from being read as a lesson is named with its lines. A worksheet is
    its own worksheet and quiz. `day` is when the lesson is taught, if it does not say so itself.
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
            pdf = write_pdf(blocks, title=title, now=now)
            return Exported(f"{stem}.pdf", "application/pdf", pdf.content, _left_out(pdf.missing))
        case "worksheet":
            if looks_like_worksheet(markdown):
                return Exported(f"{stem}.md", _MARKDOWN, markdown.encode())
            text = render_worksheet(worksheet_in(markdown, now))
            return Exported(f"{stem}-worksheet.md", _MARKDOWN, text.encode())
        case "qti":
            quiz = quiz_of(worksheet_in(markdown, now))
            return Exported(f"{stem}-qti.zip", "application/zip", write_qti(quiz))
        case "slides":
            return Exported(f"{stem}-slides.md", _MARKDOWN, slides_of(lesson_in(markdown)).encode())
        case "ics":
            lesson = lesson_in(markdown)
            dated = replace(lesson, date=lesson.date or day)
            content = calendar_of(dated, slug=stem, now=now)
            return Exported(f"{stem}.ics", "text/calendar; charset=utf-8", content)


def _left_out(missing: str) -> str:
    """What is said about signs that a PDF lacks."""
    if not missing:
        return ""
    shown = " ".join(missing[:MOST_SHOWN])
    more = f" and {len(missing) - MOST_SHOWN} more" if len(missing) > MOST_SHOWN else ""
    return f"The PDF has no letters for {shown}{more}, so they are left out. A Word file has them."
