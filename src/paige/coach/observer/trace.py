"""What the observer looks at: a phase, the actions of a person, and the moment it is asked.

A trace is a value. It comes from the action log and the editor's buffers while Paige runs, or from
a line of JSON; the rules see no difference.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from paige.base.errors import BadInput
from paige.coach.log.action_log import BY_NAME
from paige.learner.stages import STAGES, Stage

Signal = Literal["wrong_file", "scope_drift", "idle", "phase_complete", "edit_loop", "no_nudge"]

BUFFER_UPDATE = "buffer_update"  # typed in an editor: seen by the observer, never logged
EDITS = frozenset({BUFFER_UPDATE, "buffer_summary", "buffer_significant_change"})
OPENS = frozenset({"file_open", "tab_switch"})
# What nobody knows by name still tells that someone is there, when it is of this kind.
SOMEONE = ("file_", "buffer_", "editor_", "terminal_", "test_", "tab_", "explorer_", "user_")
PASSIVE = frozenset({"idle_start"})
BEGINNINGS = frozenset({"session_started", "session_resumed"})


def clean_path(path: str) -> str:
    """A path as it is compared: slashes forward, no `./`, nothing doubled."""
    forward = path.strip().replace("\\", "/")
    slash = "/" if forward.endswith("/") and len(forward) > 1 else ""
    return posixpath.normpath(forward) + slash


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happened: the path is the file it is about, if it is about one."""

    type: str
    at: datetime
    path: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_edit(self) -> bool:
        """Whether text was typed."""
        return self.type in EDITS

    @property
    def is_activity(self) -> bool:
        """Whether a person did it: not the coach, not a timer."""
        if self.type in PASSIVE:
            return False
        kind = BY_NAME.get(self.type)
        if kind is not None:
            return kind.observed
        return self.type.startswith(SOMEONE)


@dataclass(frozen=True, slots=True)
class Aim:
    """The phase somebody works on, as far as the rules need it."""

    number: int | None = None
    title: str = ""
    description: str = ""
    expected_files: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What the phase is about."""
        return f"{self.title}\n{self.description}"


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything the rules judge by; actions are in the order of time."""

    aim: Aim | None
    acts: tuple[Act, ...]
    now: datetime
    stage: Stage = "novice"

    def last(self, *types: str) -> Act | None:
        """The newest action of some types."""
        return next((act for act in reversed(self.acts) if act.type in types), None)

    def since(self, moment: datetime | None) -> tuple[Act, ...]:
        """The actions after a moment; all without one."""
        if moment is None:
            return self.acts
        return tuple(act for act in self.acts if act.at > moment)

    def within(self, length: timedelta) -> tuple[Act, ...]:
        """The actions of the last while."""
        return tuple(act for act in self.acts if act.at > self.now - length)

    @property
    def last_activity(self) -> datetime | None:
        """When the person last did something; a session that begins counts, too."""
        for act in reversed(self.acts):
            if act.is_activity or act.type in BEGINNINGS:
                return act.at
        return None

    @property
    def phase_began(self) -> datetime | None:
        """When the phase began, or the session: what came before is about something else."""
        begun = self.last("phase_started") or self.last("session_started")
        return begun.at if begun else None


def in_order(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Actions by time; those of one moment stay as they were told."""
    return tuple(sorted(acts, key=lambda act: act.at))


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
