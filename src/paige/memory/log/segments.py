"""The files of a log: the active one, full ones beside it named by their first event, and the lock.

`events.jsonl` is written to; `events-000000000001.jsonl` and so on are what it once was. Nothing
here knows what an event means beyond its number and its place in the chain. Files are read at
offsets, never from a shared position, so that threads do not disturb each other.

The lock beside a log is kept open, so that taking it costs two system calls: closing and opening it
for every event would cost more than everything else but the disk. A lock file that someone deleted
is noticed, and so is a process that was forked with the lock open, which would otherwise share it
with its parent. Where the system has no `flock`, the plain lock serves.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from paige.base import platform
from paige.base.files import make_private
from paige.memory.log.chain import Link, follow, header_holds, parse

BLOCK = 2**20
Version = tuple[int, int, int]
STEP = 2**16  # below this a search by halves is slower than reading on
SAMPLE = 96  # reaches into the hash of the line before, which no other line shares
_FORM = stat.S_IFMT(0o777777)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Segment(NamedTuple):
    """A file of the log; `first` is the number of its first event, `None` for the active file."""

    path: Path
    first: int | None


class Place(NamedTuple):
    """A position between two lines, and where the chain stands there."""

    offset: int
    link: Link


class OpenFile:
    """An open file, closed when nobody holds it any more.

    While it is open its inode cannot be given to another file, so `key` tells for sure whether a
    path still leads to it.
    """

    __slots__ = ("fd", "key", "writable")

    def __init__(self, path: Path, *, write: bool = False, create: bool = False) -> None:
        self.fd = -1
        flags = os.O_RDWR | os.O_APPEND if write else os.O_RDONLY
        made = os.O_CREAT | os.O_EXCL if create else 0
        self.fd = os.open(path, flags | made | _BINARY, 0o600)
        self.writable = write
        self.key = file_key(os.fstat(self.fd))

    def __del__(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)

    def size(self) -> int:
        """How long the file is now."""
        return os.fstat(self.fd).st_size

    def version(self) -> Version:
        """What changes when the file is written to or replaced."""
        found = os.fstat(self.fd)
        return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self, offset: int, length: int) -> bytes:
        """The bytes at an offset, fewer only at the end of the file."""
        return read_at(self.fd, length, offset)


def file_key(found: os.stat_result) -> tuple[int, int]:
    """What makes a file the same file."""
    return found.st_dev, found.st_ino


def find_file(path: Path | str) -> os.stat_result | None:
    """What the system knows about a file, `None` if there is none. Raises: IsADirectoryError."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    if found.st_mode & _FORM != stat.S_IFREG:
        raise IsADirectoryError(f"`{path}` is not a file")
    return found


if hasattr(os, "pread"):

    def read_at(fd: int, length: int, offset: int) -> bytes:
        """Read at an offset; a system call gives at most 2 GiB, and lines are shorter than that."""
        return os.pread(fd, length, offset)

else:

    def read_at(fd: int, length: int, offset: int) -> bytes:
        """Read at an offset where the system has no call for it."""
        os.lseek(fd, offset, os.SEEK_SET)
        return os.read(fd, length)


def segment_path(active: Path, first: int) -> Path:
    """Where the active file goes when it is full."""
    return active.with_name(f"{active.stem}-{first:012d}{active.suffix}")


def full_segments(active: Path) -> list[Segment]:
    """The full files of a log, in order; missing folders hold none."""
    form = re.compile(rf"{re.escape(active.stem)}-(\d{{12,}}){re.escape(active.suffix)}")
    try:
        names = os.listdir(active.parent)
    except FileNotFoundError:
        return []
    found = [(int(match[1]), name) for name in names if (match := form.fullmatch(name))]
    return [Segment(active.with_name(name), first) for first, name in sorted(found)]


def snapshot(active: Path) -> tuple[list[Segment], OpenFile | None]:
    """The full files and the active one, open, of one moment: nothing is in both or in neither."""
    while True:
        found = find_file(active)
        file = OpenFile(active) if found else None
        segments = full_segments(active)
        again = find_file(active)
        if (file and file.key) == (again and file_key(again)):
            return segments, file


def open_segment(path: Path) -> OpenFile | None:
    """A full file, `None` when someone took it away."""
    try:
        return OpenFile(path)
    except FileNotFoundError:
        return None


def blocks(file: OpenFile, start: int, end: int, *, size: int = BLOCK) -> Iterator[list[bytes]]:
    """The complete lines between two offsets, without newlines, in handy portions."""
    rest: list[bytes] = []
    while start < end and (piece := file.read(start, min(size, end - start))):
        start += len(piece)
        head, newline, tail = piece.rpartition(b"\n")
        if newline:
            yield b"".join([*rest, head]).split(b"\n")
            rest = [tail]
        else:
            rest.append(piece)


def next_sealed(file: OpenFile, start: int, end: int) -> Place | None:
    """The place after the first line that begins behind `start` and whose hash holds.

    `start` is taken as the middle of a line, unless it is 0.
    """
    offset, partial = start, start > 0
    for lines in blocks(file, start, file.size(), size=STEP // 16):
        for raw in lines:
            if offset >= end:
                return None
            offset += len(raw) + 1
            if partial:
                partial = False
            elif (link := sealed_link(raw)) is not None:
                return Place(offset, link)
    return None


def sealed_link(raw: bytes) -> Link | None:
    """The place in the chain that a line proves by itself."""
    fields = parse(raw)
    if fields is None or not header_holds(fields):
        return None
    return follow(Link(0, None), fields)


def seek(file: OpenFile, end: int, after: int, begin: Link) -> Place:
    """A place from which everything after event `after` follows soon, found by halving."""
    low, high = Place(0, begin), end
    while high - low.offset > STEP:
        middle = (low.offset + high) // 2
        found = next_sealed(file, middle, high)
        if found is None or found.link.seq > after:
            high = middle
        else:
            low = found
    return low


def sample_before(file: OpenFile, offset: int) -> bytes:
    """The bytes before an offset: when they are the same again, so is the place."""
    length = min(offset, SAMPLE)
    return file.read(offset - length, length) if length else b""


_flock = platform.fcntl.flock if platform.fcntl else None
_TAKE = platform.fcntl.LOCK_EX if platform.fcntl else 0
_GIVE_BACK = platform.fcntl.LOCK_UN if platform.fcntl else 0


class FileLock:
    """A lock against everyone else, for one thread at a time; its folder is made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1
        self._process = 0
        self._plain: AbstractContextManager[None] | None = None

    def take(self) -> None:
        """Wait until nobody else holds it."""
        if _flock is None:
            make_private(self._path.parent)
            self._plain = platform.locked(self._path)
            self._plain.__enter__()
            return
        if self._process != os.getpid():
            self._open()
        while True:
            _flock(self._handle, _TAKE)
            if os.fstat(self._handle).st_nlink:
                return
            self._open()  # it was deleted, so the next one to come would not wait for us

    def give_back(self) -> None:
        """Let the next one have it."""
        if _flock is not None:
            _flock(self._handle, _GIVE_BACK)
        elif self._plain is not None:
            self._plain.__exit__(None, None, None)

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        handle, self._handle, self._process = self._handle, -1, 0
        if handle >= 0:
            os.close(handle)

    __del__ = close

    def _open(self) -> None:
        self.close()
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        try:
            self._handle = os.open(self._path, flags, 0o600)
        except FileNotFoundError:
            make_private(self._path.parent)
            self._handle = os.open(self._path, flags, 0o600)
        self._process = os.getpid()
