"""The term behind Guard: two coding agents at work, what they were told, and what came of it.

Each call goes through the gates as a hook's would: the same adapter, the same rules, the same line
in the spool. Only the moment and the id of a line are the term's. What the person says next makes
corrections, corrections make patterns, and patterns make guards.
"""

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from random import Random
from types import ModuleType

from paige.app import guards, learning
from paige.app.demo.coach import project_of
from paige.app.demo.term import WEEKS, Json, Term, TermEvent, content
from paige.base.clock import to_iso
from paige.base.events import Deny
from paige.guard.adapters import claude_code, codex
from paige.guard.fast.place import place_of
from paige.guard.fast.spool import record
from paige.guard.fast_path import decide_quickly
from paige.guard.hook_event import NOTHING, Heard, Outcome
from paige.guard.slow_path import decide_slowly

BY = "demo"
ADAPTERS: Mapping[str, ModuleType] = {"claude-code": claude_code, "codex": codex}


def guard_happenings(term: Term) -> list[TermEvent]:
    """Sessions of agents, and the steps of the guards that were learned from them."""
    told = content("guard")
    chance = term.random("guard")
    found: list[TermEvent] = []
    number = 0
    for week in range(1, WEEKS + 1):
        for day in told["days"]:
            number += 1
            at = term.moment(week, day, told["at"]) + timedelta(minutes=chance.randrange(40))
            work = partial(_session, term, told, number, week, chance)
            found.append(TermEvent(at, "guard", work))
        at = term.moment(week, *told["taken_in"])
        found.append(TermEvent(at, "guard", partial(_take_in, term)))
    found += [term.happening("guard", step, partial(_step, term)) for step in told["step"]]
    return found


async def _session(term: Term, told: Json, number: int, week: int, chance: Random) -> None:
    """One session of an agent: mostly harmless calls, some that are not."""
    cli = chance.choices(("claude-code", "codex"), (4, 1))[0]
    session = f"{cli}-{number:03d}"
    for _ in range(chance.randrange(*told["calls"])):
        call = {"command": chance.choice(told["harmless"])}
        _call(term, chance, cli, session, call, told["agent"])
    for case in told["case"]:
        if case["from"] <= week <= case["to"] and chance.random() < case["share"]:
            call = {key: case[key] for key in ("command", "file", "text") if key in case}
            _call(term, chance, cli, session, call, told["agent"])
            if "said" in case:
                _say(term, chance, cli, session, case["said"])


async def _take_in(term: Term) -> None:
    """What a server does now and then: take in the lines of hooks."""
    learning.take_in_waiting(term.app)


def _call(term: Term, chance: Random, cli: str, session: str, call: Json, agent: str) -> None:
    term.clock.wait(seconds=chance.randrange(15, 90))
    root = str(project_of(term))
    if "command" in call:
        about = {"tool_name": "Bash", "tool_input": {"command": call["command"]}}
    else:
        given = {"file_path": f"{root}/{call['file']}", "content": call["text"]}
        about = {"tool_name": "Write", "tool_input": given}
    body = {
        "session_id": session,
        "cwd": root,
        "permission_mode": "default",
        "agent_type": agent,
        "tool_use_id": f"call-{chance.getrandbits(48):012x}",
        **about,
    }
    heard: Heard = ADAPTERS[cli].hear(body, "PreToolUse")
    place = place_of(root, str(term.app.settings.data_dir))
    outcome = decide_quickly(heard, place) or decide_slowly(heard, place)
    _keep(term, chance, heard, outcome)
    if not isinstance(outcome.decision, Deny):
        done = ADAPTERS[cli].hear({**body, "tool_response": {"stdout": ""}}, "PostToolUse")
        _keep(term, chance, done, NOTHING)


def _say(term: Term, chance: Random, cli: str, session: str, words: str) -> None:
    term.clock.wait(seconds=chance.randrange(20, 60))
    body = {
        "session_id": session,
        "cwd": str(project_of(term)),
        "permission_mode": "default",
        "prompt": words,
    }
    _keep(term, chance, ADAPTERS[cli].hear(body, "UserPromptSubmit"), NOTHING)


def _keep(term: Term, chance: Random, heard: Heard, outcome: Outcome) -> None:
    """Write the line of a hook, at the moment of the term."""
    at: datetime = term.clock()
    own = {**outcome.noted, "id": f"{chance.getrandbits(96):024x}", "at": to_iso(at)}
    dated = Outcome(outcome.decision, outcome.rule, outcome.context, outcome.notice, own)
    record(str(term.app.settings.data_dir), heard, dated)


async def _step(term: Term, step: Json) -> None:
    """What a person does about guards. A step that is not possible yet is a fault of the demo."""
    app = term.app
    learning.take_in_waiting(app)
    why = step.get("why", "")
    match step["do"]:
        case "create":
            guards.create_from(app, guard=json.loads(json.dumps(step["guard"])), why=why, by=BY)
        case "learn":
            learning.apply(app, learning.run(app), by=BY)
        case "shadow":
            guards.shadow(app, step["id"], why=why, by=BY, force=True)
        case "promote":
            guards.promote(app, step["id"], why=why, by=BY, force=True)
        case other:
            raise ValueError(f"The demo does not know the step `{other}`")
