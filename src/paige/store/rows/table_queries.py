"""Rows in a form that every engine reads: one JSON object a line, and a sum that says "the same".

What a value means is said by the kind of its column, not by the engine that kept it: moments are
ISO texts, bytes are base64, JSON is JSON. The sum of a table is made of the hashes of its rows,
added up, so that the order in which an engine gives them does not matter.
"""

import base64
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, get_args

from sqlalchemy import JSON, Boolean, DateTime, Float, Integer, LargeBinary, Numeric, Text
from sqlalchemy.types import TypeEngine

from paige.base.clock import from_iso, to_iso
from paige.base.errors import BadInput
from paige.store.tables import BigNumber
from paige.store.types import Json, UtcTime

Kind = Literal["text", "whole", "real", "flag", "json", "time", "bytes"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Row = dict[str, Any]
_TYPES: dict[Kind, TypeEngine[Any]] = {
    "text": Text(),
    "whole": BigNumber,
    "real": Float(53),
    "flag": Boolean(),
    "json": Json,
    "time": UtcTime(),
    "bytes": LargeBinary(),
}
_SURE = 2**53
"""Whole numbers up to here are the same in every engine, whether they were written 1 or 1.0."""
_ROOM = 2**256
# PostgreSQL stores neither the character 0 nor half of a pair.
_NOT_STORED = re.compile("[\0\ud800-\udfff]")
_INSTEAD = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Shape:
    """A table as rows are written: its columns with their kinds, and its key."""

    name: str
    columns: tuple[tuple[str, Kind], ...]
    key: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self.columns)


@dataclass(frozen=True, slots=True)
class Sum:
    """How many rows there are, and what they add up to."""

    rows: int = 0
    digest: int = 0

    @property
    def shown(self) -> str:
        """The digest as text."""
        return f"{self.digest:064x}"


def kind_of(column_type: TypeEngine[Any]) -> Kind:
    """What a column holds, by its declared or reflected type."""
    match column_type:
        case UtcTime() | DateTime():
            return "time"
        case JSON():
            return "json"
        case Boolean():
            return "flag"
        case LargeBinary():
            return "bytes"
        case Integer():
            return "whole"
        case Float() | Numeric():
            return "real"
        case _:
            return "text"


def type_of(kind: Kind) -> TypeEngine[Any]:
    """The column type that stores a kind."""
    return _TYPES[kind]


def portable(value: object, kind: Kind) -> tuple[Any, bool]:
    """A value that both engines store, and whether it had to be changed for that."""
    if kind == "text" and value is not None:
        text = value if isinstance(value, str) else str(value)
        clean = _NOT_STORED.sub(_INSTEAD, text)
        return clean, clean != text
    if kind == "json":
        clean = _plain(value)
        return clean, clean != value
    if kind == "real" and isinstance(value, int):
        return float(value), False
    if kind == "flag" and isinstance(value, int):
        return bool(value), False
    return value, False


def _plain(value: object) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return _NOT_STORED.sub(_INSTEAD, value)
        case list():
            return [_plain(each) for each in value]
        case dict():
            return {_plain(str(key)): _plain(each) for key, each in value.items()}
        case float() if not math.isfinite(value):
            return None
        case _:
            return value


def encode(row: Mapping[str, Any], shape: Shape) -> str:
    """A row as one line of JSON, without a newline."""
    said = {name: _said(row[name], kind) for name, kind in shape.columns}
    return json.dumps(said, separators=(",", ":"))


def _said(value: object, kind: Kind) -> object:
    if isinstance(value, datetime):
        return to_iso(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return base64.b64encode(bytes(value)).decode("ascii")
    if kind == "real" and isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if kind == "text" and value is not None:
        return str(value)  # SQLite lets a number stand in a column of texts
    return value


def decode(line: str | bytes, shape: Shape) -> Row:
    """The row of a line. Raises: BadInput when it is none of this table."""
    try:
        said = json.loads(line)
        if not isinstance(said, dict) or said.keys() != set(shape.names):
            raise ValueError("the columns are others")
        return {name: _meant(said[name], kind) for name, kind in shape.columns}
    except (ValueError, TypeError) as error:
        raise BadInput(f"A row of `{shape.name}` cannot be read: {error}") from error


def _meant(value: Any, kind: Kind) -> Any:  # noqa: ANN401 - any JSON value
    if value is None or kind in ("json", "flag", "whole"):
        return value
    if kind == "text":
        if not isinstance(value, str):
            raise ValueError(f"`{value}` is no text")
        return value
    if kind == "time":
        return from_iso(value)
    if kind == "bytes":
        return base64.b64decode(value, validate=True)
    return float(value)


def add(total: Sum, row: Mapping[str, Any], shape: Shape) -> Sum:
    """The sum with one more row."""
    same = {name: _same(_said(row[name], kind)) for name, kind in shape.columns}
    line = json.dumps(same, separators=(",", ":"), sort_keys=True)
    number = int.from_bytes(sha256(line.encode()).digest())
    return Sum(total.rows + 1, (total.digest + number) % _ROOM)


def _same(value: object) -> object:
    """One form for values that engines write in several: 1 and 1.0, or a number of 300 digits."""
    match value:
        case bool():
            return int(value)
        case int() if abs(value) > _SURE:
            return _rounded(value)
        case float() if abs(value) <= _SURE and value == int(value):
            return int(value)
        case float():
            return repr(value)
        case list():
            return [_same(each) for each in value]
        case dict():
            return {key: _same(each) for key, each in value.items()}
        case _:
            return value


def _rounded(value: int) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        return str(value)
