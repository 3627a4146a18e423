"""When the observer looks, and when it keeps quiet: pure decisions on its state."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from paige.coach.answers import TriageAnswer
from paige.coach.message_parts import NudgeContext
from paige.coach.observer import signals
from paige.coach.observer.signals import IDLE, Finding
from paige.coach.observer.trace import BUFFER_UPDATE, Signal, Trace
from paige.learner.stages import Stage

SURE = 0.7  # from here on a person is spoken to
COOLDOWN = timedelta(seconds=120)
FLOW_WINDOW = timedelta(seconds=60)
FLOW_ACTIONS = 10  # more than so many in the window is flow
Quiet = Literal["muted", "cooldown", "flow_state"]
# What the stage adds: the same sight is worth a word to one, and not to another.
LEANING: dict[Stage, float] = {
    "novice": 0.03,
    "advanced_beginner": 0.0,
    "competent": -0.05,
    "proficient": -0.07,
    "expert": -0.09,
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether to speak, about what, how sure, and why."""

    signal: Signal
    confidence: float
    should_nudge: bool
    why: str
    finding: Finding | None = None


def judge(trace: Trace) -> Judgement:
    """Whether a person should be spoken to at this moment."""
    trace = up_to_now(trace)
    quiet = quiet_because(trace)
    if quiet is not None:
        return Judgement("no_nudge", 1.0, should_nudge=False, why=quiet)
    return triage(trace)


def triage(trace: Trace) -> Judgement:
    """What there is to say, if a person may be spoken to."""
    found = strongest(trace)
    if found is None:
        return Judgement("no_nudge", 0.9, should_nudge=False, why="nothing stands out")
    confidence = round(min(max(found.confidence + LEANING[trace.stage], 0.0), 1.0), 3)
    if confidence < SURE:
        left = round(1 - confidence, 3)
        return Judgement("no_nudge", left, should_nudge=False, why=found.why, finding=found)
    return Judgement(found.signal, confidence, should_nudge=True, why=found.why, finding=found)


def strongest(trace: Trace) -> Finding | None:
    """The signal that matters most here: what is done comes before what is wrong."""
    done = signals.phase_complete(trace)
    if done is not None and not _said_already(trace, done):
        return done
    still = signals.idle(trace)
    if still is not None:
        return still
    if done is not None:  # it was said: whoever goes on elsewhere has heard it
        return None
    found = [one for one in (signals.edit_loop(trace), signals.astray(trace)) if one is not None]
    fresh = [one for one in found if not _said_already(trace, one)]
    return max(fresh, key=lambda one: one.confidence, default=None)


def quiet_because(trace: Trace) -> Quiet | None:
    """Why nobody speaks now, whatever there is to say."""
    muted = trace.last("observer_muted")
    if (muted is not None and muted.data.get("muted")) or _ended(trace):
        return "muted"
    nudged = trace.last("nudge_sent")
    if nudged is not None and trace.now - nudged.at < COOLDOWN:
        return "cooldown"
    lately = [act for act in trace.within(FLOW_WINDOW) if act.type != BUFFER_UPDATE]
    if sum(act.is_activity for act in lately) > FLOW_ACTIONS:
        return "flow_state"
    return None


def up_to_now(trace: Trace) -> Trace:
    """The trace without what has not happened yet."""
    return replace(trace, acts=tuple(act for act in trace.acts if act.at <= trace.now))


def _ended(trace: Trace) -> bool:
    last = trace.last("session_started", "session_resumed", "session_ended")
    return last is not None and last.type == "session_ended"


def _said_already(trace: Trace, found: Finding) -> bool:
    """Whether the same was said and nothing new has come since: saying it twice is nagging."""
    nudged = trace.last("nudge_sent")
    if nudged is None or nudged.data.get("signal") != found.signal:
        return False
    since = replace(trace, acts=trace.since(nudged.at))
    match found.signal:
        case "phase_complete":
            return not any(act.type in ("test_run", "file_save") for act in since.acts)
        case "wrong_file" | "scope_drift":
            return signals.astray(since) is None
        case "edit_loop":
            return signals.edit_loop(since) is None
        case _:
            return not any(act.is_edit for act in since.acts)


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


def judge_moment(trace: Trace) -> TriageAnswer:
    """The answer a model would give, from the rules."""
    said = triage(trace)
    found = said.finding if said.should_nudge else None
    current = found.current_file if found else None
    about = NudgeContext(
        current_file=current,
        expected_file=found.expected_file if found else None,
        time_in_file=_time_in(trace, current),
        phase_description=trace.aim.description if trace.aim and found else None,
    )
    return TriageAnswer(
        should_nudge=said.should_nudge,
        confidence=said.confidence,
        signal=said.signal,
        reasoning=said.why,
        suggested_context=about,
    )


def _time_in(trace: Trace, path: str | None) -> str | None:
    """How long a person has been in a file without a look at another."""
    if path is None:
        return None
    since: datetime | None = None
    for act in reversed(trace.acts):
        if act.path is not None and act.path != path:
            break
        if act.path == path:
            since = act.at
    return quiet_for(trace.now - since) if since else None
