"""Runs the gates over one event and takes the strictest answer.

A gate is a pure function of the situation. One that fails denies where the event is a gate, and is
left out everywhere else: a crash at stop must not loop, one at a prompt must not lock a person out.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paige.base.events import (
    Abort,
    AddContext,
    Allow,
    Ask,
    Decision,
    Deny,
    KeepWorking,
    Modify,
)
from paige.guard.fast.place import Place
from paige.guard.hook_event import NOTHING, Heard, Outcome

if TYPE_CHECKING:
    from paige.guard.spool_drain import Person

logger = logging.getLogger(__name__)
# From the mildest to the strictest.
_ORDER: tuple[type[Decision], ...] = (AddContext, Allow, Modify, Ask, KeepWorking, Deny, Abort)


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a gate may look at; nothing is read while gates run.

    `role` is `conductor`, `section_leader`, `musician` or empty. `rules` are the compiled rules.
    `facts` are what readers gathered for the gates beforehand, by the reader's name. `person` is
    for whom a server asks; a hook's own process works for whoever started it.
    """

    heard: Heard
    place: Place
    role: str
    rules: Mapping[str, Any]
    now: datetime
    facts: Mapping[str, Any] = field(default_factory=dict)
    person: "Person | None" = None


Gate = Callable[[Situation], Outcome | None]


def run_gates(situation: Situation, gates: Iterable[tuple[str, Gate]]) -> Outcome:
    """What the gates say together: the strictest decision, and all that is to be told."""
    found = [
        outcome for name, gate in gates if (outcome := _asked(name, gate, situation)) is not None
    ]
    return strictest(found)


def strictest(outcomes: Iterable[Outcome]) -> Outcome:
    """One outcome of several."""
    given = list(outcomes)
    if not given:
        return NOTHING
    deciding = [each for each in given if each.decision is not None]
    # Of two equally strict ones the first decides: gates stand in the order people read them.
    silent = next((each for each in given if each.rule), given[0])
    chosen = max(deciding, key=lambda each: _rank(each.decision), default=silent)
    context = "\n\n".join(dict.fromkeys(each.context for each in given if each.context))
    notice = "\n".join(dict.fromkeys(each.notice for each in given if each.notice))
    noted = {name: value for each in given for name, value in each.noted.items()}
    return Outcome(chosen.decision, chosen.rule, context, notice, noted)


def _rank(decision: Decision | None) -> int:
    return -1 if decision is None else _ORDER.index(type(decision))


def _asked(name: str, gate: Gate, situation: Situation) -> Outcome | None:
    try:
        return gate(situation)
    except Exception as error:  # a gate that fails must not open
        logger.exception("The gate %s failed", name)
        if not situation.heard.event.gate:
            return None
        return Outcome(Deny(f"The gate `{name}` failed: {error}"), f"{name}.failed")
