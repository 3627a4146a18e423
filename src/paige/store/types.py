"""What means the same on SQLite and PostgreSQL: column types, and inserts that may meet a row.

Most servers start without PostgreSQL, and its part of the library is large: it is imported late.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Connection, DateTime, Dialect, String, Table, TypeDecorator
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeEngine

from paige.base.clock import from_iso, to_iso


class JsonValue(TypeDecorator[Any]):
    """Any JSON value; Python's `None` is SQL's NULL. Text on SQLite, `jsonb` on PostgreSQL."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Pick the column type of the engine."""
        if dialect.name != "postgresql":
            return dialect.type_descriptor(JSON(none_as_null=True))
        from sqlalchemy.dialects.postgresql import JSONB  # noqa: PLC0415 - see above

        return dialect.type_descriptor(JSONB(none_as_null=True))

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> Any:  # noqa: ANN401 - the library's
        """A part of it is compared as its own type."""
        return self.impl_instance.coerce_compared_value(op, value)


Json = JsonValue(none_as_null=True)


class UtcTime(TypeDecorator[datetime]):
    """An aware moment: fixed-width ISO 8601 text on SQLite, `timestamptz` on PostgreSQL."""

    impl = String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Pick the column type of the engine."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(String(27))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> object:
        """Refuse naive moments on both engines."""
        if value is None:
            return None
        text = to_iso(value)
        return value if dialect.name == "postgresql" else text

    def process_result_value(self, value: object, dialect: Dialect) -> datetime | None:
        """Give back an aware moment in UTC."""
        if value is None:
            return None
        return from_iso(value if isinstance(value, str) else str(value))


class UtcNow(FunctionElement[datetime]):
    """The moment at which a row is inserted by someone who does not say it."""

    type = UtcTime()
    inherit_cache = True


@compiles(UtcNow)
def _now(element: UtcNow, compiler: SQLCompiler, **options: object) -> str:
    return "CURRENT_TIMESTAMP"


@compiles(UtcNow, "sqlite")
def _now_as_text(element: UtcNow, compiler: SQLCompiler, **options: object) -> str:
    return "(strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')"


def engine_insert(connection: Connection, table: Table) -> Any:  # noqa: ANN401 - of either engine
    """An insert that can say what happens where a row is there already (`on_conflict_…`)."""
    if connection.dialect.name != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - see above

    return postgresql.insert(table)
