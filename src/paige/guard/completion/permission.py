"""A second look at a question to the person, by a judge that is a CLI; off unless a person sets it.

`PAIGE_GUARD_JUDGE` (or `guard_judge` in the person's `paige.toml`) names the judge.

Its duty is permission requests alone: it says nothing about stops. Only a question may change, and
whatever goes wrong leaves the question to the person. The judge gets less time than the hook has.
How the last calls went is kept, so that a judge that fails is left alone for a while.
"""

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.base.events import Allow, Ask, Deny, PermissionRequest
from paige.base.files import write_atomic
from paige.base.paths import config_dir
from paige.base.settings import read_settings
from paige.guard.completion.layered import FOLDER
from paige.guard.completion.project_wishes import FILE, read_wishes
from paige.guard.completion.recursion import answer_of, inside_hook
from paige.guard.fast.place import Place
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Outcome
from paige.guard.tools import command_of
from paige.guard.trust import find_config

STATE = "guard/judge.json"
SETTINGS = "paige.toml"
SECONDS = 3.5  # the hook itself answers after five


def second_look(situation: Situation, outcome: Outcome) -> Outcome:
    """The outcome of a permission request, after a judge has looked at what would be asked."""
    event = situation.heard.event
    if not isinstance(event, PermissionRequest) or not isinstance(outcome.decision, Ask | None):
        return outcome
    command = command_of(event.tool, event.input)
    if not command or inside_hook() or not situation.place.data:
        return outcome
    argv = _judge(situation.place)
    return _looked(situation, outcome, command, argv) if argv else outcome


def judge_named(place: Place) -> bool:
    """Whether a person has named a judge, so that a question is worth the slow path."""
    return bool(_judge(place))


def judge_files(place: Place) -> list[Path]:
    """The person's files that may name one, whether they are there or not."""
    own = find_config(place)
    return [own / FOLDER / FILE, own / SETTINGS] if own else []


def _judge(place: Place) -> tuple[str, ...]:
    """The command of the judge that was named; empty for nobody."""
    if place.apart:
        return ()  # it would be this machine's
    try:
        tables = read_wishes(place).tables
    except PaigeError:
        return ()
    return tuple(tables["judges"].get(judge_of(os.environ, tables), ()))


def judge_of(environ: Mapping[str, str], tables: Mapping[str, Any]) -> str:
    """The name of the judge a person has set; empty for nobody.

    The setting counts before the table. Only the environment and the person's own files are asked:
    a project that could switch it on would answer its own questions.
    """
    try:
        own = config_dir(environ, instead="XDG_CONFIG_HOME")
        named = read_settings(environ, own).guard_judge
    except PaigeError:
        named = environ.get("PAIGE_GUARD_JUDGE", "").strip()
    return named or str(tables["permission"]["judge"])


def _looked(situation: Situation, outcome: Outcome, command: str, argv: tuple[str, ...]) -> Outcome:
    import anyio  # noqa: PLC0415 - only where a judge is set

    from paige.guard.judge import Breaker, Judge  # noqa: PLC0415 - loads Pydantic
    from paige.guard.shell.judge import ALLOW, DENY, judge  # noqa: PLC0415

    place = situation.place
    judged = judge(command, place, situation.rules["shell"])
    path = Path(place.data) / STATE
    recent, rests = _read(path)
    run = os.urandom(8).hex()

    async def ask(call: Any) -> object:  # noqa: ANN401 - a call of whatever schema
        prompt = f"{call.system_prompt}\n\n{call.user_message}"
        return await anyio.to_thread.run_sync(answer_of, argv, prompt, run, SECONDS)

    looking = Judge(ask, time.time, SECONDS + 0.5, Breaker(recent, rests))
    found = anyio.run(looking.look, judged, command, place)
    kept = {"recent": list(looking.breaker.recent), "rests_until": looking.breaker.rests_until}
    try:
        write_atomic(path, json.dumps(kept), mode=0o600)
    except PaigeError:
        return outcome  # without a memory of its failures it is not used
    if found.decision == ALLOW:
        return Outcome(Allow(), found.rule, outcome.context, outcome.notice, outcome.noted)
    if found.decision == DENY:
        denied = Deny(found.reason)
        return Outcome(denied, found.rule, outcome.context, outcome.notice, outcome.noted)
    return outcome


def _read(path: Path) -> tuple[tuple[bool, ...], float]:
    try:
        found: Mapping[str, Any] = json.loads(path.read_bytes())
        return tuple(each is True for each in found["recent"][-50:]), float(found["rests_until"])
    except (OSError, ValueError, KeyError, TypeError):
        return (), 0.0
