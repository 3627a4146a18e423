"""What the memory log holds: events, and the drafts they are made from.

An event is one thing that was said, learned, decided or done. Once it is in the log it never
changes; later events supersede, rescope or forget it. The names are those of the JSON lines; what
only some events have (speaker, key, class, the caller's `meta`) lives in `payload`, and fields this
version does not know come along in `extra` and go out again as they came in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, cast, get_args

from paige.base.clock import from_iso, to_iso
from paige.base.errors import BadInput

SCHEMA_VERSION = "1.0.0"
Scope = Literal["global", "project", "session", "agent", "teacher", "class", "learner"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
DEFAULT_IMPORTANCE = 0.5


class AgentRef(NamedTuple):
    """Which agent wrote an event: its id, its role in an orchestra, the program it runs in."""

    id: str | None = None
    role: str | None = None
    tool: str | None = None


class Provenance(NamedTuple):
    """Where an event comes from: the session and the trace of the run."""

    session_id: str | None = None
    trace_id: str | None = None


UNKNOWN_AGENT = AgentRef()
UNKNOWN_ORIGIN = Provenance()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a writer hands to the broker; whatever is left out the broker decides."""

    text: str = ""
    type: str = "note"
    scope: Scope | None = None
    owner: str | None = None
    project: str | None = None
    session: str | None = None
    acl: tuple[str, ...] = ()
    agent: AgentRef = UNKNOWN_AGENT
    task: str | None = None
    payload: Mapping[str, Any] = field(default_factory=dict)
    outcome: str | None = None
    importance: float | None = None
    evidence: tuple[str, ...] = ()
    provenance: Provenance = UNKNOWN_ORIGIN
    supersedes: str | None = None
    at: datetime | None = None
    id: str | None = None  # given by spools and imports, so that a second delivery is noticed


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the log."""

    id: str
    seq: int
    at: datetime
    type: str
    scope: Scope
    owner: str
    project: str | None = None
    session: str | None = None
    acl: tuple[str, ...] = ()
    agent: AgentRef = UNKNOWN_AGENT
    task: str | None = None
    text: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)
    outcome: str | None = None
    importance: float = DEFAULT_IMPORTANCE
    evidence: tuple[str, ...] = ()
    provenance: Provenance = UNKNOWN_ORIGIN
    supersedes: str | None = None
    schema_version: str = SCHEMA_VERSION
    forgotten: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def speaker(self) -> str | None:
        """Who said it, in events that are part of a conversation."""
        return self.payload.get("speaker")

    @property
    def key(self) -> str | None:
        """What it states a value for, in facts; a later fact with the same key supersedes it."""
        return self.payload.get("key")

    @property
    def class_id(self) -> str | None:
        """The class it is about, in events of the scope `class`."""
        return self.payload.get("class_id")


# Written by the log around an event: its place in the chain.
SEAL_FIELDS = ("salt", "digest", "prev", "hash")
_FIELDS = frozenset(Event.__dataclass_fields__) - {"extra"} | set(SEAL_FIELDS)
_NESTED = {"agent": frozenset(AgentRef._fields), "provenance": frozenset(Provenance._fields)}


def dump_event(event: Event) -> dict[str, Any]:
    """The event as it is written, without its place in the chain."""
    fields: dict[str, Any] = {
        "id": event.id,
        "schema_version": event.schema_version,
        "seq": event.seq,
        "at": to_iso(event.at),
        "type": event.type,
        "scope": event.scope,
        "owner": event.owner,
        "project": event.project,
        "session": event.session,
        "acl": list(event.acl),
        "agent": event.agent._asdict(),
        "task": event.task,
        "text": event.text,
        "payload": dict(event.payload),
        "outcome": event.outcome,
        "importance": event.importance,
        "evidence": list(event.evidence),
        "provenance": event.provenance._asdict(),
        "supersedes": event.supersedes,
    }
    if event.forgotten:
        fields["forgotten"] = True
    for name in _NESTED.keys() & event.extra.keys():
        fields[name] = {**event.extra[name], **fields[name]}
    return {**event.extra, **fields}


def load_event(line: Mapping[str, Any]) -> Event:
    """Read a parsed line. Raises: BadInput naming the field that cannot be used."""
    try:
        agent, provenance = line.get("agent") or {}, line.get("provenance") or {}
        return Event(
            id=_text(line, "id"),
            seq=_number(line, "seq"),
            at=from_iso(line["at"]),
            type=_text(line, "type"),
            scope=as_scope(line["scope"]),
            owner=_text(line, "owner"),
            project=line.get("project"),
            session=line.get("session"),
            acl=tuple(line.get("acl") or ()),
            agent=AgentRef(agent.get("id"), agent.get("role"), agent.get("tool")),
            task=line.get("task"),
            text=line.get("text") or "",
            payload=line.get("payload") or {},
            outcome=line.get("outcome"),
            importance=float(line.get("importance", DEFAULT_IMPORTANCE)),
            evidence=tuple(line.get("evidence") or ()),
            provenance=Provenance(provenance.get("session_id"), provenance.get("trace_id")),
            supersedes=line.get("supersedes"),
            schema_version=line.get("schema_version", SCHEMA_VERSION),
            forgotten=bool(line.get("forgotten")),
            extra=_unknown(line),
        )
    except KeyError as error:
        raise BadInput(f"the field `{error.args[0]}` is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"a field cannot be used: {error}") from error


def draft_of(event: Event) -> Draft:
    """An event as a draft that says everything it says."""
    return Draft(**{name: getattr(event, name) for name in Draft.__dataclass_fields__})


def as_scope(value: object) -> Scope:
    """A scope by its name. Raises: BadInput."""
    if value not in SCOPES:
        raise BadInput(f"`{value}` is not a scope", hint=f"Scopes are: {', '.join(SCOPES)}.")
    return cast(Scope, value)


def ids_in(value: object) -> list[str]:
    """The ids that an entry of a payload names, one or several, each once."""
    if isinstance(value, str):
        return [value]
    several = value if isinstance(value, list | tuple) else ()
    return list(dict.fromkeys(each for each in several if isinstance(each, str)))


def _unknown(line: Mapping[str, Any]) -> dict[str, Any]:
    """What this version does not know: whole fields, and what is new inside those it knows."""
    found = {} if _FIELDS.issuperset(line) else {n: line[n] for n in line.keys() - _FIELDS}
    for name, known in _NESTED.items():
        value = line.get(name)
        if value and not known.issuperset(value):
            found[name] = {key: value[key] for key in value.keys() - known}
    return found


def _text(line: Mapping[str, Any], name: str) -> str:
    value = line[name]
    if not isinstance(value, str) or not value:
        raise BadInput(f"the field `{name}` is not a text")
    return value


def _number(line: Mapping[str, Any], name: str) -> int:
    value = line[name]
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput(f"the field `{name}` is not a number")
    return value
