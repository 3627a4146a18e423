"""The gate over testers that want to stop: not before tests ran.

A host lets an agent stop after some refusals, whatever a hook says. That is no way out: what was
not done stays owed, and the next step is refused until tests ran. `settle` writes that down after
the gates have answered.
"""

from contextlib import suppress
from dataclasses import dataclass

from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import Deny, KeepWorking, PermissionRequest, PreTool, Stop, SubagentStop
from paige.guard.gate_runner import Situation
from paige.guard.gates import tested_true
from paige.guard.hook_event import Outcome, Scene
from paige.guard.state.delegation import (
    MAIN,
    Delegation,
    Violation,
    change_delegation,
    with_refusal,
    with_violation,
)
from paige.guard.state.evidence_files import Evidence
from paige.guard.state.roles import TESTER, Manners, role_of
from paige.guard.tools import AGENT, READ, SEARCH, changes_of, kind_of

RULE = "force-tester-completion"
FACT = "tests-ran"
TEST_COMMAND = "test-command"
# These hosts do not say inside which agent a tool ran.
_WITHOUT_AGENTS = ("gemini", "copilot")


@dataclass(frozen=True, slots=True)
class TestRuns:
    """Whether the tester ran tests, and how often its stop was refused so far."""

    tests: int
    refused: int


def gate(situation: Situation) -> Outcome | None:
    """A refusal when a tester wants to stop and ran no test."""
    ran = situation.facts.get(FACT)
    if not isinstance(situation.heard.event, Stop | SubagentStop) or not isinstance(ran, TestRuns):
        return None
    if situation.role != TESTER or ran.tests > 0:
        return None
    manners: Manners = situation.facts["manners"]
    if ran.refused >= manners.most_refusals:
        notice = (
            "The tester stopped without running a test. Paige lets it go after "
            f"{ran.refused} refusals, and refuses the next step until tests ran."
        )
        return Outcome(None, RULE, notice=notice)
    reason = (
        "No test of yours has run, so you are not done. Run the project's tests by themselves "
        "(for example `pytest`, `npx vitest run`, `go test ./...`), without a pipe, and report "
        "what they say, passed or failed."
    )
    return Outcome(KeepWorking(reason), RULE)


def next_step(situation: Situation) -> Outcome | None:
    """A refusal of whatever comes next while something is owed, except what makes it good."""
    event = situation.heard.event
    state = situation.facts.get("state")
    if not isinstance(event, PreTool | PermissionRequest) or not isinstance(state, Delegation):
        return None
    owed = state.violations[0] if state.violations else None
    if owed is None or _makes_good(event, owed, situation):
        return None
    return Outcome(Deny(_owing(owed)), owed.rule)


def actor_of(situation: Situation) -> str:
    """The name under which an agent is kept."""
    return situation.heard.scene.agent or MAIN


def is_own(record: Evidence, session: str, agent: str | None, cli: str) -> bool:
    """Whether a run of tests is one of this agent in this session."""
    if record.session != session:
        return False
    return record.agent == agent or (cli in _WITHOUT_AGENTS and record.agent is None)


def _makes_good(event: PreTool | PermissionRequest, owed: Violation, situation: Situation) -> bool:
    kind = kind_of(event.tool)
    if kind in (READ, SEARCH) or situation.facts.get(TEST_COMMAND) is True:
        return True
    if kind == AGENT:
        return _starts_tester(event, situation)
    if owed.rule == tested_true.RULE:
        changes = changes_of(event.tool, event.input)
        none: frozenset[str] = frozenset()
        return bool(changes) and all(
            tested_true.is_list(each.path, none, situation.place) for each in changes
        )
    return False


def _starts_tester(event: PreTool | PermissionRequest, situation: Situation) -> bool:
    manners: Manners = situation.facts["manners"]
    scene = situation.heard.scene
    for key in ("subagent_type", "agent_type", "agent_name", "agent", "name", "role"):
        value = event.input.get(key)
        if isinstance(value, str):
            named = Scene(scene.cli, "", "", "", "", agent_type=value)
            if role_of(named, "", "", manners.names) == TESTER:
                return True
    return False


def _owing(owed: Violation) -> str:
    if owed.rule == tested_true.RULE:
        return (
            f"The feature `{owed.about}` was called tested without evidence. First set its "
            "`tested` back to false, or run the tests by themselves until they pass."
        )
    return (
        "A tester stopped without running a test. Before anything else run the project's tests "
        "by themselves, or start the tester again."
    )


def settle(situation: Situation, outcome: Outcome) -> None:
    """Keep what the answer to an event means for the next ones."""
    ran = situation.facts.get(FACT)
    if not isinstance(ran, TestRuns) or ran.tests > 0:
        return
    manners: Manners = situation.facts["manners"]
    actor = actor_of(situation)
    refused = isinstance(outcome.decision, KeepWorking)

    def step(state: Delegation) -> Delegation:
        if refused:
            state = with_refusal(state, actor)
        if state.of(actor).refused >= manners.most_refusals:
            # The host lets it stop now, whatever is said: the next step is refused instead.
            rule, at = RULE, to_iso(situation.now)
            state = with_violation(state, Violation(rule, actor, "tests", at))
        return state

    with suppress(PaigeError):  # a stop must not be held up by a full disk
        session = situation.heard.scene.session
        change_delegation(situation.place.root, session, situation.now, step)
