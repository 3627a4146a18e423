"""Reads what mem0 keeps: exports as JSON, and the history of changes in SQLite.

mem0 changes its memories in place and keeps the earlier texts apart. Here every text becomes a
memory of its own, and a later one names the one it replaced, so that the past can be seen and
nothing is gone. Memories of an agent stay with that agent, those of a run with that session; those
of a user stay with their owner.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.base.errors import BadInput
from paige.memory.event import AgentRef, Draft, Scope
from paige.memory.importing.lines import Line, read_lines
from paige.memory.importing.moments import read_moment
from paige.memory.importing.queries import count_messages, history_rows, is_sqlite
from paige.memory.importing.report import Item, Problem
from paige.memory.importing.sources import (
    PRIVATE,
    ImportOptions,
    must_exist,
    read_text,
    stable_id,
    unreadable,
)
from paige.memory.intake.drafts import IMPORT

KIND = "mem0"
HISTORY = "history.db"
LISTS = ("results", "memories", "data")
_FIX = "A mem0 memory is an object with `id` and `memory`."
# What has a place of its own in an event; everything else is kept beside it.
_PLACED = {"memory", "text", "metadata", "categories", "user_id", "agent_id", "run_id"}


class _At(NamedTuple):
    """Where something stands, for messages and for the memory itself."""

    file: str
    line: int | None
    words: str

    def origin(self) -> dict[str, Any]:
        return {"kind": KIND, "file": self.file, "place": self.words}


def read_mem0(path: Path, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories of an export, of a `history.db`, or of a folder with both. Raises: NotFound."""
    must_exist(path)
    wishes = options or ImportOptions()
    if not path.is_dir():
        yield from _read_file(path, wishes)
        return
    files = [file for file in (path / HISTORY, *sorted(path.glob("*.json"))) if _is_source(file)]
    if not files:
        fix = f"Give the folder with `{HISTORY}`, or a JSON export."
        yield Problem(str(path), None, "there is no memory of mem0 here", fix)
    for file in files:
        yield from _read_file(file, wishes)


def is_memory_list(found: object) -> bool:
    """Whether a JSON value is a list of mem0 memories, plain or in an envelope."""
    items = _listed(found)
    return bool(items) and all(isinstance(item, dict) and "memory" in item for item in items[:5])


def _is_source(file: Path) -> bool:
    if not file.is_file():
        return False
    if file.name == HISTORY:
        return True
    text = read_text(file)
    try:
        return isinstance(text, str) and is_memory_list(orjson.loads(text))
    except orjson.JSONDecodeError:
        return False


def _read_file(path: Path, options: ImportOptions) -> Iterator[Item]:
    try:
        database = path.suffix in (".db", ".sqlite", ".sqlite3") or is_sqlite(path)
    except OSError as error:
        yield unreadable(str(path), error)
        return
    yield from (_read_history(path, options) if database else _read_export(path, options))


def _read_export(path: Path, options: ImportOptions) -> Iterator[Item]:
    text = read_text(path)
    if isinstance(text, Problem):
        yield text
        return
    try:
        found: object = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        yield from _read_lines(path, options, error)
        return
    items = _listed(found)
    if items is None:
        fix = "An export is a list of memories, or an object with such a list in `results`."
        yield Problem(str(path), None, "it is not an export of mem0", fix)
        return
    for number, item in enumerate(items, 1):
        yield _memory(item, _At(str(path), None, f"memory {number}"), options)
    yield from _relations(found, path, options)


def _read_lines(
    path: Path, options: ImportOptions, error: orjson.JSONDecodeError
) -> Iterator[Item]:
    """An export with one memory a line; where the first line is none it is damaged JSON."""
    with path.open("rb") as stream:
        for number, line in enumerate(read_lines(stream, str(path))):
            if number == 0 and not (isinstance(line, Line) and "memory" in line.fields):
                what = f"this is not JSON: {error.msg}"
                yield Problem(str(path), error.lineno, what, "Export it from mem0 again.")
                return
            if isinstance(line, Problem):
                yield line
            else:
                place = _At(str(path), line.number, f"line {line.number}")
                yield _memory(line.fields, place, options)


def _listed(found: object) -> list[Any] | None:
    if isinstance(found, list):
        return found
    if isinstance(found, dict):
        for name in LISTS:
            if isinstance(found.get(name), list):
                return found[name]
    return None


def _memory(item: object, place: "_At", options: ImportOptions) -> Item:
    if not isinstance(item, dict):
        return Problem(place.file, place.line, f"{place.words} is not an object", _FIX)
    text = item.get("memory") or item.get("text")
    if not isinstance(text, str) or not text.strip():
        return Problem(place.file, place.line, f"{place.words} has no text in `memory`", _FIX)
    rest = {name: value for name, value in item.items() if name not in _PLACED}
    origin = {**rest, **_people(item), **place.origin()}
    payload: dict[str, Any] = {"source": IMPORT, "origin": origin}
    if item.get("metadata"):
        payload["meta"] = item["metadata"]
    if isinstance(item.get("categories"), list):
        payload["tags"] = [str(tag) for tag in item["categories"]]
    at = read_moment(item.get("updated_at")) or read_moment(item.get("created_at"))
    draft = Draft(text=text, payload=payload, at=at, id=_id_of(item.get("id"), text))
    evidence = f"mem0:{item['id']}" if item.get("id") else f"{place.file}: {place.words}"
    return _owned(replace(draft, evidence=(evidence,)), item, options)


