"""A second look at a question to the person, by a judge that is a CLI; off unless a person sets it.

Its duty is permission requests alone: it says nothing about stops. Only a question may change, and
whatever goes wrong leaves the question to the person. The judge gets less time than the hook has.
How the last calls went is kept, so that a judge that fails is left alone for a while.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError, Unavailable
from paige.base.events import Allow, Ask, Deny, PermissionRequest
from paige.base.files import write_atomic
from paige.guard.completion.asking import read_asked
from paige.guard.completion.recursion import inside_hook, marked
from paige.guard.gating import Situation
from paige.guard.hearing import Outcome
from paige.guard.tools import command_of

STATE = "guard/judge.json"
SECONDS = 3.5  # the hook itself answers after five


def second_look(situation: Situation, outcome: Outcome) -> Outcome:
    """The outcome of a permission request, after a judge has looked at what would be asked."""
    event = situation.heard.event
    asks = isinstance(event, PermissionRequest) and isinstance(outcome.decision, Ask)
    if not asks or inside_hook() or not situation.place.data:
        return outcome
    assert isinstance(event, PermissionRequest)
    command = command_of(event.tool, event.input)
    if not command:
        return outcome
    try:
        tables = read_asked(situation.place).tables
    except PaigeError:
        return outcome
    argv = tables["judges"].get(tables["permission"]["judge"], ())
    return _looked(situation, outcome, command, tuple(argv)) if argv else outcome


def _looked(situation: Situation, outcome: Outcome, command: str, argv: tuple[str, ...]) -> Outcome:
    import anyio  # noqa: PLC0415 - only where a judge is set

    from paige.guard.judge import Breaker, Judge  # noqa: PLC0415 - loads Pydantic
    from paige.guard.shell.judging import ALLOW, DENY, judge  # noqa: PLC0415

    place = situation.place
    judged = judge(command, place, situation.rules["shell"])
    path = Path(place.data) / STATE
    recent, rests = _read(path)
    run = os.urandom(8).hex()

    async def ask(call: Any) -> object:  # noqa: ANN401 - a call of whatever schema
        prompt = f"{call.system_prompt}\n\n{call.user_message}"
        return await anyio.to_thread.run_sync(_answer, argv, prompt, run)

    looking = Judge(ask, time.time, SECONDS + 0.5, Breaker(recent, rests))
    found = anyio.run(looking.look, judged, command, place)
    kept = {"recent": list(looking.breaker.recent), "rests_until": looking.breaker.rests_until}
    try:
        write_atomic(path, json.dumps(kept), mode=0o600)
    except PaigeError:
        return outcome  # without a memory of its failures it is not used
    if found.decision == ALLOW:
        return Outcome(Allow(), found.rule, outcome.context, outcome.notice)
    if found.decision == DENY:
        return Outcome(Deny(found.reason), found.rule, outcome.context, outcome.notice)
    return outcome


def _answer(argv: tuple[str, ...], prompt: str, run: str) -> str:
    try:
        with tempfile.TemporaryDirectory(prefix="paige-judge-") as empty:
            done = subprocess.run(
                list(argv),
                input=prompt.encode(),
                capture_output=True,
                cwd=empty,
                env=marked(os.environ, run),
                timeout=SECONDS,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`{argv[0]}` did not answer: {error}") from error
    if done.returncode != 0:
        raise Unavailable(f"`{argv[0]}` ended with {done.returncode}")
    return done.stdout[:20_000].decode("utf-8", "replace").strip()


def _read(path: Path) -> tuple[tuple[bool, ...], float]:
    try:
        found: Mapping[str, Any] = json.loads(path.read_bytes())
        return tuple(each is True for each in found["recent"][-50:]), float(found["rests_until"])
    except (OSError, ValueError, KeyError, TypeError):
        return (), 0.0
