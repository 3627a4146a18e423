"""The front matter of markdown files: YAML, with file and line for everything that is wrong.

Skills, agents and lessons of other programs are read as they are. Their authors write lines that no
YAML reader takes, such as `description: Use it when: …` or `argument-hint: [file] [--all]`. They
mean the text that stands there, so a line that cannot be read by itself is taken as that text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from paige.base.errors import BadInput

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

_Reader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_DEPTH = 12
# A text is what was written: `no`, `2026-01-31` and `0755` are texts, as they are in YAML 1.2.
_WORDS: dict[str, Value] = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$")
_KEY = re.compile(r"(?P<key>[\w$][\w.$/-]*+):")
_LINE = re.compile(rf"{_KEY.pattern}[ \t]++(?P<text>[^\s\"'|>].*)$")
_PAIRS = ("[]", "{}")  # what is opened and not closed is a mistake, not a text
_AT_THE_END = ("block mapping", "block collection")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values above the text, where each key stands, and the text below."""

    values: dict[str, Value]
    body: str
    file: str
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


def read_front_matter(text: str, file: str) -> FrontMatter:
    """Split `text` into front matter and body. Raises: BadInput naming file and line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        raise BadInput(
            f"{file}:1: there is no front matter", hint="Begin the file with a line `---`."
        )
    end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if end is None:
        raise BadInput(
            f"{file}:1: the front matter is not closed", hint="Add a line `---` after the last key."
        )
    head = lines[1:end]
    try:
        values, places = _read_leniently(head)
    except _NotRead as error:
        # Line 1 is the opening `---`.
        raise BadInput(f"{file}:{error.line + 2}: {error}", hint=error.hint) from error
    return FrontMatter(values, "\n".join(lines[end + 1 :]).lstrip("\n"), file, places)


class _NotRead(Exception):
    """Lines that are no front matter; `line` counts from 0."""

    def __init__(self, message: str, line: int, hint: str = "Put the text in quotes.") -> None:
        super().__init__(message)
        self.line = line
        self.hint = hint


class _Wrong(_NotRead):
    """Lines that are YAML and still wrong: nobody meant them as a text."""


def _read_leniently(lines: list[str]) -> tuple[dict[str, Value], dict[str, int]]:
    """As they are, or with quotes around the values that cannot be read by themselves."""
    try:
        return _read(lines)
    except _Wrong:
        raise
    except _NotRead as first:
        quoted = [_as_text(line) for line in lines]
        if quoted == lines:
            raise
        try:
            return _read(quoted)
        except _Wrong:
            raise
        except _NotRead:
            raise first from None


def _read(lines: list[str]) -> tuple[dict[str, Value], dict[str, int]]:
    """The values, and the line of each key at the top."""
    places: dict[str, int] = {}
    try:
        events = yaml.parse("\n".join(lines) + "\n", Loader=_Reader)
        next(events)  # the stream begins
        if isinstance(next(events), yaml.StreamEndEvent):
            return {}, {}
        values = _value(events, next(events), 0, places)
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, lines) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise _NotRead("a character cannot be used in YAML", 0) from error
    if values is None:
        return {}, {}
    if not isinstance(values, dict):
        shown = next(line.strip() for line in lines if line.strip())
        raise _NotRead(f"`{shown[:60]}` is not `key: value`", 0, "Write `key: value`.")
    return values, places


def _value(
    events: Iterator[Any], event: yaml.Event, depth: int, places: dict[str, int] | None = None
) -> Value:
    """The value that begins with an event."""
    line = event.start_mark.line
    if depth > _MAX_DEPTH:
        raise _Wrong(f"more than {_MAX_DEPTH} levels are nested", line, "Write it flatter.")
    if not isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) or event.anchor:
        raise _NotRead("`&` and `*` (anchors) are not supported here", line)
    if event.tag not in (None, "!"):
        raise _NotRead("`!` (tags) is not supported here", line)
    if isinstance(event, yaml.ScalarEvent):
        return _plain(event.value, line) if event.implicit[0] else event.value
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(item := next(events), yaml.SequenceEndEvent):
            items.append(_value(events, item, depth + 1))
        return items
    return _mapping(events, depth, places)


def _mapping(events: Iterator[Any], depth: int, places: dict[str, int] | None) -> dict[str, Value]:
    pairs: dict[str, Value] = {}
    while not isinstance(key := next(events), yaml.MappingEndEvent):
        line = key.start_mark.line
        if not isinstance(key, yaml.ScalarEvent):
            raise _NotRead("a key must be a word", line)
        if key.value in pairs:
            raise _Wrong(f"the key `{key.value}` stands twice", line, "Remove one of them.")
        if places is not None:
            places[key.value] = line + 2
        pairs[key.value] = _value(events, next(events), depth + 1)
    return pairs


def _plain(text: str, line: int) -> Value:
    if text.lower() in _WORDS and text in (text.lower(), text.title(), text.upper()):
        return _WORDS[text.lower()]
    if _INTEGER.match(text):
        try:
            return int(text)
        except ValueError as error:
            raise _Wrong("a number has too many digits", line) from error
    return float(text) if _FLOAT.match(text) else text


def _not_yaml(error: yaml.MarkedYAMLError, lines: list[str]) -> _NotRead:
    """What is wrong, where the mistake was made and not where it was noticed."""
    noticed = any(each in (error.context or "") for each in _AT_THE_END)
    mark = error.problem_mark if noticed else error.context_mark or error.problem_mark
    line = min(mark.line if mark else 0, len(lines) - 1)
    key = _KEY.match(lines[line])
    what = f"`{key['key']}` cannot be read" if key else "this is not YAML"
    return _NotRead(f"{what}: {error.problem}", line)


def _as_text(line: str) -> str:
    """The line with its value in quotes, if it cannot be read as it stands."""
    found = _LINE.match(line)
    if found is None or any(found["text"].count(a) != found["text"].count(b) for a, b in _PAIRS):
        return line
    try:
        _read([line])
    except _Wrong:
        return line
    except _NotRead:
        return f"{found['key']}: {json.dumps(found['text'].rstrip(), ensure_ascii=False)}"
    return line
