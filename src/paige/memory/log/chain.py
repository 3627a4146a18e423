"""How the lines of the log hold together: each is sealed with a hash that covers the one before.

What a person said (the content: text, payload, task, outcome, evidence and every field this version
does not know) is covered by a salted digest; the rest of the line (the header) and that digest are
covered by the hash, together with the hash of the line before. So a changed word, a changed header,
a line taken out or put in are all noticed, and yet content and salt can be dropped later without
breaking the chain: the digest stays, and without the salt nobody can guess words against it.

A field that a later version adds is content, for otherwise older versions could not check it.
Everything here is a function of bytes and values; files are elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import orjson

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.memory.event import SEAL_FIELDS, Event

START_HASH = "0" * 64
SALT_BYTES = 16
HEADER_FIELDS = (
    "acl",
    "agent",
    "at",
    "digest",
    "id",
    "importance",
    "owner",
    "project",
    "provenance",
    "schema_version",
    "scope",
    "seq",
    "session",
    "supersedes",
    "type",
)
CONTENT_FIELDS = ("evidence", "outcome", "payload", "task", "text")  # and all others
_HEADER = frozenset(HEADER_FIELDS)
_NOT_CONTENT = _HEADER | set(SEAL_FIELDS) | {"forgotten"}
_EXPECTED = _NOT_CONTENT | set(CONTENT_FIELDS)
_SEAL = frozenset(SEAL_FIELDS)
_header_values = itemgetter(*HEADER_FIELDS)
_content_values = itemgetter(*CONTENT_FIELDS)
_PLAIN = orjson.OPT_PASSTHROUGH_DATACLASS  # its fields would keep an order of their own
_ENDING = slice(-75, -66)  # where `,"hash":"` stands before 64 digits, a quote and a bracket

Fault = Literal["unreadable", "foreign", "hash", "content", "spelling"]


class Link(NamedTuple):
    """Where a chain stands: the last event's number and hash, `None` when the hash is not known."""

    seq: int
    hash: str | None


START = Link(0, START_HASH)


class LineCheck(NamedTuple):
    """What a line holds, if it is an object, and what is wrong with it."""

    fields: dict[str, Any] | None
    faults: tuple[Fault, ...]


def seal(event: Event, prev: str, salt: str) -> bytes:
    """The line of an event, newline included. Raises: BadInput when it cannot be JSON.

    It holds what `dump_event` gives, put together from the very bytes that are hashed, because
    this is most of the work of writing an event. The header comes first and the hash last: what is
    left of a half-written line tells whose it was before it tells any words, and a whole line is
    recognised without reading it.
    """
    try:
        content = _sorted(_content_of(event))
        digest = sha256(salt.encode() + content).hexdigest()
        header = _dumps(_header_of(event, digest))
    except TypeError as error:
        raise BadInput(
            f"The event `{event.id}` cannot be written as JSON: {error}",
            hint="Use texts in valid Unicode, numbers of at most 64 bits, lists and objects.",
        ) from error
    own = sha256(prev.encode() + header).hexdigest()
    rest = (
        b'"forgotten":true'
        if event.forgotten
        else content[1:-1] + b',"salt":"' + salt.encode() + b'"'
    )
    return b'%b,%b,"prev":"%b","hash":"%b"}\n' % (header[:-1], rest, prev.encode(), own.encode())


def seal_all(
    link: Link, events: Sequence[Event], randomness: Callable[[int], bytes]
) -> list[bytes]:
    """The lines of events that follow each other from a place in the chain."""
    prev, lines = link.hash or START_HASH, list[bytes]()
    salts = randomness(SALT_BYTES * len(events)).hex()
    for index, event in enumerate(events):
        if event.seq != link.seq + 1 + index:
            raise ValueError(f"event {event.seq} stands where {link.seq + 1 + index} belongs")
        salt = salts[2 * SALT_BYTES * index : 2 * SALT_BYTES * (index + 1)]
        lines.append(seal(event, prev, salt))
        prev = sealed_hash(lines[-1])
    return lines


def sealed_hash(line: bytes) -> str:
    """The hash of a line that `seal` made."""
    return line[-67:-3].decode("ascii")


def looks_sealed(raw: bytes) -> bool:
    """Whether a line, without its newline, ends as ours do; quick, and no proof."""
    return raw[_ENDING] == b',"hash":"'


def header_hash(fields: Mapping[str, Any]) -> str:
    """The hash that a line should have."""
    try:
        header = dict(zip(HEADER_FIELDS, _header_values(fields), strict=True))
    except KeyError:
        header = {name: fields[name] for name in fields.keys() & _HEADER}
    prev = str(fields.get("prev")).encode()
    return sha256(prev + _sorted(header)).hexdigest()


