"""Column types that mean the same on SQLite and PostgreSQL."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, String, TypeDecorator
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement
from sqlalchemy.types import TypeEngine

from paige.base.clock import from_iso, to_iso

Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
"""Any JSON value; Python's `None` is SQL's NULL."""


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
