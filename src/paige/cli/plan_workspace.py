"""`paige plan workspace`: a workspace that is in the database, to and from a folder."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

if TYPE_CHECKING:
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
    from paige.app.places import export_workspace  # noqa: PLC0415 - not needed for `--help`

    return _show(export_workspace(command_settings(), folder), as_json=as_json)


@workspace.command(name="import")
@FOLDER
@JSON
def import_(folder: Path, *, as_json: bool) -> int:
    """Take into the database what is newer in FOLDER."""
    from paige.app.places import import_workspace  # noqa: PLC0415 - not needed for `--help`

    return _show(import_workspace(command_settings(), folder), as_json=as_json)


def _show(done: "Exchange", *, as_json: bool) -> int:
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
