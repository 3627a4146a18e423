"""Gathers what the gates want to know of one event, before they are asked.

All reading of files is here, and the two things that must be written down at once: one more piece
of work, and the evidence of a test run. What cannot be read is handed on as the error it is.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import PermissionRequest, PostTool, PostToolFailure, PreTool
from paige.guard.evidence import capture, is_test_command
from paige.guard.fast.place import Place
from paige.guard.gates import (
    delegation,
    mcp_logs,
    missing_state,
    next_action,
    safe_paths,
    tested_true,
    tester_completion,
)
from paige.guard.gates.file_changes import Line, line_of
from paige.guard.hook_event import Heard
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import full_path
from paige.guard.state.delegation import (
    MAIN,
    Delegation,
    Step,
    Violation,
    change_delegation,
    read_delegation,
    state_path,
    with_delegation,
    with_violation,
    with_work,
    without_refusals,
    without_violations,
)
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.features import claims_in, features_path, read_features, read_session
from paige.guard.state.files import Damaged, read_text
from paige.guard.state.roles import (
    LEADING,
    ROLES,
    TESTER,
    Manners,
    has_orchestra,
    is_role,
    role_of,
)
from paige.guard.state.tree import tree_hash
from paige.guard.tools import AGENT, READ, SEARCH, changes_of, command_of, kind_of, reads_of

_CHUNK = 2**16
_MOST_COUNTED = 64 * 2**20


@dataclass(frozen=True, slots=True)
class GatheredFacts:
    """Who acts, and what is known."""

    role: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EventContext:
    """What an event comes with."""

    heard: Heard
    place: Place
    rules: Mapping[str, Any]
    manners: Manners
    now: datetime
    state: Delegation | PaigeError | None
    role: str

    @property
    def actor(self) -> str:
        """The name under which the agent is kept."""
        return self.heard.scene.agent or MAIN


def look(
    heard: Heard,
    place: Place,
    rules: Mapping[str, Any],
    manners: Manners,
    given_role: str,
    now: datetime,
) -> GatheredFacts:
    """Who acts, and what the gates of this event want to know."""
    if not (given_role or has_orchestra(place.root)):
        # An ordinary person: only long logs are anybody's business.
        return GatheredFacts("", {"manners": manners, **_logs_of(heard, place, rules, manners)})
    state = _state(place, heard.scene.session)
    kept = state.role if isinstance(state, Delegation) else ""
    role = role_of(heard.scene, given_role, kept, manners.names)
    around = EventContext(heard, place, rules, manners, now, state, role)
    facts: dict[str, Any] = {"manners": manners, "state": state}
    reader = _READERS.get(heard.event.name)
    if reader is not None:
        facts.update(reader(around))
    if heard.event.name == "session_start":
        facts[missing_state.WARNINGS] = _warnings(around, given_role)
    return GatheredFacts(role, facts)


def _state(place: Place, session: str) -> Delegation | PaigeError | None:
    try:
        return read_delegation(place.root, session)
    except PaigeError as error:
        return error


def _logs_of(
    heard: Heard, place: Place, rules: Mapping[str, Any], manners: Manners
) -> dict[str, Any]:
    event = heard.event
    if not isinstance(event, PreTool | PermissionRequest):
        return {}
    line = line_of(heard, place, rules["shell"])
    wanted = mcp_logs.whole_reads(event, line, place, manners.most_lines)
    long = {path: manners.most_lines for path in wanted if has_more_lines(path, manners.most_lines)}
    return {"line": line, mcp_logs.FACT: long}


def has_more_lines(path: str, most: int) -> bool:
    """Whether a file has more lines than that; a file nobody can read has none."""
    lines = size = 0
    try:
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                lines += chunk.count(b"\n")
                size += len(chunk)
                if lines > most or size > _MOST_COUNTED:
                    return True
    except (OSError, ValueError):
        return False
    return False


def _before_tool(around: EventContext) -> dict[str, Any]:
    event, place = around.heard.event, around.place
    assert isinstance(event, PreTool | PermissionRequest)
    facts = _logs_of(around.heard, place, around.rules, around.manners)
    line: Line | None = facts["line"]
    paths = _paths(event, line, place)
    facts["links"] = {path: os.path.realpath(path) for path in paths}
    facts[safe_paths.FACT] = frozenset(
        each for each in paths if safe_paths.is_summary(each) and not os.path.lexists(each)
    )
    facts[safe_paths.TAKEN] = _names_in(Path(place.root) / safe_paths.FOLDER)
    facts[tested_true.FACT] = _tested(around, event, line)
    command = command_of(event.tool, event.input)
    if command and isinstance(around.state, Delegation) and around.state.violations:
        facts[tester_completion.TEST_COMMAND] = is_test_command(command, place)
    facts.update(_counted(around, event, line, facts["links"]))
    return facts


def _paths(event: PreTool | PermissionRequest, line: Line | None, place: Place) -> tuple[str, ...]:
    """The files a call names, from the root of the disk."""
    found = [full_path(each.path, place) for each in changes_of(event.tool, event.input)]
    found += [full_path(each, place) for each in reads_of(event.tool, event.input)]
    for run in line.runs if line is not None else ():
        words = (*run.writes, *(each for each in run.words[1:] if not each.startswith("-")))
        found += [run.full(each, place) for each in words if UNKNOWN not in each]
    return tuple(dict.fromkeys(each for each in found if "\0" not in each))


def _names_in(folder: Path) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def _tested(
    around: EventContext, event: PreTool | PermissionRequest, line: Line | None
) -> tested_true.ClaimJudgement | None:
    """What a call would claim of features, and the evidence there is for it."""
    place = around.place
    path = features_path(place.root)
    target = os.path.realpath(path)
    named = _paths(event, line, place)
    listed = frozenset(each for each in named if os.path.realpath(each) == target)
    try:
        current = read_text(path)
    except Damaged as error:
        current = error.sentence()  # no JSON either: whoever asks for it is told so
    claim = tested_true.claim_of(event, line, place, current, listed)
    if claim is None:
        return None
    if not claim.new:
        return tested_true.ClaimJudgement(claim)
    found = read_evidence(place.root, place.data)
    return tested_true.judged_claim(claim, found, tree_hash(place.root))


def _counted(
    around: EventContext,
    event: PreTool | PermissionRequest,
    line: Line | None,
    links: Mapping[str, str],
) -> dict[str, Any]:
    """The counts of a leading agent, with this call; and what the state is then."""
    if isinstance(around.state, PaigeError) or not isinstance(event, PreTool):
        tally = around.state.of(around.actor) if isinstance(around.state, Delegation) else None
        return {delegation.FACT: tally}
    place, leading = around.place, around.role in LEADING
    work = leading and delegation.is_work(event, line, place, around.manners, links)
    gives_away = leading and kind_of(event.tool) == AGENT
    known = _claims(place)

    def step(state: Delegation) -> Delegation:
        if work:
            state = with_work(state, around.actor)
        if gives_away:
            state = with_delegation(state, around.actor)
        if known is not None and not state.violations:
            state = replace(state, tested=tuple(sorted(known)))
        return replace(state, role=state.role or around.role)

    if not (leading or around.state is not None or known is not None):
        return {}
    return _changed(around, step, warn=leading and around.state is None)


def _changed(around: EventContext, step: Step, *, warn: bool) -> dict[str, Any]:
    try:
        state = change_delegation(around.place.root, around.heard.scene.session, around.now, step)
        state = _still_owed(around, state)
    except PaigeError as error:
        return {"state": error}
    facts: dict[str, Any] = {"state": state, delegation.FACT: state.of(around.actor)}
    if warn:
        path = state_path(around.place.root, around.heard.scene.session)
        facts[missing_state.WARNINGS] = (
            f"There was no state of this session, so what you do yourself is counted from now on. "
            f"If `{path}` was there before, somebody removed it: tell the person.",
        )
    return facts


def _still_owed(around: EventContext, state: Delegation) -> Delegation:
    """The state without what has been made good meanwhile."""
    ids = frozenset(each.about for each in state.violations if each.rule == tested_true.RULE)
    if not ids:
        return state
    known = _claims(around.place)
    settled = ids - known if known is not None else ids
    left = ids - settled
    if left:
        found = read_evidence(around.place.root, around.place.data)
        tree = tree_hash(around.place.root)
        settled |= {each for each in left if fresh(found.records, each, tree) is not None}
    if not settled:
        return state
    return change_delegation(
        around.place.root,
        around.heard.scene.session,
        around.now,
        lambda old: without_violations(old, tested_true.RULE, settled),
    )


def _claims(place: Place) -> frozenset[str] | None:
    """The features that are called tested now; nothing when nobody can tell."""
    path = features_path(place.root)
    try:
        text = read_text(path)
        return None if text is None else claims_in(text, path)
    except Damaged:
        return None


def _after_tool(around: EventContext) -> dict[str, Any]:
    """Keep the evidence of a test run, and see what the call has said of features."""
    event, place = around.heard.event, around.place
    assert isinstance(event, PostTool | PostToolFailure)
    facts: dict[str, Any] = {}
    evidence, words = capture(around.heard, place, around.now)
    facts["evidence-words"] = words
    if evidence is not None and evidence.tests > 0:
        settled = around.actor
        _change(around, lambda state: without_violations(
            without_refusals(state, settled), tester_completion.RULE))  # fmt: skip
    if kind_of(event.tool) not in (READ, SEARCH, AGENT):
        facts["audit-words"] = _audited(around)
    return facts


def _audited(around: EventContext) -> str:
    """What is said when a tool has called features tested that no evidence stands for."""
    state, known = around.state, _claims(around.place)
    if not isinstance(state, Delegation) or state.tested is None or not known:
        return ""
    new = known - set(state.tested)
    if not new:
        return ""
    found = read_evidence(around.place.root, around.place.data)
    tree = tree_hash(around.place.root)
    missing = sorted(each for each in new if fresh(found.records, each, tree) is None)
    if not missing:
        return ""
    at = to_iso(around.now)

    def step(old: Delegation) -> Delegation:
        for each in missing:
            old = with_violation(old, Violation(tested_true.RULE, around.actor, each, at))
        return old

    _change(around, step)
    named = ", ".join(f"`{each}`" for each in missing)
    return (
        f"This call marked {named} as tested, and no evidence stands for it. Set `tested` back to "
        "false, or run the tests by themselves until they pass; nothing else may be done before."
    )


def _change(around: EventContext, step: Step) -> None:
    if around.state is None and not around.role:
        return
    change_delegation(around.place.root, around.heard.scene.session, around.now, step)


def _at_stop(around: EventContext) -> dict[str, Any]:
    if around.role != TESTER:
        return {}
    scene = around.heard.scene
    found = read_evidence(around.place.root, around.place.data)
    own = [
        each
        for each in found.records
        if tester_completion.is_own(each, scene.session, scene.agent, scene.cli)
    ]
    state = around.state if isinstance(around.state, Delegation) else None
    refused = state.of(around.actor).refused if state else 0
    tests = max((each.tests for each in own), default=0)
    return {tester_completion.FACT: tester_completion.TestRuns(tests, refused)}


def _at_start(around: EventContext) -> dict[str, Any]:
    """Write down who this session is, so that later events know it without the variable."""
    if around.role and not isinstance(around.state, PaigeError):
        with suppress(PaigeError):
            _change(around, lambda state: replace(state, role=around.role))
    return {next_action.FACT: next_action.look_ahead(around.place.root, around.role)}


def _warnings(around: EventContext, given_role: str) -> tuple[str, ...]:
    """What is missing or broken, as sentences."""
    found = list(around.manners.problems)
    if given_role and not is_role(given_role, around.manners.names):
        found.append(
            f"`AGENT_ROLE` is `{given_role}`, which is no role: use {', '.join(ROLES)}. Until then "
            "it counts as a musician."
        )
    if isinstance(around.state, PaigeError):
        found.append(f"{around.state.message}. {around.state.hint or ''}")
    try:
        if read_features(around.place.root) is None and around.role in LEADING:
            found.append(f"There is no `{features_path(around.place.root)}`: nothing is planned.")
        read_session(around.place.root)
    except Damaged as error:
        found.append(error.sentence())
    return tuple(found)


_READERS = {
    "pre_tool": _before_tool,
    "permission_request": _before_tool,
    "post_tool": _after_tool,
    "post_tool_failure": _after_tool,
    "stop": _at_stop,
    "subagent_stop": _at_stop,
    "session_start": _at_start,
}
