"""`paige guard trust`: which files of projects may loosen something, because a person says so."""

import json
from pathlib import Path

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.cli.people import person
from paige.doors.frame.console import process_console
from paige.guard import trust as door


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--revoke", is_flag=True, help="Trust FILE no longer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def trust(file: Path | None, *, revoke: bool, as_json: bool) -> None:
    """Let FILE of a project count in full, as it is now; without FILE, list what is trusted."""
    console = process_console()
    if file is None:
        if revoke:
            raise BadInput(
                "`--revoke` needs a file", hint="Name one that `paige guard trust` lists."
            )
        listed = door.read_trusted()
        if as_json:
            console.give(json.dumps(listed, ensure_ascii=False))
        for key, each in listed.items() if not as_json else ():
            changed = "" if door.is_current(key, each) else "  (has changed since: not trusted now)"
            console.give(f"{key[:12]}  {each.get('at', '')[:10]}  {each.get('file', '')}{changed}")
        if not listed:
            console.say("No file of a project is trusted.")
        return
    by = person()
    if revoke:
        door.revoke(file)
        console.say(f"`{file}` only adds denials and questions from now on.")
        return
    key = door.trust(file, by=by, now=system_clock())
    console.say(f"`{file}` counts in full until it is changed (sha256 {key[:12]}…).")
