"""Tells which program's memory a file or folder holds, with the reason, and opens the reader."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

from paige.base.errors import BadInput
from paige.memory.imports import claude_code, jsonl
from paige.memory.imports.sources import ImportOptions, Item, must_exist

READERS: dict[str, Callable[[Path, ImportOptions | None], Iterator[Item]]] = {
    jsonl.KIND: jsonl.read_jsonl_file,
    claude_code.KIND: claude_code.read_claude_code,
}
KINDS = tuple(READERS)
_HINT = f"Say what it is with `--from`: {', '.join(KINDS)}."
_FIRST = 2**16


class DetectedSource(NamedTuple):
    """A kind of source, and why."""

    kind: str
    reason: str


class SourceReader(NamedTuple):
    """A source that is being read."""

    kind: str
    reason: str
    items: Iterator[Item]


def read_source(
    path: Path, kind: str | None = None, options: ImportOptions | None = None
) -> SourceReader:
    """Open a source; without a kind it is detected. Raises: NotFound, BadInput."""
    must_exist(path)
    found = detect(path) if kind is None else DetectedSource(kind, "you said so")
    reader = READERS.get(found.kind)
    if reader is None:
        raise BadInput(
            f"`{kind}` is not something Paige can import", hint=f"Use {', '.join(KINDS)}."
        )
    return SourceReader(found.kind, found.reason, reader(path, options))


def detect(path: Path) -> DetectedSource:
    """Which kind a file or folder is. Raises: NotFound, BadInput."""
    must_exist(path)
    if reason := claude_code.is_claude_code(path):
        return DetectedSource(claude_code.KIND, reason)
    if path.is_dir():
        raise BadInput(f"There is no memory that Paige knows in the folder `{path}`", hint=_HINT)
    try:
        with path.open("rb") as file:
            start = file.read(_FIRST).removeprefix(b"\xef\xbb\xbf").lstrip()
    except OSError as error:
        raise BadInput(
            f"`{path}` cannot be read: {error.strerror}", hint="Check who owns it."
        ) from error
    if not start:
        raise BadInput(f"`{path}` is empty", hint="There is nothing to import from it.")
    if reason := _json_lines(path, start):
        return DetectedSource(jsonl.KIND, reason)
    raise BadInput(f"It is not clear what `{path}` holds", hint=_HINT)


def _json_lines(path: Path, start: bytes) -> str | None:
    if path.suffix in (".jsonl", ".ndjson"):
        return f"its name ends with `{path.suffix}`"
    if start.startswith(b'{"format":"%b"' % jsonl.EXPORT_FORMAT.encode()):
        return "it is an export of Paige"
    try:
        first = orjson.loads(start.split(b"\n", 1)[0])
    except orjson.JSONDecodeError:
        return None
    if isinstance(first, dict) and ("text" in first or jsonl.is_event(first)):
        return "its first line is a JSON object with `text`"
    return None
