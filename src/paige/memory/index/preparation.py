"""What of an event can be worked out alone: its words, its packed form, its vector.

This is done before the index is locked, and may be done in another process (`backlog_process.py`).
Packed, an event has the same fields as a line of the log, without their names.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

import numpy as np
import orjson

from paige.base.clock import from_iso
from paige.base.errors import BadInput, Unavailable
from paige.memory.embedding import StaticEmbedder, split_words
from paige.memory.event import (
    SCOPES,
    SEAL_FIELDS,
    AgentRef,
    Event,
    Provenance,
    dump_event,
    load_event,
)
from paige.memory.index.blocks import Damaged
from paige.memory.index.classes import ClassKey, class_key
from paige.memory.intake.fingerprints import fingerprint, is_import
from paige.memory.retrieval.indexed_text import ONESELF, indexed_text, priority_of, told_of
from paige.memory.types import searchable
from paige.memory.vectors.backend import Embedder

FIELDS = (
    "id",
    "seq",
    "at",
    "type",
    "scope",
    "owner",
    "project",
    "session",
    "acl",
    "agent",
    "task",
    "text",
    "payload",
    "outcome",
    "importance",
    "evidence",
    "provenance",
    "supersedes",
    "schema_version",
)
_NOBODY, _NOWHERE = AgentRef(), Provenance()
_EMPTY_AGENT, _EMPTY_PROVENANCE = _NOBODY._asdict(), _NOWHERE._asdict()
_AGENT, _PROVENANCE = FIELDS.index("agent"), FIELDS.index("provenance")
values_of = itemgetter(*FIELDS)
_NOT_EXTRA = frozenset({*FIELDS, *SEAL_FIELDS, "forgotten"})


def pack_event(event: Event) -> bytes:
    """The event as bytes."""
    return pack_fields(dump_event(event))


def pack_fields(fields: Mapping[str, Any]) -> bytes:
    """The event in a line of the log as bytes; all of its own fields must be there."""
    extra = {name: fields[name] for name in fields if name not in _NOT_EXTRA}
    return pack_values(values_of(fields), *([extra] if extra else ()))


def pack_values(values: Sequence[Any], *extra: Mapping[str, Any]) -> bytes:
    """The same for the values of FIELDS, in that order, when those of other fields are known."""
    packed = [*values, *extra]
    if packed[_AGENT] == _EMPTY_AGENT:
        packed[_AGENT] = None
    if packed[_PROVENANCE] == _EMPTY_PROVENANCE:
        packed[_PROVENANCE] = None
    return orjson.dumps(packed)


def unpack_event(body: bytes) -> Event:
    """The event that was packed. Raises: Damaged."""
    try:
        found = dict(zip(FIELDS, values := orjson.loads(body), strict=False))
        agent, provenance = found["agent"], found["provenance"]
        found["at"] = from_iso(found["at"])
        found["acl"], found["evidence"] = tuple(found["acl"]), tuple(found["evidence"])
        found["agent"] = _NOBODY if agent is None else AgentRef(**agent)
        found["provenance"] = _NOWHERE if provenance is None else Provenance(**provenance)
        return Event(**found, extra=values[len(FIELDS)] if len(values) > len(FIELDS) else {})
    except (ValueError, TypeError, KeyError) as error:
        raise Damaged(f"a memory cannot be read: {error}") from error


Fields = dict[str, Any]
Values = tuple[Any, ...]
TOGETHER = 64  # texts that are embedded at once: their words are still near in the memory
_USUAL = len({*FIELDS, *SEAL_FIELDS})
seal_of = itemgetter(*SEAL_FIELDS)
# Besides supersedes: events that change or state something.
_ACTING = frozenset({"fact", "preference", "summary"})
# Scopes in which a class is of one session or one agent.
_NARROW = frozenset({"session", "agent"})
_OPEN: Fields = {"acl": (), "session": None, "agent": {"id": None}}
_NOTHING: Fields = {}


class PreparedMemory(NamedTuple):
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
    ready: PreparedMemory | None  # None: not a memory that can be found
    acts: bool  # whether it has to be looked at as a whole

    def event(self) -> Event:
        """The event as a whole."""
        return load_event(self.fields)


class Batch(NamedTuple):
    """Events that follow each other in a log, ready to be written."""

    items: Sequence[Item]
    vectors: np.ndarray | None  # a row for each that can be found


class BatchListener(Protocol):
    """Whoever takes in the texts of a batch."""

    def add(self, text: str, words: list[str]) -> None:
        """Take in a text and the words in it."""
        ...


class _BatchTexts:
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
    said = _BatchTexts(embedder)
    return Batch(read_items(lines, said), said.vectors())


def read_items(lines: Iterable[Fields], said: BatchListener) -> list[Item]:
    """The events of lines, without their vectors; `said` is told what can be found."""
    return [item for fields in lines if (item := _item(fields, said)) is not None]


def embed(texts: Sequence[str], embedder: Embedder | None) -> np.ndarray | None:
    """Vectors, or None while there is nobody to make them; they are made later then."""
    if embedder is None:
        return None
    try:
        return embedder.embed(texts)
    except Unavailable:
        return None


def _speaker(payload: Mapping[str, Any], role: str | None) -> str | None:
    found = payload.get("speaker")
    return found if isinstance(found, str) and found else role


def _item(fields: Fields, said: BatchListener) -> Item | None:
    values = _usual_values(fields)
    if usual := values is not None:
        seq, type_, supersedes = values[1], values[3], values[17]
    else:
        try:
            event = load_event(fields)
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


def _ready(fields: Fields, values: Values, said: BatchListener, *, usual: bool) -> PreparedMemory:
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
        None if is_import(payload) else fingerprint(load_event(fields)),
        len(words),
        0,
        pack_values(values) if usual else pack_fields(fields),
    ]
    # Who says no "I" tells nothing of themself, which is known at once for most texts.
    silent = speaker and ONESELF.isdisjoint(words) and text.isascii()
    return PreparedMemory(
        _class_key(fields, values),
        memory,
        indexed_text(text),
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
