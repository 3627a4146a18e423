"""One judgement on one trace: may anyone speak now, and is there something to say.

Who must not be disturbed is left alone first: muted, spoken to a moment ago, or in full flow. Then
the clearest signal counts. A novice is spoken to a little sooner, someone experienced only when it
is quite clear.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from paige.coach.observer import signals
from paige.coach.observer.signals import Finding
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
