"""SQL for reading and writing whole tables, whatever they mean: backup, restore, moving.

Columns are read from the database itself, so that one of an older schema can be read too; what the
code declares says what they mean: moments are written as ISO texts, bytes as base64, JSON as JSON,
whatever engine kept them. The sum of a table is made of the hashes of its rows, added up, so that
the order in which an engine gives them does not matter.
"""

import base64
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, get_args

from sqlalchemy import (
    JSON,
    Boolean,
    Connection,
    DateTime,
    Float,
    Integer,
    LargeBinary,
    Numeric,
    Select,
    TableClause,
    Text,
    column,
    func,
    insert,
    inspect,
    literal,
    select,
    table,
    text,
    tuple_,
)
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.types import TypeEngine

from paige.base.clock import from_iso, to_iso
from paige.base.errors import BadInput, NotFound
from paige.store.tables import METADATA, BigNumber
from paige.store.types import Json, JsonValue, UtcTime

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
        case JSON() | JsonValue():
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


VERSION = "alembic_version"
BATCH = 500
_PARTITIONS = text("""
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relispartition
""")
_SERIALS = text("""
SELECT a.attname, pg_get_serial_sequence(quote_ident(:name), a.attname) AS sequence
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relname = :name AND a.attnum > 0
  AND pg_get_serial_sequence(quote_ident(:name), a.attname) IS NOT NULL
""")


def table_names(connection: Connection) -> list[str]:
    """Every table of the database but the parts of partitioned ones."""
    names = set(inspect(connection).get_table_names())
    if connection.dialect.name == "postgresql":
        names -= set(connection.execute(_PARTITIONS).scalars())
    return sorted(names)


def shape_of(connection: Connection, name: str) -> Shape:
    """A table as it is in the database; columns that it computes by itself are left out."""
    found = inspect(connection)
    kept = [each for each in found.get_columns(name) if "computed" not in each]
    key = tuple(found.get_pk_constraint(name)["constrained_columns"])
    return Shape(name, tuple((each["name"], _kind(name, each)) for each in kept), key)


def _kind(name: str, found: ReflectedColumn) -> Kind:
    declared = METADATA.tables.get(name)
    if declared is not None and found["name"] in declared.c:
        return kind_of(declared.c[found["name"]].type)
    # Nothing but moments is kept in texts of fixed width.
    if getattr(found["type"], "length", None) == 27:
        return "time"
    return kind_of(found["type"])


def count_rows(connection: Connection, name: str) -> int:
    """How many rows a table has."""
    return connection.scalar(select(func.count()).select_from(table(name))) or 0


def any_rows(connection: Connection, name: str) -> bool:
    """Whether a table has a row."""
    return connection.execute(select(1).select_from(table(name)).limit(1)).first() is not None


def read_rows(connection: Connection, shape: Shape) -> Iterator[Row]:
    """Every row in the order of its key, a few at a time."""
    # Not the options of the connection: they would stay, and nothing else can be streamed.
    options = {"stream_results": True, "yield_per": BATCH}
    found = connection.execute(_ordered(shape), execution_options=options)
    try:
        for row in found.mappings():
            yield dict(row)
    finally:
        found.close()


def rows_after(
    connection: Connection, shape: Shape, after: Mapping[str, Any] | None, *, most: int
) -> list[Row]:
    """The next rows in the order of the key, after the one with these key values."""
    query = _ordered(shape).limit(most)
    if after is not None:
        keys = [column(name, type_of(kind)) for name, kind in shape.columns if name in shape.key]
        keys.sort(key=lambda each: shape.key.index(each.name))
        last = [literal(after[each.name], each.type) for each in keys]
        query = query.where(tuple_(*keys) > tuple_(*last))
    return [dict(row) for row in connection.execute(query).mappings()]


def insert_batch(connection: Connection, shape: Shape, rows: Sequence[Row]) -> None:
    """Add rows as they are."""
    if rows:
        connection.execute(insert(_clause(shape)), rows)


def sum_table(connection: Connection, shape: Shape) -> Sum:
    """Count the rows of a table and add them up, as both engines would store them."""
    total = Sum()
    for row in read_rows(connection, shape):
        total = add(total, portable_row(row, shape)[0], shape)
    return total


def portable_row(row: Row, shape: Shape) -> tuple[Row, int]:
    """A row that both engines store, and how many of its values were changed for that."""
    made = {name: portable(row[name], kind) for name, kind in shape.columns}
    changed = sum(each for _, each in made.values())
    return {name: value for name, (value, _) in made.items()}, changed


def set_sequences(connection: Connection, name: str) -> None:
    """Let numbers that PostgreSQL gives go on after those that were put in."""
    if connection.dialect.name != "postgresql":
        return
    for found in connection.execute(_SERIALS, {"name": name}).all():
        newest = connection.scalar(select(func.max(column(found.attname))).select_from(table(name)))
        if newest is not None:
            connection.execute(select(func.setval(found.sequence, newest)))


def _clause(shape: Shape) -> TableClause:
    return table(shape.name, *(column(name, type_of(kind)) for name, kind in shape.columns))


def _ordered(shape: Shape) -> Select[Any]:
    if not shape.key:
        raise NotFound(f"The table `{shape.name}` has no key, so it cannot be copied")
    clause = _clause(shape)
    return select(*clause.c).order_by(*(clause.c[name] for name in shape.key))
