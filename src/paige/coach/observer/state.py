"""What the observer remembers of one session; a value, and every change makes a new one."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

WINDOW = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class ObserverState:
    """How far the observer is with one session."""

    session_id: str
    last_activity: datetime
    active: bool = True
    muted: bool = False
    last_nudge: datetime | None = None
    last_evaluation: datetime | None = None
    buffer_updates: int = 0  # since the last evaluation
    recent: tuple[datetime, ...] = ()  # actions of the last minute
    evaluating: bool = False
    idle_evaluations: int = 0  # since someone was last there


def acted(state: ObserverState, at: datetime) -> ObserverState:
    """An action was logged: it counts for the flow."""
    kept = tuple(moment for moment in state.recent if moment > at - WINDOW)
    return present(replace(state, recent=(*kept, at)), at)


def typed(state: ObserverState, at: datetime) -> ObserverState:
    """A buffer changed: it counts for the threshold and as activity, not for the flow."""
    return present(replace(state, buffer_updates=state.buffer_updates + 1), at)


def present(state: ObserverState, at: datetime) -> ObserverState:
    """Someone is there."""
    return replace(state, last_activity=max(at, state.last_activity), idle_evaluations=0)


def looked(state: ObserverState) -> ObserverState:
    """A trigger was dealt with, one way or the other: buffer updates count from nothing."""
    return replace(state, buffer_updates=0)


def evaluation_begun(state: ObserverState, *, idle: bool) -> ObserverState:
    """The question is on its way."""
    count = state.idle_evaluations + idle
    return replace(looked(state), evaluating=True, idle_evaluations=count)


def evaluation_done(state: ObserverState, at: datetime) -> ObserverState:
    """The answer has come, or will not."""
    return replace(state, evaluating=False, last_evaluation=at)


def nudged(state: ObserverState, at: datetime) -> ObserverState:
    """A person was spoken to."""
    return replace(state, last_nudge=at)


def silenced(state: ObserverState, *, muted: bool) -> ObserverState:
    """The person wants quiet, or not any more."""
    return replace(state, muted=muted)


def ended(state: ObserverState) -> ObserverState:
    """The session is over."""
    return replace(state, active=False, muted=False)
