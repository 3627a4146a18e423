"""The term behind Plan: lessons, worksheets and a unit, asked for and judged by a teacher.

Every run is a real one: shipped lessons come, the hooks ask, and answers come from the file of
the demo. A question that the file says nothing about is answered as by somebody who agrees.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from paige.agent.interactions import Interaction, Reply, dump_interaction, load_reply
from paige.agent.plugins import FoundCommand, get_command
from paige.agent.runs import OpenGate, RunState, continue_run, create_run, reply_to
from paige.agent.runtime import Runtime
from paige.app.demo_term import Happening, Term, content
from paige.app.running import RunOptions, find_plugins, open_runtime, prepare_start

MOST_QUESTIONS = 12
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """A run of a teacher, and what they answer: by hook, by section."""

    command: str
    prompt: str
    known: str = ""
    reflections: tuple[str, ...] = ()
    revise: Mapping[str, str] | None = None
    remember: str = ""
    stop_at: str = ""


def plan_happenings(term: Term) -> list[Happening]:
    """What the teacher asks for in these weeks."""
    return [
        Happening(
            term.moment(each["week"], each["day"], each["at"]),
            "plan",
            partial(_carry_out, term, _wish(each)),
        )
        for each in content("plan")["run"]
    ]


def _wish(given: Json) -> Wish:
    return Wish(
        command=given.get("command", "create-lesson"),
        prompt=given["prompt"],
        known=given.get("known", ""),
        reflections=tuple(given.get("reflections", ())),
        revise=given.get("revise"),
        remember=given.get("remember", ""),
        stop_at=given.get("stop_at", ""),
    )


async def _carry_out(term: Term, wish: Wish) -> None:
    app = term.app
    found: FoundCommand = get_command(find_plugins(app.settings).plugins, wish.command)
    async with open_runtime(app, found, RunOptions()) as opened:
        started = await prepare_start(app, opened, found, wish.prompt, RunOptions())
        run = await create_run(started.runtime, app.actor, started.new)
        state = await continue_run(started.runtime, app.actor, run.id)
        await _answer_all(term, started.runtime, state, wish)


async def _answer_all(term: Term, runtime: Runtime, state: RunState, wish: Wish) -> None:
    actor = term.app.actor
    judged = 0
    for _ in range(MOST_QUESTIONS):
        if not state.waiting:
            return
        gate = state.gates[0]
        hook = hook_of(gate)
        if hook == wish.stop_at:
            return  # it waits for whoever opens the demo
        judged += hook == "teacher-adjudication"
        term.clock.wait(minutes=2)
        reply = answer(gate.interaction, hook, wish, again=judged > 1)
        await reply_to(runtime, actor, gate, reply)
        state = await continue_run(runtime, actor, state.run.id)


def hook_of(gate: OpenGate) -> str:
    """Which hook asks."""
    return gate.row.gate.split("/")[-2]


def answer(asked: Interaction, hook: str, wish: Wish, *, again: bool) -> Reply:
    """What the teacher says."""
    given: Json = dump_interaction(asked)
    match hook:
        case "feedforward" if wish.known:
            return load_reply({"picked": {"": {"option": "modify", "text": wish.known}}})
        case "reflection-prompt":
            return load_reply({"texts": _reflected(given, wish)})
        case "teacher-adjudication" if wish.revise and not again:
            return load_reply({"picked": _judged(given, wish.revise)})
        case "memory-capture" if wish.remember:
            return load_reply({"picked": _edited(given, wish.remember)})
        case _:
            return load_reply(_agreed(given))


def _reflected(asked: Json, wish: Wish) -> list[str]:
    said = [*wish.reflections, *("Yes." for _ in asked["questions"])]
    return said[: len(asked["questions"])]


def _judged(asked: Json, revise: Mapping[str, str]) -> Json:
    return {
        each["id"]: {"option": "revise", "text": revise[each["id"]]}
        if each["id"] in revise
        else {"option": "accept"}
        for each in asked["sections"]
    }


def _edited(asked: Json, words: str) -> Json:
    sections = asked["sections"]
    first = sections[0]
    more = {"option": "edit", "text": f"{first['text']} {words}"}
    rest = {each["id"]: {"option": "confirm"} for each in sections[1:]}
    return {first["id"]: more, **rest}


def _agreed(asked: Json) -> Json:
    """What somebody says who likes everything."""
    match asked["kind"]:
        case "questions":
            return {"texts": ["Yes."] * len(asked["questions"])}
        case "free_text":
            return {"texts": [asked["initial"]]}
        case "choices":
            return {"picked": {"": {"option": asked["options"][0]["id"]}}}
        case _:
            first = asked["options"][0]["id"]
            return {"picked": {each["id"]: {"option": first} for each in asked["sections"]}}
