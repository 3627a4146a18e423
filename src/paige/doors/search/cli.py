"""`paige find`: one question to everything behind all doors."""

from collections.abc import Iterator
from typing import Any

import click

from paige.doors.frame.cli import run, show
from paige.doors.frame.console import plain_text


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--as", "reader", metavar="READER", help="Who asks: NAME, agent:NAME, role:NAME.")
@click.option("--tenant", default="local", help="The school or team of that person.")
@click.option(
    "--door",
    type=click.Choice(["plan", "study", "coach", "guard", "memory"]),
    help="Only what is behind one door.",
)
@click.option(
    "--limit", type=click.IntRange(1, 50), default=20, show_default=True, help="How many."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def find(words: tuple[str, ...], *, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - click's
    """Find WORDS behind all doors: lessons, courses, sessions, gaps, guards, memories.

    Every hit says where it is from and why it was found. Only what the reader may see is looked at.
    """
    asked = plain_text(" ".join(words)).strip()
    if not asked:
        raise click.UsageError('Nothing is asked. Give words: `paige find "three loops"`.')
    found = run("paige.doors.search.operations:find_as", {"words": asked, **given})
    show(found, _lines, as_json=as_json, remarks=_remarks)


def _lines(found: Any) -> Iterator[str]:  # noqa: ANN401 - rooms are not imported for `--help`
    for hit in found.hits:
        when = "" if hit.at is None else f", {hit.at:%Y-%m-%d}"
        yield f"{hit.door:7} {hit.title}"
        yield f"        From {hit.origin}{when}. {hit.why}."
        if hit.snippet:
            yield f"        {hit.snippet}"


def _remarks(found: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    for problem in found.problems:
        yield f"Not searched: {problem.source.replace('_', ' ')}. {problem.message}"
    if not found.hits:
        yield "Nothing was found."
