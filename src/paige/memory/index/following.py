"""Following a log: events become rows, in batches, each batch with its place in the log.

What can be worked out from an event alone is done before the index is locked (`prepare`): its
words, its packed form, its vector. Under the lock the events get their numbers and all rows are
written with a handful of statements (`Writing`). Events that change earlier ones are in
`effects.py`. The place in the log is written in the same transaction as the rows, so a process that
is killed leaves a state from which any other goes on.
"""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from sqlite3 import Connection
from typing import Any, NamedTuple

import numpy as np

from paige.base.errors import BadInput, Unavailable
from paige.memory.embedding import StaticEmbedder, split_words
from paige.memory.event import SCOPES, SEAL_FIELDS, Event, dump_event
from paige.memory.finding.indexed_text import ONESELF, indexed_text, told_of
from paige.memory.finding.priorities import priority_of
from paige.memory.index import known_queries, queries
from paige.memory.index.blocks import NUMBERS, Block, Damaged, codes_of
from paige.memory.index.classes import HIDDEN, ClassKey, class_key, class_marks, row_marks
from paige.memory.index.packing import (
    FIELDS,
    pack_event,
    pack_fields,
    pack_values,
    unpack_event,
    values_of,
)
from paige.memory.index.queries import LogState
from paige.memory.index.schema import BLOCK
from paige.memory.intake.fingerprints import fingerprint, is_import
from paige.memory.log.events import read_event
from paige.memory.types import searchable
from paige.memory.vectors.backend import Embedder

Fields = dict[str, Any]
Values = tuple[Any, ...]
TOGETHER = 64  # texts that are embedded at once: their words are still near in the memory
_USUAL = len({*FIELDS, *SEAL_FIELDS})
seal_of = itemgetter(*SEAL_FIELDS)
# Besides supersedes: events that change or state something.
_ACTING = frozenset({"fact", "preference", "summary", "qa"})
# Scopes in which a class is of one session or one agent.
_NARROW = frozenset({"session", "agent"})
_OPEN: Fields = {"acl": (), "session": None, "agent": {"id": None}}
_NOTHING: Fields = {}
# Columns of a row that are also in the blocks.
_IN_BLOCKS = {"seq": 3, "at": 11, "importance": 12, "length": 15, "class": 16}


class Ready(NamedTuple):
    """What a memory's row holds that follows from its event alone."""

    key: ClassKey
    memory: list[Any]  # in the order of MEMORY_COLUMNS, with holes for the numbers
    words: str
    told: int
    priority: int


class Item(NamedTuple):
    """An event on its way into the index."""

    seq: int
    id: str
    type: str
    fields: Fields  # empty when nobody will look at it as a whole: most events leave nothing behind
    ready: Ready | None  # None: not a memory that can be found
    acts: bool  # whether it has to be looked at as a whole

    def event(self) -> Event:
        """The event as a whole."""
        return read_event(self.fields)


class Batch(NamedTuple):
    """Events that follow each other in a log, ready to be written."""

    items: Sequence[Item]
    vectors: np.ndarray | None  # a row for each that can be found


