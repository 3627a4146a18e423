"""What became of a proposal to remember something: the proposal, then one decision about it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.memory.documents import queries
from paige.memory.documents.projection import identity
from paige.memory.documents.records import NOWHERE, EventRow, Happened, read_path
from paige.memory.event import Provenance

Decision = Literal["confirmed", "edited", "dismissed"]
_EVENTS: dict[Decision, Happened] = {
    "confirmed": "capture_confirmed",
    "edited": "capture_edited",
    "dismissed": "capture_dismissed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something that might be remembered; `key` tells it from every other proposal."""

    key: str
    path: str
    text: str
    provenance: Provenance = NOWHERE


def record_proposed(
    connection: Connection, actor: Actor, proposal: Proposal, *, now: datetime
) -> None:
    """Note a proposal; the same one again changes nothing."""
    row = _row(actor, proposal, "capture_proposed", now=now)
    queries.insert_event(connection, actor, row)


def record_decided(
    connection: Connection,
    actor: Actor,
    proposal: Proposal,
    decision: Decision,
    *,
    final: str | None = None,
    now: datetime,
) -> None:
    """Note what a person decided; the first decision counts. Raises: BadInput."""
    if (final is None) != (decision == "dismissed"):
        raise BadInput(f"A proposal that was {decision} has {'no' if final else 'a'} final text")
    row = _row(actor, proposal, _EVENTS[decision], now=now, final=final)
    queries.insert_event(connection, actor, row)


def _row(
    actor: Actor,
    proposal: Proposal,
    what: Happened,
    *,
    now: datetime,
    final: str | None = None,
) -> EventRow:
    place = read_path(proposal.path)
    return EventRow(
        id=identity(actor, f"capture:{proposal.key}:{what == 'capture_proposed'}"),
        event_type=what,
        scope=place.scope,
        class_id=place.class_id,
        path=place.path,
        created_at=now,
        trace_id=proposal.provenance.trace_id,
        session_id=proposal.provenance.session_id,
        proposed_text=proposal.text,
        final_text=final,
    )
