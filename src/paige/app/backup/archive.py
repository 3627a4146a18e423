"""A backup as one file: a ZIP archive with a list of everything in it.

ZIP, because every system opens it, members of unknown length can be streamed into it and checked
one by one, and its table of contents stands at the end: a file that was cut off is noticed at once.
The archive is written beside its place and takes its name in one step when it is safe on the disk,
so there is a whole backup of that name or none.
"""

import contextlib
import json
import os
import re
import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, NotFound, Refused
from paige.base.files import write_error
from paige.base.platform import process_start
from paige.store.rows.table_queries import Kind, Shape

FORMAT = 1
MANIFEST = "manifest.json"
BLOCK = 2**20
LEVEL = 3
MOST_MANIFEST = 256 * 2**20
Told = Callable[[str, int, int], None]
"""Hears what is worked on, how much of it is done, and of how much."""
_NAME = re.compile(r"(?:database/[a-z0-9_]+\.jsonl|files/[a-z0-9-]+/.+)")
_TABLE = re.compile(r"[a-z0-9_]+")
_PARTIAL = re.compile(r"\.(?P<name>.+)\.(?P<pid>\d+)-(?P<start>\w+)\.partial(?:-[\w-]+)?")


@dataclass(frozen=True, slots=True)
class Member:
    """One member of the archive: its size and hash."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table of the archive: what its rows look like, how many there are, what they add up to."""

    columns: tuple[tuple[str, Kind], ...]
    key: tuple[str, ...]
    rows: int
    digest: str

    def shape(self, name: str) -> Shape:
        """The shape that its rows are read by."""
        return Shape(name, self.columns, self.key)


