"""Which files belong to an installation, and which stay out of a backup: keys, locks, indexes.

Every place has a short name, which is its folder in the archive. A place that lies inside another
is walked once. Links are followed only to files of the same place, because an agent may have put
one there; in the person's own configuration they are followed, for people keep files elsewhere.
"""

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from paige.app.backup.archive import BLOCK, Project, storable
from paige.app.settings_file import edited
from paige.base.errors import BadInput, Refused
from paige.base.files import write_atomic
from paige.base.paths import config_dir
from paige.base.settings import SETTINGS, Settings, given_settings
from paige.memory.intake.project_logs import FOLDER
from paige.memory.log.segments import OpenFile, full_segments, segment_path, snapshot
from paige.memory.setup import index_folder, project_of

LOG = "events.jsonl"
SETTINGS_FILE = "paige.toml"
BACKUPS = "backups.txt"
_MADE_AGAIN = re.compile(r"demo|memory|guard/rules|(tenants/[^/]+/|people/[^/]+/[^/]+/)memory/.+")
_SHARED = re.compile(_MADE_AGAIN.pattern + r"|people/[^/]+/[^/]+/workspace|tenants/[^/]+/memory")
"""With PostgreSQL, what people and tenants have in these folders is left over from before."""
_SEGMENT = re.compile(r"events-(?P<first>\d+)\.jsonl")
_PASSING = (".lock", ".partial", ".running")


@dataclass(frozen=True, slots=True)
class Places:
    """Where an installation keeps its files."""

    data: Path
    workspace: Path
    teaching: Path | None
    config: Path | None
    memory: Path | None  # the active file of the log

    def roots(self) -> dict[str, Path]:
        """The folders by name; the log is a family of files and not among them."""
        found = {"data": self.data, "workspace": self.workspace}
        more = {"teaching": self.teaching, "config": self.config}
        return {**found, **{name: root for name, root in more.items() if root is not None}}


def note_backup(settings: Settings, path: Path) -> None:
    """Keep in mind where a backup was written, for those who want something forgotten."""
    known = dict.fromkeys((*map(str, known_backups(settings)), str(path)))
    write_atomic(settings.data_dir / BACKUPS, "".join(f"{each}\n" for each in known))


def known_backups(settings: Settings) -> list[Path]:
    """The backups that were written from here and are still where they were."""
    try:
        lines = (settings.data_dir / BACKUPS).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return [Path(line) for line in lines if Path(line).is_file()]


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A file that goes into the archive."""

    member: str
    path: Path
    size: int
    mode: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The files of an installation, and what is left out and why."""

    files: tuple[BackupFile, ...]
    projects: tuple[Project, ...]
    logs: Mapping[str, Path]  # the active file of each log, by its folder in the archive
    secrets: tuple[str, ...]
    left_out: tuple[str, ...]


def places_of(settings: Settings) -> Places:
    """The places that the settings name; those that need a home are missing without one."""
    return Places(
        data=_real(settings.data_dir),
        workspace=_real(settings.workspace),
        teaching=_asked(lambda: settings.teaching_dir),
        config=_asked(lambda: config_dir(settings.environ, instead="XDG_CONFIG_HOME")),
        memory=_asked(lambda: settings.memory_path),
    )


def places_into(folder: Path) -> Places:
    """The places of an installation that lies in one folder."""
    root = _real(folder)
    memory = root / "memory-log" / LOG
    return Places(root, root / "workspace", root / "teaching", root / "config" / "ai", memory)


def settings_for(settings: Settings, places: Places) -> Settings:
    """Settings that name these places."""
    return replace(
        settings,
        given_data_dir=places.data,
        given_workspace=places.workspace,
        given_teaching_dir=places.teaching,
        given_memory_path=places.memory,
    )


