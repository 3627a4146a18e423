"""The event log: an append-only file of JSON lines that is the source of truth of the memory.

Many processes append at once. Each takes the lock beside the file, makes its events with the next
numbers, writes all their lines in one call and waits until they are on the disk; only then does
`append` return. So what `append` returned survives a crash of the process and of the machine, as
far as the system keeps its promise about `fdatasync` (on macOS: `fsync`, which leaves the drive's
own cache out). What was written but not confirmed may be there or not after a crash, never in part.

Reading takes no lock and never waits for a writer; a reader sees an event at the latest when
`append` returns. It may see one shortly before that, so whoever keeps a cursor should remember the
id of its last event too, and start again when the log holds another one at that number.

A full file is renamed and a new one goes on with the chain (`segments`). Forgetting replaces files
(`erasure`). Everyone else notices by the file's identity, which is checked at every step.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain as joined
from itertools import islice
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.base.files import sync_folder, write_error
from paige.memory.event import Event, load_event
from paige.memory.log.chain import START, Link, follow, parse, seal_all, sealed_hash
from paige.memory.log.erasure import ErasureOrder, look, rewrite, rewritten_path
from paige.memory.log.reader import LogReader
from paige.memory.log.segments import (
    SAMPLE,
    FileLock,
    OpenFile,
    Version,
    file_key,
    find_file,
    full_segments,
    open_segment,
    sample_before,
    segment_path,
)
from paige.memory.log.tail import (
    LogPosition,
    advance,
    find_standing,
    is_whole,
    link_before,
    scrub_torn,
    set_aside,
    torn_problems,
)
from paige.memory.log.verification import (
    Checker,
    ForeignLine,
    ScanResult,
    Verification,
    foreign_lines,
    scan,
)

SEGMENT_BYTES = 64 * 2**20
# Windows does not rename a file that is open.
_KEEP_OPEN = os.name != "nt"
_sync = getattr(os, "fdatasync", os.fsync)


class Log:
    """One log, for any number of threads; any number of these for one file, in any process."""

    def __init__(
        self,
        path: Path,
        *,
        segment_bytes: int = SEGMENT_BYTES,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.path = path
        self._real = Path(os.path.realpath(path))  # files stand beside the real one
        self._name = str(self._real)  # asked for at every step
        self._lock = FileLock(self._real.with_name(f"{self._real.name}.lock"))
        self._segment_bytes = segment_bytes
        self._randomness = randomness
        self._writing = threading.Lock()  # held while the file lock is waited for and held
        self._state = threading.Lock()  # held for moments: never while others' code runs
        self._scanning = threading.Lock()
        self._file: OpenFile | None = None
        self._standing = LogPosition(0, START, None)
        self._size = 0  # of the file when it was last looked at
        self._sample = b""  # what stands before the end of `_standing`
        self._sure = False  # whether that was seen under the lock, where nothing is taken back
        self._reader = LogReader(self._real)
        self._scanned: dict[tuple[int, int], ScanResult] = {}

    def append(self, make: Callable[[int], Sequence[Event]]) -> list[Event]:
        """Write events and return them once they are safe on the disk.

        `make` is called under the lock with the number of the next event and returns events with
        consecutive numbers from there; it may read this log, but not append to it. When it returns
        none, or raises, nothing is written. On a full disk nothing is written either.
        """
        with self._writing:
            self._take_lock()
            try:
                standing = self._ready()
                events = list(make(standing.link.seq + 1))
                if events:
                    lines = seal_all(standing.link, events, self._randomness)
                    self._write(standing, b"".join(lines), len(events))
                return events
            finally:
                self._lock.give_back()

    def last_seq(self) -> int:
        """The number of the last event, 0 when there is none."""
        with self._reading(), self._state:
            return self._look().link.seq

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        """The events after a number, in order; lines that are not events are skipped."""
        return islice(self._events(after), limit)

    def read_parsed(self, after: int = 0, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """The same as parsed lines, for those who need only some of the fields."""
        return islice(self._parsed(after), limit)

    def lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of the events after a number, as they are kept, without their newlines."""
        link = START
        with self._reading():
            for _, _, raw in self._reader.lines():
                fields = parse(raw)
                following = None if fields is None else follow(link, fields)
                if following is not None:
                    link = following
                    if link.seq > after:
                        yield link.seq, raw

    def verify(self) -> Verification:
        """Check every line of every file."""
        checker = Checker(self.adopted())
        with self._reading():
            for name, number, raw in self._reader.lines():
                checker.take(name, number, raw)
            for problem in torn_problems(self._real):
                checker.add(problem)
        return checker.result()

    def foreign(self) -> list[ForeignLine]:
        """The complete lines others wrote that no event has taken in yet, each text once."""
        found: dict[str, ForeignLine] = {}
        with self._reading(), self._scanning:
            scans = self._scan()
            adopted = {mark for _, scanned in scans for mark in scanned.adopted}
            for name, scanned in scans:
                for line in foreign_lines(name, scanned):
                    found.setdefault(line.mark, line)
        return [line for mark, line in found.items() if mark not in adopted]

    def adopted(self) -> frozenset[str]:
        """The marks of all lines that events of this log have taken in (`payload.adopted`)."""
        with self._reading(), self._scanning:
            return frozenset(mark for _, scanned in self._scan() for mark in scanned.adopted)

    def forget(self, ids: Collection[str]) -> int:
        """Take the words of events out of all files and return how many events still had some.

        The lines stay, without content and salt, and the chain still holds. Doing it again changes
        nothing, so it is repeated after a crash.
        """
        if not ids:
            return 0
        wanted = ErasureOrder(frozenset(ids))
        clean = self._without_words(wanted)  # before the lock: full files hardly ever change
        with self._writing:
            self._take_lock()
            try:
                self._ready()
                self._forget(wanted, clean)
            except OSError as error:
                raise _write_failure(self.path, error) from error
            finally:
                self._lock.give_back()
        return len(wanted.forgotten)

    def close(self) -> None:
        """Let go of the open file; the log can be used again at once."""
        with self._writing, self._state:
            self._file = None
            self._lock.close()

    # Writing

    def _take_lock(self) -> None:
        try:
            self._lock.take()
        except OSError as error:
            raise _write_failure(self.path, error) from error

    def _ready(self) -> LogPosition:
        """Where the log stands, under the lock: the last line is whole, the file is open."""
        try:
            with self._state:
                standing = self._look(write=True)
                if self._size > standing.end:
                    self._mend(self._open_file(), standing)
                    standing = self._look(write=True)
                return standing
        except OSError as error:
            raise _write_failure(self.path, error) from error

    def _mend(self, file: OpenFile, standing: LogPosition) -> None:
        """Complete the last line, or set it aside."""
        unfinished = file.read(standing.end, self._size - standing.end)
        if is_whole(unfinished, standing.link):
            os.write(file.fd, b"\n")
        else:
            set_aside(self._real, standing.link.seq + 1, unfinished)
            sync_folder(self._real.parent)
            os.ftruncate(file.fd, standing.end)
        _sync(file.fd)

    def _write(self, standing: LogPosition, data: bytes, count: int) -> None:
        try:
            if standing.end >= self._segment_bytes and standing.first is not None:
                standing = self._rotate(standing)
            file = self._open_file()
            end = _write_whole(file, data, standing.end)
        except BaseException as error:
            with self._state:
                self._file = None  # what is known about it may be wrong now
            if isinstance(error, OSError):
                raise _write_failure(self.path, error) from error
            raise
        last = Link(standing.link.seq + count, sealed_hash(data))
        first = standing.first if standing.first is not None else standing.link.seq + 1
        with self._state:
            self._standing, self._sample = LogPosition(end, last, first), data[-SAMPLE:]
            self._sure = True
            self._file = file if _KEEP_OPEN else None

    def _rotate(self, standing: LogPosition) -> LogPosition:
        """Start a new file. A crash in between leaves no active file; the next writer makes one."""
        target = segment_path(self._real, standing.first or 1)
        if os.path.lexists(target):
            return standing  # somebody put an older file there: it is not ours to replace
        with self._state:
            self._file = None
            os.rename(self._real, target)
            self._create()
            self._standing, self._sample = LogPosition(0, standing.link, None), b""
            return self._standing

    def _forget(self, wanted: ErasureOrder, clean: set[Version]) -> None:
        paths = [*(segment.path for segment in full_segments(self._real)), self._real]
        for path in paths:
            rewritten_path(path).unlink(missing_ok=True)
        changed = [path for path in paths if not self._is_clean(path, wanted, clean)]
        changed += [path for path in paths if path not in changed and self._quoted(path, wanted)]
        with self._state:
            self._file = None
        for path in changed:
            rewrite(path, wanted)
        sync_folder(self._real.parent)
        scrub_torn(self._real, wanted.ids, wanted.texts)

    def _without_words(self, wanted: ErasureOrder) -> set[Version]:
        """The full files that hold nothing of it: they need no second look under the lock."""
        with self._reading():
            files = (open_segment(segment.path) for segment in full_segments(self._real))
            return {file.version() for file in files if file and not look(file, wanted)}

    def _is_clean(self, path: Path, wanted: ErasureOrder, clean: set[Version]) -> bool:
        file = OpenFile(path)
        return file.version() in clean or not look(file, wanted)

    def _quoted(self, path: Path, wanted: ErasureOrder) -> bool:
        """Whether a file holds a foreign line that one of the events was made of."""
        if not wanted.marks:
            return False
        file = OpenFile(path)
        with self._scanning:
            scanned = scan(file, file.size(), self._scanned.get(file.key))
        return any(line.mark in wanted.marks for line in foreign_lines(path.name, scanned))

    # Where the log stands

    def _look(self, *, write: bool = False) -> LogPosition:
        """Where the log stands now; `self._state` is held."""
        found = find_file(self._name)
        if found is None:
            self._file, self._size, self._sample = None, 0, b""
            self._standing = LogPosition(0, link_before(full_segments(self._real)), None)
            if write:
                self._create()
            return self._standing
        file, self._size = self._file, found.st_size
        same = file is not None and file.key == file_key(found)
        if file is None or not same or (write and not file.writable):
            self._file = file = OpenFile(self._real, write=write)
            self._size = file.size()
        if not same or not self._unchanged(file, certain=write and not self._sure):
            self._standing = self._first_look(file)
        elif self._size > self._standing.end:
            self._standing = advance(file, self._standing, self._size)
        else:
            return self._standing
        self._sample = sample_before(file, self._standing.end)
        self._sure = write
        return self._standing

    def _unchanged(self, file: OpenFile, *, certain: bool) -> bool:
        """Whether what was known about the file still holds: others may have cut it and gone on."""
        end = self._standing.end
        if self._size == end and not certain:
            return True
        return self._size >= end and sample_before(file, end) == self._sample

    def _first_look(self, file: OpenFile) -> LogPosition:
        segments = full_segments(self._real)
        standing = find_standing(file, self._size, lambda: link_before(segments))
        if segments and (segments[-1].first or 0) > standing.link.seq:
            # The active file is older than what was full before it: someone put it back.
            return standing._replace(link=link_before(segments))
        return standing

    def _open_file(self) -> OpenFile:
        if self._file is None or not self._file.writable:
            self._file = OpenFile(self._real, write=True)
        return self._file

    def _create(self) -> None:
        self._file = OpenFile(self._real, write=True, create=True)
        sync_folder(self._real.parent)

    # Reading

    def _events(self, after: int) -> Iterator[Event]:
        for fields in self._parsed(after):
            try:
                event = load_event(fields)
            except BadInput:  # reported by `verify`
                continue
            yield event

    def _parsed(self, after: int) -> Iterator[dict[str, Any]]:
        if after >= self.last_seq():
            return
        with self._reading():
            found = self._reader.events(after)
            first = next(found, None)
            if first is None or first["seq"] != after + 1:
                # Events are lost here, or lines are out of order: then only a full look is sure.
                found = self._reader.events(after, slowly=True)
                first = next(found, None)
            if first is not None:
                yield from joined((first,), found)

    def _scan(self) -> list[tuple[str, ScanResult]]:
        """Look through all files for marks and foreign lines; `self._scanning` is held."""
        known, self._scanned = self._scanned, {}
        scans = []
        for name, file in self._reader.files():
            scanned = scan(file, file.size(), known.get(file.key))
            self._scanned[file.key] = scanned
            scans.append((name, scanned))
        return scans

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise _not_a_file(self.path, error) or _read_error(self.path, error) from error


