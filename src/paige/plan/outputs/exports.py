"""One way out for lessons: a markdown text and a format in, a file out."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal, get_args

from paige.base.errors import BadInput
from paige.exercise.exchange.qti import write_qti
from paige.exercise.worksheet.parse import looks_like_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.plan.lessons.lesson import Activity, Cycle, Lesson
from paige.plan.outputs.blocks import read_blocks
from paige.plan.outputs.pdf import write_pdf
from paige.plan.outputs.word import title_of, write_word
from paige.plan.outputs.worksheet import lesson_in, worksheet_in

# An answer in brackets at the end of a task, or on a line of its own.
_ANSWER = re.compile(
    r"(?:(?<![ \t])[ \t]++)?(?P<mark>[*_]{0,2})\(answers?:.{0,2000}\)(?P=mark)[ \t]*+$"
    r"|^[ \t]*+(?:[-*+][ \t]*+)?[*_]{0,2}answers?[*_]{0,2}:.*(?:\n|\Z)",
    re.I | re.M,
)


def slides_of(lesson: Lesson) -> str:
    """Slides separated by `---`, as most slide tools read them."""
    return "\n\n---\n\n".join(_slides(lesson)) + "\n"


def _slides(lesson: Lesson) -> Iterator[str]:
    yield f"# {lesson.title}\n\n{lesson.class_id} · {lesson.subject} · {lesson.minutes} minutes"
    yield _slide("What we are learning", [lesson.outcome])
    yield _slide("You will know it when you can say", lesson.success_criteria)
    yield from _activity("Starter", lesson.starter)
    yield _slide("Words we need", (f"**{k.word}**: {k.meaning}" for k in lesson.keywords))
    for number, cycle in enumerate(lesson.cycles, 1):
        yield from _cycle(number, cycle)
    yield from _activity("Before you go", lesson.exit_check)
    if lesson.homework:
        yield f"## Homework\n\n{lesson.homework}"


def _cycle(number: int, cycle: Cycle) -> Iterator[str]:
    yield f"## {number}. {cycle.title}\n\n{cycle.explanation}"
    yield f"## Watch first\n\n{cycle.worked_example}"
    tasks = _ANSWER.sub("", cycle.practice).rstrip()
    yield f"## Your turn ({cycle.minutes} min for this part)\n\n{tasks}"
    if tasks != cycle.practice.rstrip():
        yield f"## Your turn: answers\n\n{cycle.practice}"
    for check in cycle.checks:
        letters = [f"{chr(65 + at)}. {option}" for at, option in enumerate(check.options)]
        yield f"## Check\n\n{check.question}\n\n" + "\n".join(f"- {line}" for line in letters)
        yield f"## Check: answer\n\n{check.answer}"


def _activity(title: str, activity: Activity) -> Iterator[str]:
    asked = [f"{at}. {each.question}" for at, each in enumerate(activity.questions, 1)]
    told = [f"{at}. {each.answer}" for at, each in enumerate(activity.questions, 1)]
    # How it is run is for the teacher, unless there is nothing else to show.
    shown = "\n".join(asked) or activity.instructions
    yield f"## {title} ({activity.minutes} min)\n\n{shown}"
    if told:
        yield f"## {title}: answers\n\n" + "\n".join(told)


def _slide(title: str, lines: Iterable[str]) -> str:
    return f"## {title}\n\n" + "\n".join(f"- {line}" for line in lines)


def calendar_of(lesson: Lesson, *, slug: str, now: datetime) -> bytes:
    """An `.ics` file with the lesson on its day. Raises: BadInput when it has no date."""
    if lesson.date is None:
        raise BadInput(
            f"The lesson `{lesson.title}` has no date, so it cannot go into a calendar",
            hint="Say `--date 2026-11-20`, or add a line `- Date: 2026-11-20` below the title.",
        )
    from icalendar import Calendar, Event  # noqa: PLC0415 - only this export needs it

    entry = Event()
    entry.add("uid", f"{slug}@paige")
    entry.add("dtstamp", now)
    entry.add("summary", ": ".join(filter(None, (lesson.class_id, lesson.title))))
    entry.add("description", f"{lesson.outcome}\n{lesson.minutes} minutes, {lesson.subject}")
    # Timetables know the hour, a lesson plan does not: the whole day.
    entry.add("dtstart", lesson.date)
    entry.add("dtend", lesson.date + timedelta(days=1))
    calendar = Calendar()
    calendar.add("prodid", "-//Paige//Lessons//EN")
    calendar.add("version", "2.0")
    calendar.add_component(entry)
    return calendar.to_ical()


Format = Literal["docx", "pdf", "md", "slides", "worksheet", "qti", "ics"]
FORMATS: tuple[Format, ...] = get_args(Format)
MOST_SHOWN = 12
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Export:
    """A file ready to be written or sent, and what a person should know about it."""

    name: str
    media_type: str
    content: bytes
    note: str = ""


def export_lesson(
    markdown: str, to: Format, *, stem: str, now: datetime, day: date | None = None
) -> Export:
    """The lesson in another form; `stem` is its file name without the ending.

    Word, PDF and markdown take any text. The others need to know what is a question and what an
    answer: what keeps the text from being read as a lesson is named with its lines. A worksheet is
    its own worksheet and quiz. `day` is when the lesson is taught, if it does not say so itself.
    Raises: BadInput.
    """
    match to:
        case "md":
            return Export(f"{stem}.md", _MARKDOWN, markdown.encode())
        case "docx" | "pdf":
            blocks = read_blocks(markdown)
            title = title_of(blocks, stem)
            if to == "docx":
                return Export(f"{stem}.docx", _WORD, write_word(blocks, title=title, now=now))
            pdf = write_pdf(blocks, title=title, now=now)
            return Export(f"{stem}.pdf", "application/pdf", pdf.content, _left_out(pdf.missing))
        case "worksheet":
            if looks_like_worksheet(markdown):
                return Export(f"{stem}.md", _MARKDOWN, markdown.encode())
            text = render_worksheet(worksheet_in(markdown, now))
            return Export(f"{stem}-worksheet.md", _MARKDOWN, text.encode())
        case "qti":
            content = write_qti(worksheet_in(markdown, now))
            return Export(f"{stem}-qti.zip", "application/zip", content)
        case "slides":
            return Export(f"{stem}-slides.md", _MARKDOWN, slides_of(lesson_in(markdown)).encode())
        case "ics":
            lesson = lesson_in(markdown)
            dated = replace(lesson, date=lesson.date or day)
            content = calendar_of(dated, slug=stem, now=now)
            return Export(f"{stem}.ics", "text/calendar; charset=utf-8", content)


def _left_out(missing: str) -> str:
    """What is said about signs that a PDF lacks."""
    if not missing:
        return ""
    shown = " ".join(missing[:MOST_SHOWN])
    more = f" and {len(missing) - MOST_SHOWN} more" if len(missing) > MOST_SHOWN else ""
    return f"The PDF has no letters for {shown}{more}, so they are left out. A Word file has them."
