"""`paige plan check-evidence` and `export`: whether a lesson's claims hold, and its other forms."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import click
from sqlalchemy import Connection

from paige.agent.trace.traces import find_runs
from paige.app.places import workspace
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused
from paige.base.files import write_export
from paige.base.settings import Settings
from paige.doors.frame.cli import command_settings, read_database
from paige.doors.frame.console import process_console
from paige.plan.curriculum.library import load_all
from paige.plan.evidence import PlanEvidence, Report, check
from paige.plan.outputs.exports import FORMATS, Format, export_lesson
from paige.plan.products import slug_of, title_of
from paige.plan.results import read_outcome
from paige.store.documents import MAX_BYTES, Documents

STDOUT = "-"
DAY = click.DateTime(["%Y-%m-%d"])


@click.command(name="check-evidence", short_help="Check the curriculum claims of a lesson.")
@click.argument("lesson", metavar="LESSON.md")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_evidence(lesson: str, *, as_json: bool) -> int:
    """Check every curriculum claim of a lesson against the files of the workspace.

    LESSON.md is a file here or in the workspace, or `-` for stdin. Ends with 1 when a claim does
    not hold.
    """
    console = process_console()
    documents = workspace(command_settings())
    library = load_all(documents)
    report = check(read_lesson(lesson, documents), library)
    for problem in library.problems:
        console.say(problem.sentence)
    if as_json:
        console.give(json.dumps(report_json(report), ensure_ascii=False))
    else:
        for line in report_lines(report):
            console.give(line)
    console.say(summary(report))
    return 0 if report.ok else 1


def read_lesson(lesson: str, documents: Documents) -> str:
    """The text of a lesson: a file, a document of the workspace, or stdin."""
    if lesson == "-":
        return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "stdin")
    path = Path(lesson)
    try:
        with path.open("rb") as file:
            return _decoded(file.read(MAX_BYTES + 1), lesson)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        raise BadInput(f"`{lesson}` cannot be read: {error}") from error
    try:
        return documents.read(lesson).text
    except (NotFound, Refused) as error:
        raise NotFound(
            f"There is no lesson `{lesson}`", hint="Name a file here, or one of the workspace."
        ) from error


def report_json(report: Report) -> dict[str, object]:
    """The report as programs read it."""
    return {
        "ok": report.ok,
        "pointers": [_pointer_json(each) for each in report.pointers],
        "claims_without_pointer": [asdict(each) for each in report.claims_without_pointer],
    }


def _pointer_json(each: PlanEvidence) -> dict[str, object]:
    told = {name: "" if value is None else value for name, value in asdict(each).items()}
    del told["start"], told["end"]
    return {**told, "lines": each.lines, "grade": each.grade}


def report_lines(report: Report) -> Iterator[str]:
    """The report as people read it."""
    for each in report.pointers:
        if each.valid:
            mark = "" if each.verified else ", unverified"
            place = f"{each.file} lines {each.lines}"
            yield f"ok  {each.code}  {place}, edition {each.edition}, grade {each.grade}{mark}"
        else:
            yield f"no  line {each.line}: {each.reason}"
    for claim in report.claims_without_pointer:
        yield f"no  line {claim.line}: {claim.reason}"


def summary(report: Report) -> str:
    """The result in one sentence."""
    if not report.pointers and not report.claims_without_pointer:
        return "The lesson claims nothing about the curriculum."
    wrong = len(report.faults)
    if wrong:
        return (
            f"{wrong} of {len(report.pointers) + len(report.claims_without_pointer)} do not hold."
        )
    unverified = len(report.unverified)
    more = f" {unverified} at rows that nobody has verified." if unverified else ""
    return f"All {len(report.pointers)} pointers hold.{more}"


def _decoded(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise BadInput(f"`{name}` has more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{name}:{line}: this is not UTF-8 text", hint="Save it as UTF-8."
        ) from error


class Source(NamedTuple):
    """The text of a lesson and the name its exports begin with."""

    text: str
    stem: str


class SavedLesson(NamedTuple):
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
def export(lesson: str, *, form: Format, out: str | None, day: datetime | None) -> None:
    """Give out a lesson in another form: LESSON.md, or the last one that SESSION saved.

    Word, PDF and markdown take any text. Slides, worksheet, QTI and calendar need a lesson in the
    form that Paige writes.
    """
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


def _find_saved(settings: Settings, identity: str, missing: NotFound) -> SavedLesson:
    try:
        return read_database(settings, lambda db, actor: _saved(db, actor, identity))
    except NotFound as error:
        if error.message.startswith("There is no run"):
            raise NotFound(
                f"There is no lesson, session or run `{identity}`",
                hint="Name a file, or a session of `paige plan sessions`.",
            ) from missing
        raise


def _saved(connection: Connection, actor: Actor, identity: str) -> SavedLesson:
    """The last thing that a session saved, or said when it saved nothing. Raises: NotFound."""
    runs = find_runs(connection, actor, identity)
    for run in reversed(runs):
        if path := read_outcome(connection, actor, run).path:
            return SavedLesson(path, run.output or "")
    said = next((run.output for run in reversed(runs) if run.output), None)
    if said is None:
        raise NotFound(
            f"`{identity}` has saved nothing yet", hint=f"Go on: `paige plan resume {identity}`."
        )
    return SavedLesson(None, said)


def _stem_of(text: str) -> str:
    return slug_of(title_of(text))
