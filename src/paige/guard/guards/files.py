"""Where guards lie: one file each, in the project or in the person's configuration.

What is only proposed for a project lies in the data folder: nobody's agent puts files into a
project. It moves there when a person lets it watch.

A file holds all versions and every step, so it is the audit trail as well as the truth. It is
written whole and by one process at a time. A file that cannot be read costs its own guard only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError
from paige.guard.fast.place import Place, outer_root
from paige.guard.fast.snapshot import fingerprint
from paige.guard.guards.parser import dump_record, is_untouched, parse_record
from paige.guard.guards.trials import compiled
from paige.guard.guards.values import GuardRecord, Scope
from paige.guard.state.files import alone_with, read_object, write_object
from paige.guard.trust import config_of, find_config

FOLDER = "guards"
ENDING = ".json"
MOST_GUARDS = 200


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record and the file it lies in."""

    path: Path
    record: GuardRecord


@dataclass(frozen=True, slots=True)
class Guards:
    """The guards of a place, and what is wrong with some files."""

    kept: tuple[KeptRecord, ...]
    problems: tuple[str, ...]

    @property
    def records(self) -> tuple[GuardRecord, ...]:
        """The records that can be used."""
        return tuple(each.record for each in self.kept)


def guard_folders(place: Place) -> list[tuple[Scope, Path]]:
    """The folders guards of a place lie in, whether they are there or not; strongest first."""
    found: list[tuple[Scope, Path]] = []
    if place.own and place.root:
        found.append(("project", Path(place.root) / ".ai" / FOLDER))
        outer = outer_root(place.root)
        if outer:  # a worktree of the orchestra is the project, too
            found.append(("project", Path(outer) / ".ai" / FOLDER))
    if place.data and place.root:
        found.append(("project", proposals(place)))
    if (config := find_config(place)) is not None:
        found.append(("universal", config / FOLDER))
    return found


def proposals(place: Place) -> Path:
    """The folder of what is proposed for the project of a place."""
    root = outer_root(place.root) or place.root
    return Path(place.data) / "guard" / "proposals" / fingerprint(root)


def guard_files(place: Place) -> list[tuple[Scope, Path]]:
    """The files of guards: of a project's each once; none of them hides one of the person's."""
    found: dict[tuple[Scope, str], Path] = {}
    for scope, folder in guard_folders(place):
        for path in _listed(folder):
            found.setdefault((scope, path.name), path)
    ordered: list[tuple[Scope, Path]] = [(scope, path) for (scope, _), path in found.items()]
    universal = [each for each in ordered if each[0] == "universal"][:MOST_GUARDS]
    own = [each for each in ordered if each[0] != "universal"]
    return own[: MOST_GUARDS - len(universal)] + universal


def read_guards(place: Place) -> Guards:
    """All guards of a place; a file that cannot be read is a problem of its own."""
    kept: list[KeptRecord] = []
    problems: list[str] = []
    for scope, path in guard_files(place):
        try:
            kept.append(KeptRecord(path, _read(path, scope)))
        except PaigeError as error:
            problems.append(f"{path}: {error.message}. {error.hint or ''}".strip())
    kept.sort(key=lambda each: each.record.id)
    return Guards(tuple(kept), tuple(problems))


def read_records(place: Place) -> tuple[GuardRecord, ...]:
    """The guards of a place that can be used."""
    return read_guards(place).records


def find_guard(place: Place, id: str) -> KeptRecord:
    """One guard. Raises: NotFound, BadInput."""
    for scope, path in guard_files(place):
        if path.stem == id:
            return KeptRecord(path, _read(path, scope))
    raise NotFound(f"There is no guard `{id}`", hint="List them: `paige guard guards`.")


def change_record(place: Place, id: str, step: Callable[[GuardRecord], GuardRecord]) -> GuardRecord:
    """Read, change and write a record while nobody else does; what it is then.

    Raises: NotFound, BadInput, and what the step raises; then nothing is written.
    """
    path = find_guard(place, id).path
    scopes: dict[Path, Scope] = {each: scope for scope, each in guard_files(place)}
    scope = scopes[path]
    with alone_with(path):
        before = _read(path, scope)
        after = step(before)
        if after != before:
            kept = _home(place, after) if path.parent == proposals(place) else path
            write_object(kept, dump_record(after))
            if kept != path:
                path.unlink()
    return after


def write_new(place: Place, record: GuardRecord) -> Path:
    """Keep a new record where its scope says. Raises: Conflict when there is one already."""
    path = _home(place, record)
    with alone_with(path):
        if any(each.stem == record.id for _, each in guard_files(place)):
            raise Conflict(
                f"There is a guard `{record.id}` already",
                hint=f"Look at it: `paige guard guards {record.id}`.",
            )
        write_object(path, dump_record(record))
    return path


def _home(place: Place, record: GuardRecord) -> Path:
    """Where a record belongs: with the project once it is more than proposed."""
    path = path_for(place, record.id, record.guard.scope)
    only_proposed = record.standing == "proposed" and record.guard.scope == "project"
    return proposals(place) / path.name if only_proposed and place.data else path


def path_for(place: Place, id: str, scope: Scope) -> Path:
    """Where a guard of a scope is written. Raises: BadInput."""
    if scope == "universal":
        folder = config_of(place) / FOLDER
    else:
        if not place.root or place.root in ("/", place.home):
            raise BadInput(
                "There is no project here to keep the guard in",
                hint="Go to the project's folder, or make the guard universal.",
            )
        folder = Path(outer_root(place.root) or place.root) / ".ai" / FOLDER
    return folder / f"{id}{ENDING}"


def home_of(place: Place) -> Path:
    """Where people look for guards: with the project, else with the person. Raises: BadInput."""
    try:
        return path_for(place, "", "project").parent
    except BadInput:
        return path_for(place, "", "universal").parent


def for_hooks(place: Place) -> tuple[tuple[dict[str, Any], ...], tuple[str, ...]]:
    """The guards a hook reads, those that block first; and what is wrong with others."""
    guards = read_guards(place)
    blocking: list[dict[str, Any]] = []
    watching: list[dict[str, Any]] = []
    problems = list(guards.problems)
    for each in guards.kept:
        live, tried = each.record.lineage.production, each.record.shadowing
        if live.value is not None:
            if is_untouched(live):
                blocking.append(compiled(live.value))
            else:
                problems.append(
                    f"{each.path}: The guard was changed after it was promoted, so it does not "
                    f"block. Roll it back and propose it again."
                )
        if tried is not None:
            watching.append(compiled(tried, shadow=True))
    return (*blocking, *watching), tuple(problems)


def _read(path: Path, scope: Scope) -> GuardRecord:
    value = read_object(path)
    if value is None:
        raise NotFound(f"There is no file `{path}`")
    record = parse_record(value, path.stem, at=_changed(path))
    if record.id != path.stem:
        raise BadInput(
            f"`{path.stem}.id` is `{record.id}`", hint=f"Call the file `{record.id}{ENDING}`."
        )
    if record.guard.scope != scope:
        raise BadInput(
            f"`{path.stem}.scope` is `{record.guard.scope}`, and the file lies with those of the "
            f"scope `{scope}`",
            hint="Move the file, or change the scope.",
        )
    return record


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.suffix == ENDING)
    except OSError:
        return []


def _changed(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.fromtimestamp(0, UTC)
