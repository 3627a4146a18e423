"""What a person needed or reached in a phase: hints that were used, reviews that were passed."""

from collections.abc import Callable
from typing import Literal

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.message_parts import HintLevel
from paige.coach.records import ProgressEvent

ProgressKind = Literal["hint_used", "hint_escalated", "review_requested", "review_passed"]
HINT_LEVELS = ("none", "file", "region", "line")  # how much is given away, least first


def add_progress(
    connection: Connection, actor: Actor, session_id: str, event_in: Callable[[str], ProgressEvent]
) -> None:
    """Store an event in the phase that is active; without one nothing is stored."""
    phase = queries.active_phase(connection, actor, session_id)
    if phase is not None:
        queries.insert_progress(connection, actor, event_in(phase.id))


def is_more(level: HintLevel, before: HintLevel | None) -> bool:
    """Whether a hint level gives away more than another; a level nobody knows does not."""
    if isinstance(level, int) and isinstance(before, int):
        return level > before
    if level not in HINT_LEVELS:
        return False
    known = before if before in HINT_LEVELS else HINT_LEVELS[0]
    return HINT_LEVELS.index(level) > HINT_LEVELS.index(known)
