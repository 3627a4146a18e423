"""What the broker decides about one draft alone: whether it may come in, and as what.

Everything here is a pure function of the draft and its writer. Text that Paige itself put into a
prompt is taken out again, secrets are blotted out, scope and owner are settled. What depends on
other memories (duplicates, superseded facts) is decided in `broker.py`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from paige.base.errors import BadInput, Refused
from paige.base.secrets import find_secrets, redact
from paige.base.wire import storable
from paige.memory.access import is_person
from paige.memory.event import SCOPES, AgentRef, Draft, Event, Provenance, Scope
from paige.memory.intake.fingerprints import is_import
from paige.memory.types import check_payload, is_number, shown, type_of

MOST_TEXT = 2**20
MOST_DEPTH = 64
INTEGERS = range(-(2**63), 2**64)
NO_AGENT = AgentRef()
GATED_SCOPES = frozenset({"teacher", "class"})
# Entries of a payload that name things, not people.
_NOT_WORDS = frozenset(
    {
        "adopted", "base", "by", "class_id", "ids", "importance_reasons", "inputs_hash", "of",
        "path", "scores", "source", "tier", "tool", "validated_at", "version",
    }
)  # fmt: skip
_BLOCK = re.compile(r"<paige-memory\b[^<>]*+>.*?</paige-memory\s*>", re.DOTALL | re.IGNORECASE)
_CLOSE = re.compile(r"</paige-memory\s*>", re.IGNORECASE)
# Cut off in the middle: the rest is recalled text as well.
_OPEN = re.compile(r"^[ \t]*<paige-memory\b[^<>]*+>.*\Z", re.DOTALL | re.IGNORECASE | re.MULTILINE)


class OnlyRecalled(Exception):
    """Nothing is left of a text but what was recalled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """On whose account something is remembered, and where.

    Only `trusted` writers (imports and jobs that a person started) may name another owner. With
    accounts a writer puts memories before others only in their own `projects`, and before everyone
    only if they `share`: what agents of others read must not come from just anybody.
    """

    person: str = "me"
    project: str | None = None
    session: str | None = None
    agent: AgentRef = NO_AGENT
    trace: str | None = None
    roles: frozenset[str] = frozenset()
    projects: frozenset[str] | None = None
    shares: bool = True
    trusted: bool = False


def admit(draft: Draft, writer: Writer, now: datetime) -> Event:
    """The event a draft asks for, without id and number.

    Raises: BadInput, Refused, OnlyRecalled.
    """
    imported = is_import(draft.payload)
    payload = _clean_payload(draft.payload)
    text = _clean_text(draft)
    _check_text(draft.type, text)
    check_payload(draft.type, payload, draft.outcome)
    scope = scope_of(draft, writer)
    named = imported and draft.scope is not None
    project = draft.project or (None if named or scope == "global" else writer.project)
    session = draft.session or (None if imported else writer.session)
    _check_place(scope, project, session)
    agent = draft.agent if any(draft.agent) else writer.agent
    event = Event(
        id=_identity(draft.id),
        seq=0,
        at=_moment(draft.at, now),
        type=_word("type", draft.type),
        scope=scope,
        owner=_owner(draft, writer),
        project=_optional("project", project),
        session=_optional("session", session),
        acl=tuple(_word("acl", each) for each in draft.acl),
        agent=agent,
        task=_said(draft.task),
        text=text,
        payload=payload,
        outcome=_said(draft.outcome),
        importance=_share(draft.importance),
        evidence=tuple(storable(each) for each in draft.evidence),
        provenance=_provenance(draft.provenance, session, writer, imported=imported),
        supersedes=None if imported else draft.supersedes,
    )
    check_readers(event, writer)
    return blotted(event)


def scope_of(draft: Draft, writer: Writer) -> Scope:
    """The scope a draft names; else its project, else the writer's, else everywhere.

    Imports say themselves where they belong, and what a person prefers is not about a project. What
    belongs to nobody in particular stays with a writer who may not share it.
    """
    if draft.scope is not None:
        if draft.scope not in SCOPES:
            raise BadInput(
                f"`scope` is `{shown(draft.scope)}`, which is not a scope",
                hint=f"Scopes are: {', '.join(SCOPES)}.",
            )
        return draft.scope
    if draft.project:
        return "project"
    if not writer.shares:
        return "project" if writer.project in (writer.projects or ()) else "learner"
    if is_import(draft.payload) or draft.type == "preference":
        return "global"
    return "project" if writer.project else "global"


def check_readers(event: Event, writer: Writer) -> None:
    """Let a memory be put before others than its owner. Raises: Refused."""
    if writer.trusted:
        return
    closed = writer.projects is not None and event.project not in writer.projects
    if event.scope == "project" and closed:
        raise Refused(
            f"You do not work in the project `{shown(event.project)}`, so you cannot add to it",
            hint="Leave out the project.",
        )
    public = event.scope in ("global", "session", "agent")
    if not writer.shares and (public or any(not is_person(each) for each in event.acl)):
        raise Refused(
            f"Your account may not share a memory with others (`scope` is `{event.scope}`)",
            hint="Leave out the scope, and it is kept for you alone.",
        )


def strip_recalled(text: str) -> str:
    """The text without the blocks Paige put in front of a prompt."""
    if "<paige-memory" not in text.lower():
        return text
    # Behind the last end no block can be whole, and each of many beginnings would be tried there.
    last = max((each.end() for each in _CLOSE.finditer(text)), default=0)
    return _OPEN.sub("", _BLOCK.sub("", text[:last]) + text[last:]).strip()


