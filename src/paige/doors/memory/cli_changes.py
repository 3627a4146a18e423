"""`paige memory add`, `import` and `forget`: what goes in, and what goes for good."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict, Unpack

import click

from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.doors.frame.cli import calling, run
from paige.doors.frame.console import Console, plain_text, process_console
from paige.doors.memory.cli_options import AS, JSON, PROJECT, SCOPE, named_reader
from paige.doors.memory.operations import moment_of
from paige.doors.memory.values import ImportResult, MemoryAdded, MemoryForgotten, MemorySource
from paige.memory.event import SCOPES, Scope
from paige.memory.imports.detection import KINDS, SourceReader, read_source
from paige.memory.imports.jsonl import read_jsonl
from paige.memory.imports.sources import ImportOptions
from paige.memory.intake.project_identity import identify
from paige.memory.lifecycle.retention import Forget, ForgetPlan
from paige.memory.types import TYPES

OPERATIONS = "paige.doors.memory.operations"
MOST_SAID = 20


class AddOptions(TypedDict):
    """The options of `add` as click hands them over."""

    scope: Scope | None
    project: str | None
    session: str | None
    type: str
    key: str | None
    importance: float | None
    reader: str | None
    as_json: bool


class ImportFlags(TypedDict):
    """The options of `import`."""

    jsonl: bool
    kind: str | None
    scope: Scope | None
    project: str | None
    dry_run: bool
    as_json: bool


class ForgetFlags(TypedDict):
    """The options of `forget`."""

    owner: str | None
    before: str | None
    reason: str
    dry_run: bool
    yes: bool
    reader: str | None
    as_json: bool


@click.command()
@click.argument("text")
@SCOPE
@PROJECT
@click.option("--session", metavar="ID")
@click.option("--type", type=click.Choice(sorted(TYPES)), default="note", show_default=True)
@click.option("--key", help="What a fact states; a later one with the same key replaces it.")
@click.option("--importance", type=click.FloatRange(0, 1), help="From 0 to 1.")
@AS
@JSON
def add(text: str, **given: Unpack[AddOptions]) -> None:
    """Remember TEXT; without a scope it belongs to the project you are in."""
    asked = {name: value for name, value in given.items() if name != "as_json"}
    result: MemoryAdded = run(f"{OPERATIONS}:remember_as", {"text": plain_text(text), **asked})
    console = process_console()
    if given["as_json"]:
        console.give(json.dumps(asdict(result), ensure_ascii=False))
        return
    console.give(result.id or "")
    if result.reason:
        console.say(result.reason)


@click.command(name="import")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--jsonl", is_flag=True, help="Read JSON lines from stdin.")
@click.option("--from", "kind", type=click.Choice(KINDS), help="What it is; otherwise detected.")
@click.option("--scope", type=click.Choice(SCOPES), help="For what names none.")
@click.option("--project", metavar="NAME", help="For what names none.")
@click.option("--dry-run", is_flag=True, help="Say what would be added, and add nothing.")
@JSON
def import_(path: Path | None, **given: Unpack[ImportFlags]) -> int:
    """Take in memories: JSON lines, what `paige memory export` wrote, notes of Claude Code."""
    if path is None and not given["jsonl"]:
        raise BadInput("Nothing is named to import", hint="Give a path, or `--jsonl` for stdin.")
    source = MemorySource(
        reading=_read(path, given),
        name=str(path or "stdin"),
        dry_run=given["dry_run"],
        watch=_show_count,
    )
    made: ImportResult = run(f"{OPERATIONS}:import_source", source)
    _show_count(None)
    report, added = made.report, made.added
    console = process_console()
    for said in (*(problem.sentence() for problem in report.problems), *made.refused[:MOST_SAID]):
        console.say(said)
    if given["dry_run"]:
        found = json.dumps(report.as_json(), ensure_ascii=False)
        console.give(found if given["as_json"] else report.as_text())
    elif given["jsonl"] or given["as_json"]:
        console.give(json.dumps({"added": added}))
    else:
        console.give(f"Added {added} of {report.found} memories from {path}")
    return 1 if report.lost or made.refused else 0


def _read(path: Path | None, given: ImportFlags) -> SourceReader:
    options = ImportOptions(
        project=given["project"], scope=given["scope"], name_project=_project_name
    )
    if path is None:
        return SourceReader("jsonl", "stdin", read_jsonl(sys.stdin.buffer, "stdin", options))
    return read_source(path, given["kind"] or ("jsonl" if given["jsonl"] else None), options)


@click.command()
@click.argument("identities", metavar="[ID]...", nargs=-1)
@click.option("--owner", metavar="NAME", help="Everything of one person.")
@click.option("--before", metavar="DATE", help="Everything older than a date.")
@click.option("--reason", default="asked for", show_default=True)
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@AS
@JSON
def forget(identities: tuple[str, ...], **given: Unpack[ForgetFlags]) -> int:
    """Forget memories for good: their words leave the log, the index and every copy of them.

    What you wrote into files of your own, and backups, stay as they are; they are named.
    """
    ask = Forget(
        ids=frozenset(identities),
        owner=given["owner"],
        before=None if given["before"] is None else moment_of(given["before"], "--before"),
        reason=given["reason"],
        by=named_reader(given["reader"]).person or Actor().person,
    )
    console = process_console()
    lines, remains = 0, tuple[str, ...]()
    with calling() as call:
        planned: ForgetPlan = call(f"{OPERATIONS}:plan_forgetting", ask)
        for each in planned.going:
            console.say(f"{each.id}  {each.at:%Y-%m-%d}  {each.shown}  ({each.why})")
        for each in planned.refused:
            console.say(f"{each.id} stays: {each.why}")
        for missing in planned.missing:
            console.say(f"There is no memory `{missing}`")
        wanted = planned.going and not given["dry_run"]
        if wanted and _agreed(console, len(planned.going), yes=given["yes"]):
            done: MemoryForgotten = call(f"{OPERATIONS}:forget_planned", planned)
            lines, remains = done.lines, done.remains
    for remaining in remains:
        console.say(remaining)
    said = {
        "forgotten": lines,
        "planned": len(planned.going),
        "missing": list(planned.missing),
        **({"remains": list(remains)} if remains else {}),
    }
    words = f"Forgot {lines} of {len(planned.going)} memories"
    console.give(json.dumps(said) if given["as_json"] else words)
    return 1 if planned.missing or planned.refused else 0


def _project_name(folder: Path) -> str:
    found = identify(folder)
    return str(folder) if found is None else found.id


def _show_count(count: int | None) -> None:
    """Show how many there are so far where someone watches, and take it away in the end."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K" if count is None else f"\r{count} memories ")
        sys.stderr.flush()


def _agreed(console: Console, count: int, *, yes: bool) -> bool:
    if yes:
        return True
    if not console.interactive:
        raise BadInput("Forgetting cannot be undone", hint="Say `--yes`, or look with `--dry-run`.")
    return console.read(f"Forget {count} for good? [y/N] ").strip().lower() in ("y", "yes")
