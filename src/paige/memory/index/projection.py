"""Following a log: events become rows, in batches, each batch with its place in the log.

What can be worked out from an event alone is done before (`preparation.py`). Under the lock the
events get their numbers and all rows are written with a handful of statements
(`IndexTransaction`). Events that change earlier ones are in `effects.py`. The place in the log is
written in the same transaction as the rows, so a process that is killed leaves a state from which
any other goes on.
"""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from sqlite3 import Connection
from typing import Any

import numpy as np

from paige.memory.event import Event, dump_event
from paige.memory.index import queries
from paige.memory.index.blocks import NUMBERS, Block, Damaged, codes_of
from paige.memory.index.classes import HIDDEN, ClassKey, class_key, class_marks, row_marks
from paige.memory.index.preparation import (
    Batch,
    Item,
    PreparedMemory,
    pack_event,
    unpack_event,
)
from paige.memory.index.queries import LogState
from paige.memory.index.schema import BLOCK
from paige.memory.retrieval.indexed_text import indexed_text

# Columns of a row that are also in the blocks.
_IN_BLOCKS = {"seq": 3, "at": 11, "importance": 12, "length": 15, "class": 16}


@dataclass(slots=True)
class Talk:
    """The memories of one session in one class."""

    number: int
    last: int  # its last row
    count: int
    marks: str = ""  # what each of them carries, once a row was added


@dataclass(slots=True)
class Numbers:
    """What a writer remembers from one transaction to the next; void once another one wrote."""

    version: int = -1
    rows: int = 0
    vectors_up_to: int = 0
    classes: dict[object, int] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    talks: dict[tuple[int, str], Talk] = field(default_factory=dict)
    last_talk: int = 0
    began_empty: bool = False  # there was no session when the numbers were read
    speakers: dict[str, int] = field(default_factory=dict)
    tail: Block | None = None


@dataclass(slots=True)
class _StagedRows:
    """Rows that have their numbers and are not yet written, as columns."""

    first: int
    memories: list[list[Any]] = field(default_factory=list)
    words: list[tuple[int, str, str]] = field(default_factory=list)
    session: list[int] = field(default_factory=list)
    previous: list[int] = field(default_factory=list)
    following: list[int] = field(default_factory=list)
    speaker: list[int] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    priority: list[int] = field(default_factory=list)
    vectors: list[int] = field(default_factory=list)  # their places in the batch

    def numbers(self) -> np.ndarray:
        """What goes into the blocks."""
        table = np.zeros(len(self.memories), NUMBERS)
        for name, column in _IN_BLOCKS.items():
            table[name] = [memory[column] for memory in self.memories]
        for name in ("session", "previous", "following", "speaker", "told", "priority"):
            table[name] = getattr(self, name)
        return table


