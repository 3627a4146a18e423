"""`paige memory add`, `import` and `forget`: what goes in, and what goes for good."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict, Unpack

import click

from paige.app.memory_removal import Forgotten
from paige.app.memory_removal import forget as forget_everywhere
from paige.app.memory_use import moment_of
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.cli.memory_batch import take_in
from paige.cli.memory_options import AS, JSON, PROJECT, SCOPE, named_reader, opened_memory
from paige.doors.frame.console import Console, plain_text, process_console
from paige.memory.event import SCOPES, Draft, Scope
from paige.memory.importing.detecting import KINDS, Reading, read_source
from paige.memory.importing.jsonl import read_jsonl
from paige.memory.importing.report import Tally
from paige.memory.importing.sources import ImportOptions
from paige.memory.intake.admission import Writer
from paige.memory.intake.project_identity import identify
from paige.memory.lifecycle.retention import Forget
from paige.memory.opening import project_of
from paige.memory.types import TYPES

MOST_SAID = 20


class AddOptions(TypedDict):
    """The options of `add` as click hands them over."""

    scope: Scope | None
    project: str | None
    session: str | None
    kind: str
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
@click.option("--type", "kind", type=click.Choice(sorted(TYPES)), default="note", show_default=True)
@click.option("--key", help="What a fact states; a later one with the same key replaces it.")
@click.option("--importance", type=click.FloatRange(0, 1), help="From 0 to 1.")
@AS
@JSON
def add(text: str, **given: Unpack[AddOptions]) -> None:
    """Remember TEXT; without a scope it belongs to the project you are in."""
    key, kind = given["key"], given["kind"]
    draft = Draft(
        text=plain_text(text),
        type="fact" if key and kind == "note" else kind,
        scope=given["scope"],
        project=given["project"],
        session=given["session"],
        importance=given["importance"],
        payload={"key": key} if key else {},
    )
    with opened_memory() as (app, opened):
        here = project_of(app.settings)
        person = named_reader(given["reader"]).person or Actor().person
        writer = Writer(person=person, project=here.id if here else None)
        [result] = opened.remember([draft], writer)
    if result.status == "refused":
        raise BadInput(f"This is not kept: {result.reason}")
    console = process_console()
    if given["as_json"]:
        said = {"id": result.id, "status": result.status, "reason": result.reason}
        console.give(json.dumps(said, ensure_ascii=False))
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
    """Take in memories: JSON lines, Claude Code folders, mem0 and basic-memory exports."""
    if path is None and not given["jsonl"]:
        raise BadInput("Nothing is named to import", hint="Give a path, or `--jsonl` for stdin.")
    with opened_memory() as (app, opened):
        reading = _read(path, given, app.settings)
        tally = Tally(reading.kind, str(path or "stdin"), has_id=opened.parts.index.has_id)
        drafts = tally.drafts(reading.items)
        added, refused = 0, list[str]()
        if given["dry_run"]:
            for _ in drafts:
                continue
        else:
            for count in _shown(take_in(opened, drafts, Writer(trusted=True), refused)):
                added = count
    report = tally.report()
    console = process_console()
    for said in (*(problem.sentence() for problem in report.problems), *refused[:MOST_SAID]):
        console.say(said)
    if given["dry_run"]:
        found = json.dumps(report.as_json(), ensure_ascii=False)
        console.give(found if given["as_json"] else report.as_text())
    elif given["jsonl"] or given["as_json"]:
        console.give(json.dumps({"added": added}))
    else:
        console.give(f"Added {added} of {report.found} memories from {path}")
    return 1 if report.lost or refused else 0


def _read(path: Path | None, given: ImportFlags, settings: Settings) -> Reading:
    home = settings.environ.get("HOME")
    options = ImportOptions(
        project=given["project"],
        scope=given["scope"],
        name_project=_project_name,
        home=Path(home) if home else None,
    )
    if path is None:
        return Reading("jsonl", "stdin", read_jsonl(sys.stdin.buffer, "stdin", options))
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
    with opened_memory() as (app, opened):
        planned = opened.plan_forgetting(ask)
        for each in planned.going:
            console.say(f"{each.id}  {each.at:%Y-%m-%d}  {each.shown}  ({each.why})")
        for each in planned.refused:
            console.say(f"{each.id} stays: {each.why}")
        for missing in planned.missing:
            console.say(f"There is no memory `{missing}`")
        done = Forgotten(0)
        wanted = planned.going and not given["dry_run"]
        if wanted and _agreed(console, len(planned.going), yes=given["yes"]):
            done = forget_everywhere(app, opened, planned)
    for remaining in done.remains:
        console.say(remaining)
    said = {
        "forgotten": done.lines,
        "planned": len(planned.going),
        "missing": list(planned.missing),
        **({"remains": list(done.remains)} if done.remains else {}),
    }
    words = f"Forgot {done.lines} of {len(planned.going)} memories"
    console.give(json.dumps(said) if given["as_json"] else words)
    return 1 if planned.missing or planned.refused else 0


def _project_name(folder: Path) -> str:
    found = identify(folder)
    return str(folder) if found is None else found.id


def _shown(counts: Iterator[int]) -> Iterator[int]:
    """Pass counts on, and show them where someone watches."""
    watched = sys.stderr.isatty()
    for count in counts:
        if watched:
            sys.stderr.write(f"\r{count} memories ")
            sys.stderr.flush()
        yield count
    if watched:
        sys.stderr.write("\r\033[K")


def _agreed(console: Console, count: int, *, yes: bool) -> bool:
    if yes:
        return True
    if not console.interactive:
        raise BadInput("Forgetting cannot be undone", hint="Say `--yes`, or look with `--dry-run`.")
    return console.read(f"Forget {count} for good? [y/N] ").strip().lower() in ("y", "yes")
