"""`paige plan misconceptions`: what at least five learners of a class get wrong, and never who."""

import json
from typing import TYPE_CHECKING

import anyio
import click

from paige.base.clock import to_iso
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import plain_text, process_console

if TYPE_CHECKING:
    from paige.app.class_errors import ClassErrors, Row

WIDTH = 24


@click.command(short_help="Show what a class gets wrong, and never who.")
@click.option("--class", "class_id", metavar="CLASS", required=True, help="The class, as 3B.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def misconceptions(class_id: str, *, as_json: bool) -> None:
    """Show what at least five learners of a class get wrong, with what helps; never who.

    Learners say which class they are in with `paige study profile --class CLASS`.
    """
    from paige.app.application import open_app  # noqa: PLC0415 - not needed for `--help`
    from paige.app.class_errors import class_errors  # noqa: PLC0415 - see above

    with open_app(command_settings(), strict=False) as app:
        found = anyio.run(class_errors, app, plain_text(class_id))
    console = process_console()
    if as_json:
        console.give(json.dumps(dump(found), ensure_ascii=False))
        return
    if not found.rows:
        console.say(
            f"Nothing that {found.fewest} learners of {found.class_id} get wrong is known. "
            "Fewer are never shown."
        )
    for row in found.rows:
        for line in _lines(row, most=found.rows[0].found.learners):
            console.give(line)


def dump(found: "ClassErrors") -> dict[str, object]:
    """The list as JSON values."""
    return {
        "class": found.class_id,
        "fewest": found.fewest,
        "misconceptions": [_dump(row) for row in found.rows],
    }


def _dump(row: "Row") -> dict[str, object]:
    found = row.found
    return {
        "concept": found.concept,
        "title": row.title,
        "course": found.course,
        "kind": found.kind,
        "idea": found.idea,
        "example": found.example,
        "helps": list(found.helps),
        "learners": found.learners,
        "since": None if found.since is None else to_iso(found.since),
    }


def _lines(row: "Row", *, most: int) -> list[str]:
    found = row.found
    bar = "█" * max(1, round(WIDTH * found.learners / most))
    since = "" if found.since is None else f", since {found.since:%d %B %Y}"
    lines = [
        f"{bar} {found.learners} learners{since}",
        f"  {row.title}: {found.idea[:1].lower()}{found.idea[1:]}",
    ]
    lines += [f"  As in: {found.example}"] if found.example else []
    return [*lines, *(f"  Helps: {each}" for each in found.helps), ""]
