"""Results of exercises as xAPI statements, one JSON object in each line.

A statement says who did what with which exercise and how well. Who it was is a token that means
nothing outside this installation; no name is there. The same result of the same person always makes
the same statement, with the same id, so sending it twice adds nothing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import quote, urlsplit
from uuid import UUID, uuid5

from paige.base.errors import BadInput
from paige.base.wire import storable
from paige.exercise.result import Result
from paige.exercise.values import Modality

Verb = Literal["attempted", "answered", "passed", "failed", "completed"]
VERSION = "1.0.3"
PASS_MARK = 0.75  # the share from which a worksheet is rated as known
_VERBS = "http://adlnet.gov/expapi/verbs/"
_ACTIVITIES = "http://adlnet.gov/expapi/activities/"
_IDS = UUID("5f0c2c60-3a55-5d0e-9f0e-7861706933a1")
# One question and one answer; everything else is a piece of work that is passed or not.
_SINGLE: frozenset[Modality] = frozenset({"flashcard", "conversation", "repl"})


@dataclass(frozen=True, slots=True)
class Who:
    """A person: `token` stands for them at `home`, the address of the installation."""

    token: str
    home: str


def statement(result: Result, who: Who) -> dict[str, object]:
    """The statement a result makes. Raises: BadInput, for a result without a time."""
    moment = result.completed or result.timestamp or result.started
    if moment is None:
        raise BadInput(f"The result of `{result.exercise_id}` has no time")
    verb = verb_of(result)
    when = _timestamp(moment)
    base = _base(who.home)
    return {
        "id": str(uuid5(_IDS, json.dumps([who.home, who.token, result.exercise_id, when, verb]))),
        "version": VERSION,
        "actor": _actor(who),
        "verb": {"id": f"{_VERBS}{verb}", "display": {"en": verb}},
        "object": _exercise(result, base),
        "result": _outcome(result, verb),
        "context": _context(result, base),
        "timestamp": when,
    }


def write_statements(results: Iterable[Result], who: Who) -> Iterator[str]:
    """A line for each result, each with its line end; results without a time are left out."""
    for result in results:
        if result.completed or result.timestamp or result.started:
            made = statement(result, who)
            yield json.dumps(made, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def verb_of(result: Result) -> Verb:
    """What somebody did: tried it only, answered a question, handed something in, passed or not."""
    if not result.gradable:
        return "attempted"
    if result.modality in _SINGLE:
        return "answered"
    if result.score.total <= 0:
        return "completed"
    return "passed" if _success(result) else "failed"


def _success(result: Result) -> bool:
    """Work whose answer was shown is no success, however right it is."""
    return _scaled(result) >= PASS_MARK and not result.answer_shown


def _scaled(result: Result) -> float:
    return round(min(1.0, max(0.0, result.score.percentage)), 6)


def _actor(who: Who) -> dict[str, object]:
    if not who.token.strip():
        raise BadInput("A statement needs a token for who it is about")
    account = {"homePage": _base(who.home), "name": storable(who.token)}
    return {"objectType": "Agent", "account": account}


def _exercise(result: Result, base: str) -> dict[str, object]:
    kind = "question" if result.modality in _SINGLE else "assessment"
    extensions = {"concept": result.concept_id, "modality": result.modality}
    return {
        "objectType": "Activity",
        "id": _iri(base, "exercises", result.course, result.exercise_id),
        "definition": {
            "type": f"{_ACTIVITIES}{kind}",
            "name": {"und": storable(result.exercise_id)},
            "extensions": _extensions(base, {**extensions, "course": result.course or None}),
        },
    }


def _outcome(result: Result, verb: Verb) -> dict[str, object]:
    outcome: dict[str, object] = {"completion": verb != "attempted"}
    if verb != "attempted" and result.score.total > 0:
        most = float(result.score.total)
        raw = round(min(most, max(0.0, result.score.correct)), 6)
        scaled = _scaled(result)
        outcome["score"] = {"scaled": scaled, "raw": raw, "min": 0.0, "max": most}
        outcome["success"] = _success(result)
    seconds = _seconds(result)
    if seconds is not None:
        outcome["duration"] = _duration(seconds)
    return outcome


def _context(result: Result, base: str) -> dict[str, object]:
    """Where the exercise belongs, and what else is known about how it was done."""
    concept = _iri(base, "concepts", result.course, result.concept_id)
    related = {"parent": [{"objectType": "Activity", "id": concept}]}
    if result.course:
        course = _iri(base, "courses", result.course)
        related["grouping"] = [{"objectType": "Activity", "id": course}]
    errors = sorted({each.error_type for each in result.errors if each.error_type})
    more: dict[str, object] = {
        "bloom_level": result.bloom_level,
        "rating": result.fsrs_rating if result.gradable else None,
        "hints_used": result.hints_used,
        "answer_shown": result.answer_shown,
        "marked_by": result.source or None,
        "error_types": errors or None,
    }
    return {
        "contextActivities": related,
        "platform": "Paige",
        "extensions": _extensions(base, more),
    }


def _extensions(base: str, values: Mapping[str, object]) -> dict[str, object]:
    """Only what is known; every name is an IRI."""
    return {
        _iri(base, "extensions", name): storable(value) if isinstance(value, str) else value
        for name, value in values.items()
        if value is not None
    }


def _seconds(result: Result) -> float | None:
    if result.time_spent_seconds is not None:
        return result.time_spent_seconds
    if result.started is None or result.completed is None:
        return None
    return (result.completed - result.started).total_seconds()


def _duration(seconds: float) -> str:
    """Such as `PT4M3.5S`; hundredths are as exact as statements are compared."""
    hundredths = max(0, round(seconds * 100))
    minutes, rest = divmod(hundredths, 6000)
    hours, minutes = divmod(minutes, 60)
    shown = f"{rest // 100}.{rest % 100:02}".rstrip("0").rstrip(".")
    parts = (f"{hours}H" if hours else "", f"{minutes}M" if minutes else "")
    tail = f"{shown}S" if rest or not any(parts) else ""
    return f"PT{''.join(parts)}{tail}"


def _timestamp(moment: datetime) -> str:
    known = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return known.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _base(home: str) -> str:
    """The address without its last slash. Raises: BadInput."""
    try:
        parts = urlsplit(home)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or any(map(str.isspace, home)):
        raise BadInput(f"`{home}` is not an address", hint="Use one such as https://paige.example.")
    return home.rstrip("/")


def _iri(base: str, *parts: str) -> str:
    return "/".join((base, "xapi", *(quote(storable(part) or "-", safe="") for part in parts)))
