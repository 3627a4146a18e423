"""`paige plan handout`, `handouts`, `answers`: a worksheet goes out, a class's answers come back.

No model is asked. Codes are printed for a teacher to cut and give out; nobody notes who got which.
"""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack

import anyio
import click

from paige.app.application import App, open_app
from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.base.files import make_folder, write_export
from paige.base.settings import Settings
from paige.cli.plan_export import find_source
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, process_console

if TYPE_CHECKING:
    from paige.app.class_answers import SeenHandout
    from paige.app.plan_proposals import Pending
    from paige.memory.documents.captures import Decision

T = TypeVar("T")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
CLASS = click.option("--class", "class_id", metavar="CLASS", help="Only those of one class.")
FOLDER = click.Path(path_type=Path, file_okay=False)


class HandoutFlags(TypedDict):
    """The options of `handout` as click hands them over."""

    class_id: str
    tokens: int
    days: int
    address: str | None
    out: str | None
    sheets: Path | None
    as_json: bool


class AnswersFlags(TypedDict):
    """The options of `answers`."""

    folder: Path | None
    replace: bool
    state: str | None
    keep: bool
    yes: bool
    as_json: bool


@click.command(short_help="Hand a worksheet out to a class.")
@click.argument("source", metavar="SESSION|LESSON.md|WORKSHEET.md")
@click.option("--class", "class_id", metavar="CLASS", required=True, help="Which class, as 3B.")
@click.option("--tokens", type=int, required=True, help="How many codes; one for each pupil.")
@click.option("--days", type=int, default=7, show_default=True, help="How long it is open.")
@click.option("--address", metavar="URL", help="How pupils reach this Paige, for the links.")
@click.option("-o", "--out", metavar="FILE", help="Where the page with the codes to cut goes.")
@click.option("--sheets", type=FOLDER, help="Also write a file to fill in for each code there.")
@JSON
def handout(source: str, **flags: Unpack[HandoutFlags]) -> None:
    """Hand a worksheet out to a class: a file of one, a lesson, or the last one SESSION saved.

    Prints a link and a code for each pupil, and writes a page to print and cut. Codes stand for
    nobody: do not note who got which.
    """
    # The plan room and its libraries, which `--help` can do without.
    from paige.app.class_answers import hand_out  # noqa: PLC0415
    from paige.plan.handout_making import HandoutAsked, codes_page  # noqa: PLC0415

    settings, console = command_settings(), process_console()
    found = find_source(settings, source)
    asked = HandoutAsked(
        markdown=found.text,
        source=source,
        class_id=flags["class_id"],
        tokens=flags["tokens"],
        days=flags["days"],
    )
    place = Path(flags["out"]) if flags["out"] else None
    made = _with_app(settings, lambda app: hand_out(app, asked))
    address = flags["address"] or _address(settings, console)
    path = place or Path(f"{made.handout.id}-codes.html")
    if place is None and path.exists():
        raise Conflict(f"There is a file `{path}` already", hint="Say where to with `--out`.")
    write_export(path, codes_page(made.handout, made.tokens, address))
    if flags["sheets"] is not None:
        _write_sheets(flags["sheets"], made)
    _give_handout(console, made, address, path, as_json=flags["as_json"])


@click.command()
@CLASS
@JSON
def handouts(*, class_id: str | None, as_json: bool) -> None:
    """List what was handed out, newest first."""
    from paige.app.class_answers import list_handouts  # noqa: PLC0415 - as above

    settings, console = command_settings(), process_console()
    found = _with_app(settings, lambda app: list_handouts(app, class_id))
    if as_json:
        rows = [
            {
                "id": each.id,
                "class": each.class_id,
                "title": each.title,
                "source": each.source,
                "closes_at": to_iso(each.closes_at),
                "closed": each.closed_at is not None,
                "kept": each.kept_at is not None,
                "tokens": tally.tokens,
                "handed_in": tally.handed_in,
            }
            for each, tally in found
        ]
        console.give(json.dumps(rows, ensure_ascii=False))
        return
    for each, tally in found:
        came = f"{tally.handed_in} of {tally.tokens}"
        console.give(f"{each.id}  {each.class_id}  {came} handed in  {each.title}")
    if not found:
        console.say("Nothing was handed out yet. `paige plan handout` does it.")


