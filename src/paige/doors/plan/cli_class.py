"""`paige plan handout`, `handouts`, `answers`, `misconceptions`: how a class gets on.

A worksheet goes out, the answers come back. No model is asked. Codes are printed for a teacher to
cut and give out; nobody notes who got which.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from paige.app import class_answers
from paige.app.application import App, open_app
from paige.app.class_answers import AnswersIntake, SeenHandout
from paige.app.class_errors import ClassMisconceptions
from paige.app.plan_proposals import PlanProposal, Proposals
from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.base.files import make_folder, write_export
from paige.base.origins import address_of
from paige.base.settings import Settings
from paige.doors.frame.cli import command_settings, dump, run, show
from paige.doors.frame.console import Console, plain_text, process_console
from paige.doors.plan.cli_lesson import find_source
from paige.memory.documents.captures import Decision
from paige.plan.handout.counts import FEWEST
from paige.plan.handout.issue import NewHandout, codes_page, link_of, sheet_without_key
from paige.plan.handout.values import Handout
from paige.plan.lessons.text import shortened

WIDTH = 20
LONGEST = 70
T = TypeVar("T")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
CLASS = click.option("--class", "class_id", metavar="CLASS", help="Only those of one class.")
FOLDER = click.Path(path_type=Path, file_okay=False)
BAR_WIDTH = 24


@click.command(short_help="Hand a worksheet out to a class.")
@click.argument("source", metavar="SESSION|LESSON.md|WORKSHEET.md")
@click.option("--class", "class_id", metavar="CLASS", required=True, help="Which class, as 3B.")
@click.option("--tokens", type=int, required=True, help="How many codes; one for each pupil.")
@click.option("--days", type=int, default=7, show_default=True, help="How long it is open.")
@click.option("--address", metavar="URL", help="How pupils reach this Paige, for the links.")
@click.option("-o", "--out", metavar="FILE", help="Where the page with the codes to cut goes.")
@click.option("--sheets", type=FOLDER, help="Also write a file to fill in for each code there.")
@JSON
def handout(source: str, **flags: Any) -> None:  # noqa: ANN401 - click's
    """Hand a worksheet out to a class: a file of one, a lesson, or the last one SESSION saved.

    Prints a link and a code for each pupil, and writes a page to print and cut. Codes stand for
    nobody: do not note who got which.
    """
    settings, console = command_settings(), process_console()
    found = find_source(settings, source)
    asked = NewHandout(
        markdown=found.text,
        source=source,
        class_id=flags["class_id"],
        tokens=flags["tokens"],
        days=flags["days"],
    )
    place = Path(flags["out"]) if flags["out"] else None
    made = _with_app(settings, lambda app: class_answers.hand_out(app, asked))
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
    settings, console = command_settings(), process_console()
    found = _with_app(settings, lambda app: class_answers.list_handouts(app, class_id))
    if as_json:
        rows = [
            {
                **handout_json(each),
                "source": each.source,
                "closed": each.closed_at is not None,
                "kept": each.kept_at is not None,
                **tally._asdict(),
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
def answers(id: str, **flags: Any) -> int:  # noqa: ANN401 - click's
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


async def _answers(app: App, console: Console, id: str, flags: Mapping[str, Any]) -> int:
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
    proposals = Proposals(app)
    told: list[tuple[str, str]] = []
    for each in await class_answers.propose(app, id):
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


def _asked(console: Console, pending: PlanProposal) -> Decision | None:
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
    if settings.loopback:
        console.say("The links open on this machine only; `--address` says how pupils reach it.")
    return address_of(settings.host, settings.port)


def _write_sheets(folder: Path, made: SeenHandout) -> None:
    make_folder(folder)
    for token in made.tokens:
        text = sheet_without_key(made.handout, token)
        write_export(folder / f"{token}.md", text)


def _give_handout(
    console: Console, made: SeenHandout, address: str, path: Path, *, as_json: bool
) -> None:
    links = [{"token": token, "link": link_of(address, token)} for token in made.tokens]
    if as_json:
        told = {
            **handout_json(made.handout),
            "codes": str(path),
            "tokens": links,
        }
        console.give(json.dumps(told, ensure_ascii=False))
        return
    console.say(f"Handout {made.handout.id} for {made.handout.class_id}: {made.handout.title}")
    console.say(f"Open until {to_iso(made.handout.closes_at)}. Print and cut: {path}")
    for each in links:
        console.give(f"{each['token']}  {each['link']}")


def counts_lines(seen: SeenHandout) -> Iterator[str]:
    """How it went, a bar for each question, then what several got wrong."""
    handout, counts = seen.handout, seen.counts
    state = "open" if seen.open else "closed"
    yield f"{handout.title} for {handout.class_id} ({handout.id}, {state})"
    share = f", {round(counts.share * 100)}% right" if counts.handed_in else ""
    yield f"{counts.handed_in} of {counts.tokens} handed in{share}"
    if not counts.enough:
        yield f"Single questions are shown from {FEWEST} worksheets on."
        return
    for each in counts.questions:
        filled = round(WIDTH * each.right / counts.handed_in)
        bar = "#" * filled + "." * (WIDTH - filled)
        asked = shortened(each.asked, LONGEST)
        yield f"{each.id:>5} {bar} {each.right:>3} of {counts.handed_in}  {asked}"
    for error in counts.errors:
        how = f", {error.same} with “{error.answer}”" if error.answer else ""
        yield f"{error.count} of {counts.handed_in} got {error.question} wrong{how}"


def handout_json(handout: Handout) -> dict[str, object]:
    """What every JSON object about a handout begins with."""
    return {
        "id": handout.id,
        "class": handout.class_id,
        "title": handout.title,
        "closes_at": to_iso(handout.closes_at),
    }


def answers_json(
    seen: SeenHandout, taken: AnswersIntake | None, kept: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """The same as one JSON object."""
    counts = seen.counts
    told: dict[str, object] = {
        **handout_json(seen.handout),
        "open": seen.open,
        "tokens": counts.tokens,
        "handed_in": counts.handed_in,
        "share": round(counts.share, 4),
        "questions": [asdict(each) for each in counts.questions],
        "errors": [
            {name: part for name, part in asdict(each).items() if name != "asked"}
            for each in counts.errors
        ],
        "memory": [{"decision": decision, "text": text} for decision, text in kept],
    }
    if taken is not None:
        told["taken"] = taken.taken
        told["problems"] = [asdict(each) for each in taken.problems]
    return told


@click.command(short_help="Show what a class gets wrong, and never who.")
@click.option("--class", "class_id", metavar="CLASS", required=True, help="The class, as 3B.")
@JSON
def misconceptions(class_id: str, *, as_json: bool) -> None:
    """Show what at least five learners of a class get wrong, with what helps; never who.

    Learners say which class they are in with `paige study profile --class CLASS`.
    """
    given = {"id": plain_text(class_id)}
    found: ClassMisconceptions = run("paige.doors.plan.operations:misconceptions_here", given)
    show(
        found,
        _misconception_lines,
        as_json=as_json,
        remarks=_misconception_remarks,
        record=_misconceptions_json,
    )


def _misconceptions_json(found: ClassMisconceptions) -> dict[str, object]:
    """The list as JSON values; its class has a shorter name here."""
    told = dump(found)
    for row, each in zip(told["misconceptions"], found.misconceptions, strict=True):
        row["since"] = each.since and to_iso(each.since)
    return {"class": told.pop("class_id"), **told}


def _misconception_remarks(found: ClassMisconceptions) -> Iterator[str]:
    if not found.misconceptions:
        yield (
            f"Nothing that {found.fewest} learners of {found.class_id} get wrong is known. "
            "Fewer are never shown."
        )


def _misconception_lines(found: ClassMisconceptions) -> Iterator[str]:
    for each in found.misconceptions:
        bar = "█" * max(1, round(BAR_WIDTH * each.learners / found.misconceptions[0].learners))
        since = "" if each.since is None else f", since {each.since:%d %B %Y}"
        yield f"{bar} {each.learners} learners{since}"
        yield f"  {each.title}: {each.idea[:1].lower()}{each.idea[1:]}"
        if each.example:
            yield f"  As in: {each.example}"
        yield from (f"  Helps: {helps}" for helps in each.helps)
        yield ""
