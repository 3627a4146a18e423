"""`paige study start`, `next`, `review` and `quiz`: sessions, talked through or step by step.

In a terminal `start`, `review` and `quiz` go through the whole session. Elsewhere, and with
`--json`, each command shows one step and ends: `paige study next` shows it again, and with an
answer moves on. So a program can drive a session with one process for every step.
"""

import json
import math
import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import anyio
import click

from paige.base.errors import BadInput
from paige.cli.console import Console, plain_text, process_console
from paige.cli.settings import command_settings
from paige.cli.study_session_options import AT, COURSE, JSON, LEARNER, MINUTES, SEED, moment

if TYPE_CHECKING:
    from paige.study.plan_values import SessionKind
    from paige.study.session.room import Room
    from paige.study.session.running import Act, Turn, Wish


class SessionFlags(TypedDict):
    """The options every session command has."""

    course: str | None
    learner: str | None
    as_json: bool
    at: str | None
    seed: int | None


class ActFlags(SessionFlags):
    """What `next` may do besides looking."""

    answer: str | None
    file: Path | None
    part: tuple[str, ...]
    question: str
    rate: str | None
    sure: bool
    seconds: float | None
    done: bool
    final: bool
    hint: bool
    give_up: bool
    skip: bool
    stop: bool
    instead: str | None
    step: int | None


@click.command()
@COURSE
@LEARNER
@MINUTES
@click.option("--ahead", is_flag=True, help="Go on with what is not due yet.")
@click.option("--new", "anew", is_flag=True, help="End an open session first.")
@SEED
@AT
@JSON
def start(*, minutes: int | None, ahead: bool, anew: bool, **given: Unpack[SessionFlags]) -> None:
    """Begin a study session, or go on with the one that is open."""
    _session("study", given, minutes=minutes, ahead=ahead, anew=anew)


@click.command()
@COURSE
@LEARNER
@MINUTES
@click.option("--cards", is_flag=True, help="As flashcards, wherever that can be.")
@click.option("--new", "anew", is_flag=True, help="End an open review first.")
@SEED
@AT
@JSON
def review(*, minutes: int | None, cards: bool, anew: bool, **given: Unpack[SessionFlags]) -> None:
    """Recall what is due, and nothing new."""
    prefer = "flashcard" if cards else None
    _session("review", given, minutes=minutes, anew=anew, prefer=prefer)


@click.command()
@COURSE
@LEARNER
@MINUTES
@click.option("--concept", "concepts", multiple=True, metavar="ID", help="Ask about this one.")
@click.option("--unit", default="", metavar="NAME", help="Ask about a unit as a whole.")
@click.option("--count", type=click.IntRange(min=1), help="How many concepts at most.")
@click.option("--new", "anew", is_flag=True, help="End an open quiz first.")
@SEED
@AT
@JSON
def quiz(
    *,
    minutes: int | None,
    concepts: tuple[str, ...],
    unit: str,
    count: int | None,
    anew: bool,
    **given: Unpack[SessionFlags],
) -> None:
    """Ask what you know, without teaching."""
    # What the room needs is not needed for `--help`.
    from paige.study.quiz import QuizWish  # noqa: PLC0415

    wish = QuizWish(concepts=concepts, unit=unit, count=count)
    _session("quiz", given, minutes=minutes, anew=anew, quiz=wish)


@click.command("next")
@COURSE
@LEARNER
@click.option("--answer", metavar="TEXT", help="Answer what is asked, or go on after reading.")
@click.option("--file", type=click.Path(path_type=Path), help="Hand in this file or folder.")
@click.option("--part", multiple=True, metavar="ID=TEXT", help="Answer one of several questions.")
@click.option("--question", default="", metavar="ID", help="The question that is answered.")
@click.option(
    "--rate",
    type=click.Choice(["right", "partly", "wrong"]),
    help="Rate it, where it is yours to rate.",
)
@click.option("--sure", is_flag=True, help="You are sure of your answer.")
@click.option("--seconds", type=click.FloatRange(min=0), help="How long it took.")
@click.option("--done", is_flag=True, help="It is read, or the file is ready.")
@click.option("--final", is_flag=True, help="Hand it in for good, even if it is not right yet.")
@click.option("--hint", is_flag=True, help="Ask for the next hint.")
@click.option("--give-up", is_flag=True, help="See the answer.")
@click.option("--skip", is_flag=True, help="Leave this one out.")
@click.option("--stop", is_flag=True, help="End the session.")
@click.option("--instead", metavar="KIND", help="Do it as another kind of exercise.")
@click.option("--step", type=int, help="Only if the session is at this step.")
@SEED
@AT
@JSON
def next_(**given: Unpack[ActFlags]) -> None:
    """Show the step a session is at, or answer it and show what comes next.

    Without an open session a new one begins.
    """
    what = _act(given)
    anyio.run(_step, what, given)


