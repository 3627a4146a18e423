"""`paige plan workspace` and `research`: what goes to folders, and comes back from them."""

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from paige.app.places import export_workspace, import_workspace
from paige.base.clock import system_clock
from paige.doors.frame.cli import command_settings, read_database
from paige.doors.frame.console import process_console
from paige.doors.frame.moments import WHEN
from paige.plan.research.events import Form, Masking, find_duck, read_salt, write_research
from paige.plan.research.traces import Span, events_in, recorded_runs
from paige.store.document_exchange import Exchange

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@click.group(short_help="Copy a workspace to and from a folder.")
def workspace() -> None:
    """Copy a workspace that is in the database to and from a folder.

    What is newer wins, and what both sides changed is left alone and named.
    """


@workspace.command(name="export")
@FOLDER
@JSON
def export_(folder: Path, *, as_json: bool) -> int:
    """Bring FOLDER to what is newer in the database."""
    return _show(export_workspace(command_settings(), folder), as_json=as_json)


@workspace.command(name="import")
@FOLDER
@JSON
def import_(folder: Path, *, as_json: bool) -> int:
    """Take into the database what is newer in FOLDER."""
    return _show(import_workspace(command_settings(), folder), as_json=as_json)


def _show(done: Exchange, *, as_json: bool) -> int:
    console = process_console()
    if as_json:
        console.give(json.dumps(asdict(done), ensure_ascii=False))
        return 1 if done.conflicts or done.problems else 0
    for path in done.taken:
        console.give(path)
    for path in done.removed:
        console.give(f"{path} (removed)")
    for path in done.conflicts:
        console.say(f"{path}: changed on both sides, so it was left alone")
    for problem in done.problems:
        console.say(problem)
    left = len(done.same) + len(done.kept)
    console.say(f"{len(done.taken)} copied, {len(done.removed)} removed, {left} left as they are")
    return 1 if done.conflicts or done.problems else 0


@click.group(short_help="Give out what happened as research data.")
def research() -> None:
    """Give out what happened in lesson runs as data for research, about nobody in person."""


@research.command(short_help="Write CSV or Parquet files.")
@click.option("--to", "form", type=click.Choice(["csv", "parquet"]), required=True, help="Which.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to.")
@click.option("--since", type=WHEN, help="From then on: today, yesterday, 7d, 2w, 2026-01-31.")
@click.option("--until", type=WHEN, help="Before then, written in the same way.")
@click.option("--without-text", is_flag=True, help="Leave out everything that people wrote.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(
    *,
    form: Form,
    out: Path | None,
    since: datetime | None,
    until: datetime | None,
    without_text: bool,
    as_json: bool,
) -> None:
    """Write every event of every lesson run, one row each: models, tools, questions, decisions.

    Persons, sessions and runs have pseudonyms; the salt behind them stays in the data folder. Names
    that are found in texts are taken out, always.
    """
    settings, console = command_settings(), process_console()
    if form == "parquet":
        find_duck()
    span = Span(since, until)
    masking = Masking(read_salt(settings.data_dir), texts=not without_text)
    events = read_database(
        settings,
        lambda db, actor: [
            event
            for run in recorded_runs(db, actor, span)
            for event in events_in(run, masking, actor)
        ],
    )
    folder = out or Path(f"paige-research-{system_clock():%Y-%m-%d}")
    written = write_research(events, form, folder)
    if as_json:
        told = {"folder": str(folder), "files": [p.name for p in written.files]}
        console.give(json.dumps({**told, "events": dict(written.counts)}))
        return
    console.give(str(folder))
    console.say(f"{len(events)} events in {len(written.files)} files; `codebook.md` explains them.")
