"""`paige study start`, `next`, `review` and `quiz`: sessions, talked through or step by step.

In a terminal `start`, `review` and `quiz` go through the whole session. Elsewhere, and with
`--json`, each command shows one step and ends: `paige study next` shows it again, and with an
answer moves on. So a program can drive a session with one process for every step.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click

from paige.base.clock import Clock
from paige.base.errors import BadInput
from paige.doors.frame.cli import calling, dump, run, show
from paige.doors.frame.console import plain_text, process_console
from paige.doors.study.cli import AT, COURSE, JSON, LEARNER, MINUTES, SEED, moment

OPERATIONS = "paige.doors.study.operations"
RATINGS = {"right": 3, "partly": 2, "wrong": 1}


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
    about = {"concepts": concepts, "unit": unit, "count": count}
    _session("quiz", given, minutes=minutes, anew=anew, quiz=about)


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
    asked = _act(given)
    here = {"course": given["course"], "learner": given["learner"]}
    if asked is None:
        step = run(f"{OPERATIONS}:next_here", {**here, "seed": given["seed"]}, now=_clock(given))
    else:
        asked |= {**here, "step": given["step"]}
        step = run(f"{OPERATIONS}:act_here", asked, now=_clock(given))
    _show(step, given)


def _session(kind: str, given: Mapping[str, Any], **wish: Any) -> None:  # noqa: ANN401 - click's
    asked = {name: given[name] for name in ("course", "learner", "seed")} | {"kind": kind, **wish}
    console = process_console()
    if console.interactive and not given["as_json"]:
        from paige.doors.study.cli_talk import Talk, talk  # noqa: PLC0415 - not for `--help`

        with calling(now=_clock(given)) as call:
            session = Talk(call, console, _clock(given), given["learner"])
            talk(session, call(f"{OPERATIONS}:start_here", asked))
        return
    _show(run(f"{OPERATIONS}:start_here", asked, now=_clock(given)), given)


def _clock(given: Mapping[str, Any]) -> Clock:
    return lambda: moment(given["at"])


def _show(step: Any, given: Mapping[str, Any]) -> None:  # noqa: ANN401 - rooms are not imported for `--help`
    from paige.doors.study.cli_talk import how_to_answer, step_lines  # noqa: PLC0415 - as above
    from paige.study.session.view import dump_step  # noqa: PLC0415 - as above

    show(
        step,
        step_lines,
        as_json=given["as_json"],
        remarks=how_to_answer,
        record=lambda shown: dump_step(shown, dump(shown)),
    )


def _act(given: ActFlags) -> dict[str, Any] | None:
    """What the options ask for; nothing means: only look. Raises: BadInput."""
    answers = given["answer"] is not None or given["file"] or given["part"] or given["rate"]
    asked: list[tuple[bool, dict[str, Any]]] = [
        (bool(answers or given["done"] or given["final"]), _answer(given)),
        (given["hint"], {"act": "hint"}),
        (given["give_up"], {"act": "give_up"}),
        (given["skip"], {"act": "skip"}),
        (given["stop"], {"act": "stop"}),
        (given["instead"] is not None, {"act": "instead", "modality": _kind(given["instead"])}),
    ]
    found = [what for wanted, what in asked if wanted]
    if len(found) > 1:
        raise BadInput("These options do not go together", hint="Do one thing at a time.")
    return found[0] if found else None


def _kind(given: str | None) -> str | None:
    from paige.exercise.values import modality  # noqa: PLC0415 - not needed for `--help`

    return None if given is None else modality(given)


def _answer(given: ActFlags) -> dict[str, Any]:
    parts: dict[str, str] = {}
    for each in given["part"]:
        name, equals, text = each.partition("=")
        if not equals:
            raise BadInput(f"`{each}` names no question", hint="Write `--part 1=TEXT`.")
        parts[name.strip()] = plain_text(text)
    if given["seconds"] is not None and not math.isfinite(given["seconds"]):
        raise BadInput(f"`{given['seconds']}` is no number of seconds", hint="Write 12.5 or so.")
    return {
        "text": plain_text(given["answer"] or ""),
        "question": given["question"],
        "parts": parts,
        "path": "" if given["file"] is None else str(given["file"].absolute()),
        "rating": RATINGS.get(given["rate"] or ""),
        "seconds": given["seconds"],
        "sure": given["sure"],
        "final": given["final"],
    }
