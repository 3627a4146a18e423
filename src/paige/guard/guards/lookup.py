"""Finds the guards that are about an event, with everything the slow path knows.

The facts a guard may name in `unless` are read only where a guard would have something to say
otherwise, and a one-time permission is taken only where a guard would refuse.

Such a permission lets one refused action pass once: a person said so, and the same call comes again
soon. Only what a guard refused can be let pass, never what a shipped rule or gate refuses. A grant
is an empty file named after the action; whoever takes it away first may pass, so it counts once
even where two processes ask. The request for a permission that follows the same call counts with
it.
"""

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, PaigeError
from paige.base.events import Stop, SubagentStop
from paige.base.files import make_private, write_error
from paige.guard.fast.guards import heard_action, mark_of, met
from paige.guard.fast.place import Place
from paige.guard.gates.facts import GatheredFacts
from paige.guard.gates.learned import LearnedGuards
from paige.guard.gates.tested_true import FACT as TESTED
from paige.guard.gates.tested_true import ClaimJudgement
from paige.guard.gates.tester_completion import is_own
from paige.guard.hook_event import Heard
from paige.guard.shell.judge import Judge
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.features import read_session
from paige.guard.state.files import Damaged
from paige.guard.state.tree import tree_hash
from paige.guard.tools import command_of, is_powershell

FOLDER = "guard/overrides"
USED = ".used"
HOLDS = timedelta(minutes=10)
_HEX = frozenset("0123456789abcdef")
_BOUND = ("pre_tool", "permission_request", "stop", "subagent_stop")


def look_at_guards(
    heard: Heard, place: Place, rules: Mapping[str, Any], seen: GatheredFacts, now: datetime
) -> LearnedGuards | None:
    """The guards that are about an event; nothing for an event that guards do not look at."""
    event = heard.event
    if event.name not in _BOUND:
        return None
    if isinstance(event, Stop | SubagentStop) and event.again:
        return None  # a stop is refused once: a second refusal would hold the agent for ever
    action = heard_action(heard, place, seen.role, _acts(heard, place, rules["shell"]))
    found = met(tuple(rules["guards"]), action)
    if not found:
        return None
    named = {fact for guard in found for fact in guard.get("unless", ())}
    known = facts_of(named, heard, place, seen.facts)
    found = [guard for guard in found if not known & set(guard.get("unless", ()))]
    same = mark_of(action) if any(not guard["shadow"] for guard in found) else ""
    overrode = tuple(
        guard["id"]
        for guard in found
        if not guard["shadow"] and take(Path(place.data), guard["id"], same, event.name, now)
    )
    left = tuple(guard for guard in found if guard["id"] not in overrode or guard["shadow"])
    return LearnedGuards(left, overrode, same)


def facts_of(
    wanted: set[str], heard: Heard, place: Place, known: Mapping[str, Any]
) -> frozenset[str]:
    """Those of some facts that hold now."""
    if not wanted:
        return frozenset()
    try:
        records = read_evidence(place.root, place.data).records
    except PaigeError:
        return frozenset()  # without a key nothing is evidence
    found: set[str] = set()
    scene = heard.scene
    if "tests-ran" in wanted:
        own = [each for each in records if is_own(each, scene.session, scene.agent, scene.cli)]
        if any(each.tests > 0 for each in own):
            found.add("tests-ran")
    if "evidence" in wanted:
        tree = tree_hash(place.root)
        features = _features(place, known.get(TESTED))
        if all(fresh(records, each, tree) is not None for each in features):
            found.add("evidence")
    return frozenset(found)


def _features(place: Place, judged: object) -> tuple[str, ...]:
    """The features an action is about: those it calls tested, else the one that is worked on."""
    if isinstance(judged, ClaimJudgement) and judged.claim.new:
        return judged.claim.new
    try:
        session = read_session(place.root)
    except Damaged:
        session = None
    return (session.feature or "" if session is not None else "",)


def _acts(heard: Heard, place: Place, book: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a command would run, taken apart as the judge does it."""
    tool = getattr(heard.event, "tool", "")
    command = command_of(tool, getattr(heard.event, "input", {})) if tool else None
    if not command or is_powershell(tool):
        return ()
    judge = Judge(place, dict(book))
    judge.judge(command)
    return tuple(judge.acts)


def grant(data: Path, guard: str, same: str, now: datetime) -> Path:
    """Let the action `same`, which the guard refused, pass once. Raises: BadInput, Refused."""
    path = _path(data, guard, same)
    try:
        make_private(path.parent)
        path.write_bytes(b"")
        os.utime(path, (now.timestamp(), now.timestamp()))
        path.with_name(path.name + USED).unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error
    _forget_old(path.parent, now)
    return path


def take(data: Path, guard: str, same: str, event: str, now: datetime) -> bool:
    """Whether the action may pass this once; it may not do so again."""
    try:
        path = _path(data, guard, same)
    except BadInput:
        return False
    used = path.with_name(path.name + USED)
    if event == "permission_request" and _taken(used, now):
        return True
    if not _is_fresh(path, now):
        return False
    try:
        if event == "permission_request":
            path.unlink()
        else:
            os.replace(path, used)  # the one whose rename succeeds passes
    except OSError:
        return False
    return True


def _taken(path: Path, now: datetime) -> bool:
    if not _is_fresh(path, now):
        return False
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _is_fresh(path: Path, now: datetime) -> bool:
    try:
        at = path.stat().st_mtime
    except OSError:
        return False
    return -1 <= now.timestamp() - at <= HOLDS.total_seconds()


def _path(data: Path, guard: str, same: str) -> Path:
    if not same or not set(same) <= _HEX or not guard or "/" in guard or guard.startswith("."):
        raise BadInput(f"`{same}` is not the name of an action")
    return data / FOLDER / f"{guard}.{same}"


def _forget_old(folder: Path, now: datetime) -> None:
    for path in folder.iterdir():
        if not _is_fresh(path, now):
            path.unlink(missing_ok=True)
