"""The gate of learned guards: what was wrong again and again, and proved itself before it blocks.

Guards stand before the gates that came with Paige, so that an agent reads what was learned about
its mistake. A guard in shadow only notes that it would have had something to say.
"""

from dataclasses import dataclass
from typing import Any

from paige.guard.fast.guards import told
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Outcome

RULE = "learned"
FACT = "learned"


@dataclass(frozen=True, slots=True)
class LearnedGuards:
    """The guards that are about an event, and those a person let pass this once."""

    met: tuple[dict[str, Any], ...]
    overrode: tuple[str, ...] = ()
    same: str = ""


def gate(situation: Situation) -> Outcome | None:
    """What the guards say that are about this event."""
    learned = situation.facts.get(FACT)
    if not isinstance(learned, LearnedGuards) or not (learned.met or learned.overrode):
        return None
    said = told(situation.heard.event.name, list(learned.met), learned.same)
    if not learned.overrode:
        return said
    noted = {**said.noted, "overrode": list(learned.overrode), "same": learned.same}
    return Outcome(said.decision, said.rule, noted=noted)
