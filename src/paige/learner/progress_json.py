"""Progress as JSON values and back; fields that are not known here are kept.

The first modalities are always listed, with null for those that were never used; newer ones only
once they were used.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime

from paige.base.errors import BadInput
from paige.exercise.values import (
    MODALITIES,
    Bloom,
    Modality,
    Rating,
    bloom_level,
    modality,
)
from paige.learner.cards import dump_card, dump_moment, load_card, load_moment, whole
from paige.learner.progress import (
    STATUSES,
    ErrorSeen,
    ExerciseDone,
    Performance,
    Progress,
    Status,
)
from paige.learner.scheduling import check_rating

ALWAYS_LISTED: tuple[Modality, ...] = (
    *("worksheet", "conversation", "code", "long_form", "image_review"),
)
_KNOWN = {
    *("concept_id", "status", "bloom_level", "mastery_score", "modality_performance"),
    *("fsrs_card", "unaided_successes", "success_days", "recent_scores"),
    *("error_history", "exercise_history"),
}
_PERFORMANCE = {"attempts", "avg_score", "last_used"}


def dump_progress(progress: Progress) -> dict[str, object]:
    """Progress as JSON values."""
    return {
        "concept_id": progress.concept_id,
        "status": progress.status,
        "bloom_level": progress.bloom_level,
        "mastery_score": progress.mastery_score,
        "modality_performance": _dump_performances(progress),
        "fsrs_card": None if progress.card is None else dump_card(progress.card),
        "unaided_successes": progress.unaided_successes,
        "success_days": [day.isoformat() for day in progress.success_days],
        "recent_scores": list(progress.recent_scores),
        "error_history": [_dump_error(each) for each in progress.error_history],
        "exercise_history": [_dump_done(each) for each in progress.exercise_history],
        **progress.extra,
    }


def load_progress(concept_id: str, record: Mapping[str, object]) -> Progress:
    """The progress in a record; what is left out is as for something new. Raises: BadInput."""
    card = record.get("fsrs_card")
    level = record.get("bloom_level")
    return Progress(
        concept_id=concept_id,
        status=_status(record.get("status", "new")),
        bloom_level="remember" if level is None else bloom_level(str(level)),
        mastery_score=_share(record.get("mastery_score", 0.0), "mastery_score"),
        modality_performance=_load_performances(record.get("modality_performance")),
        other_modalities=_others(record),
        card=None if card is None else load_card(_mapping(card, "fsrs_card")),
        unaided_successes=whole(record.get("unaided_successes", 0), "unaided_successes"),
        success_days=tuple(_day(each) for each in _list(record, "success_days")),
        recent_scores=tuple(
            _share(each, "recent_scores") for each in _list(record, "recent_scores")
        ),
        error_history=tuple(_load_error(each) for each in _list(record, "error_history")),
        exercise_history=tuple(_load_done(each) for each in _list(record, "exercise_history")),
        extra={name: value for name, value in record.items() if name not in _KNOWN},
    )


def shortened(progress: Progress, kept: int) -> Progress:
    """The same progress with less history, for files that would grow too large."""
    return replace(
        progress,
        error_history=progress.error_history[-kept:] if kept else (),
        exercise_history=progress.exercise_history[-kept:] if kept else (),
    )


def with_extras(progress: Progress, earlier: Mapping[str, object]) -> Progress:
    """Progress with the fields that others had written beside it."""
    performances = dict(progress.modality_performance)
    for name, record in _records(earlier.get("modality_performance")).items():
        known = next((each for each in MODALITIES if each == name), None)
        if known in performances and isinstance(record, Mapping):
            extra = {key: value for key, value in record.items() if key not in _PERFORMANCE}
            performances[known] = replace(performances[known], extra=extra)
    extra = {name: value for name, value in earlier.items() if name not in _KNOWN}
    return replace(
        progress,
        extra=extra,
        modality_performance=performances,
        other_modalities=_others(earlier),
    )


def _dump_performances(progress: Progress) -> dict[str, object]:
    listed: dict[str, object] = {}
    for name in MODALITIES:
        known = progress.modality_performance.get(name)
        if known is None and name in ALWAYS_LISTED:
            listed[name] = None
        if known is not None:
            listed[name] = {
                "attempts": known.attempts,
                "avg_score": known.avg_score,
                "last_used": dump_moment(known.last_used),
                **known.extra,
            }
    return {**listed, **progress.other_modalities}


def _load_performances(value: object) -> dict[Modality, Performance]:
    found: dict[Modality, Performance] = {}
    for name, record in _records(value).items():
        if record is None or name not in MODALITIES:
            continue
        fields = _mapping(record, name)
        attempts = whole(fields.get("attempts"), "attempts")
        if attempts:
            found[modality(name)] = Performance(
                attempts,
                _share(fields.get("avg_score"), "avg_score"),
                load_moment(fields.get("last_used"), "last_used"),
                {key: each for key, each in fields.items() if key not in _PERFORMANCE},
            )
    return found


def _others(record: Mapping[str, object]) -> dict[str, object]:
    """Modalities that others know and Paige does not."""
    listed = _records(record.get("modality_performance"))
    return {name: value for name, value in listed.items() if name not in MODALITIES}


def _dump_error(error: ErrorSeen) -> dict[str, object]:
    return {
        "at": dump_moment(error.at),
        "exercise_id": error.exercise_id,
        "question": error.question,
        "error_type": error.error_type,
        "detail": error.detail,
        "expected": error.expected,
        "actual": error.actual,
    }


def _load_error(value: object) -> ErrorSeen:
    fields = _mapping(value, "error_history")
    return ErrorSeen(
        at=_at(fields),
        exercise_id=str(fields.get("exercise_id") or ""),
        question=str(fields.get("question") or ""),
        error_type=_text(fields.get("error_type")),
        detail=str(fields.get("detail") or ""),
        expected=_text(fields.get("expected")),
        actual=_text(fields.get("actual")),
    )


def _dump_done(done: ExerciseDone) -> dict[str, object]:
    return {
        "at": dump_moment(done.at),
        "exercise_id": done.exercise_id,
        "modality": done.modality,
        "bloom_level": done.bloom_level,
        "score": done.score,
        "fsrs_rating": done.rating,
        "unaided": done.unaided,
    }


def _load_done(value: object) -> ExerciseDone:
    fields = _mapping(value, "exercise_history")
    level = fields.get("bloom_level")
    bloom: Bloom | None = None if level is None else bloom_level(str(level))
    rating: Rating = check_rating(fields.get("fsrs_rating"))
    return ExerciseDone(
        at=_at(fields),
        exercise_id=str(fields.get("exercise_id") or ""),
        modality=modality(str(fields.get("modality"))),
        bloom_level=bloom,
        score=_share(fields.get("score"), "score"),
        rating=rating,
        unaided=fields.get("unaided") is True,
    )


def _at(fields: Mapping[str, object]) -> datetime:
    return load_moment(fields.get("at"), "at")


def _status(value: object) -> Status:
    for status in STATUSES:
        if value == status:
            return status
    raise BadInput(f"`status` should be one of {', '.join(STATUSES)}, not `{value!r}`")


def _share(value: object, name: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise BadInput(f"`{name}` should be a number from 0 to 1, not `{value!r}`")


def _day(value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise BadInput(
            f"`success_days` should hold days such as 2026-02-22, not `{value!r}`"
        ) from None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _list(record: Mapping[str, object], name: str) -> list[object]:
    value = record.get(name) or []
    if isinstance(value, list):
        return value
    raise BadInput(f"`{name}` should be a list, not `{value!r}`")


def _records(value: object) -> Mapping[str, object]:
    return {} if value is None else _mapping(value, "modality_performance")


def _mapping(value: object, name: str) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise BadInput(f"`{name}` should be an object, not `{value!r}`")
