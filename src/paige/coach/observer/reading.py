"""Reads a trace from JSON that another program wrote, forgiving what does not matter.

Keys may be snake_case or camelCase, moments ISO 8601 or numbers (seconds or milliseconds), the path
of an action beside its type or in its data. An action without a moment happened when the one before
it did; one that is no action at all is left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from paige.base.errors import BadInput
from paige.coach.observer.places import clean_path
from paige.coach.observer.trace import Act, Aim, Trace, in_order
from paige.learner.stages import STAGES, Stage

NOVICE: Stage = "novice"
MILLISECONDS_FROM = 1e11  # as seconds this would be the year 5138
PATH_KEYS = ("path", "toPath", "to_path", "file", "filePath", "file_path", "fromPath", "from_path")
FILE_KEYS = ("expected_files", "expectedFiles", "files", "paths")


def read_trace(asked: Mapping[str, Any]) -> Trace:
    """A trace of `{"phase", "actions", "now", "dreyfus_stage"?}`. Raises: BadInput."""
    actions = asked.get("actions")
    if actions is None:
        actions = []
    if not isinstance(actions, list):
        raise BadInput("`actions` is not a list", hint='Write `"actions": [{"type": …}, …]`.')
    acts = _acts(actions)
    return Trace(read_aim(asked.get("phase")), acts, _now(asked, acts), _stage(asked))


def read_aim(given: object) -> Aim | None:
    """A phase: an object, its words alone, or nothing."""
    if isinstance(given, str) and given.strip():
        return Aim(description=given.strip())
    if not isinstance(given, Mapping):
        return None
    files = next((given[key] for key in FILE_KEYS if given.get(key)), ())
    number = given.get("number", given.get("phase"))
    return Aim(
        number=number if isinstance(number, int) else None,
        title=_words(given.get("title", given.get("name"))),
        description=_words(given.get("description")),
        expected_files=_paths(files),
    )


def read_moment(given: object) -> datetime | None:
    """A moment however it is written; none when it is not one."""
    if isinstance(given, bool) or given is None:
        return None
    try:
        if isinstance(given, str):
            text = given.strip()
            if text.replace(".", "", 1).lstrip("-").isdigit():
                return read_moment(float(text))
            moment = datetime.fromisoformat(text)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        if isinstance(given, int | float):
            seconds = given / 1000 if abs(given) > MILLISECONDS_FROM else given
            return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _acts(given: list[Any]) -> tuple[Act, ...]:
    found: list[tuple[str, datetime | None, str | None, Mapping[str, Any]]] = []
    for each in given:
        if not isinstance(each, Mapping):
            continue
        kind = each.get("type", each.get("action_type", each.get("actionType")))
        if not isinstance(kind, str) or not kind:
            continue
        data = each.get("data")
        told = data if isinstance(data, Mapping) else {}
        found.append((kind.replace(":", "_"), _at(each), _path(each, told), told))
    known = [moment for _, moment, _, _ in found if moment is not None]
    before = known[0] if known else None
    acts: list[Act] = []
    for kind, moment, path, data in found:
        before = moment or before
        if before is not None:
            acts.append(Act(kind, before, path, data))
    return tuple(_placed(in_order(acts)))


def _placed(acts: tuple[Act, ...]) -> Iterator[Act]:
    """The actions, those in a file that they do not name put into the one in front."""
    front: str | None = None
    for act in acts:
        if act.path is None and (act.is_edit or act.type == "file_save"):
            yield replace(act, path=front)
            continue
        front = act.path or front
        yield act


def _at(given: Mapping[str, Any]) -> datetime | None:
    keys = ("at", "timestamp", "created_at", "createdAt", "time")
    return next((read_moment(given[key]) for key in keys if key in given), None)


def _path(given: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
    for place in (given, data):
        for key in PATH_KEYS:
            value = place.get(key)
            if isinstance(value, str) and value.strip():
                return clean_path(value)
    return None


def _now(asked: Mapping[str, Any], acts: tuple[Act, ...]) -> datetime:
    told = asked.get("now")
    moment = read_moment(told)
    if moment is None and told is not None:
        raise BadInput("`now` is not a moment", hint="Write it as in `2026-03-01T09:30:00Z`.")
    if moment is not None:
        return moment
    if not acts:
        raise BadInput("`now` is missing", hint="Write it as in `2026-03-01T09:30:00Z`.")
    return acts[-1].at


def _stage(asked: Mapping[str, Any]) -> Stage:
    given = asked.get("dreyfus_stage", asked.get("dreyfusStage"))
    wanted = _words(given).strip().lower().replace(" ", "_").replace("-", "_")
    known: dict[str, Stage] = {stage: stage for stage in STAGES}
    return known.get(wanted, NOVICE)


def _words(given: object) -> str:
    return given if isinstance(given, str) else ""


def _paths(given: object) -> tuple[str, ...]:
    named = [given] if isinstance(given, str) else given
    if not isinstance(named, list | tuple):
        return ()
    found: list[str] = []
    for each in named:
        path = each.get("path") if isinstance(each, Mapping) else each
        if isinstance(path, str) and path.strip():
            found.append(clean_path(path))
    return tuple(found)
