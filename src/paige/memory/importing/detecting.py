"""Tells which program's memory a file or folder holds, with the reason, and opens the reader."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.base.errors import BadInput
from paige.memory.importing import basic_memory, claude_code, jsonl, mem0
from paige.memory.importing.claude_layout import is_claude_code
from paige.memory.importing.queries import is_sqlite
from paige.memory.importing.report import Item, Problem
from paige.memory.importing.sources import ImportOptions, must_exist, read_text

READERS: dict[str, Callable[[Path, ImportOptions | None], Iterator[Item]]] = {
    jsonl.KIND: jsonl.read_jsonl_file,
    claude_code.KIND: claude_code.read_claude_code,
    mem0.KIND: mem0.read_mem0,
    basic_memory.KIND: basic_memory.read_basic_memory,
}
KINDS = tuple(READERS)
_HINT = f"Say what it is with `--from`: {', '.join(KINDS)}."
_MOST_NOTES = 200  # looked into before a folder is given up
_FIRST = 2**16


class Detected(NamedTuple):
    """A kind of source, and why."""

    kind: str
    reason: str


class Reading(NamedTuple):
    """A source that is being read."""

    kind: str
    reason: str
    items: Iterator[Item]


def read_source(
    path: Path, kind: str | None = None, options: ImportOptions | None = None
) -> Reading:
    """Open a source; without a kind it is detected. Raises: NotFound, BadInput."""
    must_exist(path)
    found = detect(path) if kind is None else Detected(kind, "you said so")
    reader = READERS.get(found.kind)
    if reader is None:
        raise BadInput(
            f"`{kind}` is not something Paige can import", hint=f"Use {', '.join(KINDS)}."
        )
    return Reading(found.kind, found.reason, reader(path, options))


def detect(path: Path) -> Detected:
    """Which kind a file or folder is. Raises: NotFound, BadInput."""
    must_exist(path)
    if reason := is_claude_code(path):
        return Detected(claude_code.KIND, reason)
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except OSError as error:
        raise BadInput(
            f"`{path}` cannot be read: {error.strerror}", hint="Check who owns it."
        ) from error


def _folder(path: Path) -> Detected:
    if (path / mem0.HISTORY).is_file():
        return Detected(mem0.KIND, f"it holds `{mem0.HISTORY}`")
    for file in basic_memory.list_notes(path)[:_MOST_NOTES]:
        text = read_text(file)
        if isinstance(text, str) and (reason := basic_memory.is_basic_memory(text)):
            return Detected(basic_memory.KIND, f"`{file.relative_to(path)}`: {reason}")
    raise BadInput(f"There is no memory that Paige knows in the folder `{path}`", hint=_HINT)


def _file(path: Path) -> Detected:
    if is_sqlite(path):
        return Detected(mem0.KIND, "it is an SQLite file, as mem0's history is")
    if path.suffix in (".md", ".markdown"):
        return _markdown(path)
    with path.open("rb") as file:
        start = file.read(_FIRST).removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise BadInput(f"`{path}` is empty", hint="There is nothing to import from it.")
    if path.suffix in (".jsonl", ".ndjson") and b'"memory"' not in start.split(b"\n", 1)[0]:
        return Detected(jsonl.KIND, f"its name ends with `{path.suffix}`")
    if start[:1] in (b"{", b"["):
        return _json(path, start)
    raise BadInput(f"It is not clear what `{path}` holds", hint=_HINT)


def _markdown(path: Path) -> Detected:
    text = read_text(path)
    if isinstance(text, Problem):
        raise BadInput(f"`{path}`: {text.what}", hint=text.fix)
    if reason := basic_memory.is_basic_memory(text):
        return Detected(basic_memory.KIND, reason)
    raise BadInput(f"It is not clear whose notes `{path}` holds", hint=_HINT)


def _json(path: Path, start: bytes) -> Detected:
    first = _parsed(start.split(b"\n", 1)[0])
    if isinstance(first, dict) and mem0.is_memory_list([first]) and "text" not in first:
        return Detected(mem0.KIND, "its lines have `memory`")
    if isinstance(first, dict) and ("text" in first or jsonl.is_event(first)):
        return Detected(jsonl.KIND, "its first line is a JSON object with `text`")
    if start.startswith(b'{"format":"%b"' % jsonl.EXPORT_FORMAT.encode()):
        return Detected(jsonl.KIND, "it is an export of Paige")
    text = read_text(path)
    if isinstance(text, Problem):
        raise BadInput(f"`{path}`: {text.what}", hint=text.fix)
    if mem0.is_memory_list(_parsed(text.encode())):
        return Detected(mem0.KIND, "it is a JSON list of objects with `memory`")
    raise BadInput(f"It is not clear what `{path}` holds", hint=_HINT)


def _parsed(text: bytes) -> Any:  # noqa: ANN401 - whatever someone's JSON holds
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
