"""An event as the index keeps it: the same fields as a line of the log, without their names."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

import orjson

from paige.base.clock import from_iso
from paige.memory.event import SEAL_FIELDS, AgentRef, Event, Provenance, dump_event
from paige.memory.index.blocks import Damaged

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
