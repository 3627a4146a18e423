"""How far somebody is in a course: concepts, memory now and later, days, errors, kinds of work.

Everything is worked out from what is recorded, so it can be shown at any time and by any door.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from paige.exercise.values import AGAIN, Bloom, Modality
from paige.learner.cards import Card, dump_moment
from paige.learner.changes import Change, counting
from paige.learner.planning import ForecastDay, columns_of, plan_reviews, retrievabilities
from paige.learner.progress import Evidence, Progress, Status, moment_of
from paige.learner.scheduling import Scheduling, day_of
from paige.study.courses.values import Course
from paige.study.planning import due_concepts, ready_concepts

HORIZON = 30
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptReport:
    """One concept. `recall` is how likely it is remembered now; nothing when it was never met."""

    id: str
    title: str
    unit: str
    status: Status
    mastery: float
    bloom: Bloom
    target: Bloom
    attempts: int
    successes: int
    recall: float | None
    due: datetime | None
    prerequisites: tuple[str, ...]
    ready: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What was planned to be remembered, what was when it was asked for, and what would be now.

    `measured` counts what was passed, as the schedule does; `unaided` what was passed without help.
    """

    planned: float
    measured: float | None
    unaided: float | None
    reviews: int
    now: float | None


@dataclass(frozen=True, slots=True)
class ModalityReport:
    """How it went in one modality over all concepts."""

    modality: Modality
    attempts: int
    average: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How far somebody is. `recall` are the shares remembered on the days to come if nothing is
    reviewed; `calendar` are exercises by day."""

    course: str
    title: str
    concepts: tuple[ConceptReport, ...]
    due: tuple[str, ...]
    next_new: tuple[str, ...]
    retention: Retention
    recall: tuple[tuple[date, float], ...]
    forecast: tuple[ForecastDay, ...]
    calendar: Mapping[date, int]
    minutes: Mapping[date, float]
    modalities: tuple[ModalityReport, ...]
    errors: tuple[tuple[str, int], ...]
    today: date

    def count(self, status: Status) -> int:
        """How many concepts are at a status."""
        return sum(each.status == status for each in self.concepts)


def report(
    course: Course,
    progress: Mapping[str, Progress],
    changes: Sequence[Change],
    evidence: Mapping[str, Evidence],
    scheduling: Scheduling,
    now: datetime,
) -> Report:
    """How far somebody is in a course now."""
    cards = _cards(course, progress)
    columns = columns_of(cards)
    likely = retrievabilities(columns, now, scheduling)
    recall = {str(name): float(value) for name, value in zip(columns.ids, likely, strict=True)}
    ready = set(ready_concepts(course, progress))
    made = tuple(
        _concept(course, name, progress.get(name), recall.get(name), name in ready)
        for name in course.concepts
    )
    done = [each for each in counting(changes) if each.result is not None]
    plan = plan_reviews(columns, now, scheduling, horizon=HORIZON)
    return Report(
        course=course.name,
        title=course.title,
        concepts=made,
        due=tuple(due_concepts(course, progress, now, scheduling)),
        next_new=tuple(name for name in course.concepts if name in ready),
        retention=_retention(evidence.values(), scheduling, likely),
        recall=_to_come(cards, scheduling, now),
        forecast=plan.forecast,
        calendar=exercises_by_day(done, scheduling),
        minutes=minutes_by_day(done, scheduling),
        modalities=_modalities(progress.values()),
        errors=_errors(progress.values()),
        today=day_of(now, scheduling.zone),
    )


def dump_report(made: Report) -> dict[str, object]:
    """A report as JSON values."""
    return {
        "course": made.course,
        "title": made.title,
        "concepts": [_dump_concept(each) for each in made.concepts],
        "counts": {
            status: made.count(status)
            for status in ("new", "learning", "review", "mastered", "relearning")
        },
        "due": list(made.due),
        "next_new": list(made.next_new),
        "retention": {
            "planned": made.retention.planned,
            "measured": made.retention.measured,
            "unaided": made.retention.unaided,
            "reviews": made.retention.reviews,
            "now": made.retention.now,
        },
        "recall": [{"day": day.isoformat(), "share": share} for day, share in made.recall],
        "forecast": [
            {"day": each.day.isoformat(), "due": each.due, "expected": each.expected}
            for each in made.forecast
        ],
        "calendar": {day.isoformat(): count for day, count in sorted(made.calendar.items())},
        "minutes": {day.isoformat(): count for day, count in sorted(made.minutes.items())},
        "modalities": [
            {"modality": each.modality, "attempts": each.attempts, "average": each.average}
            for each in made.modalities
        ],
        "errors": [{"type": kind, "count": count} for kind, count in made.errors],
        "today": made.today.isoformat(),
    }


def _dump_concept(each: ConceptReport) -> dict[str, object]:
    return {
        "id": each.id,
        "title": each.title,
        "unit": each.unit,
        "status": each.status,
        "mastery": each.mastery,
        "bloom": each.bloom,
        "target": each.target,
        "attempts": each.attempts,
        "successes": each.successes,
        "recall": each.recall,
        "due": None if each.due is None else dump_moment(each.due),
        "prerequisites": list(each.prerequisites),
        "ready": each.ready,
    }


def _cards(course: Course, progress: Mapping[str, Progress]) -> dict[str, Card]:
    found = {name: progress[name].card for name in course.concepts if name in progress}
    return {name: card for name, card in found.items() if card is not None and not card.is_new}


def _concept(
    course: Course, name: str, known: Progress | None, recall: float | None, ready: bool
) -> ConceptReport:
    concept = course.concept(name)
    known = known or Progress(concept_id=name)
    return ConceptReport(
        id=name,
        title=concept.title,
        unit=concept.unit,
        status=known.status,
        mastery=known.mastery_score,
        bloom=known.bloom_level,
        target=concept.bloom,
        attempts=sum(each.attempts for each in known.modality_performance.values()),
        successes=known.unaided_successes,
        recall=None if recall is None else round(recall, 4),
        due=known.card.due if known.card else None,
        prerequisites=concept.prerequisites,
        ready=ready,
    )


def _retention(
    evidence: Iterable[Evidence], scheduling: Scheduling, likely: np.ndarray
) -> Retention:
    """Measured where something known was asked for after a day or more: that is what is planned."""
    last: dict[str, datetime] = {}
    passed: list[bool] = []
    alone: list[bool] = []
    for each in sorted(evidence, key=lambda one: (one.at, one.exercise_id)):
        before = last.get(each.concept_id)
        if each.before in ("review", "mastered") and before and each.at - before >= _DAY:
            passed.append(each.rating > AGAIN)
            alone.append(each.rating > AGAIN and each.unaided)
        last[each.concept_id] = each.at
    return Retention(
        planned=scheduling.retention,
        measured=_share(passed),
        unaided=_share(alone),
        reviews=len(passed),
        now=round(float(likely.mean()), 4) if len(likely) else None,
    )


def _share(found: Sequence[bool]) -> float | None:
    return round(sum(found) / len(found), 4) if found else None


def _to_come(
    cards: Mapping[str, Card], scheduling: Scheduling, now: datetime
) -> tuple[tuple[date, float], ...]:
    """How much would be remembered on each of the days to come, without any review."""
    if not cards:
        return ()
    columns = columns_of(cards)
    made: list[tuple[date, float]] = []
    for number in range(HORIZON + 1):
        moment = now + number * _DAY
        share = float(retrievabilities(columns, moment, scheduling).mean())
        made.append((day_of(moment, scheduling.zone), round(share, 4)))
    return tuple(made)


def exercises_by_day(done: Iterable[Change], scheduling: Scheduling) -> dict[date, int]:
    """How many exercises were done on each day that has some."""
    return dict(Counter(_day(each, scheduling) for each in done))


def minutes_by_day(done: Iterable[Change], scheduling: Scheduling) -> dict[date, float]:
    """How long somebody worked on each day."""
    found: dict[date, float] = {}
    for each in done:
        seconds = each.result.time_spent_seconds if each.result else None
        if seconds:
            day = _day(each, scheduling)
            found[day] = round(found.get(day, 0.0) + seconds / 60, 2)
    return found


def _day(change: Change, scheduling: Scheduling) -> date:
    at = change.at if change.result is None else moment_of(change.result, change.at)
    return day_of(at, scheduling.zone)


def _modalities(progress: Iterable[Progress]) -> tuple[ModalityReport, ...]:
    attempts: Counter[Modality] = Counter()
    points: Counter[Modality] = Counter()
    for concept in progress:
        for name, one in concept.modality_performance.items():
            attempts[name] += one.attempts
            points[name] += one.attempts * one.avg_score  # type: ignore[assignment] - a float
    return tuple(
        ModalityReport(name, count, round(points[name] / count, 4))
        for name, count in attempts.most_common()
        if count
    )


def _errors(progress: Iterable[Progress]) -> tuple[tuple[str, int], ...]:
    kinds = Counter(
        error.error_type for each in progress for error in each.error_history if error.error_type
    )
    return tuple(kinds.most_common())
