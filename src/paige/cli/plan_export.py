"""`paige plan export`: a lesson as a Word file, a PDF, slides, a worksheet, a quiz, a calendar."""

import sys
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import click
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.files import write_export
from paige.base.settings import Settings
from paige.cli.plan_evidence import read_lesson
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

if TYPE_CHECKING:
    from paige.plan.outputs.exporting import Format

FORMATS = ("docx", "pdf", "md", "slides", "worksheet", "qti", "ics")
STDOUT = "-"
DAY = click.DateTime(["%Y-%m-%d"])


class Source(NamedTuple):
    """The text of a lesson and the name its exports begin with."""

    text: str
    stem: str


class Saved(NamedTuple):
    """What a session came to: the file it saved, if it did, and what it answered."""

    path: str | None
    output: str


@click.command(short_help="Give out a lesson in another form.")
@click.argument("lesson", metavar="SESSION|LESSON.md")
@click.option("--to", "form", type=click.Choice(FORMATS), required=True, help="Which form.")
@click.option(
    "-o", "--out", metavar="FILE", help="Where to; without it a name beside you, `-` is stdout."
)
@click.option("--date", "day", type=DAY, help="When it is taught, for a calendar: 2026-11-20.")
def export(lesson: str, *, form: "Format", out: str | None, day: datetime | None) -> None:
    """Give out a lesson in another form: LESSON.md, or the last one that SESSION saved.

    Word, PDF and markdown take any text. Slides, worksheet, QTI and calendar need a lesson in the
    form that Paige writes.
    """
    # Word and PDF bring their libraries, which `--help` can do without.
    from paige.plan.outputs.exporting import export_lesson  # noqa: PLC0415

    source = find_source(command_settings(), lesson)
    now, taught = system_clock(), day.date() if day else None
    made = export_lesson(source.text, form, stem=source.stem, now=now, day=taught)
    if made.note:
        process_console().say(made.note)
    if out == STDOUT:
        sys.stdout.buffer.write(made.content)
        sys.stdout.buffer.flush()
        return
    place = Path(out or made.name)
    if out is None and place.exists():
        raise Conflict(f"There is a file `{place}` already", hint="Say where to with `--out`.")
    write_export(place, made.content)
    process_console().give(str(place))


def find_source(settings: Settings, lesson: str) -> Source:
    """A file here, a file of the workspace, stdin, or what a session or a run came to."""
    from paige.app.running import workspace  # noqa: PLC0415 - as above

    documents = workspace(settings)
    try:
        text = read_lesson(lesson, documents)
    except NotFound as missing:
        if lesson.endswith(".md"):
            raise
        saved = _find_saved(settings, lesson, missing)
        if saved.path is not None:
            try:  # the teacher may have changed it since
                text = documents.read(saved.path).text
            except PaigeError:
                text = saved.output
            return Source(text, PurePosixPath(saved.path).stem)
        return Source(saved.output, _stem_of(saved.output))
    stem = _stem_of(text) if lesson == STDOUT else PurePosixPath(lesson.replace("\\", "/")).stem
    return Source(text, stem)


def _find_saved(settings: Settings, identity: str, missing: NotFound) -> Saved:
    from paige.cli.plan_listing import read_database  # noqa: PLC0415 - as above

    try:
        return read_database(settings, lambda db, actor: _saved(db, actor, identity))
    except NotFound as error:
        if error.message.startswith("There is no run"):
            raise NotFound(
                f"There is no lesson, session or run `{identity}`",
                hint="Name a file, or a session of `paige plan sessions`.",
            ) from missing
        raise


def _saved(connection: Connection, actor: Actor, identity: str) -> Saved:
    """The last thing that a session saved, or said when it saved nothing. Raises: NotFound."""
    from paige.agent.traces import find_runs  # noqa: PLC0415 - as above
    from paige.plan.results import read_outcome  # noqa: PLC0415

    runs = find_runs(connection, actor, identity)
    for run in reversed(runs):
        if path := read_outcome(connection, actor, run).path:
            return Saved(path, run.output or "")
    said = next((run.output for run in reversed(runs) if run.output), None)
    if said is None:
        raise NotFound(
            f"`{identity}` has saved nothing yet", hint=f"Go on: `paige plan resume {identity}`."
        )
    return Saved(None, said)


def _stem_of(text: str) -> str:
    from paige.plan.products import title_of  # noqa: PLC0415 - as above
    from paige.plan.saving import slug_of  # noqa: PLC0415

    return slug_of(title_of(text))
