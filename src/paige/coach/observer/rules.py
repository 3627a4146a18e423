"""When the observer looks, and when it keeps quiet: pure decisions on its state."""

from datetime import datetime, timedelta
from typing import Literal

from paige.coach.observer.judging import COOLDOWN, FLOW_ACTIONS, FLOW_WINDOW, SURE
from paige.coach.observer.signals import IDLE
from paige.coach.observer.state import ObserverState

CHECK_SECONDS = 30.0  # between two looks at whether someone is idle
UPDATES = 5  # buffer updates that are worth a look
MOST_IDLE_LOOKS = 10  # at one spell of idleness: after that the person is simply away
TRIGGERS = frozenset({"file_open", "file_save", "phase_started", "phase_completed", "test_run"})
Suppression = Literal["muted", "cooldown", "flow_state"]
Outcome = Literal["nudge", "low_confidence", "contradiction", "nothing"]


def is_trigger(action_type: str) -> bool:
    """Whether an action alone is reason enough to look."""
    return action_type in TRIGGERS


def typed_enough(state: ObserverState) -> bool:
    """Whether so much was typed that it is worth a look."""
    return state.buffer_updates >= UPDATES


def is_idle(state: ObserverState, now: datetime) -> bool:
    """Whether nobody has done anything for five minutes."""
    return now - state.last_activity > IDLE


def idle_is_due(state: ObserverState, now: datetime) -> bool:
    """Whether the timer should have a look: someone is idle, and not gone for good."""
    return state.active and is_idle(state, now) and state.idle_evaluations < MOST_IDLE_LOOKS


def suppressed_by(state: ObserverState, now: datetime) -> Suppression | None:
    """Why nothing is evaluated now, in the order in which it is asked."""
    if state.muted:
        return "muted"
    if state.last_nudge is not None and now - state.last_nudge < COOLDOWN:
        return "cooldown"
    recent = sum(moment > now - FLOW_WINDOW for moment in state.recent)
    return "flow_state" if recent > FLOW_ACTIONS else None


def outcome_of(*, should_nudge: bool, confidence: float, signal: str) -> Outcome:
    """What an answer of the triage leads to."""
    if not should_nudge:
        return "nothing"
    if signal == "no_nudge":
        return "contradiction"
    return "nudge" if confidence >= SURE else "low_confidence"


def quiet_for(length: timedelta) -> str:
    """A length of time as people say it: `45s`, `3m12s`, `1h05m`."""
    seconds = max(0, int(length.total_seconds()))
    if seconds < 60:
        return f"{seconds}s"
    if seconds < 3600:
        return f"{seconds // 60}m{seconds % 60:02}s"
    return f"{seconds // 3600}h{seconds % 3600 // 60:02}m"