def survey(settings: Settings) -> Survey:
    """Look through every place. Raises: Refused when a folder cannot be read."""
    places = places_of(settings)
    projects = tuple(_projects(settings))
    logs = {f"{each.place}/{FOLDER}": Path(each.root) / FOLDER / LOG for each in projects}
    if places.memory is not None:
        logs["memory"] = places.memory
    for active in tenant_logs(places.data).values():
        logs[f"data/{active.parent.relative_to(places.data).as_posix()}"] = active
    looking = _FileGatherer(places, logs, shared=bool(settings.database_url))
    old = _in_tables(settings)
    for name, root in places.roots().items():
        if name not in old:
            looking.walk(name, root)
    for project in projects:
        looking.walk(project.place, Path(project.root) / ".ai", below=".ai/")
    kept = {name: path for name, path in logs.items() if not name.startswith(old)}
    left_out = [f"files of the {name} (it is in the database)" for name in old if "/" not in name]
    secrets = (*sorted(looking.secrets), *secret_settings(settings))
    everything = tuple(sorted([*looking.left_out, *left_out]))
    return Survey(tuple(looking.files), projects, kept, secrets, everything)


def _in_tables(settings: Settings) -> tuple[str, ...]:
    """What is in the database now; files of it are left over from before a move."""
    if not settings.database_url:
        return ()
    given = {"workspace": settings.given_workspace, "memory": settings.given_memory_path}
    found = [name for name, path in given.items() if settings.in_tables(path)]
    return (*found, "data/tenants/")


def tenant_logs(data: Path) -> dict[str, Path]:
    """The memory logs of tenants that are kept in files, besides the installation's own."""
    found = sorted(data.glob(f"tenants/*/memory/{LOG}"))
    return {path.parent.parent.name: path for path in found}


def secret_settings(settings: Settings) -> tuple[str, ...]:
    """The names of the settings that are given and secret."""
    given = given_settings(settings.environ, settings.cwd)
    return tuple(
        each.variable
        for each in SETTINGS
        if each.key in given and is_secret(each.kind, given[each.key].text)
    )


def plain_settings(settings: Settings) -> dict[str, str]:
    """The settings that are given and not secret, by their variables."""
    given = given_settings(settings.environ, settings.cwd)
    return {
        each.variable: given[each.key].text
        for each in SETTINGS
        if each.key in given and not is_secret(each.kind, given[each.key].text)
    }


def is_secret(kind: str, text: str) -> bool:
    """Whether a setting may not leave the machine: a key, or an address with a password in it."""
    return kind == "secret" or (kind == "address" and "@" in text)


def log_members(active: Path) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The files of a log, of one moment: their names in the archive and their bytes."""
    segments, file = snapshot(active)
    for each in segments:
        yield segment_path(Path(LOG), each.first or 0).name, file_parts(each.path)
    for path in sorted(active.parent.glob(f"{active.name}.torn-*")):
        yield LOG + path.name.removeprefix(active.name), file_parts(path)
    if file is not None:
        yield LOG, _whole_lines(file)


def log_target(active: Path, name: str) -> Path:
    """Where a file of the archive's log belongs, for a log of this path."""
    full = _SEGMENT.fullmatch(name)
    if full is not None:
        return segment_path(active, int(full["first"]))
    return active.with_name(active.name + name.removeprefix(LOG))


def file_parts(path: Path) -> Iterator[bytes]:
    """The bytes of a file. Raises: Refused when it cannot be read."""
    try:
        with open(path, "rb") as file:
            while part := file.read(BLOCK):
                yield part
    except OSError as error:
        raise _unreadable(path, error) from error


