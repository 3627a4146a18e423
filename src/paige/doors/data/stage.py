"""Puts the files of a backup in place: first beside it, whole, then all at once by renaming.

What was there before is renamed too and never deleted. When a step fails, the steps before it are
taken back. The keys of this machine are not in backups; they are carried over from what was there.

An embedded installation reads files, so memory logs and documents that a backup of PostgreSQL holds
in tables are written out as files too.
"""

import contextlib
import os
import shutil
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from paige.app.backup.archive import ArchiveReader, Told, partial_path, storable, sweep
from paige.app.backup.places import LOG, SETTINGS_FILE, Places, is_secret, log_target
from paige.app.backup.tables import DOCUMENTS, LOG_TABLES, rows_of
from paige.app.person_apps import settings_for, settings_of_tenant
from paige.app.settings_file import edited
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput, Conflict
from paige.base.files import make_private, write_error
from paige.base.settings import SETTINGS, Settings
from paige.memory.log.segments import full_segments
from paige.memory.log.table_log import MAIN
from paige.store.rows.table_queries import Row

AREA = "workspace"
"""The documents that are a folder here and a table there; courses are always a folder."""
_PASSING = (".lock", ".partial")


@dataclass(slots=True)
class Staging:
    """Files on their way: `units` are what takes its place in one step each."""

    places: Places
    mark: str  # tells this restore from others, in names
    units: dict[Path, Path] = field(default_factory=dict)  # where it belongs: where it is now
    aside: list[Path] = field(default_factory=list)
    _done: list[tuple[Path, Path]] = field(default_factory=list)

    def occupied(self) -> list[Path]:
        """What is in the way already."""
        roots = [root for root in _tops(self.places) if _has_files(root)]
        return [*roots, *(path for path in self._log_family() if path.exists())]

    def place(self, target: Path) -> Path:
        """Where a file that belongs to `target` is put for now; its folders are made."""
        for root in _tops(self.places):
            if target.is_relative_to(root):
                stage = self._stage(root)
                found = stage / target.relative_to(root)
                break
        else:
            found = self._stage(target)
        make_private(found.parent)
        return found

    def write(self, target: Path, parts: Iterable[bytes], mode: int) -> None:
        """Write a file that did not exist, and see it onto the disk."""
        place = self.place(target)
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            with os.fdopen(os.open(place, flags, mode), "wb") as file:
                for part in parts:
                    file.write(part)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise write_error(target, error) from error

    def carry_keys(self) -> list[str]:
        """Copy the keys of this machine from what is replaced; returns what they are called."""
        data, config = self.places.data, self.places.config
        carried = []
        for key in sorted(data.rglob("*.key")) if data.is_dir() else ():
            self.write(key, [key.read_bytes()], 0o600)
            carried.append(key.relative_to(data).as_posix())
        if config is not None and (config / SETTINGS_FILE).is_file():
            carried += self._carry_settings(config / SETTINGS_FILE)
        return carried

    def swap(self) -> None:
        """Put everything in place. Raises: Unavailable, with everything as it was before."""
        try:
            for path in self._in_the_way():
                kept = path.with_name(f"{path.name}.before-{self.mark}")
                os.rename(path, kept)
                self._done.append((kept, path))
                self.aside.append(kept)
            for target, stage in self.units.items():
                with contextlib.suppress(OSError):
                    target.rmdir()  # an empty folder is no hindrance
                os.rename(stage, target)
                self._done.append((target, stage))
        except OSError as error:
            self.undo()
            raise write_error(Path(str(error.filename2 or error.filename)), error) from error

    def undo(self) -> None:
        """Take the renaming back."""
        for now, before in reversed(self._done):
            os.rename(now, before)
        self._done.clear()
        self.aside.clear()

    def clear(self) -> None:
        """Remove what did not get to its place."""
        for stage in self.units.values():
            if stage.is_dir():
                shutil.rmtree(stage, ignore_errors=True)
            else:
                stage.unlink(missing_ok=True)

    def _stage(self, target: Path) -> Path:
        if target not in self.units:
            make_private(target.parent)
            sweep(target)
            self.units[target] = partial_path(target, "-restoring")
        return self.units[target]

    def _in_the_way(self) -> list[Path]:
        roots = [root for root in _tops(self.places) if root in self.units and _has_files(root)]
        units = [path for path in self._log_family() if path.exists()]
        return [*roots, *units]

    def _log_family(self) -> list[Path]:
        """The files of the log, where it lies outside of every other place."""
        active = self.places.memory
        if active is None or any(active.is_relative_to(root) for root in _tops(self.places)):
            return []
        return [active, *(each.path for each in full_segments(active))]

    def _carry_settings(self, old: Path) -> list[str]:
        try:
            values = tomllib.loads(old.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError):
            return []  # it is kept aside with everything else
        kinds = {each.key: each.kind for each in SETTINGS}
        texts = {key: value for key, value in values.items() if isinstance(value, str)}
        kept = {key: text for key, text in texts.items() if is_secret(kinds.get(key, ""), text)}
        if not kept:
            return []
        place = self.place(old)
        text = place.read_text(encoding="utf-8") if place.exists() else ""
        place.write_text(edited(text, kept), encoding="utf-8")
        place.chmod(0o600)
        return sorted(kept)


