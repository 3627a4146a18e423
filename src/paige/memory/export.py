"""Writes memories out, one at a time, for whoever may read them.

JSON lines hold whole events, unknown fields included, and can be imported again; markdown is for
people; JSON is one document for programs. Events that were moved to another scope or project are
judged, and written, by where they are now: for that the log is read twice. What was forgotten has
nothing left to write.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from html import escape
from itertools import islice
from typing import Any, Literal, get_args

import orjson

from paige.base.errors import BadInput
from paige.memory.access import Reader, may_read
from paige.memory.event import SCHEMA_VERSION, SCOPES, Event, Scope, dump_event, ids_in
from paige.memory.imports.jsonl import EXPORT_FORMAT

Format = Literal["jsonl", "markdown", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
ReadEvents = Callable[[], Iterable[Event]]
_AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFilter:
    """Which memories are wanted; what is left out does not narrow it."""

    owner: str | None = None
    project: str | None = None
    scope: Scope | None = None

    def takes(self, event: Event) -> bool:
        """Whether an event is wanted."""
        return (
            self.owner in (None, event.owner)
            and self.project in (None, event.project)
            and self.scope in (None, event.scope)
        )


def export(
    read: ReadEvents, to: str = "jsonl", *, reader: Reader, chosen: ExportFilter | None = None
) -> Iterator[str]:
    """The export in pieces of text; `read` gives the events in order, and is called twice.

    Raises: BadInput if there is no such form.
    """
    write = _WRITERS.get(to)
    if write is None:
        raise BadInput(f"`{to}` is not a form of export", hint=f"Use {', '.join(FORMATS)}.")
    return write(visible(read, reader, chosen or ExportFilter()))


def visible(read: ReadEvents, reader: Reader, chosen: ExportFilter) -> Iterator[Event]:
    """The events a reader may see and wants, as they stand now."""
    moved = moves(read())
    for event in read():
        now = replace(event, **moved[event.id]) if event.id in moved else event
        if not now.forgotten and chosen.takes(now) and may_read(reader, now):
            yield now


def moves(events: Iterable[Event]) -> dict[str, dict[str, Any]]:
    """Where events went after they were written: by id, the fields that changed."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        if event.type not in ("rescoped", "promoted") or event.forgotten:
            continue
        changes = _changes(event.payload)
        for moved in ids_in(event.payload.get("of")) if changes else ():
            found[moved] = {**found.get(moved, {}), **changes}
    return found


def _changes(payload: Mapping[str, Any]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    scope = payload.get("scope", payload.get("to"))
    if scope in SCOPES:
        changes["scope"] = scope
    project = payload.get("project", 0)
    if project is None or isinstance(project, str):
        changes["project"] = project or None
    return changes


def _jsonl(events: Iterable[Event]) -> Iterator[str]:
    option = orjson.OPT_APPEND_NEWLINE
    waiting = iter(events)
    while some := list(islice(waiting, _AT_ONCE)):
        yield b"".join(orjson.dumps(dump_event(each), option=option) for each in some).decode()


def _json(events: Iterable[Event]) -> Iterator[str]:
    yield f'{{"format":"{EXPORT_FORMAT}","schema_version":"{SCHEMA_VERSION}","events":['
    comma = "\n"
    for event in events:
        yield comma + orjson.dumps(dump_event(event)).decode()
        comma = ",\n"
    yield "\n]}\n"


def _markdown(events: Iterable[Event]) -> Iterator[str]:
    yield "# Memories\n"
    day: date | None = None
    for event in events:
        if not (said := _said(event)):
            continue  # what Paige notes for itself tells people nothing
        if event.at.date() != day:
            day = event.at.date()
            yield f"\n## {day.isoformat()}\n\n"
        yield _item(event, said)


def _said(event: Event) -> str:
    if event.type == "retracted" and not event.text:
        of = ", ".join(ids_in(event.payload.get("of")))
        return f"No longer true: {of} ({event.payload.get('reason') or 'no reason given'})"
    text = event.text.strip()
    return f"{event.speaker}: {text}" if text and event.speaker else text


def _item(event: Event, said: str) -> str:
    """One bullet; what the words would do to the list they stand in is undone by indenting."""
    where = event.project if event.scope == "project" else event.scope
    lines = said.splitlines()
    rest = "".join(f"\n  {line}".rstrip(" ") for line in lines[1:])
    facts = [event.type, where or event.scope, f"owner {event.owner}", event.id]
    return f"- {lines[0]}{rest}\n  <sub>{' · '.join(_plain(fact) for fact in facts)}</sub>\n"


def _plain(word: str) -> str:
    return " ".join(escape(word).split())


_WRITERS: dict[str, Callable[[Iterable[Event]], Iterator[str]]] = {
    "jsonl": _jsonl,
    "markdown": _markdown,
    "json": _json,
}