class IndexTransaction:
    """One transaction that adds and changes rows."""

    def __init__(self, connection: Connection, numbers: Numbers, width: int) -> None:
        self.connection = connection
        self.numbers = numbers
        self.width = width
        self.removed: set[str] = set()
        self._changed: dict[int, Block] = {}
        self._talks_changed: dict[tuple[int, str], Talk] = {}
        self._row_marks: dict[tuple[int, str | None], str] = {}
        self._staged = _StagedRows(0)
        self._vectors: np.ndarray | None = None
        self._load_numbers()
        self._staged = _StagedRows(numbers.rows + 1)

    # --- adding ---

    def expect(self, batch: Batch) -> None:
        """Say which vectors the events to come have."""
        self._vectors = batch.vectors

    def stage(self, log: int, ready: PreparedMemory, vector: int, duplicate_of: str | None) -> None:
        """Give an event its numbers; it is written by the next `flush`."""
        numbers, staged, memory = self.numbers, self._staged, ready.memory
        number = numbers.classes.get(ready.key) if duplicate_of is None else None
        if number is None:
            number = self.class_number(ready.key, hidden=duplicate_of is not None)
        row = numbers.rows = numbers.rows + 1
        memory[0], memory[2], memory[13], memory[16] = row, log, duplicate_of, number
        session, speaker, previous = memory[8], memory[10], 0
        if session is None:
            staged.session.append(-1)
            marks = self._marks_of(number, None)
        else:
            place = (number, session)
            talk = numbers.talks.get(place) or self.talk(number, session)
            marks = talk.marks = talk.marks or self._marks_of(number, session)
            previous, memory[9] = talk.last, talk.count
            talk.last = row
            talk.count += 1
            self._talks_changed[place] = talk
            staged.session.append(talk.number)
        staged.previous.append(previous)
        staged.following.append(0)
        if previous:
            self._set_following(previous, row)
        staged.memories.append(memory)
        staged.words.append((row, ready.words, marks))
        staged.speaker.append(-1 if speaker is None else self._speaker(speaker))
        staged.told.append(ready.told)
        staged.priority.append(ready.priority)
        staged.vectors.append(vector)

    def flush(self) -> list[str]:
        """Write what was staged and return its ids."""
        staged, self._staged = self._staged, _StagedRows(self.numbers.rows + 1)
        if not staged.memories:
            return []
        queries.add_memories(self.connection, staged.memories)
        queries.add_words(self.connection, staged.words)
        table = staged.numbers()
        for block, inside, outside in _pieces(staged.first, len(table)):
            target = self.block(block)
            target.numbers[inside] = table[outside]
            target.count = max(target.count, inside.stop)
        if self._vectors is not None and self.numbers.vectors_up_to == staged.first - 1:
            self.add_vectors(staged.first, self._vectors[staged.vectors])
            self.numbers.vectors_up_to = self.numbers.rows
        return [memory[1] for memory in staged.memories]

    def add_vectors(self, first: int, vectors: np.ndarray) -> None:
        """Keep the vectors of rows that follow each other."""
        kept = np.ascontiguousarray(vectors, np.float16)
        codes = codes_of(kept)
        for block, inside, outside in _pieces(first, len(vectors)):
            self.block(block).bits[inside] = codes[outside]
        exact = kept.view(f"V{2 * vectors.shape[1]}")[:, 0].tolist()
        queries.add_vectors(self.connection, enumerate(exact, first))

    def add_vectors_of(self, rows: np.ndarray, vectors: np.ndarray, wanted: Sequence[bool]) -> None:
        """Keep the vectors of the wanted rows; whatever is between them is gone."""
        runs = np.flatnonzero(np.diff(rows, prepend=rows[0] - 2) != 1)
        keep = np.array(wanted)
        for start, end in zip(runs, [*runs[1:], len(rows)], strict=True):
            for at in range(start, end) if not keep[start:end].all() else ():
                if keep[at]:
                    self.add_vectors(int(rows[at]), vectors[at : at + 1])
            if keep[start:end].all():
                self.add_vectors(int(rows[start]), vectors[start:end])
        self.numbers.vectors_up_to = int(rows[-1])

    # --- changing ---

    def event_at(self, row: int) -> Event:
        """The event of a row."""
        found = queries.class_and_body(self.connection, row)
        if found is None:
            raise Damaged(f"row {row} is missing")
        return unpack_event(found[1])

    def move(self, row: int, event: Event, *, hidden: bool) -> None:
        """Put a row into the class that its event, changed or hidden, belongs to now."""
        self._take_out(row)
        number = self.class_of(event, hidden=hidden)
        marks = self._marks_of(number, event.session)
        queries.add_words(self.connection, [(row, indexed_text(event.text), marks)])
        session, previous, position = -1, 0, None
        if event.session is not None:
            talk = self.talk(number, event.session)
            session, previous, position = talk.number, talk.last, talk.count
            self._join(number, event.session, talk, row)
        record = self.block_of(row).numbers[(row - 1) % BLOCK : (row - 1) % BLOCK + 1]
        record["class"], record["session"] = number, session
        record["previous"], record["following"] = previous, 0
        if previous:
            self._set_following(previous, row)
        place = {
            "class": number,
            "scope": event.scope,
            "project": event.project,
            "position": position,
        }
        queries.move_memory(self.connection, row, place, pack_event(event))

    def remove(self, row: int, id: str) -> None:
        """Take a row out of everything."""
        self._take_out(row)
        block = self.block_of(row)
        block.numbers[(row - 1) % BLOCK] = 0
        block.bits[(row - 1) % BLOCK] = 0
        queries.remove_memory(self.connection, row, id)
        self.removed.add(id)

    def set_number(self, row: int, name: str, value: float) -> None:
        """Change one number of a row."""
        self.block_of(row).numbers[name][(row - 1) % BLOCK] = value

    def add_to_number(self, row: int, name: str, more: float) -> None:
        """Raise one number of a row."""
        self.block_of(row).numbers[name][(row - 1) % BLOCK] += more

    def finish(self) -> None:
        """Write blocks, sessions and counters; the transaction can be committed after this."""
        numbers = self.numbers
        numbers.version += 1
        queries.save_blocks(
            self.connection, numbers.version, (each.pack() for each in self._changed.values())
        )
        queries.save_sessions(
            self.connection,
            (
                (talk.number, number, session, talk.last, talk.count)
                for (number, session), talk in self._talks_changed.items()
            ),
        )
        queries.set_meta(self.connection, "version", numbers.version)
        queries.set_meta(self.connection, "rows", numbers.rows)
        queries.set_meta(self.connection, "vectors_up_to", numbers.vectors_up_to)
        if self._changed:
            numbers.tail = self._changed.get((numbers.rows - 1) // BLOCK, numbers.tail)

    # --- numbers for names ---

    def class_of(self, event: Event, *, hidden: bool) -> int:
        """The number of the event's class."""
        return self.class_number(class_key(dump_event(event)), hidden=hidden)

    def class_number(self, key: ClassKey, *, hidden: bool) -> int:
        """The number of a class, which may be the hidden twin of another."""
        known = (key, HIDDEN) if hidden else key
        number = self.numbers.classes.get(known)
        if number is None:
            marks = class_marks(key, hidden=hidden)
            number = queries.add_class(self.connection, repr(known), marks)
            self.numbers.classes[known] = number
            self.numbers.marks[number] = marks
        return number

    def _marks_of(self, number: int, session: str | None) -> str:
        marks = self._row_marks.get((number, session))
        if marks is None:
            marks = row_marks(number, self.numbers.marks[number], session)
            self._row_marks[number, session] = marks
        return marks

    def talk(self, number: int, session: str) -> Talk:
        """The memories of a session that are in a class."""
        talk = self.numbers.talks.get((number, session))
        if talk is None:
            # In an index that began empty, every session was added here and is remembered.
            found = None
            if not self.numbers.began_empty:
                found = queries.find_session(self.connection, number, session)
            if found is None:
                self.numbers.last_talk += 1
                found = (self.numbers.last_talk, 0, 0)
            talk = self.numbers.talks[number, session] = Talk(*found)
        return talk

    def block(self, block: int) -> Block:
        """A block to change."""
        found = self._changed.get(block)
        if found is None:
            tail = self.numbers.tail
            if tail is not None and tail.block == block:
                found = tail
            else:
                stored = queries.find_block(self.connection, block)
                found = Block(block, self.width, stored)
            self._changed[block] = found
        return found

    def block_of(self, row: int) -> Block:
        """The block that a row is in."""
        return self.block((row - 1) // BLOCK)

    def _load_numbers(self) -> None:
        numbers = self.numbers
        found = queries.metas(self.connection)
        if found["version"] == numbers.version:
            return
        numbers.talks.clear()
        numbers.classes.clear()
        numbers.tail = None
        numbers.version, numbers.rows = found["version"], found["rows"]
        numbers.vectors_up_to = found.get("vectors_up_to", 0)
        known = max(numbers.marks, default=0)
        numbers.marks.update(queries.classes_after(self.connection, known))
        numbers.last_talk = queries.last_session(self.connection)
        numbers.began_empty = numbers.last_talk == 0
        speakers = queries.speakers_after(self.connection, -1)
        numbers.speakers = {name: number for number, name in speakers}

    def _speaker(self, name: str) -> int:
        number = self.numbers.speakers.get(name)
        if number is None:
            number = self.numbers.speakers[name] = len(self.numbers.speakers)
            queries.add_speaker(self.connection, number, name)
        return number

    def _join(self, number: int, session: str, talk: Talk, row: int) -> None:
        talk.last = row
        talk.count += 1
        self._talks_changed[number, session] = talk

    def _set_following(self, row: int, following: int) -> None:
        if row >= self._staged.first:
            self._staged.following[row - self._staged.first] = following
        else:
            self.set_number(row, "following", following)

    def _take_out(self, row: int) -> None:
        """Take a row out of the full-text index and out of its session; nothing may be staged."""
        found = queries.class_and_body(self.connection, row)
        if found is None:
            raise Damaged(f"row {row} is missing")
        number, body = found
        event = unpack_event(body)
        marks = self._marks_of(number, event.session)
        queries.remove_words(self.connection, row, indexed_text(event.text), marks)
        record = self.block_of(row).numbers[(row - 1) % BLOCK]
        previous, following = int(record["previous"]), int(record["following"])
        if previous:
            self.set_number(previous, "following", following)
        if following:
            self.set_number(following, "previous", previous)
        elif event.session is not None and record["session"] >= 0:
            talk = self.talk(number, event.session)
            talk.last = previous
            self._talks_changed[number, event.session] = talk


def _pieces(first: int, count: int) -> Iterable[tuple[int, slice, slice]]:
    """Cuts rows that follow each other by blocks: block, places in it, places among the rows."""
    at = 0
    while at < count:
        block, inside = divmod(first - 1 + at, BLOCK)
        size = min(BLOCK - inside, count - at)
        yield block, slice(inside, inside + size), slice(at, at + size)
        at += size


def unseen(batch: Batch, cursor: int) -> list[tuple[Item, int]]:
    """The events of a batch after a place in the log, with the place of their vector."""
    places = accumulate([item.ready is not None for item in batch.items], initial=-1)
    next(places)
    found = list(zip(batch.items, places, strict=True))
    if found and found[0][0].seq > cursor:  # numbers rise
        return found
    return [each for each in found if each[0].seq > cursor]


def advanced(state: LogState, items: Sequence[tuple[Item, int]]) -> LogState:
    """The place in the log after events."""
    if not items:
        return state
    checksum = zlib.crc32("".join([item.id for item, _ in items]).encode(), state.checksum)
    last, count = items[-1][0], state.events + len(items)
    return state._replace(cursor=last.seq, last_id=last.id, events=count, checksum=checksum)
