"""The observer's triage by rules alone: the five signals, for whoever works without a model."""

from datetime import datetime

from paige.coach.answers import NudgeAbout, TriageAnswer
from paige.coach.observer.judging import triage
from paige.coach.observer.rules import quiet_for
from paige.coach.observer.trace import Trace


def judge_moment(trace: Trace) -> TriageAnswer:
    """The answer a model would give, from the rules."""
    said = triage(trace)
    found = said.finding if said.should_nudge else None
    current = found.current_file if found else None
    about = NudgeAbout(
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
