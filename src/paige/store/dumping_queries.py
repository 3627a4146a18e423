"""SQL for reading and writing whole tables, whatever they mean: backup, restore, moving.

Columns are read from the database itself, so that one of an older schema can be read too; what the
code declares says what they mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    TableClause,
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

from paige.base.errors import NotFound
from paige.store.dumping import Kind, Row, Shape, Sum, add, kind_of, portable, type_of
from paige.store.migrate import MIGRATIONS
from paige.store.tables import METADATA

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


def build_schema(connection: Connection, revision: str) -> None:
    """Run the migrations up to `revision` in the caller's transaction."""
    from alembic import command  # noqa: PLC0415 - slow to import, as in `migrate`
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _clause(shape: Shape) -> TableClause:
    return table(shape.name, *(column(name, type_of(kind)) for name, kind in shape.columns))


def _ordered(shape: Shape) -> Select[Any]:
    if not shape.key:
        raise NotFound(f"The table `{shape.name}` has no key, so it cannot be copied")
    clause = _clause(shape)
    return select(*clause.c).order_by(*(clause.c[name] for name in shape.key))