def _owned(draft: Draft, item: Mapping[str, Any], options: ImportOptions) -> Draft:
    """The draft with scope and owner by the user, agent or run it belongs to."""
    user, agent, run = (_name(item.get(key)) for key in ("user_id", "agent_id", "run_id"))
    scope: Scope = PRIVATE
    if run:
        scope = "session"
    elif agent:
        scope = "agent"
    return replace(
        draft,
        scope=options.scope_or(scope),
        project=options.project,
        session=run,
        owner=options.people.get(user or ""),
        agent=AgentRef(id=agent, tool=KIND),
    )


def _people(item: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("user_id", "agent_id", "run_id")
    return {key: item[key] for key in keys if item.get(key) is not None}


def _name(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and str(value) else None


def _relations(found: object, path: Path, options: ImportOptions) -> Iterator[Item]:
    """The edges of its graph, where an export has them: "anna", "likes", "tea"."""
    edges = found.get("relations") if isinstance(found, dict) else None
    for number, edge in enumerate(edges if isinstance(edges, list) else (), 1):
        place = _At(str(path), None, f"relation {number}")
        if not isinstance(edge, dict):
            yield Problem(place.file, None, f"{place.words} is not an object", _FIX)
            continue
        names = (("source",), ("relationship", "relation"), ("target", "destination"))
        words = [next((edge[n] for n in each if edge.get(n)), None) for each in names]
        if not all(isinstance(word, str) for word in words):
            fix = "An edge has `source`, `relationship` and `target`."
            yield Problem(place.file, None, f"{place.words} is not complete", fix)
            continue
        text = " ".join(str(word).replace("_", " ") for word in words)
        payload = {"source": IMPORT, "origin": place.origin(), "relation": edge}
        draft = Draft(text=text, payload=payload, id=stable_id(KIND, "relation", *words))
        yield _owned(draft, edge, options)


def _read_history(path: Path, options: ImportOptions) -> Iterator[Item]:
    """Every text a memory had, in order; the last one is what it says now."""
    chains: dict[str, list[_Change]] = defaultdict(list)
    try:
        for number, row in enumerate(history_rows(path), 1):
            change = _change(row, number)
            chains[change.memory].append(change)
    except BadInput as error:
        yield Problem(str(path), None, error.message, error.hint or "")
        return
    for changes in chains.values():
        yield from _chain(changes, path, options)
    if waiting := count_messages(path):
        what = f"{waiting} messages of conversations were left out"
        yield Problem(str(path), None, what, "Only memories are taken over.", lost=False)


class _Change(NamedTuple):
    """One row of the history."""

    number: int
    memory: str
    before: str
    after: str
    event: str
    row: Mapping[str, Any]


def _change(row: Mapping[str, Any], number: int) -> _Change:
    before = row.get("old_memory") or row.get("prev_value") or ""
    after = row.get("new_memory") or row.get("new_value") or ""
    event = str(row.get("event") or "").upper()
    if row.get("is_deleted") and event != "DELETE":
        event = "DELETE"
    memory = str(row.get("memory_id") or row.get("id") or number)
    return _Change(number, memory, str(before), str(after), event, row)


def _chain(changes: list[_Change], path: Path, options: ImportOptions) -> Iterator[Item]:
    last: Draft | None = None
    for change in changes:
        place = _At(str(path), None, f"row {change.number}")
        before = change.before.strip()
        if before and (last is None or last.text != before):
            # The row that wrote this text is gone; it is known from the one that replaced it.
            last = _version(before, change, place, last, options)
            yield last
        if change.event == "DELETE":
            if last is not None:
                yield _deleted(last, change, place)
            last = None
        elif not change.after.strip():
            fix = "A change has its text in `new_memory`."
            yield Problem(str(path), None, f"row {change.number} has no text", fix)
        elif last is None or last.text != change.after.strip():
            last = _version(change.after.strip(), change, place, last, options)
            yield last


def _version(
    text: str, change: _Change, place: "_At", last: Draft | None, options: ImportOptions
) -> Draft:
    origin = {**place.origin(), "memory_id": change.memory, "event": change.event}
    if last is not None:
        origin["replaces"] = last.id
    created, updated = (read_moment(change.row.get(n)) for n in ("created_at", "updated_at"))
    draft = Draft(
        text=text,
        # An import replaces nothing; a later text of one memory does, so it is not marked as one.
        payload={"source": KIND if last else IMPORT, "origin": origin},
        at=updated or created or read_moment(change.row.get("timestamp")),
        supersedes=last.id if last else None,
        evidence=(f"mem0:{change.memory}",),
        id=_id_of(change.memory, text),
    )
    people = {"user_id": change.row.get("actor_id"), "agent_id": None}
    return _owned(draft, people, options)


def _deleted(last: Draft, change: _Change, place: "_At") -> Draft:
    """mem0 forgot it; here it is marked as no longer true."""
    origin = {**place.origin(), "memory_id": change.memory, "event": "DELETE"}
    payload = {"of": last.id, "reason": "deleted in mem0", "source": IMPORT, "origin": origin}
    updated, created = (read_moment(change.row.get(n)) for n in ("updated_at", "created_at"))
    return replace(
        last,
        text="",
        type="retracted",
        payload=payload,
        supersedes=None,
        at=updated or created or last.at,
        id=stable_id(KIND, "deleted", change.memory, last.id),
    )


def _id_of(memory_id: object, text: str) -> str:
    """The same for an export and for the history, so that importing both adds each text once."""
    return stable_id(KIND, str(memory_id or ""), text.strip())
