"""Puts tables into a TOML text or cuts them out, and leaves every other sign where it was.

New tables go to the end, where they disturb nothing. Whatever an edit makes is read again: only a
text that says what it should is ever used.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping

from paige.guard.install.edits import Span, line_end

Values = Mapping[str, str | bool | list[str]]
Table = tuple[tuple[str, ...], Values]
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"[ \t]*\[(?!\[)(?P<name>[^\n]*)\][ \t]*(?:#[^\n]*)?\r?")


class TomlFault(Exception):
    """A text that is no TOML, or that would be none."""


def read(text: str) -> dict[str, object]:
    """What a text says. Raises: TomlFault."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        last = f"at line {text.count(chr(10)) + 1}, the last one"
        raise TomlFault(str(error).replace("at end of document", last)) from error


def add(text: str, tables: Iterable[Table], note: str) -> list[Span]:
    """The change that adds tables at the end, below a comment. Raises: TomlFault."""
    wanted = list(tables)
    if not wanted:
        return []
    end = line_end(text)
    lines = [f"# {note}"]
    for path, values in wanted:
        lines.append(f"[{'.'.join(_key(part) for part in path)}]")
        lines += [
            f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()
        ]
    start = "" if not text.strip("\ufeff") else end if text.endswith("\n") else end * 2
    span = Span(len(text), "", start + end.join(lines) + end)
    before, after = read(text), read(text + span.new)
    for path, values in wanted:
        _set(before, path, values)
    if before != after:
        raise TomlFault(f"`{wanted[0][0][0]}` stands there in a form that takes no new tables")
    return [span]


def cut(text: str, tables: Iterable[Table], note: str) -> str:
    """The text without these tables where they still say the same. Raises: TomlFault."""
    for path, values in tables:
        if at(read(text), path) == values:
            text = _without(text, path)
    lines = text.split("\n")
    return "\n".join(line for line in lines if line.rstrip("\r") != f"# {note}")


def at(value: object, path: Iterable[str]) -> object:
    """What stands at a path; nothing when there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _without(text: str, path: tuple[str, ...]) -> str:
    lines = text.split("\n")
    for start, line in enumerate(lines):
        if _path_of(line) != path:
            continue
        rest = range(start + 1, len(lines))
        end = next((each for each in rest if _ends(lines[each])), len(lines))
        # The last piece is empty when the text ends with a line end; it stays.
        kept = lines[:start] + (lines[end:] if end < len(lines) else [""])
        made = "\n".join(kept)
        if _same_but(text, made, path):
            return made
    return text  # written in some other way; it harms nobody


def _ends(line: str) -> bool:
    return line.lstrip().startswith("[") or not line.strip() or line.lstrip().startswith("#")


def _path_of(line: str) -> tuple[str, ...] | None:
    if not _HEADER.fullmatch(line):
        return None
    try:
        node: object = tomllib.loads(line.rstrip("\r"))
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(node, dict) and node:
        (key, node), *_ = node.items()
        path.append(key)
    return tuple(path)


def _same_but(old: str, new: str, path: tuple[str, ...]) -> bool:
    try:
        before, after = read(old), read(new)
    except TomlFault:
        return False
    _drop(before, path)
    return _pruned(before) == _pruned(after)


def _pruned(value: object) -> object:
    """Without empty tables: a header of a table alone says nothing."""
    if not isinstance(value, dict):
        return value
    kept = {key: _pruned(each) for key, each in value.items()}
    return {key: each for key, each in kept.items() if each != {}}


def _drop(value: dict[str, object], path: tuple[str, ...]) -> None:
    inner = at(value, path[:-1])
    if isinstance(inner, dict):
        inner.pop(path[-1], None)


def _set(value: dict[str, object], path: tuple[str, ...], wanted: Values) -> None:
    for key in path[:-1]:
        inner = value.setdefault(key, {})
        if not isinstance(inner, dict):
            raise TomlFault(f"`{key}` is no table")
        value = inner
    if path[-1] in value:
        raise TomlFault(f"`{'.'.join(path)}` is there already")
    value[path[-1]] = dict(wanted)


def _key(part: str) -> str:
    return part if _BARE.fullmatch(part) else json.dumps(part, ensure_ascii=False)
