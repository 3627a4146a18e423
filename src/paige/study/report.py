"""How far somebody is in a course: concepts, memory now and later, days, errors, kinds of work.

Everything is worked out from what is recorded, so it can be shown at any time and by any door.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np

from paige.base.wire import wire
from paige.exercise.taxonomy.names import find_kind
from paige.exercise.values import AGAIN, Bloom, Modality
from paige.learner.cards import Card
from paige.learner.changes import Change, counting
from paige.learner.files import LearnerFiles
from paige.learner.json_files import StudyProblem
from paige.learner.progress import STATUSES, Evidence, Progress, Status, moment_of
from paige.learner.review_plan import ForecastDay, columns_of, plan_reviews, retrievabilities
from paige.learner.schedule import Scheduling, day_of
from paige.store.documents import Documents
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course
from paige.study.session.context import learner_root, read_learner
from paige.study.session.view import problems_of
from paige.study.session_plan import due_concepts, ready_concepts

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
class StudyDay:
    """What was done on a day."""

    day: date
    exercises: int
    minutes: float


@dataclass(frozen=True, slots=True)
class StudyRecall:
    """The share that is remembered on a day if nothing is reviewed."""

    day: date
    share: float


@dataclass(frozen=True, slots=True)
class StudyErrorPattern:
    """A kind of error: how often it came up, what it is, and what helps against it."""

    type: str
    count: int
    says: str | None
    practise: str | None


@dataclass(frozen=True, slots=True)
class ModalityReport:
    """How it went in one modality over all concepts."""

    modality: Modality
    attempts: int
    average: float


@wire(kw_only=True)
class StudyReport:
    """How far somebody is in a course."""

    course: str
    title: str
    today: date
    concepts: tuple[ConceptReport, ...]
    counts: Mapping[str, int]
    """By status."""
    due: tuple[str, ...]
    next_new: tuple[str, ...]
    retention: Retention
    recall: tuple[StudyRecall, ...]
    forecast: tuple[ForecastDay, ...]
    calendar: tuple[StudyDay, ...]
    """Days with exercises, oldest first."""
    modalities: tuple[ModalityReport, ...]
    errors: tuple[StudyErrorPattern, ...]
    problems: tuple[StudyProblem, ...]
    begun: bool


def course_report(
    documents: Documents, now: datetime, *, name: str, learner: str | None
) -> StudyReport:
    """How far somebody is in a course now. Raises: NotFound, BadInput."""
    course = load_course(documents, name)
    root = learner_root(learner)
    who = read_learner(documents, root)
    scheduling = who.preferences.scheduling(name)
    files = LearnerFiles(documents, who.preferences.thresholds(name), root=root)
    known = files.read(name)
    progress = known.progress
    cards = _cards(course, progress)
    columns = columns_of(cards)
    likely = retrievabilities(columns, now, scheduling)
    recall = {str(each): float(value) for each, value in zip(columns.ids, likely, strict=True)}
    ready = set(ready_concepts(course, progress))
    concepts = tuple(
        _concept(course, each, progress.get(each), recall.get(each), each in ready)
        for each in course.concepts
    )
    done = [each for each in counting(files.changes(name)) if each.result is not None]
    return StudyReport(
        course=course.name,
        title=course.title,
        today=day_of(now, scheduling.zone),
        concepts=concepts,
        counts={status: sum(each.status == status for each in concepts) for status in STATUSES},
        due=tuple(due_concepts(course, progress, now, scheduling)),
        next_new=tuple(each for each in course.concepts if each in ready),
        retention=_retention(files.evidence(name).values(), scheduling, likely),
        recall=_to_come(cards, scheduling, now),
        forecast=plan_reviews(columns, now, scheduling, horizon=HORIZON).forecast,
        calendar=days_of(done, scheduling),
        modalities=_modalities(progress.values()),
        errors=_errors(progress.values()),
        problems=problems_of((*who.problems, *known.problems, *course.problems)),
        begun=name in files.courses(),
    )


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
) -> tuple[StudyRecall, ...]:
    """How much would be remembered on each of the days to come, without any review."""
    if not cards:
        return ()
    columns = columns_of(cards)
    made: list[StudyRecall] = []
    for number in range(HORIZON + 1):
        moment = now + number * _DAY
        share = float(retrievabilities(columns, moment, scheduling).mean())
        made.append(StudyRecall(day_of(moment, scheduling.zone), round(share, 4)))
    return tuple(made)


def days_of(done: Iterable[Change], scheduling: Scheduling) -> tuple[StudyDay, ...]:
    """What was done on each day that has something, the oldest first."""
    exercises: Counter[date] = Counter()
    minutes: dict[date, float] = {}
    for each in done:
        day = _day(each, scheduling)
        exercises[day] += 1
        seconds = each.result.time_spent_seconds if each.result else None
        minutes[day] = round(minutes.get(day, 0.0) + (seconds or 0.0) / 60, 2)
    return tuple(StudyDay(day, exercises[day], minutes[day]) for day in sorted(exercises))


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


def _errors(progress: Iterable[Progress]) -> tuple[StudyErrorPattern, ...]:
    kinds = Counter(
        error.error_type for each in progress for error in each.error_history if error.error_type
    )
    return tuple(_pattern(*each) for each in kinds.most_common())


def _pattern(kind: str, count: int) -> StudyErrorPattern:
    known = find_kind(kind)
    says, practise = (known.says, known.practise) if known else (None, None)
    return StudyErrorPattern(kind, count, says, practise)
