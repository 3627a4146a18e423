"""What is written down after the gates have answered: refused stops, and what stays owed."""

from contextlib import suppress

from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import KeepWorking
from paige.guard.gates import tester_completion
from paige.guard.gating import Situation
from paige.guard.hearing import Outcome
from paige.guard.state.delegation import (
    Delegation,
    Violation,
    change_delegation,
    with_refusal,
    with_violation,
)
from paige.guard.state.roles import Manners


def settle(situation: Situation, outcome: Outcome) -> None:
    """Keep what the answer to an event means for the next ones."""
    ran = situation.facts.get(tester_completion.FACT)
    if not isinstance(ran, tester_completion.Ran) or ran.tests > 0:
        return
    manners: Manners = situation.facts["manners"]
    actor = tester_completion.actor_of(situation)
    refused = isinstance(outcome.decision, KeepWorking)

    def step(state: Delegation) -> Delegation:
        if refused:
            state = with_refusal(state, actor)
        if state.of(actor).refused >= manners.most_refusals:
            # The host lets it stop now, whatever is said: the next step is refused instead.
            rule, at = tester_completion.RULE, to_iso(situation.now)
            state = with_violation(state, Violation(rule, actor, "tests", at))
        return state

    with suppress(PaigeError):  # a stop must not be held up by a full disk
        session = situation.heard.scene.session
        change_delegation(situation.place.root, session, situation.now, step)
