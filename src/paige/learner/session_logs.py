"""The logs of study sessions: what was done, kept as it was written, whoever wrote it.

A log is an object with a list `exercises` of result records and, where something was taken back, a
list `undone`. Together the logs of a course are the truth about what somebody did there. Every
record has an id: the one it carries, or for a record of another program one that comes from what it
says.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache

from paige.base.errors import BadInput
from paige.exercise.result import Result, dump_result, load_result
from paige.learner.cards import dump_moment, load_moment
from paige.learner.changes import Change
from paige.learner.json_files import BrokenFile, StudyProblem, field_problem, read_object
from paige.learner.progress import moment_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SessionLog:
    """One log as it was read: the changes in it, and what could not be read."""

    path: str
    text: str
    record: Mapping[str, object]
    changes: tuple[Change, ...]
    problems: tuple[StudyProblem, ...]


def session_name(now: datetime) -> str:
    """The name of a session that begins now."""
    return now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


@lru_cache(maxsize=512)  # the same text says the same
def read_log(path: str, text: str) -> SessionLog:
    """A log; records that cannot be read are problems, the others count. Raises: BrokenFile."""
    record = read_object(path, text)
    changes: list[Change] = []
    problems: list[StudyProblem] = []
    seen: set[str] = set()
    begun = _begun(path, record)
    for key in ("exercises", "undone"):
        listed = record.get(key) or []
        if not isinstance(listed, list):
            wrong = BadInput(f"`{key}` should be a list")
            raise BrokenFile(field_problem(path, text, (key,), wrong))
        for each in listed:
            try:
                change = _undone(each) if key == "undone" else _result(each, path, begun)
            except BadInput as error:
                problems.append(field_problem(path, text, (key, _label(each)), error))
                continue
            change = _unique(change, seen)
            seen.add(change.id)
            changes.append(change)
    return SessionLog(path, text, record, tuple(changes), tuple(problems))


def new_log(course: str, now: datetime) -> dict[str, object]:
    """A log in which nothing has happened yet."""
    return {"course": course, "started": dump_moment(now), "ended": None, "exercises": []}


def with_result(log: Mapping[str, object], change: Change) -> dict[str, object]:
    """The log with one more result; everything else in it stays."""
    assert change.result is not None
    made = {**dump_result(change.result), "change_id": change.id}
    return {**log, "exercises": [*_listed(log, "exercises"), made]}


def with_undo(log: Mapping[str, object], change: Change) -> dict[str, object]:
    """The log with a change taken back."""
    made = {
        "change_id": change.id,
        "undoes": change.undoes,
        "at": dump_moment(change.at),
        "reason": change.reason,
    }
    return {**log, "undone": [*_listed(log, "undone"), made]}


def change_of(result: Result, *, change_id: str, now: datetime) -> Change:
    """A result that comes in now, with the moment written into it."""
    kept = {key: value for key, value in result.extra.items() if key != "change_id"}
    stamped = replace(result, timestamp=result.timestamp or now, extra=kept)
    return Change(change_id, moment_of(stamped, now), stamped)


def changes_of(logs: Sequence[SessionLog]) -> list[Change]:
    """The changes of all logs; a record that was copied into two files is one change."""
    found: dict[str, Change] = {}
    for log in logs:
        for change in log.changes:
            found.setdefault(change.id, change)
    return list(found.values())


def _result(value: object, path: str, begun: datetime) -> Change:
    fields = _mapping(value)
    given = fields.get("change_id")
    result = load_result({key: each for key, each in fields.items() if key != "change_id"})
    # Without a moment of its own a record could be any other one that went alike.
    timeless = not (result.completed or result.timestamp or result.started)
    name = given if isinstance(given, str) and given else _id_of(fields, path if timeless else "")
    return Change(name, moment_of(result, begun), result)


def _undone(value: object) -> Change:
    fields = _mapping(value)
    undoes = fields.get("undoes")
    if not isinstance(undoes, str) or not undoes:
        raise BadInput(f"`undoes` should be the `change_id` of an exercise, not `{undoes!r}`")
    given = fields.get("change_id")
    at = load_moment(fields.get("at"), "at")
    name = given if isinstance(given, str) and given else _id_of(fields, "")
    return Change(name, at, undoes=undoes, reason=str(fields.get("reason") or ""))


def _begun(path: str, record: Mapping[str, object]) -> datetime:
    """When the session began: what the log says, else what its name says."""
    name = path.rpartition("/")[2].removesuffix(".json")
    for value in (record.get("started"), name):
        try:
            return load_moment(value, "started")
        except BadInput:
            continue
    return _EPOCH


def _id_of(fields: Mapping[str, object], place: str) -> str:
    text = place + json.dumps(fields, sort_keys=True, ensure_ascii=True, default=str)
    return f"record-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _unique(change: Change, seen: set[str]) -> Change:
    """The same record twice in one log is work done twice."""
    name, number = change.id, 2
    while name in seen:
        name, number = f"{change.id}-{number}", number + 1
    return change if name == change.id else replace(change, id=name)


def _label(value: object) -> str:
    return str(value.get("exercise_id") or "") if isinstance(value, Mapping) else ""


def _listed(log: Mapping[str, object], key: str) -> list[object]:
    value = log.get(key)
    return list(value) if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise BadInput(f"A record of a session is an object, not `{value!r}`")
