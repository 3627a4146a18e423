"""What is moved to PostgreSQL, piece by piece: tables, memory logs, documents.

Each mover can be stopped at any moment and begun again. It counts, copies what is not there yet,
and compares both sides at the end.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection

from paige.app.backup.archive import Told
from paige.app.backup.tables import put_rows
from paige.base.clock import Clock
from paige.base.errors import Conflict, PaigeError
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from paige.memory.log.table_log import TableLog, copy_log
from paige.plan.workspace import is_memory
from paige.store.document_table import TableDocuments
from paige.store.documents import DirectoryDocuments, version_of
from paige.store.engine import Database
from paige.store.rows import schema_queries as moves
from paige.store.rows import table_queries as queries
from paige.store.rows.table_queries import Row, Shape, Sum, decode, encode

BATCH = 1000


@dataclass(frozen=True, slots=True)
class MoveCheck:
    """What is on both sides now: how much, and what it adds up to."""

    name: str
    count: int
    digest: str
    notes: tuple[str, ...] = ()


class Mover(Protocol):
    """One piece of an installation on its way."""

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    def copy(self, told: Told) -> None:
        """Copy what is not there yet."""
        ...

    def verify(self) -> MoveCheck:
        """Compare both sides. Raises: Conflict when they differ."""
        ...


@dataclass(frozen=True, slots=True)
class Move:
    """From where to where; `source` names the installation, so that two are never mixed."""

    source: str
    here: Connection
    there: Database
    now: Clock


class RowMover:
    """The rows of one table, in the order of their key."""

    def __init__(self, move: Move, shape: Shape) -> None:
        self.name = shape.name
        self._move = move
        self._shape = shape
        self._key = Shape(
            shape.name, tuple(each for each in shape.columns if each[0] in shape.key), shape.key
        )

    def copy(self, told: Told) -> None:
        """Copy rows batch by batch; a batch and the note of it are one transaction."""
        total = queries.count_rows(self._move.here, self.name)
        while True:
            progress = self._step()
            told(self.name, progress.rows, total)
            if progress.state != "copying":
                return

    def verify(self) -> MoveCheck:
        """Add up the rows of both sides. Raises: Conflict."""
        here = queries.sum_table(self._move.here, self._shape)
        with self._move.there.system.transaction(write=True) as connection:
            progress = moves.progress_of(connection, self.name, self._move.source)
            if progress.state == "verified":  # the target may have been used since
                there = Sum(progress.rows, int(progress.after_key or "0", 16))
            else:
                there = queries.sum_table(connection, self._shape)
            if here != there:
                raise Conflict(
                    f"`{self.name}` has {here.rows} rows here and {there.rows} there, "
                    "or they differ",
                    hint="Was Paige used since the move began? Begin again with `--restart`.",
                )
            done = progress._replace(after_key=here.shown, rows=here.rows, state="verified")
            moves.note_progress(connection, self.name, done)
        return MoveCheck(self.name, here.rows, here.shown)

    def _step(self) -> moves.Progress:
        with self._move.there.system.transaction(write=True) as connection:
            progress = moves.progress_of(connection, self.name, self._move.source)
            if progress.state != "copying":
                return progress
            after = None if progress.after_key is None else decode(progress.after_key, self._key)
            rows = queries.rows_after(self._move.here, self._shape, after, most=BATCH)
            put_rows(connection, self._shape, rows)
            done = progress._replace(
                after_key=self._last(rows) or progress.after_key,
                rows=progress.rows + len(rows),
                state="copying" if len(rows) == BATCH else "copied",
            )
            moves.note_progress(connection, self.name, done)
            if done.state == "copied":
                queries.set_sequences(connection, self.name)
            return done

    def _last(self, rows: list[Row]) -> str | None:
        return encode(rows[-1], self._key) if rows else None


class LogMover:
    """A memory log in files, into the table: line for line, with its chain."""

    def __init__(self, name: str, source: Path, target: TableLog) -> None:
        self.name = name
        self._source = Log(source)
        self._target = target

    def copy(self, told: Told) -> None:
        """Copy the lines that the table has not."""
        total = self._source.last_seq()
        copy_log(self._source, self._target, progress=lambda seq: told(self.name, seq, total))

    def verify(self) -> MoveCheck:
        """Compare the lines of both sides, and the chain of the copy. Raises: Conflict."""
        here, there = _lines(self._source), _lines(self._target)
        problems = self._target.verify().problems
        if here != there:
            raise Conflict(
                f"The {self.name} has {here[0]} events here and {there[0]} there, or they differ",
                hint="Begin again with `--restart`.",
            )
        notes = tuple(f"{self.name}: {each.what}" for each in problems[:3])
        return MoveCheck(self.name, *here, notes)


class DocumentMover:
    """A folder of documents, into the table of versions; files that are no text stay files."""

    def __init__(self, name: str, folder: Path, target: TableDocuments) -> None:
        self.name = name
        self._files = DirectoryDocuments(folder)
        self._target = target

    def copy(self, told: Told) -> None:
        """Write what the table has not, as its newest version."""
        there = self._target.newest()
        texts, _ = self._texts()
        for done, (path, text) in enumerate(texts.items()):
            told(self.name, done, len(texts))
            if there.get(path) != version_of(text):
                self._target.write(path, text, base=there.get(path) or "")
        for path in self._gone(there):
            self._target.delete(path, base=there[path])

    def verify(self) -> MoveCheck:
        """Compare the versions of both sides. Raises: Conflict."""
        texts, problems = self._texts()
        there = self._target.newest()
        for path, text in texts.items():
            if there.get(path) != version_of(text):
                raise Conflict(
                    f"`{path}` of the {self.name} is another text there",
                    hint="Did someone edit it? Begin again with `--restart`.",
                )
        if gone := self._gone(there):
            raise Conflict(f"`{gone[0]}` of the {self.name} is there and not here")
        digest = _digest(f"{path}\0{version_of(texts[path])}".encode() for path in sorted(texts))
        return MoveCheck(self.name, len(texts), digest, tuple(problems))

    def _gone(self, there: Mapping[str, str]) -> list[str]:
        """What an older copy holds and the folder no longer does."""
        return sorted({path for path, version in there.items() if version} - {*self._paths()})

    def _paths(self) -> list[str]:
        # Memory documents are made from the memory: a copy of them would outlive forgetting.
        return [path for path in self._files.paths() if not is_memory(path)]

    def _texts(self) -> tuple[dict[str, str], list[str]]:
        texts: dict[str, str] = {}
        problems: list[str] = []
        for path in self._paths():
            try:
                texts[path] = self._files.read(path).text
            except PaigeError as error:
                problems.append(f"It stays a file: {error.message}")
        return texts, problems


def _lines(log: KeptLog) -> tuple[int, str]:
    count = 0

    def counted() -> Iterable[bytes]:
        nonlocal count
        for _, line in log.lines():
            count += 1
            yield line + b"\n"

    digest = _digest(counted())
    return count, digest


def _digest(parts: Iterable[bytes]) -> str:
    seen = sha256()
    for part in parts:
        seen.update(part)
    return seen.hexdigest()
