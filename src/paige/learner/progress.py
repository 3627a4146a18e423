"""What one person knows of one concept, as a fold over what came of their exercises.

`apply` is the only way forward: a pure function from what was known and one result to what is known
now, with the evidence for the change. Help is taken into account here once more, whoever rated the
work: with hints it is at most Hard, after a shown answer it is Again, and only unaided work counts
towards mastery. Mastery needs several unaided successes on more than one day; forgetting starts the
count again.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, Field, PlainValidator

from paige.exercise.result import Result
from paige.exercise.values import (
    AGAIN,
    BLOOM_LEVELS,
    GOOD,
    Bloom,
    Modality,
    Rating,
    bloom_level,
    modality,
    with_help,
)
from paige.learner.cards import Card, Moment, Whole, new_card, utc
from paige.learner.schedule import LESSONS, Scheduling, check_rating, day_of, review

Status = Literal["new", "learning", "review", "mastered", "relearning"]
STATUSES: tuple[Status, ...] = ("new", "learning", "review", "mastered", "relearning")

Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Text = Annotated[str, BeforeValidator(lambda given: "" if given is None else str(given))]
Level = Annotated[Bloom, BeforeValidator(lambda given: bloom_level(str(given)))]
_WEIGHTS = (0.5, 0.7, 0.85, 0.95, 1.0)
"""What the last five attempts weigh, the newest last."""
_CAPS = {1: 0.5, 2: 0.8}
"""One or two attempts say little, however good they were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """When something counts as mastered, how it is scheduled, and how much history is kept."""

    successes: int = 3
    days: int = 2
    scheduling: Scheduling = LESSONS
    zone: tzinfo = UTC
    """Where the learner lives: it decides which day it was."""
    exercises_kept: int = 50
    errors_kept: int = 50


@dataclass(frozen=True, slots=True)
class Performance:
    """How it went in one modality."""

    attempts: Whole
    avg_score: Share
    last_used: Moment
    extra: Annotated[Mapping[str, object], Field(exclude=True)] = field(
        default_factory=dict, hash=False
    )


@dataclass(frozen=True, slots=True)
class ErrorSeen:
    """One thing that went wrong, once."""

    at: Moment
    exercise_id: Text = ""
    question: Text = ""
    error_type: Text | None = None
    detail: Text = ""
    expected: Text | None = None
    actual: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseDone:
    """One exercise somebody has had, so that the next one can be another."""

    at: Moment
    exercise_id: Text = ""
    modality: Annotated[Modality, BeforeValidator(lambda given: modality(str(given)))]
    bloom_level: Level | None = None
    score: Share
    rating: Annotated[Rating, PlainValidator(check_rating), Field(alias="fsrs_rating")]
    unaided: Annotated[bool, PlainValidator(lambda given: given is True)] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What is known of a concept.

    `unaided_successes` and `success_days` are counted since it was last forgotten; `recent_scores`
    are the attempts the mastery score is made of. `extra` is what others wrote beside it.
    """

    concept_id: str
    status: Status = "new"
    bloom_level: Level = "remember"
    mastery_score: Share = 0.0
    modality_performance: Mapping[Modality, Performance] = field(default_factory=dict, hash=False)
    card: Annotated[Card | None, Field(alias="fsrs_card")] = None
    unaided_successes: Whole = 0
    success_days: tuple[date, ...] = ()
    recent_scores: tuple[Share, ...] = ()
    error_history: tuple[ErrorSeen, ...] = ()
    exercise_history: tuple[ExerciseDone, ...] = ()
    other_modalities: Mapping[str, object] = field(default_factory=dict, hash=False)
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why something changed: the work, what it counted as, and what it moved."""

    concept_id: str
    exercise_id: str
    at: datetime
    rating: Rating
    unaided: bool
    success: bool
    before: Status
    after: Status
    mastery_before: float
    mastery_after: float
    due: datetime | None
    reasons: tuple[str, ...]

    @property
    def mastered(self) -> bool:
        """Whether this is what made it mastered."""
        return self.after == "mastered" != self.before


class AppliedResult(NamedTuple):
    """What is known after a result, and why."""

    progress: Progress
    evidence: Evidence


def moment_of(result: Result, otherwise: datetime) -> datetime:
    """When the work was done, as far as the result says."""
    return utc(result.completed or result.timestamp or result.started or otherwise)


def apply(
    progress: Progress,
    result: Result,
    now: datetime,
    thresholds: Thresholds,
    load: Mapping[date, int] | None = None,
) -> AppliedResult:
    """What is known after one more result. One that measured nothing changes nothing."""
    at = moment_of(result, now)
    rating = with_help(
        result.fsrs_rating, hints_used=result.hints_used, answer_shown=result.answer_shown
    )
    unaided = result.hints_used == 0 and not result.answer_shown
    success = unaided and rating >= GOOD
    if not result.gradable:
        reason = "Nothing could be measured, so this is no attempt"
        return AppliedResult(progress, _evidence(progress, progress, result, at, rating, (reason,)))
    card = progress.card or new_card(progress.concept_id, at)
    reviewed = review(card, rating, at, thresholds.scheduling, load)
    done = ExerciseDone(
        at=at,
        exercise_id=result.exercise_id,
        modality=result.modality,
        bloom_level=result.bloom_level,
        score=_share(result),
        rating=rating,
        unaided=unaided,
    )
    forgotten = rating == AGAIN and card.state == "review"
    counted = _count(progress, done, success, forgotten, thresholds)
    after = replace(
        counted,
        card=reviewed.card,
        status=_status(counted, reviewed.card, thresholds),
        modality_performance=_performance(progress, done),
        error_history=_errors(progress, result, at, thresholds),
        exercise_history=(*progress.exercise_history, done)[-thresholds.exercises_kept :],
    )
    reasons = (*_reasons(progress, after, result, forgotten, thresholds), reviewed.reason)
    return AppliedResult(after, _evidence(progress, after, result, at, rating, reasons))