def _session(kind: "SessionKind", given: Mapping[str, Any], **wish: Any) -> None:  # noqa: ANN401 - click's
    # Not at the top: `--help` must be quick, and all of the room hangs on these.
    from paige.study.session.running import Wish  # noqa: PLC0415

    console = process_console()
    asked = Wish(kind=kind, **wish)
    if console.interactive and not given["as_json"]:
        _talk(console, asked, given)
        return
    anyio.run(_begin, console, asked, given)


async def _begin(console: Console, wish: "Wish", given: Mapping[str, Any]) -> None:
    # As above.
    from paige.app.study_room import study_room  # noqa: PLC0415
    from paige.study.session.running import start  # noqa: PLC0415

    now = moment(given["at"])
    async with study_room(command_settings(), given["course"], given["learner"]) as room:
        turn = await start(room, wish, now=now, seed=_seed(given["seed"]))
        await _show(room, console, turn, given)


def _talk(console: Console, wish: "Wish", given: Mapping[str, Any]) -> None:
    # As above.
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415

    from paige.app.study_room import study_room  # noqa: PLC0415
    from paige.cli.study_session_talk import Talk, talk  # noqa: PLC0415
    from paige.study.session.running import start  # noqa: PLC0415

    settings = command_settings()
    opening = study_room(settings, given["course"], given["learner"])
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(opening) as room,
    ):
        now = moment(given["at"])
        begin = partial(start, room, wish, now=now, seed=_seed(given["seed"]))
        session = Talk(room, console, lambda: moment(given["at"]), settings.teaching_dir, portal)
        talk(session, portal.call(begin))


async def _step(what: "Act | None", given: Mapping[str, Any]) -> None:
    # As above.
    from paige.app.study_room import study_room  # noqa: PLC0415
    from paige.study.session.running import Wish, act, look, start  # noqa: PLC0415

    now = moment(given["at"])
    async with study_room(command_settings(), given["course"], given["learner"]) as room:
        if what is not None:
            turn = await act(room, what, now=now, at_step=given["step"])
        else:
            turn = await look(room, now=now)
            if turn.state is None:
                turn = await start(room, Wish(), now=now, seed=_seed(given["seed"]))
        await _show(room, process_console(), turn, given)


async def _show(room: "Room", console: Console, turn: "Turn", given: Mapping[str, Any]) -> None:
    from paige.cli.study_session_lines import how_to_answer, step_lines  # noqa: PLC0415 - as above
    from paige.study.session.views import dump_view, view  # noqa: PLC0415 - as above

    settings = command_settings()
    seen = await view(room, turn, now=moment(given["at"]))
    if given["as_json"]:
        shown = dump_view(seen) | {"root": str(settings.teaching_dir)}
        console.give(json.dumps(shown, ensure_ascii=False))
        return
    for line in step_lines(seen, settings.teaching_dir):
        console.give(line)
    for line in how_to_answer(seen):
        console.say(line)


def _act(given: ActFlags) -> "Act | None":
    """What the options ask for; nothing means: only look. Raises: BadInput."""
    from paige.exercise.values import modality  # noqa: PLC0415 - as above
    from paige.study.session.running import Instead, Skip, Stop  # noqa: PLC0415 - as above
    from paige.study.values import GaveUp, HintWanted  # noqa: PLC0415 - as above

    answers = given["answer"] is not None or given["file"] or given["part"] or given["rate"]
    asked: list[tuple[bool, Act]] = [
        (bool(answers or given["done"] or given["final"]), _answer(given)),
        (given["hint"], HintWanted()),
        (given["give_up"], GaveUp()),
        (given["skip"], Skip()),
        (given["stop"], Stop()),
    ]
    if given["instead"] is not None:
        asked.append((True, Instead(modality(given["instead"]))))
    found = [what for wanted, what in asked if wanted]
    if len(found) > 1:
        raise BadInput("These options do not go together", hint="Do one thing at a time.")
    return found[0] if found else None


def _answer(given: ActFlags) -> "Act":
    from paige.study.values import Answer, SelfCheck  # noqa: PLC0415 - as above

    checks: dict[str, SelfCheck] = {"right": "right", "partly": "partly", "wrong": "wrong"}
    parts: dict[str, str] = {}
    for each in given["part"]:
        name, equals, text = each.partition("=")
        if not equals:
            raise BadInput(f"`{each}` names no question", hint="Write `--part 1=TEXT`.")
        parts[name.strip()] = plain_text(text)
    if given["seconds"] is not None and not math.isfinite(given["seconds"]):
        raise BadInput(f"`{given['seconds']}` is no number of seconds", hint="Write 12.5 or so.")
    path = "" if given["file"] is None else str(given["file"].absolute())
    return Answer(
        text=plain_text(given["answer"] or ""),
        question=given["question"],
        parts=parts,
        path=path,
        self_check=checks.get(given["rate"] or ""),
        seconds=given["seconds"],
        confident=given["sure"],
        final=given["final"],
    )


def _seed(given: int | None) -> int:
    return int.from_bytes(os.urandom(4)) if given is None else given
