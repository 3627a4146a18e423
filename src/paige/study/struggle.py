"""Noticing that a learner is stuck, and what to do about it. About people, not about agents.

Being stuck shows in several ways: one wrong answer after the other, the same error again, every
step only with hints, or nothing at all for a long time. None of them is a fault. What follows is a
way out: the lesson once more, a step back to what it builds on, another form, or a break.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.learner.progress import Progress, recurring_errors
from paige.study.courses.values import Course
from paige.study.session.state import FinishedExercise, SessionState

Signal = Literal["fails", "same_error", "leans_on_help", "slow"]
WayOut = Literal["teach_again", "step_back", "another_form", "pause"]
FAILED = 0.5
"""Less than this share right is a failure."""
_FAILS = 2
_FAILS_ANYWHERE = 3
_HELPED = 3
_SAME_ERROR = 3
_SLOW_TIMES = 2.5
_WEAK = 0.5
_SILENT_TIMES = 1.5
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Struggle:
    """Somebody is stuck with a concept: how it shows, what to do, and the concept to go to."""

    concept_id: str
    signals: tuple[Signal, ...]
    way_out: WayOut
    towards: str
    says: str


def find_struggle(
    course: Course, progress: Mapping[str, Progress], state: SessionState
) -> Struggle | None:
    """Whether the last exercise shows that somebody is stuck, and the way out."""
    if not state.done:
        return None
    last = state.done[-1]
    if last.rating > 2 and not last.answer_shown:
        return None
    known = progress.get(last.concept_id)
    signals = signals_of(state.done, known)
    if not signals:
        return None
    if _tired(state.done):
        says = "Several in a row were hard. A break helps more than going on; nothing is lost."
        return Struggle(last.concept_id, signals, "pause", last.concept_id, says)
    return _way_out(course, progress, state, signals)


def signals_of(done: Sequence[FinishedExercise], known: Progress | None) -> tuple[Signal, ...]:
    """How it shows that the concept of the last exercise is hard for somebody."""
    found: list[Signal] = []
    same = [each for each in done if each.concept_id == done[-1].concept_id and each.gradable]
    if len(same) >= _FAILS and all(each.share < FAILED for each in same[-_FAILS:]):
        found.append("fails")
    helped = [each.hints_used > 0 or each.answer_shown for each in done[-_HELPED:]]
    if len(helped) == _HELPED and all(helped):
        found.append("leans_on_help")
    if known is not None and recurring_errors(known, at_least=_SAME_ERROR):
        found.append("same_error")
    slow = [each.seconds > each.minutes * 60 * _SLOW_TIMES for each in same[-_FAILS:]]
    if len(slow) == _FAILS and all(slow):
        found.append("slow")
    return tuple(found)


def is_struggling(progress: Progress | None) -> bool:
    """Whether a concept is hard for somebody, by what is known from before."""
    if progress is None:
        return False
    last = progress.exercise_history[-_FAILS:]
    fails = len(last) == _FAILS and all(each.score < FAILED for each in last)
    return fails or bool(recurring_errors(progress, at_least=_SAME_ERROR))


def stalled(state: SessionState, now: datetime) -> str | None:
    """What to say to somebody with whom nothing has moved for a while; usually nothing."""
    sitting = state.sitting
    if state.stage != "exercise" or sitting is None:
        return None
    if sitting.ladder.attempts >= _TRIES and not sitting.ladder.solved:
        return "You have tried it several times. A hint is no shame; or leave it out for today."
    minutes = (now - state.moved).total_seconds() / 60
    if minutes > sitting.exercise.minutes * _SILENT_TIMES:
        return "Take your time. If you are stuck, try anything: after that there is a hint."
    return None


def weak_prerequisite(course: Course, progress: Mapping[str, Progress], concept: str) -> str | None:
    """What a concept builds on directly and somebody is least sure of, if it is weak."""
    needed = course.graph.get(concept).prerequisites
    known = [progress[name] for name in needed if name in progress]
    weak = [each for each in known if each.mastery_score < _WEAK or each.status == "relearning"]
    return min(weak, key=lambda each: each.mastery_score).concept_id if weak else None


def _tired(done: Sequence[FinishedExercise]) -> bool:
    """Whether nothing works any more, whatever it is about."""
    last = done[-_FAILS_ANYWHERE:]
    fails = len(last) == _FAILS_ANYWHERE and all(each.share < FAILED for each in last)
    return fails and len({each.concept_id for each in last}) > 1


def _way_out(
    course: Course,
    progress: Mapping[str, Progress],
    state: SessionState,
    signals: tuple[Signal, ...],
) -> Struggle:
    concept = state.done[-1].concept_id
    title = course.concept(concept).title
    before = weak_prerequisite(course, progress, concept)
    recent = {each.concept_id for each in state.done[-_FAILS:]}
    if before is not None and before not in recent:
        says = f"{title} builds on {course.concept(before).title}; let us look at that first."
        return Struggle(concept, signals, "step_back", before, says)
    if concept in course.teaching and concept not in _taught_again(state):
        says = f"{title} is hard at first. Here it is once more, with an example."
        return Struggle(concept, signals, "teach_again", concept, says)
    says = f"{title} comes back in another form."
    return Struggle(concept, signals, "another_form", concept, says)


def _taught_again(state: SessionState) -> set[str]:
    return {item.concept_id for item in state.plan if item.teach_again}
