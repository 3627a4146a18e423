"""`paige move`."""

import json

import click

from paige.base.clock import system_clock
from paige.cli.backup import JSON, progress
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console


@click.command()
@click.option("--to", "url", required=True, metavar="URL", help="`postgresql://…`, empty.")
@click.option("--restart", is_flag=True, help="Begin an unfinished move again from nothing.")
@JSON
def move(*, url: str, restart: bool, as_json: bool) -> None:
    """Copy everything shared to PostgreSQL and compare both sides; the source stays as it is.

    Stop Paige first. A move that was cut off goes on when you run it again.
    """
    from paige.app import moving  # noqa: PLC0415 - NumPy; `--help` does without

    console = process_console()
    settings = command_settings()
    with progress(console) as told:
        done = moving.move(settings, url, restart=restart, now=system_clock, told=told)
    if as_json:
        pieces = [
            {"name": each.name, "count": each.count, "digest": each.digest} for each in done.checked
        ]
        said = {"database": done.location, "pieces": pieces}
        console.give(json.dumps({**said, "notes": list(done.notes), "stays": list(done.stays)}))
        return
    for each in done.checked:
        if each.count:
            console.give(f"{each.count:>9}  {each.digest[:16]}  {each.name}")
    console.say(f"Both sides are the same. Everything shared is in `{done.location}`.")
    for note in (*done.notes, *(f"Stays where it is: {each}" for each in done.stays)):
        console.say(note)
    console.say(f"Now set `DATABASE_URL` to that address, and start Paige again.\n{_UNTOUCHED}")


_UNTOUCHED = (
    "The old database, log and workspace were not changed; remove them when you no longer want "
    "to go back."
)