@click.command(short_help="Take in, look at and keep a class's answers.")
@click.argument("id", metavar="HANDOUT")
@click.option("--files", "folder", type=FOLDER, help="Take the filled-in worksheets of a folder.")
@click.option("--replace", is_flag=True, help="Take files also over answers from the web.")
@click.option("--close", "state", flag_value="close", help="Take no more answers.")
@click.option("--open", "state", flag_value="open", help="Take answers again.")
@click.option("--keep", is_flag=True, help="Close it, and propose what to remember of it.")
@click.option("--yes", is_flag=True, help="With --keep: remember everything that is proposed.")
@JSON
def answers(id: str, **flags: Unpack[AnswersFlags]) -> int:
    """Take in, look at and keep a class's answers to HANDOUT.

    Without an option it shows how many were right. A file that cannot be taken is named with its
    line, the others count. With --keep you are asked about each sentence for the class's memory.
    """
    if flags["yes"] and not flags["keep"]:
        raise BadInput("`--yes` goes with `--keep`", hint="Add `--keep`, or leave it out.")
    console = process_console()

    async def work(app: App) -> int:
        return await _answers(app, console, id, flags)

    return _with_app(command_settings(), work)


async def _answers(app: App, console: Console, id: str, flags: AnswersFlags) -> int:
    from paige.app import class_answers  # noqa: PLC0415 - as above
    from paige.cli.plan_handout_lines import answers_json, counts_lines  # noqa: PLC0415

    taken = None
    if flags["folder"] is not None:
        taken = await class_answers.take_files(app, id, flags["folder"], again=flags["replace"])
        for problem in taken.problems:
            console.say(str(problem))
        console.say(f"{taken.taken} worksheets taken in.")
    if flags["state"] == "close":
        await class_answers.close(app, id)
    elif flags["state"] == "open":
        await class_answers.reopen(app, id)
    kept: list[tuple[str, str]] = []
    if flags["keep"]:
        kept = await _keep(app, console, id, yes=flags["yes"])
    seen = await class_answers.look(app, id)
    if flags["as_json"]:
        told = answers_json(seen, taken, kept)
        console.give(json.dumps(told, ensure_ascii=False))
    else:
        console.give("\n".join(counts_lines(seen)))
        for decision, text in kept:
            console.say(f"{decision}: {text}")
    refused = taken is not None and any(not each.taken for each in taken.problems)
    return 1 if refused else 0


async def _keep(app: App, console: Console, id: str, *, yes: bool) -> list[tuple[str, str]]:
    """Ask about each sentence; what nobody answers stays proposed."""
    from paige.app.class_answers import propose  # noqa: PLC0415 - as above
    from paige.app.plan_proposals import Proposals  # noqa: PLC0415

    proposals = Proposals(app)
    told: list[tuple[str, str]] = []
    for each in await propose(app, id):
        decision = "confirmed" if yes else _asked(console, each)
        if decision is None:
            told.append(("proposed", each.text))
            continue
        try:
            await proposals.decide(each.key, decision)
        except PaigeError as error:
            console.say(f"Not kept: {error.message}")
            told.append(("refused", each.text))
        else:
            told.append((decision, each.text))
    return told


def _asked(console: Console, pending: "Pending") -> "Decision | None":
    console.say(f"\nRemember this about {pending.class_id}?\n  {pending.text}")
    try:
        answer = console.read("[y]es, [n]o, or Enter to decide later: ").strip().lower()
    except EOFError:
        return None
    match answer:
        case "y" | "yes":
            return "confirmed"
        case "n" | "no":
            return "dismissed"
        case _:
            return None


def _with_app(settings: Settings, work: Callable[[App], Awaitable[T]]) -> T:
    with open_app(settings, strict=False) as app:
        return anyio.run(work, app)


def _address(settings: Settings, console: Console) -> str:
    from paige.server.run import address_of  # noqa: PLC0415 - as above

    if settings.loopback:
        console.say("The links open on this machine only; `--address` says how pupils reach it.")
    return address_of(settings.host, settings.port)


def _write_sheets(folder: Path, made: "SeenHandout") -> None:
    from paige.plan.handout_making import sheet_without_key  # noqa: PLC0415 - as above

    make_folder(folder)
    for token in made.tokens:
        text = sheet_without_key(made.handout, token)
        write_export(folder / f"{token}.md", text)


def _give_handout(
    console: Console, made: "SeenHandout", address: str, path: Path, *, as_json: bool
) -> None:
    from paige.plan.handout_making import link_of  # noqa: PLC0415 - as above

    links = [{"token": token, "link": link_of(address, token)} for token in made.tokens]
    if as_json:
        told = {
            "id": made.handout.id,
            "class": made.handout.class_id,
            "title": made.handout.title,
            "closes_at": to_iso(made.handout.closes_at),
            "codes": str(path),
            "tokens": links,
        }
        console.give(json.dumps(told, ensure_ascii=False))
        return
    console.say(f"Handout {made.handout.id} for {made.handout.class_id}: {made.handout.title}")
    console.say(f"Open until {to_iso(made.handout.closes_at)}. Print and cut: {path}")
    for each in links:
        console.give(f"{each['token']}  {each['link']}")
