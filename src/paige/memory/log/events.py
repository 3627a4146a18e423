"""Events from parsed lines, quickly: a rebuild reads a million of them.

A line with exactly the fields this version writes is taken as it is; whatever is unusual goes the
careful way, with the same result.
"""

from typing import Any

from paige.base.clock import from_iso
from paige.memory.event import SCOPES, AgentRef, Event, Provenance, load_event

_USUAL = frozenset(Event.__dataclass_fields__) - {"extra", "forgotten"}
_USUAL_LINE = _USUAL | {"salt", "digest", "prev", "hash"}


def read_event(fields: dict[str, Any]) -> Event:
    """The event in a parsed line. Raises: BadInput naming the field that cannot be used."""
    if len(fields) != len(_USUAL_LINE) or not _USUAL_LINE.issuperset(fields) or _odd(fields):
        return load_event(fields)
    try:
        agent, provenance = fields["agent"], fields["provenance"]
        return Event(
            id=fields["id"],
            seq=fields["seq"],
            at=from_iso(fields["at"]),
            type=fields["type"],
            scope=fields["scope"],
            owner=fields["owner"],
            project=fields["project"],
            session=fields["session"],
            acl=tuple(fields["acl"]),
            agent=AgentRef(agent["id"], agent["role"], agent["tool"]),
            task=fields["task"],
            text=fields["text"],
            payload=fields["payload"],
            outcome=fields["outcome"],
            importance=fields["importance"],
            evidence=tuple(fields["evidence"]),
            provenance=Provenance(provenance["session_id"], provenance["trace_id"]),
            supersedes=fields["supersedes"],
            schema_version=fields["schema_version"],
        )
    except (KeyError, TypeError, ValueError):
        return load_event(fields)


def _odd(fields: dict[str, Any]) -> bool:
    """Whether a value is not what it usually is; spelled out, for it is asked of every line."""
    return not (
        fields["scope"] in SCOPES
        and type(fields["id"]) is str
        and type(fields["type"]) is str
        and type(fields["owner"]) is str
        and type(fields["text"]) is str
        and type(fields["seq"]) is int
        and type(fields["importance"]) is float
        and type(fields["payload"]) is dict
        and type(fields["acl"]) is list
        and type(fields["evidence"]) is list
        and fields["id"]
        and fields["type"]
        and fields["owner"]
    )