def blotted(event: Event) -> Event:
    """The event with every secret blotted out."""
    said = (event.text, event.task or "", event.outcome or "", *event.evidence)
    # One look at everything: it finds whatever a look at each text would find.
    if not find_secrets("\n".join((*said, *_texts(event.payload, names=True)))):
        return event
    return replace(
        event,
        text=redact(event.text),
        task=_blot(event.task),
        outcome=_blot(event.outcome),
        evidence=tuple(map(redact, event.evidence)),
        payload=_blot(event.payload),
    )


def is_gated(event: Event) -> bool:
    """Whether an event may name nobody."""
    wanted = event.scope in GATED_SCOPES or event.payload.get("anonymous") is True
    return wanted and type_of(event.type).gated


def words_of(event: Event) -> Iterator[str]:
    """Every text of an event in which a person could be named."""
    yield event.text
    if event.task:
        yield event.task
    yield from event.evidence
    for name, value in event.payload.items():
        if name == "speaker" and isinstance(value, str):
            yield f"{value} said"  # whoever speaks is a person
        elif name not in _NOT_WORDS:
            yield from _texts(value)


def _clean_text(draft: Draft) -> str:
    if not isinstance(draft.text, str):
        raise BadInput(f"`text` is `{shown(draft.text)}`, which is not a text")
    text = storable(draft.text)
    _check_size("text", text)
    kept = strip_recalled(text)
    if not kept.strip() and text.strip():
        raise OnlyRecalled
    return kept


def _check_text(name: str, text: str) -> None:
    if type_of(name).needs_text and not text.strip():
        raise BadInput("`text` is empty, so there is nothing to remember")


def _clean_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    cleaned = clean(payload, "payload")
    if not isinstance(cleaned, dict):
        raise BadInput(f"`payload` is `{shown(payload)}`, which is not an object")
    return cleaned


def clean(value: object, name: str, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """A JSON value that can be kept anywhere. Raises: BadInput naming the place."""
    if depth > MOST_DEPTH:
        raise BadInput(f"`{name}` is nested more than {MOST_DEPTH} levels deep")
    match value:
        case str():
            _check_size(name, value)
            return storable(value)
        case None | bool():
            return value
        case int():
            if value not in INTEGERS:
                raise BadInput(f"`{name}` is `{shown(value)}`, which needs more than 64 bits")
            return value
        case float():
            if not isfinite(value):
                raise BadInput(f"`{name}` is `{value}`, which is not a number JSON knows")
            return value
        case Mapping():
            return {
                _name_of(key, name): clean(each, f"{name}.{key}", depth + 1)
                for key, each in value.items()
            }
        case list() | tuple():
            return [clean(each, name, depth + 1) for each in value]
    raise BadInput(f"`{name}` holds a `{type(value).__name__}`, which JSON does not know")


def _name_of(key: object, name: str) -> str:
    if not isinstance(key, str):
        raise BadInput(f"`{name}` has the name `{shown(key)}`, which is not a text")
    return storable(key)


def _check_size(name: str, text: str) -> None:
    if len(text) > MOST_TEXT:
        raise BadInput(
            f"`{shown(name)}` has {len(text)} characters, more than {MOST_TEXT}",
            hint="Split it, or keep it as a file.",
        )


def _check_place(scope: Scope, project: str | None, session: str | None) -> None:
    if scope == "project" and not project:
        raise BadInput("`scope` is `project`, but no `project` is given")
    if scope == "session" and not session:
        raise BadInput("`scope` is `session`, but no `session` is given")


def _owner(draft: Draft, writer: Writer) -> str:
    if draft.owner is None or draft.owner == writer.person:
        return _word("owner", writer.person)
    if not writer.trusted:
        raise Refused(
            f"`{shown(writer.person)}` may not write memories of `{shown(draft.owner)}`",
            hint="Leave out the owner, or share with an access list.",
        )
    return _word("owner", draft.owner)


def _provenance(
    given: Provenance, session: str | None, writer: Writer, *, imported: bool
) -> Provenance:
    trace = given.trace_id or (None if imported else writer.trace)
    return Provenance(given.session_id or session, trace)


def _moment(at: datetime | None, now: datetime) -> datetime:
    if at is None:
        return now
    if not isinstance(at, datetime) or at.tzinfo is None:
        raise BadInput(f"`at` is `{shown(at)}`, which is not a moment with a time zone")
    return at.astimezone(UTC)


def _share(value: object) -> float:
    """The importance a writer gives; -1 leaves it to the broker."""
    if value is None:
        return -1.0
    if not is_number(value) or not 0 <= float(value) <= 1:  # type: ignore[arg-type]
        raise BadInput(f"`importance` is `{shown(value)}`, which is not a number from 0 to 1")
    return float(value)  # type: ignore[arg-type]


def _identity(value: object) -> str:
    return "" if value is None else _word("id", value)


def _word(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 1000:
        raise BadInput(f"`{name}` is `{shown(value)}`, which is not a short text")
    return storable(value)


def _optional(name: str, value: object) -> str | None:
    return None if value is None else _word(name, value)


def _said(value: str | None) -> str | None:
    return None if value is None else storable(value)


def _blot(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return redact(value)
        case Mapping():
            return {redact(name): _blot(each) for name, each in value.items()}
        case list():
            return [_blot(each) for each in value]
    return value


def _texts(value: object, *, names: bool = False) -> Iterator[str]:
    """Every text in a JSON value, with the names of its entries if wanted."""
    stack: list[object] = [value]
    while stack:
        match stack.pop():
            case str(text):
                yield text
            case Mapping() as several:
                stack += several.values()
                stack += several.keys() if names else ()
            case list() | tuple() as several:
                stack += several
