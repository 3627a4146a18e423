"""Reads JSON lines: the batch form of `paige memory import`, and what `paige memory export` wrote.

A line of the batch form is a new memory every time it is read. A line of an export is a whole event
with its id, so that reading it a second time is noticed; fields this version does not know go into
the payload as `unknown`. Such a line may replace or retract only what came before it in the same
file, and what Paige notes for itself (what was promoted, what was recalled) is not taken over: a
file from elsewhere must not act on the memories that are here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from paige.base.errors import BadInput
from paige.memory.event import Event, draft_of, load_event
from paige.memory.imports.sources import (
    ImportOptions,
    ImportProblem,
    Item,
    Line,
    must_exist,
    read_lines,
    read_text,
    unreadable,
)
from paige.memory.intake.drafts import read_import_line
from paige.memory.types import searchable

KIND = "jsonl"
EXPORT_FORMAT = "paige-memory"
_RETRACTED = "retracted"
_HINT = "Correct this line and import it again."


def read_jsonl_file(path: Path, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories of a file of JSON lines, or of an export to one JSON document."""
    must_exist(path)
    try:
        with path.open("rb") as stream:
            if stream.read(256).lstrip().startswith(b'{"format":"%b"' % EXPORT_FORMAT.encode()):
                yield from _read_document(path, options)
                return
            stream.seek(0)
            yield from read_jsonl(stream, str(path), options)
    except OSError as error:
        yield unreadable(str(path), error)


def read_jsonl(stream: BinaryIO, name: str, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories of a stream of JSON lines, one at a time."""
    reader = _Reader(name, options or ImportOptions())
    for line in read_lines(stream, name):
        yield line if isinstance(line, ImportProblem) else reader.item(line)


def is_event(fields: Mapping[str, Any]) -> bool:
    """Whether an object is a whole event, as the log and exports hold them."""
    return "schema_version" in fields and "id" in fields and "owner" in fields


def _read_document(path: Path, options: ImportOptions | None) -> Iterator[Item]:
    text = read_text(path)
    if isinstance(text, ImportProblem):
        yield text
        return
    try:
        listed = list(orjson.loads(text)["events"])
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        yield ImportProblem(str(path), None, f"the export is damaged: {error}", "Export it again.")
        return
    reader = _Reader(str(path), options or ImportOptions())
    for number, fields in enumerate(listed, 1):
        # The export stands one event a line, after the line that opens it.
        yield reader.item(Line(number + 1, fields if isinstance(fields, dict) else {}))


@dataclass(slots=True)
class _Reader:
    """Reads the lines of one source; remembers the ids of the events it brought."""

    name: str
    options: ImportOptions
    seen: set[str] = field(default_factory=set)

    def item(self, line: Line) -> Item:
        try:
            if not is_event(line.fields):
                return read_import_line({**line.fields, **self.wishes()})
            return self.event(line, load_event({"seq": 1, **line.fields, **self.wishes()}))
        except BadInput as error:
            return ImportProblem(self.name, line.number, error.message, error.hint or _HINT)

    def event(self, line: Line, event: Event) -> Item:
        if event.forgotten:
            what = "it was forgotten"
            return ImportProblem(
                self.name, line.number, what, "There is nothing to do.", lost=False
            )
        if event.type == _RETRACTED:
            of = event.payload.get("of")
            if not self.seen.issuperset(of if isinstance(of, list) else [of]):
                what = "it retracts a memory that is not in this file"
                return ImportProblem(
                    self.name, line.number, what, "Retract it here, if it is wrong."
                )
        elif not searchable(event.type):
            what = f"a `{event.type}` is what Paige noted for itself"
            fix = "It is made anew where it is needed."
            return ImportProblem(self.name, line.number, what, fix, lost=False)
        draft = draft_of(event)
        if event.extra:  # what others did not know comes along
            draft = replace(draft, payload={**event.payload, "unknown": dict(event.extra)})
        if draft.supersedes not in self.seen:
            draft = replace(draft, supersedes=None)
        self.seen.add(event.id)
        return draft

    def wishes(self) -> dict[str, str]:
        wanted = {"scope": self.options.scope, "project": self.options.project}
        return {name: value for name, value in wanted.items() if value is not None}