class _Said:
    """The texts of a batch on their way to becoming vectors."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        # It would cut the texts into the same words again.
        self._own = embedder if isinstance(embedder, StaticEmbedder) else None
        self._texts: list[str] = []
        self._words: list[list[str]] = []
        self._vectors: list[np.ndarray] = []

    def add(self, text: str, words: list[str]) -> None:
        """Take in a text and the words in it."""
        if self._own is None:
            self._texts.append(text)
            return
        self._words.append(words)
        if len(self._words) == TOGETHER:
            self._vectors.append(self._own.embed_words(self._words))
            self._words.clear()

    def vectors(self) -> np.ndarray | None:
        """A row for each text, or None while there is nobody to make them."""
        if self._own is None:
            return embed(self._texts, self._embedder)
        return np.concatenate([*self._vectors, self._own.embed_words(self._words)])


def prepare(lines: Iterable[Fields], embedder: Embedder | None) -> Batch:
    """Work out all that needs no lock; lines that are no events are left out.

    Lines are best handed over as they are read: one that nothing is kept of is gone before the
    next is parsed into the same place.
    """
    said = _Said(embedder)
    items = [item for fields in lines if (item := _item(fields, said)) is not None]
    return Batch(items, said.vectors())


def embed(texts: Sequence[str], embedder: Embedder | None) -> np.ndarray | None:
    """Vectors, or None while there is nobody to make them; they are made later then."""
    if embedder is None:
        return None
    try:
        return embedder.embed(texts)
    except Unavailable:
        return None


def words_of(event: Event) -> str:
    """What goes into the full-text index for an event; it is taken out by saying it again."""
    return indexed_text(speaker=speaker_of(event), at=event.at, text=event.text)


def speaker_of(event: Event) -> str | None:
    """Who said it, or the role of the agent that wrote it."""
    return _speaker(event.payload, event.agent.role)


def _speaker(payload: Mapping[str, Any], role: str | None) -> str | None:
    found = payload.get("speaker")
    return found if isinstance(found, str) and found else role


def _item(fields: Fields, said: _Said) -> Item | None:
    values = _usual_values(fields)
    if usual := values is not None:
        seq, type_, supersedes = values[1], values[3], values[17]
    else:
        try:
            event = read_event(fields)
        except BadInput:  # the log's own check reports it
            return None
        if event.forgotten:
            return Item(event.seq, event.id, "", fields, None, acts=False)
        fields = dump_event(event)
        values = values_of(fields)
        seq, type_, supersedes = event.seq, event.type, event.supersedes
    ready = _ready(fields, values, said, usual=usual) if searchable(type_) else None
    acts = ready is None or type_ in _ACTING or supersedes is not None
    return Item(seq, values[0], type_, fields if acts else _NOTHING, ready, acts)


def _usual_values(fields: Fields) -> Values | None:
    """The values of a line with the fields and types that this version writes, else None."""
    if len(fields) != _USUAL:
        return None
    try:
        seal_of(fields)
        values = values_of(fields)
    except KeyError:
        return None
    return values if _is_plain(values) else None


def _is_plain(values: Values) -> bool:
    """Whether the values, in the order of FIELDS, are of the types that this version writes."""
    id_, _, at, _, scope, owner, _, _, acl, agent, _, text, payload, _, importance, *_ = values
    return (
        type(id_) is str
        and type(at) is str
        and scope in SCOPES
        and type(owner) is str
        and type(acl) is list
        and type(agent) is dict
        and type(text) is str
        and type(payload) is dict
        and type(importance) is float
    )


def _ready(fields: Fields, values: Values, said: _Said, *, usual: bool) -> Ready:
    id_, seq, written, type_, scope, owner, project, session, _, agent, _, text = values[:12]
    payload, importance = values[12], values[14]
    speaker = _speaker(payload, agent["role"])
    words = split_words(text)
    said.add(text, words)
    at = datetime.fromisoformat(written)
    memory = [
        0,
        id_,
        0,
        seq,
        type_,
        scope,
        owner,
        project,
        session,
        None,
        speaker,
        at.timestamp(),
        importance,
        None,
        None if is_import(payload) else fingerprint(read_event(fields)),
        len(words),
        0,
        pack_values(values) if usual else pack_fields(fields),
    ]
    # Who says no "I" tells nothing of themself, which is known at once for most texts.
    silent = speaker and ONESELF.isdisjoint(words) and text.isascii()
    return Ready(
        _class_key(fields, values),
        memory,
        indexed_text(speaker=speaker, at=at, text=text),
        0 if silent else told_of(text, speaker),
        priority_of(payload),
    )


@lru_cache(maxsize=1024)
def _open_key(type_: str, scope: str, owner: str, project: str | None) -> ClassKey:
    """The class of what belongs to no session or agent alone and has no list of readers."""
    return class_key({**_OPEN, "type": type_, "scope": scope, "owner": owner, "project": project})


def _class_key(fields: Fields, values: Values) -> ClassKey:
    scope, project = values[4], values[6]
    if values[8] or scope in _NARROW or not (project is None or type(project) is str):
        return class_key(fields)
    return _open_key(values[3], scope, values[5], project)


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
class _Staged:
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


class Writing:
    """One transaction that adds and changes rows."""

    def __init__(self, connection: Connection, numbers: Numbers, width: int) -> None:
        self.connection = connection
        self.numbers = numbers
        self.width = width
        self.removed: set[str] = set()
        self._changed: dict[int, Block] = {}
        self._talks_changed: dict[tuple[int, str], Talk] = {}
        self._row_marks: dict[tuple[int, str | None], str] = {}
        self._staged = _Staged(0)
        self._vectors: np.ndarray | None = None
        self._load_numbers()
        self._staged = _Staged(numbers.rows + 1)

    # --- adding ---

    def expect(self, batch: Batch) -> None:
        """Say which vectors the events to come have."""
        self._vectors = batch.vectors

    def stage(self, log: int, ready: Ready, vector: int, duplicate_of: str | None) -> None:
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
        staged, self._staged = self._staged, _Staged(self.numbers.rows + 1)
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
        before = self._take_out(row)
        number = self.class_of(event, hidden=hidden)
        marks = self._marks_of(number, event.session)
        queries.add_words(self.connection, [(row, words_of(event), marks)])
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
        known_queries.move_fact(self.connection, before.id, number)

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
        for number, name in queries.speakers_after(self.connection, len(numbers.speakers) - 1):
            numbers.speakers[name] = number

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

    def _take_out(self, row: int) -> Event:
        """Take a row out of the full-text index and out of its session; nothing may be staged."""
        found = queries.class_and_body(self.connection, row)
        if found is None:
            raise Damaged(f"row {row} is missing")
        number, body = found
        event = unpack_event(body)
        marks = self._marks_of(number, event.session)
        queries.remove_words(self.connection, row, words_of(event), marks)
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
        return event


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