def recurring_errors(progress: Progress, *, at_least: int = 2) -> tuple[tuple[str, int], ...]:
    """Kinds of error that came back, most frequent first."""
    kinds = Counter(error.error_type for error in progress.error_history if error.error_type)
    return tuple((kind, count) for kind, count in kinds.most_common() if count >= at_least)


def mastery_score(recent: tuple[float, ...]) -> float:
    """How well it went lately, from 0 to 1; few attempts cannot say much."""
    last = recent[-len(_WEIGHTS) :]
    if not last:
        return 0.0
    weights = _WEIGHTS[-len(last) :]
    mean = sum(w * value for w, value in zip(weights, last, strict=True)) / sum(weights)
    return round(min(mean, _CAPS.get(len(last), 1.0)), 6)


def _count(
    progress: Progress, done: ExerciseDone, success: bool, forgotten: bool, thresholds: Thresholds
) -> Progress:
    """The counters after an attempt."""
    successes, days = progress.unaided_successes, progress.success_days
    if forgotten:
        successes, days = 0, ()
    if success:
        successes += 1
        today = day_of(done.at, thresholds.zone)
        days = days if today in days else (*days, today)[: max(thresholds.days, 1)]
    recent = progress.recent_scores
    # A pass with hints says nothing about what somebody can do alone.
    if done.unaided or done.rating == AGAIN:
        recent = (*recent, done.score if done.unaided else 0.0)[-len(_WEIGHTS) :]
    level = progress.bloom_level
    if success and done.bloom_level and _height(done.bloom_level) > _height(level):
        level = done.bloom_level
    return replace(
        progress,
        unaided_successes=successes,
        success_days=days,
        recent_scores=recent,
        mastery_score=mastery_score(recent),
        bloom_level=level,
    )


def _status(progress: Progress, card: Card, thresholds: Thresholds) -> Status:
    if card.state != "review":
        return card.state
    enough = progress.unaided_successes >= thresholds.successes
    return "mastered" if enough and len(progress.success_days) >= thresholds.days else "review"


def _performance(progress: Progress, done: ExerciseDone) -> dict[Modality, Performance]:
    known = progress.modality_performance.get(done.modality)
    if known is None:
        new = Performance(1, done.score, done.at)
    else:
        total = known.avg_score * known.attempts + done.score
        attempts = known.attempts + 1
        last = max(known.last_used, done.at)
        new = Performance(attempts, round(total / attempts, 6), last, known.extra)
    return {**progress.modality_performance, done.modality: new}


def _errors(
    progress: Progress, result: Result, at: datetime, thresholds: Thresholds
) -> tuple[ErrorSeen, ...]:
    new = (
        ErrorSeen(at, result.exercise_id, e.question, e.error_type, e.detail, e.expected, e.actual)
        for e in result.errors
    )
    return (*progress.error_history, *new)[-thresholds.errors_kept :]


def _reasons(
    before: Progress, after: Progress, result: Result, forgotten: bool, thresholds: Thresholds
) -> list[str]:
    reasons: list[str] = []
    if result.answer_shown:
        reasons.append("The answer was shown, so it counts as not known")
    elif result.hints_used:
        reasons.append(f"Done with {result.hints_used} hint(s), so it does not count for mastery")
    if forgotten:
        reasons.append("It had been known and was forgotten, so the count starts again")
    if after.unaided_successes > before.unaided_successes:
        reasons.append(
            f"Unaided success {after.unaided_successes} of {thresholds.successes}, "
            f"on day {len(after.success_days)} of {thresholds.days}"
        )
    if after.status != before.status:
        reasons.append(f"From {before.status} to {after.status}")
    return reasons


def _evidence(
    before: Progress,
    after: Progress,
    result: Result,
    at: datetime,
    rating: Rating,
    reasons: tuple[str, ...],
) -> Evidence:
    unaided = result.hints_used == 0 and not result.answer_shown
    return Evidence(
        concept_id=after.concept_id,
        exercise_id=result.exercise_id,
        at=at,
        rating=rating,
        unaided=unaided,
        success=result.gradable and unaided and rating >= GOOD,
        before=before.status,
        after=after.status,
        mastery_before=before.mastery_score,
        mastery_after=after.mastery_score,
        due=after.card.due if after.card else None,
        reasons=reasons,
    )


def _share(result: Result) -> float:
    return round(min(max(result.score.percentage, 0.0), 1.0), 6)


def _height(level: Bloom) -> int:
    return BLOOM_LEVELS.index(level)
