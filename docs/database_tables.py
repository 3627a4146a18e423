"""Writes the page with the schema of the database, from the declared tables."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import CheckConstraint, Column, Table, UniqueConstraint
from sqlalchemy.dialects import postgresql, sqlite

import paige
from docs.schemas import cell
from paige.store.tables import METADATA

LITE, POST = sqlite.dialect(), postgresql.dialect()


def declare_all_tables() -> None:
    """Import the `tables` module of every room, so that `METADATA` is complete."""
    for room in pkgutil.iter_modules(paige.__path__):
        if (Path(paige.__path__[0]) / room.name / "tables.py").is_file():
            importlib.import_module(f"paige.{room.name}.tables")


def table_lines() -> list[str]:
    """Every table: columns with their types in both engines, and what must be unique."""
    declare_all_tables()
    lines: list[str] = []
    for name, table in sorted(METADATA.tables.items()):
        lines += ["", f"## {name}", ""]
        lines += ["| column | SQLite | PostgreSQL | key | may be NULL |", "|---|---|---|---|---|"]
        lines += [_row(column) for column in table.columns]
        rules = sorted(_rules(table))
        if rules:
            lines += ["", *(f"- {rule}" for rule in rules)]
    return lines[1:]


def _row(column: Column[object]) -> str:
    lite, post = column.type.compile(dialect=LITE), column.type.compile(dialect=POST)
    key = "yes" if column.primary_key else ""
    null = "yes" if column.nullable else ""
    return f"| `{column.name}` | {cell(lite)} | {cell(post)} | {key} | {null} |"


def _rules(table: Table) -> Iterator[str]:
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield f"unique: {', '.join(f'`{column.name}`' for column in constraint.columns)}"
        elif isinstance(constraint, CheckConstraint):
            yield f"check: `{cell(str(constraint.sqltext))}`"
    for index in table.indexes:
        columns = ", ".join(f"`{cell(str(each).rpartition('.')[2])}`" for each in index.expressions)
        yield f"{'unique index' if index.unique else 'index'} `{index.name}`: {columns}"
