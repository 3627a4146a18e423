"""`paige find`: one question to everything behind all doors."""

import json
from typing import TYPE_CHECKING, TypedDict, Unpack

import anyio
import click

from paige.base.actor import LOCAL_TENANT
from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.cli.console import plain_text, process_console
from paige.cli.settings import command_settings

if TYPE_CHECKING:
    from paige.app.finding import Found, Ranked
    from paige.app.finding_words import Part

_SHOWN = 20
_MOST = 50


class FindFlags(TypedDict):
    """The options as click hands them over."""

    reader: str | None
    tenant: str
    door: str | None
    limit: int
    as_json: bool


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--as", "reader", metavar="READER", help="Who asks: NAME, agent:NAME, role:NAME.")
@click.option("--tenant", default=LOCAL_TENANT, help="The school or team of that person.")
@click.option(
    "--door",
    type=click.Choice(["plan", "study", "coach", "guard", "memory"]),
    help="Only what is behind one door.",
)
@click.option(
    "--limit", type=click.IntRange(1, _MOST), default=_SHOWN, show_default=True, help="How many."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def find(words: tuple[str, ...], **given: Unpack[FindFlags]) -> int:
    """Find WORDS behind all doors: lessons, courses, sessions, gaps, guards, memories.

    Every hit says where it is from and why it was found. Only what the reader may see is looked at.
    """
    asked = plain_text(" ".join(words))
    if not asked.strip():
        raise BadInput("Nothing is asked", hint='Give words: `paige find "three loops"`.')
    found = _find(asked, given)
    hits = [each for each in found.best_first if given["door"] in (None, _door(each))]
    shown = hits[: given["limit"]]
    console = process_console()
    if given["as_json"]:
        console.give(json.dumps(_dump(asked, found, shown), ensure_ascii=False))
        return 0
    for each in shown:
        for line in _lines(each):
            console.give(line)
    for problem in found.problems:
        console.say(f"Not searched: {problem.source.replace('_', ' ')}. {problem.message}")
    if not shown:
        console.say("Nothing was found.")
    return 0


def _find(asked: str, given: FindFlags) -> "Found":
    from paige.app.application import open_app  # noqa: PLC0415 - not needed for `--help`
    from paige.app.finding_readers import reading_as  # noqa: PLC0415 - see above

    with open_app(command_settings(), strict=False) as app:

        async def search() -> "Found":
            async with reading_as(app, given["reader"], tenant=given["tenant"]) as finder:
                return await finder.find(asked, limit=given["limit"])

        return anyio.run(search)


def _door(each: "Ranked") -> str:
    from paige.app.finding import DOORS  # noqa: PLC0415 - see above

    return DOORS[each.hit.kind]


def _dump(asked: str, found: "Found", shown: "list[Ranked]") -> dict[str, object]:
    return {
        "words": asked,
        "hits": [
            {
                "door": _door(each),
                "kind": each.hit.kind,
                "id": each.hit.id,
                "title": each.hit.title,
                "snippet": _text(each.hit.snippet),
                "origin": each.origin,
                "why": each.why,
                "score": each.score,
                "at": None if each.hit.at is None else to_iso(each.hit.at),
            }
            for each in shown
        ],
        "problems": [
            {"source": each.source, "message": each.message, "hint": each.hint}
            for each in found.problems
        ],
    }


def _lines(each: "Ranked") -> list[str]:
    hit = each.hit
    when = "" if hit.at is None else f", {hit.at:%Y-%m-%d}"
    lines = [f"{_door(each):7} {hit.title}", f"        From {each.origin}{when}. {each.why}."]
    return [*lines, f"        {_text(hit.snippet)}"] if hit.snippet else lines


def _text(parts: "tuple[Part, ...]") -> str:
    return "".join(part.text for part in parts)