def _write_whole(file: OpenFile, data: bytes, end: int) -> int:
    """Write at the end of the file, or not at all; returns where the file ends then.

    `end` is where it should end now. Someone who does not know our lock may have written in
    between; if their line is unfinished, ours must not become a part of it.
    """
    written = 0
    try:
        while written < len(data):
            written += os.write(file.fd, data[written:] if written else data)
        start = os.lseek(file.fd, 0, os.SEEK_CUR) - written
        if start == end or file.read(start - 1, 1) == b"\n":
            _sync(file.fd)
            return start + written
    except BaseException:
        _take_back(file, written)
        raise
    _take_back(file, written)
    return _write_whole(file, b"\n" + data, start)


def _take_back(file: OpenFile, written: int) -> None:
    """Remove what was just written; where that fails, the next writer sets it aside."""
    if written:
        with contextlib.suppress(OSError):
            os.ftruncate(file.fd, os.lseek(file.fd, 0, os.SEEK_CUR) - written)


def _write_failure(path: Path, error: OSError) -> PaigeError:
    return _not_a_file(path, error) or write_error(path, error)


def _not_a_file(path: Path, error: OSError) -> PaigeError | None:
    if not isinstance(error, IsADirectoryError):
        return None
    return BadInput(
        f"`{path}` is not a file", hint="Name a file for the memory, or move what is there away."
    )


def _read_error(path: Path, error: OSError) -> PaigeError:
    if isinstance(error, PermissionError):
        return Refused(
            f"`{path}` may not be read: {error.strerror}", hint="Check who owns the file."
        )
    return Unavailable(f"`{path}` could not be read: {error.strerror or error}")