@dataclass(frozen=True, slots=True)
class Project:
    """A project with a memory or guards of its own, and where it was."""

    place: str
    id: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the archive holds and what it was made from."""

    paige: str
    made_at: str
    engine: str
    schema: str
    tables: Mapping[str, TableFacts]
    members: Mapping[str, Member]
    projects: tuple[Project, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    format: int = FORMAT

    @property
    def rows(self) -> int:
        """How many rows there are in all tables."""
        return sum(each.rows for each in self.tables.values())

    @property
    def files(self) -> int:
        """How many members are files of people and programs."""
        return sum(name.startswith("files/") for name in self.members)


class ArchiveWriter:
    """An archive that is being written."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, Member] = {}

    def add(self, name: str, parts: Iterable[bytes], *, mode: int = 0o600) -> None:
        """Stream a member in and note its size and hash."""
        size, seen = 0, sha256()
        with self._archive.open(name, "w", force_zip64=True) as member:
            for part in parts:
                member.write(part)
                seen.update(part)
                size += len(part)
        self._archive.getinfo(name).external_attr = (stat.S_IFREG | mode) << 16
        self.members[name] = Member(size, seen.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Add the list of everything, last."""
        said = json.dumps(asdict(manifest), ensure_ascii=False, indent=1, sort_keys=True)
        self._archive.writestr(MANIFEST, said.encode())


@contextlib.contextmanager
def writing(target: Path) -> Iterator[ArchiveWriter]:
    """Write an archive; it is at `target` when the block ends well, and not at all otherwise."""
    sweep(target)
    partial = partial_path(target)
    try:
        handle = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w+b") as file:
                yield from _written(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, target)
            _sync_folder(target.parent)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise write_error(target, error) from error


def partial_path(target: Path, more: str = "") -> Path:
    """Where this process writes what will be `target`."""
    pid = os.getpid()
    name = f".{target.name}.{pid}-{process_start(pid) or 0}.partial{more}"
    return target.with_name(name)


def _written(file: Any) -> Iterator[ArchiveWriter]:  # noqa: ANN401 - a binary file
    archive = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL)
    try:
        yield ArchiveWriter(archive)
        archive.close()
    except BaseException:
        # Closing writes a table of contents, on a disk that may be full; nobody will read it.
        with contextlib.suppress(OSError, ValueError):
            archive.close()
        raise


def sweep(target: Path) -> None:
    """Remove what a process that was killed left of what should have become `target`."""
    with contextlib.suppress(OSError):
        for path in target.parent.iterdir():
            found = _PARTIAL.fullmatch(path.name)
            if found is None or found["name"] != target.name:
                continue
            if process_start(int(found["pid"])) == found["start"]:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# What the library raises for bytes that are not what they should be; some of it by accident.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
    *(RuntimeError, OSError, ValueError, LookupError),
)
_HINT = "Use another backup; nothing was changed."


class ArchiveReader:
    """An archive whose list was read; nothing else of it is trusted before `check`."""

    def __init__(self, archive: zipfile.ZipFile, manifest: Manifest) -> None:
        self._archive = archive
        self.manifest = manifest

    def check(self, told: Told) -> None:
        """Compare every member with the list. Raises: BadInput at the first that differs."""
        listed = set(self.manifest.members)
        infos = [info for info in self._archive.infolist() if info.filename != MANIFEST]
        names = [info.filename for info in infos]
        if len(set(names)) != len(names):
            raise BadInput("The archive holds a name twice", hint=_HINT)
        for info in infos:
            _check_entry(info)
        if set(names) != listed:
            odd = sorted(set(names) ^ listed)[0]
            raise BadInput(f"`{odd}` is not both in the archive and in its list", hint=_HINT)
        for done, name in enumerate(sorted(names)):
            told("checking", done, len(names))
            for _ in self.parts(name):
                pass
        told("checking", len(names), len(names))

    def parts(self, name: str) -> Iterator[bytes]:
        """The bytes of a member; its size and hash are checked at the end. Raises: BadInput."""
        expected = self.manifest.members[name]
        size, seen = 0, sha256()
        try:
            with self._archive.open(name) as member:
                while part := member.read(BLOCK):
                    size += len(part)
                    if size > expected.size:
                        break
                    seen.update(part)
                    yield part
        except _DAMAGE as error:
            raise BadInput(f"`{name}` in the archive is damaged: {error}", hint=_HINT) from error
        if (size, seen.hexdigest()) != (expected.size, expected.sha256):
            raise BadInput(f"`{name}` in the archive was changed: its hash is another", hint=_HINT)

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a member, without newlines."""
        rest = b""
        for part in self.parts(name):
            *whole, rest = (rest + part).split(b"\n")
            yield from whole
        if rest:
            yield rest

    def mode(self, name: str) -> int:
        """The permissions that a file had."""
        return (self._archive.getinfo(name).external_attr >> 16) & 0o755 | 0o600


@contextlib.contextmanager
def reading(path: Path) -> Iterator[ArchiveReader]:
    """Open an archive and read its list. Raises: NotFound, BadInput, Refused."""
    archive = _opened(path)
    with archive:
        try:
            info = archive.getinfo(MANIFEST)
            if info.file_size > MOST_MANIFEST:
                raise BadInput(f"The list in `{path}` is too long", hint=_HINT)
            data = archive.read(info)
        except _DAMAGE as error:
            raise _not_whole(path, error) from error
        yield ArchiveReader(archive, read_manifest(data))


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file `{path}`") from error
    except IsADirectoryError as error:
        raise BadInput(f"`{path}` is a folder", hint="Name the file of a backup.") from error
    except PermissionError as error:
        raise Refused(f"`{path}` may not be read", hint="Check who owns it.") from error
    except _DAMAGE as error:
        raise _not_whole(path, error) from error


def _not_whole(path: Path, error: Exception) -> BadInput:
    return BadInput(f"`{path}` is not a whole backup of Paige: {error}", hint=_HINT)


def read_manifest(data: bytes) -> Manifest:
    """The list of an archive. Raises: BadInput when it is none that this version reads."""
    from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 - `--help` does without

    try:
        said = json.loads(data)
        if said["format"] > FORMAT:
            raise BadInput(
                f"The backup has format {said['format']}; this Paige reads {FORMAT}",
                hint="Install the Paige that made it, or a newer one.",
            )
        manifest = TypeAdapter(Manifest).validate_python(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadInput(
            f"The list of the backup cannot be read: `{where}`: {first['msg']}", hint=_HINT
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"The list of the backup cannot be read: {error}", hint=_HINT) from error
    for name, facts in manifest.tables.items():
        if not _TABLE.fullmatch(name) or not all(each.isidentifier() for each, _ in facts.columns):
            raise BadInput(f"`{name}` in the list is not a table of Paige", hint=_HINT)
    return manifest


def storable(name: str) -> bool:
    """Whether a name leads to the same place below a folder on every system."""
    parts = name.split("/")
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.isprintable() and "\\" not in name and not {"", ".", ".."} & set(parts)


def _check_entry(info: zipfile.ZipInfo) -> None:
    """Refuse what would be written elsewhere, or is no plain file."""
    name = info.filename
    if not _NAME.fullmatch(name) or not storable(name):
        raise BadInput(f"`{name}` in the archive is not a path of a backup", hint=_HINT)
    form = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir() or form not in (0, stat.S_IFREG):
        raise BadInput(f"`{name}` in the archive is not a plain file", hint=_HINT)