def without_secrets(path: Path) -> tuple[str, tuple[str, ...]]:
    """A settings file without its keys, and the names of what was taken out.

    When nobody can tell what is in it, all of it is left out.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        table = tomllib.loads(text)
        kinds = {each.key: each.kind for each in SETTINGS}
        gone = [key for key, value in table.items() if is_secret(kinds.get(key, ""), str(value))]
        gone += [key for key in table if key not in kinds]
        return edited(text, dict.fromkeys(gone)), tuple(gone)
    except (OSError, ValueError, BadInput):
        return "", (SETTINGS_FILE,)


class _FileGatherer:
    """Gathers files of places."""

    def __init__(self, places: Places, logs: Mapping[str, Path], *, shared: bool) -> None:
        self._made_again = _SHARED if shared else _MADE_AGAIN
        self._logs = set(logs.values())
        self._roots = {_real(root) for root in places.roots().values()}
        self.files: list[BackupFile] = []
        self.secrets: set[str] = set()
        self.left_out: list[str] = []

    def walk(self, place: str, root: Path, below: str = "") -> None:
        """Take in everything below a folder."""
        for folder, folders, names in os.walk(root, onerror=_stop):
            folders[:] = sorted(each for each in folders if self._enters(place, root, folder, each))
            for name in sorted(names):
                path = Path(folder) / name
                self._take(place, below + path.relative_to(root).as_posix(), path, root)

    def _enters(self, place: str, root: Path, folder: str, name: str) -> bool:
        path = Path(folder) / name
        inside = path.relative_to(root).as_posix()
        if place == "data" and self._made_again.fullmatch(inside):
            return False
        if path.is_symlink():
            self.left_out.append(f"{path} (a link to a folder)")
            return False
        return path not in self._roots

    def _take(self, place: str, inside: str, path: Path, root: Path) -> None:
        if path.suffix in _PASSING or path.name == ".write-check" or self._of_log(path):
            return
        if place == "data" and inside.startswith("paige.db"):
            return
        if place == "data" and path.suffix == ".key":
            self.secrets.add(inside)
            return
        member = f"files/{place}/{inside}"
        if not storable(member):
            self.left_out.append(f"{path!r} (its name does not exist on every system)")
            return
        try:
            target = Path(os.path.realpath(path))
            found = target.stat()
        except OSError:
            self.left_out.append(f"{path} (it leads nowhere)")
            return
        outside = path.is_symlink() and place != "config" and not target.is_relative_to(root)
        if outside or not stat.S_ISREG(found.st_mode):
            self.left_out.append(f"{path} (a link, or no plain file)")
            return
        self.files.append(BackupFile(member, path, found.st_size, found.st_mode & 0o777))

    def _of_log(self, path: Path) -> bool:
        for active in self._logs:
            if path.parent == active.parent:
                family = {active, *(each.path for each in full_segments(active))}
                return path in family or path.name.startswith(f"{active.name}.torn-")
        return False


def _projects(settings: Settings) -> Iterator[Project]:
    """Projects with a memory or guards of their own that this installation knows."""
    known = dict(_registered(settings))
    here = project_of(settings)
    if here is not None and (here.root / ".ai").is_dir():
        known[here.id] = str(here.root)
    own = {str(_real(root)) for root in places_of(settings).roots().values()}
    for number, (id, root) in enumerate(sorted(known.items())):
        if (Path(root) / ".ai").is_dir() and str(_real(Path(root) / ".ai")) not in own:
            yield Project(f"project-{number}", id, root)


def _registered(settings: Settings) -> Mapping[str, str]:
    try:
        found = json.loads((index_folder(settings) / "projects.json").read_bytes())
    except (OSError, ValueError, BadInput):
        return {}
    return {id: root for id, root in found.items() if isinstance(root, str)}


def _asked(path: Callable[[], Path]) -> Path | None:
    try:
        return _real(path())
    except BadInput:
        return None


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _stop(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise _unreadable(Path(str(error.filename)), error) from error


def _unreadable(path: Path, error: OSError) -> Refused:
    return Refused(
        f"`{path}` cannot be read: {error.strerror}", hint="Check who owns it, then try again."
    )


def _whole_lines(file: OpenFile) -> Iterator[bytes]:
    """What is written so far of the file that is written to; half a line is nobody's yet."""
    end = _last_newline(file.read, file.size())
    for start in range(0, end, BLOCK):
        yield file.read(start, min(BLOCK, end - start))


def _last_newline(read: Callable[[int, int], bytes], size: int) -> int:
    """Where the last whole line ends."""
    while size > 0:
        start = max(0, size - BLOCK)
        place = read(start, size - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        size = start
    return 0