def stage_files(staging: Staging, archive: ArchiveReader, told: Told) -> int:
    """Write every file of the archive but those of projects; returns how many."""
    names = [name for name in archive.manifest.members if name.startswith("files/")]
    ours = [(name, target) for name in sorted(names) if (target := _target(staging.places, name))]
    total = sum(archive.manifest.members[name].size for name, _ in ours)
    done = 0
    for name, target in ours:
        told("files", done, total)
        staging.write(target, archive.parts(name), archive.mode(name))
        done += archive.manifest.members[name].size
    told("files", done, total)
    return len(ours)


def _target(places: Places, name: str) -> Path | None:
    """Where a file of the archive belongs, `None` when this installation has no such place."""
    _, place, inside = name.split("/", 2)
    if place == "memory":
        return None if places.memory is None else log_target(places.memory, inside)
    root = places.roots().get(place)
    return None if root is None else root / inside


def _tops(places: Places) -> list[Path]:
    """The folders that lie in no other."""
    roots = list(places.roots().values())
    inside = [one for one in roots for other in roots if one != other and one.is_relative_to(other)]
    return [root for root in dict.fromkeys(roots) if root not in inside]


def _has_files(root: Path) -> bool:
    return next(_files(root), None) is not None


def _files(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        yield from (Path(folder) / name for name in names if not name.endswith(_PASSING))


def refuse_occupied(found: list[Path]) -> None:
    """Say that something is there already. Raises: Conflict."""
    if found:
        shown = ", ".join(f"`{path}`" for path in found)
        raise Conflict(
            f"There is something already: {shown}",
            hint="Use `--replace` (what is there is kept under another name), or `--into`.",
        )


def stage_tables(staging: Staging, settings: Settings, archive: ArchiveReader) -> None:
    """Write the logs and documents of tables as the files an embedded installation reads."""
    _stage_logs(staging, settings, archive)
    _stage_documents(staging, settings, archive)


def workspace_of(settings: Settings, actor: Actor) -> Path:
    """The workspace of somebody where it is a folder."""
    return settings_for(settings, actor).workspace


def _stage_logs(staging: Staging, settings: Settings, archive: ArchiveReader) -> None:
    rows = _table(archive, LOG_TABLES[0])
    for (tenant, log), lines in groupby(rows, lambda row: (row["tenant"], row["log"])):
        if log == MAIN and not _has_file_log(archive, tenant):
            target = settings_of_tenant(settings, tenant).memory_path
            staging.write(target, (row["line"].encode() + b"\n" for row in lines), 0o600)


def _has_file_log(archive: ArchiveReader, tenant: str) -> bool:
    folder = "memory" if tenant == LOCAL_TENANT else f"data/tenants/{tenant}/memory"
    return f"files/{folder}/{LOG}" in archive.manifest.members


def _stage_documents(staging: Staging, settings: Settings, archive: ArchiveReader) -> None:
    rows = _table(archive, DOCUMENTS)
    for _, versions in groupby(rows, lambda row: (row["tenant"], row["area"], row["path"])):
        newest = max(versions, key=lambda row: row["number"])
        person, _, area = newest["area"].rpartition("/")
        if newest["deleted"] or area != AREA or person != newest["person"]:
            continue  # shared areas have no folder; their rows stay in the table
        if not storable(newest["path"]):
            raise BadInput(f"`{newest['path']}` is not a path of a document")
        folder = workspace_of(settings, Actor(newest["tenant"], person))
        target = folder / newest["path"]
        if not staging.place(target).exists():  # what was a file stays what it was
            staging.write(target, [newest["text"].encode()], 0o644)


def _table(archive: ArchiveReader, name: str) -> Iterator[Row]:
    facts = archive.manifest.tables.get(name)
    return iter(()) if facts is None else rows_of(archive, facts.shape(name))
