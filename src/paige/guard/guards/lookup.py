"""Finds the guards that are about an event, with everything the slow path knows.

The facts a guard may name in `unless` are read only where a guard would have something to say
otherwise, and a one-time permission is taken only where a guard would refuse.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from paige.base.errors import PaigeError
from paige.base.events import Stop, SubagentStop
from paige.guard.fast.guards import heard_action, mark_of, met
from paige.guard.fast.place import Place
from paige.guard.gates.learned import Learned
from paige.guard.gates.tested_true import FACT as TESTED
from paige.guard.gates.tested_true import Judged
from paige.guard.gates.tester_completion import is_own
from paige.guard.guards.overriding import take
from paige.guard.hearing import Heard
from paige.guard.shell.judging import Judge
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.files import Damaged
from paige.guard.state.session import read_session
from paige.guard.state.tree import tree_hash
from paige.guard.tools import command_of, is_powershell

_BOUND = ("pre_tool", "permission_request", "stop", "subagent_stop")


class Seen(Protocol):
    """Who acts and what is known already."""

    @property
    def role(self) -> str:
        """The role of whoever acts."""
        ...

    @property
    def facts(self) -> Mapping[str, Any]:
        """What was read for the gates."""
        ...


def look_at_guards(
    heard: Heard, place: Place, rules: Mapping[str, Any], seen: Seen, now: datetime
) -> Learned | None:
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
    return Learned(left, overrode, same)


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
    if isinstance(judged, Judged) and judged.claim.new:
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
