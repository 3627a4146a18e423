"""Which part memory takes in each event, from the table `phases.toml` and its layers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paige.base.errors import BadInput
from paige.guard.completion.layered import read_layered
from paige.guard.fast.place import Place

FILE = "phases.toml"
RECORD, ORGANISE, RECALL, IMPROVE = "record", "organise", "recall", "improve"
PHASES = (RECORD, ORGANISE, RECALL, IMPROVE)
MOST_TOKENS = 2000  # whatever a layer says: memory is a help, not the conversation


@dataclass(frozen=True, slots=True)
class Phases:
    """The table: event to phases, and how much each phase may take."""

    events: Mapping[str, tuple[str, ...]]
    recall: Mapping[str, Any]
    record: Mapping[str, Any]
    organise: Mapping[str, Any]

    def at(self, event: str) -> tuple[str, ...]:
        """The phases of an event."""
        return self.events.get(event, ())


def read_phases(place: Place) -> Phases:
    """The table for a place. Raises: BadInput naming the file and the value."""
    # A project with its own number could leave no room for the person's policies.
    tables = read_layered(FILE, place, personal=("recall.policy_tokens",))
    for event, phases in tables["events"].items():
        for phase in phases:
            if phase not in PHASES:
                raise BadInput(
                    f"`events.{event}` in {FILE} names the phase `{phase}`",
                    hint=f"Known are: {', '.join(PHASES)}.",
                )
    recall = dict(tables["recall"])
    for name in ("tokens", "policy_tokens"):
        recall[name] = min(int(recall[name]), MOST_TOKENS)
    events = {event: tuple(phases) for event, phases in tables["events"].items()}
    return Phases(events, recall, tables["record"], tables["organise"])