def header_holds(fields: Mapping[str, Any]) -> bool:
    """Whether the header of a line is what was sealed."""
    return fields.get("hash") == header_hash(fields)


def content_holds(fields: Mapping[str, Any]) -> bool:
    """Whether the content is what was sealed, or was dropped in the proper way."""
    salt = fields.get("salt")
    if "forgotten" in fields:
        return fields["forgotten"] is True and salt is None and not fields.keys() - _NOT_CONTENT
    return isinstance(salt, str) and fields.get("digest") == _digest(fields, salt)


def follow(link: Link, fields: Mapping[str, Any]) -> Link | None:
    """Where the chain stands after a line, or `None` when the line is not its next event.

    A line that continues exactly where the chain stands is taken even if its own hash is wrong: its
    number was given out, and whoever writes next goes on from it. One that jumps ahead, because
    lines before it are lost, must hold by itself. Numbers never go back.
    """
    seq, own = fields.get("seq"), fields.get("hash")
    if type(seq) is not int or type(own) is not str:
        return None
    if seq == link.seq + 1 and link.hash in (None, fields.get("prev")):
        return Link(seq, own)
    return Link(seq, own) if seq > link.seq and header_holds(fields) else None


def parse(raw: bytes) -> dict[str, Any] | None:
    """The object in a line, or `None`."""
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return fields if type(fields) is dict else None


def is_foreign(fields: Mapping[str, Any]) -> bool:
    """Whether someone else wrote this object: it makes no claim to a place in the chain."""
    return _SEAL.isdisjoint(fields)


def check_line(raw: bytes) -> LineCheck:
    """Everything that can be said about a line by itself, its place among others aside."""
    raw = raw.removesuffix(b"\n")
    fields = parse(raw)
    if fields is None:
        return LineCheck(None, ("unreadable",))
    if is_foreign(fields):
        return LineCheck(fields, ("foreign",))
    faults: list[Fault] = []
    if not header_holds(fields):
        faults.append("hash")
    if not content_holds(fields):
        faults.append("content")
    # Values alone do not show a field given twice, nor `1E9` in place of `1e9`.
    if orjson.dumps(fields) != raw:
        faults.append("spelling")
    return LineCheck(fields, tuple(faults))


def forget_line(fields: Mapping[str, Any]) -> bytes:
    """The line without its content and salt, newline included; its hash stays what it was."""
    line = {name: value for name, value in fields.items() if name in _HEADER and name != "digest"}
    line["forgotten"] = True
    line |= {name: fields[name] for name in ("digest", "prev", "hash") if name in fields}
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _header_of(event: Event, digest: str) -> dict[str, Any]:
    """The fields of `HEADER_FIELDS`, in that order, as `dump_event` gives them."""
    agent, provenance = event.agent, event.provenance
    return {
        "acl": event.acl,
        "agent": {"id": agent.id, "role": agent.role, "tool": agent.tool},
        "at": _iso(event.at),
        "digest": digest,
        "id": event.id,
        "importance": event.importance,
        "owner": event.owner,
        "project": event.project,
        "provenance": {"session_id": provenance.session_id, "trace_id": provenance.trace_id},
        "schema_version": event.schema_version,
        "scope": event.scope,
        "seq": event.seq,
        "session": event.session,
        "supersedes": event.supersedes,
        "type": event.type,
    }


def _content_of(event: Event) -> dict[str, Any]:
    known = {
        "evidence": event.evidence,
        "outcome": event.outcome,
        "payload": event.payload,
        "task": event.task,
        "text": event.text,
    }
    if type(event.payload) is not dict:
        known["payload"] = dict(event.payload)
    if event.extra:
        known |= {name: event.extra[name] for name in event.extra.keys() - _EXPECTED}
    return known


def _iso(moment: datetime) -> str:
    """The same as `to_iso`, without a conversion that changes nothing."""
    if moment.tzinfo is UTC:
        return moment.isoformat(timespec="microseconds")[:-6] + "Z"
    return to_iso(moment)


def _digest(fields: Mapping[str, Any], salt: str) -> str:
    return sha256(salt.encode() + _sorted(_content(fields))).hexdigest()


def _content(fields: Mapping[str, Any]) -> dict[str, Any]:
    if _EXPECTED.issuperset(fields):  # nothing unknown: the usual case, and much quicker
        try:
            return dict(zip(CONTENT_FIELDS, _content_values(fields), strict=True))
        except KeyError:
            pass
    return {name: fields[name] for name in fields.keys() - _NOT_CONTENT}


def _dumps(value: object) -> bytes:
    return orjson.dumps(value, option=_PLAIN)


def _sorted(value: object) -> bytes:
    return orjson.dumps(value, option=_PLAIN | orjson.OPT_SORT_KEYS)
