"""What came of an exercise, one record for every kind of exercise, and its form as JSON.

Two shapes of this record are in use: one keeps errors with `note`, `expected` and `actual` under
`details`, the other keeps them with `detail` at the top. `dump_result` writes both, so each reader
finds what it looks for; `load_result` reads either. Fields that are not known here are kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from paige.base.errors import BadInput
from paige.exercise.taxonomy.names import known_name
from paige.exercise.values import (
    AGAIN,
    Bloom,
    Domain,
    ExerciseError,
    Modality,
    Rating,
    Score,
    TestOutcome,
    TestStatus,
    bloom_level,
    modality,
    score_of,
    with_help,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of one exercise. Not `gradable` means: nothing was measured, no attempt is used.

    `message` says it all in a sentence or two; `remarks` are what else should be known, such as a
    key that was edited. `source` says who marked it: `local`, or the name of a model.
    """

    exercise_id: str
    concept_id: str
    modality: Modality
    score: Score
    fsrs_rating: Rating = AGAIN
    course: str = ""
    bloom_level: Bloom | None = None
    started: datetime | None = None
    completed: datetime | None = None
    timestamp: datetime | None = None
    errors: tuple[ExerciseError, ...] = ()
    strengths: tuple[str, ...] = ()
    improvements: tuple[str, ...] = ()
    hints_used: int = 0
    answer_shown: bool = False
    time_spent_seconds: float | None = None
    file_path: str | None = None
    message: str = ""
    source: str = "local"
    gradable: bool = True
    remarks: tuple[str, ...] = ()
    tests: tuple[TestOutcome, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    details_extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What is known about an attempt besides what was handed in."""

    now: datetime | None = None
    started: datetime | None = None
    exercise_id: str | None = None
    hints_used: int = 0
    answer_shown: bool = False
    time_spent_seconds: float | None = None
    file_path: str | None = None
    domain: Domain | None = None

    def begin(
        self, exercise_id: str, concept: str, kind: Modality, course: str, level: Bloom
    ) -> Result:
        """The record of this attempt while nothing is measured yet."""
        return Result(
            exercise_id=self.exercise_id or exercise_id,
            concept_id=concept,
            course=course,
            modality=kind,
            bloom_level=level,
            started=self.started,
            completed=self.now,
            timestamp=self.now,
            score=score_of(0, 0),
            hints_used=self.hints_used,
            answer_shown=self.answer_shown,
            time_spent_seconds=self.time_spent_seconds,
            file_path=self.file_path,
            gradable=False,
        )

    def rated(self, rating: Rating) -> Rating:
        """What is left of a rating after the help there was."""
        return with_help(rating, hints_used=self.hints_used, answer_shown=self.answer_shown)


_TOP = {
    *("exercise_id", "concept_id", "modality", "score", "fsrs_rating", "course", "bloom_level"),
    *("started", "completed", "timestamp", "errors", "details", "hints_used", "answer_shown"),
    *("time_spent_seconds", "file_path", "message", "source", "gradable", "remarks", "tests"),
}
_SCORE = {"correct", "total", "percentage"}
_DETAILS = {"errors", "strengths", "improvements"}
_ERROR = {"question", "error_type", "expected", "actual", "detail", "note"}
_STATUSES: tuple[TestStatus, ...] = ("passed", "failed", "error", "skipped", "timeout")


def dump_result(result: Result) -> dict[str, object]:
    """The record as JSON values. An error whose type the taxonomy does not know has none."""
    errors = [_dump_error(error) for error in result.errors]
    return {
        **result.extra,
        "exercise_id": result.exercise_id,
        "concept_id": result.concept_id,
        "course": result.course,
        "modality": result.modality,
        "bloom_level": result.bloom_level,
        "started": _dump_time(result.started),
        "completed": _dump_time(result.completed),
        "timestamp": _dump_time(result.timestamp),
        "score": {
            **result.score.extra,
            "correct": _number(result.score.correct),
            "total": result.score.total,
            "percentage": result.score.percentage,
        },
        "fsrs_rating": result.fsrs_rating,
        "errors": errors,
        "details": {
            **result.details_extra,
            "errors": [dict(error) for error in errors],
            "strengths": list(result.strengths),
            "improvements": list(result.improvements),
        },
        "hints_used": result.hints_used,
        "answer_shown": result.answer_shown,
        "time_spent_seconds": result.time_spent_seconds,
        "file_path": result.file_path,
        "message": result.message,
        "source": result.source,
        "gradable": result.gradable,
        "remarks": list(result.remarks),
        "tests": [_dump_test(test) for test in result.tests],
    }


def load_result(record: Mapping[str, object]) -> Result:
    """The result in a record of either shape. Raises: BadInput, naming the field."""
    details = _mapping(record.get("details") or {}, "details")
    level = record.get("bloom_level")
    seconds = record.get("time_spent_seconds")
    path = record.get("file_path")
    return Result(
        exercise_id=_text(record, "exercise_id"),
        concept_id=_text(record, "concept_id"),
        course=str(record.get("course") or ""),
        modality=modality(_text(record, "modality")),
        bloom_level=bloom_level(str(level)) if level else None,
        started=_load_time(record, "started"),
        completed=_load_time(record, "completed"),
        timestamp=_load_time(record, "timestamp"),
        score=_load_score(record.get("score")),
        fsrs_rating=_load_rating(record.get("fsrs_rating")),
        errors=_load_errors(record.get("errors"), details.get("errors")),
        strengths=_texts(details.get("strengths"), "details.strengths"),
        improvements=_texts(details.get("improvements"), "details.improvements"),
        hints_used=int(_float(record.get("hints_used") or 0, "hints_used")),
        answer_shown=bool(record.get("answer_shown")),
        time_spent_seconds=None if seconds is None else _float(seconds, "time_spent_seconds"),
        file_path=None if path is None else str(path),
        message=str(record.get("message") or ""),
        source=str(record.get("source") or "local"),
        gradable=record.get("gradable") is not False,
        remarks=_texts(record.get("remarks"), "remarks"),
        tests=tuple(_load_test(test) for test in _list(record.get("tests"), "tests")),
        extra=_others(record, _TOP),
        details_extra=_others(details, _DETAILS),
    )


def _dump_error(error: ExerciseError) -> dict[str, object]:
    return {
        **error.extra,
        "question": error.question,
        "error_type": known_name(error.error_type),
        "expected": error.expected,
        "actual": error.actual,
        "detail": error.detail,
        "note": error.detail,
    }


def _dump_test(test: TestOutcome) -> dict[str, object]:
    return {
        "name": test.name,
        "status": test.status,
        "description": test.description,
        "message": test.message,
        "output": test.output,
        "points": _number(test.points),
        "max_points": _number(test.max_points),
        "task": test.task,
        "edge": test.edge,
    }


def _load_errors(top: object, nested: object) -> tuple[ExerciseError, ...]:
    """Errors of both lists, joined: a record of one shape has only one of them."""
    above, below = _list(top, "errors"), _list(nested, "details.errors")
    if len(above) != len(below):
        return tuple(_load_error(each) for each in (above if len(above) > len(below) else below))
    pairs = zip(above, below, strict=True)
    return tuple(_load_error({**_filled(low), **_filled(high)}) for high, low in pairs)


def _filled(error: object) -> dict[str, object]:
    fields = _mapping(error, "errors")
    return {name: value for name, value in fields.items() if value is not None}


def _load_error(error: object) -> ExerciseError:
    fields = _mapping(error, "errors")
    expected, actual, kind = (fields.get(name) for name in ("expected", "actual", "error_type"))
    extra = _others(fields, _ERROR)
    known = known_name(None if kind is None else str(kind))
    if kind is not None and known is None:
        extra.setdefault("original_error_type", kind)
    return ExerciseError(
        question=str(fields.get("question") or ""),
        error_type=known,
        expected=None if expected is None else str(expected),
        actual=None if actual is None else str(actual),
        detail=str(fields.get("detail") or fields.get("note") or ""),
        extra=extra,
    )


def _load_test(test: object) -> TestOutcome:
    fields = _mapping(test, "tests")
    status, task = fields.get("status"), fields.get("task")
    if status not in _STATUSES:
        raise _wrong("tests.status", status, f"one of {', '.join(_STATUSES)}")
    return TestOutcome(
        name=_text(fields, "name"),
        status=status,
        description=str(fields.get("description") or ""),
        message=str(fields.get("message") or ""),
        output=str(fields.get("output") or ""),
        points=_float(fields.get("points", 0), "tests.points"),
        max_points=_float(fields.get("max_points", 1), "tests.max_points"),
        task=None if task is None else int(_float(task, "tests.task")),
        edge=bool(fields.get("edge")),
    )


def _load_score(score: object) -> Score:
    fields = _mapping(score, "score")
    correct = _float(fields.get("correct", 0), "score.correct")
    total = int(_float(fields.get("total", 0), "score.total"))
    share = fields.get("percentage")
    worked_out = correct / total if total > 0 else 0.0
    percentage = worked_out if share is None else _float(share, "score.percentage")
    return Score(correct, total, percentage, _others(fields, _SCORE))


def _load_rating(value: object) -> Rating:
    for rating in (1, 2, 3, 4):
        if value == rating and not isinstance(value, bool):
            return rating
    raise _wrong("fsrs_rating", value, "1, 2, 3 or 4")


def _load_time(record: Mapping[str, object], name: str) -> datetime | None:
    value = record.get(name)
    if value is None or value == "":
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise _wrong(name, value, "a moment such as 2026-02-22T14:30:00Z") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _dump_time(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _number(value: float) -> float | int:
    """8 rather than 8.0, as people write it."""
    return int(value) if float(value).is_integer() else value


def _float(value: object, name: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise _wrong(name, value, "a number")


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if isinstance(value, str) and value:
        return value
    raise _wrong(name, value, "some text")


def _texts(value: object, name: str) -> tuple[str, ...]:
    return tuple(str(each) for each in _list(value, name))


def _list(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return list(value)
    raise _wrong(name, value, "a list")


def _mapping(value: object, name: str) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise _wrong(name, value, "an object")


def _others(record: Mapping[str, object], known: set[str]) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in known}


def _wrong(name: str, value: object, wanted: str) -> BadInput:
    return BadInput(f"`{name}` of an exercise result should be {wanted}, not `{value!r}`")
