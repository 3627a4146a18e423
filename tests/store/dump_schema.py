"""Writes `schemas/<head>.sql`: a database of the newest revision with a few rows in every table.

Run it once when a revision lands, with `python -m tests.store.dump_schema`; an old dump is never
written again, for it is what people have on their disks.
"""

import importlib
import pkgutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, insert, inspect

import paige
from paige.store.engine import Database, open_sqlite
from paige.store.migrate import head_revision, migrate
from paige.store.tables import METADATA
from paige.store.types import Json, UtcTime

SCHEMAS = Path(__file__).parent / "schemas"
# Columns whose value must be one of a few: (table, column) -> value.
SAMPLES: dict[tuple[str, str], object] = {
    ("memory_files", "scope"): "class",
    ("memory_events", "event_type"): "capture_edited",
    ("dreyfus_assessments", "stage"): "competent",
    ("knowledge_gaps", "severity"): "medium",
    ("phases", "status"): "active",
    ("phase_hints", "type"): "line",
    ("decisions", "type"): "violation",
    ("decisions", "source"): "enforcement_hook",
    ("decisions", "scope"): "project",
    ("tenants", "state"): "active",
    ("people", "state"): "active",
    ("sign_ins", "kind"): "browser",
}


def declare_all_tables() -> None:
    """Import the `tables` module of every room, so that `METADATA` is complete."""
    for room in pkgutil.iter_modules(paige.__path__):
        for module in pkgutil.iter_modules([str(Path(paige.__path__[0]) / room.name)]):
            if module.name == "tables":
                importlib.import_module(f"paige.{room.name}.tables")


def fill(database: Database) -> None:
    """Put two rows in every table; a reference points to the row of the same number."""
    declare_all_tables()
    with database.transaction(write=True) as connection:
        there = inspect(connection).get_table_names()
        for table in (each for each in METADATA.sorted_tables if each.name in there):
            rows = [{column.name: _sample(column, n) for column in table.columns} for n in (1, 2)]
            connection.execute(insert(table), rows)


def statements_of(path: Path) -> list[str]:
    """The statements that make a SQLite file again; triggers fill the full-text indexes."""
    with closing(sqlite3.connect(path)) as connection:
        shadows = {row[1] for row in connection.execute("PRAGMA table_list") if row[2] == "shadow"}
        objects = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL "
            "ORDER BY type = 'trigger', type = 'index', rowid"
        ).fetchall()
        lines = [f"{sql};" for _, name, table, sql in objects if not {name, table} & shadows]
        for kind, name, _, sql in objects:
            if kind == "table" and name not in shadows and "VIRTUAL" not in sql:
                lines += [f"INSERT INTO {name} VALUES ({row});" for row in _rows(connection, name)]
    return lines


def _rows(connection: sqlite3.Connection, table: str) -> list[str]:
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    values = " || ', ' || ".join(f'quote("{name}")' for name in names)
    return [row[0] for row in connection.execute(f"SELECT {values} FROM {table}")]


def _sample(column: Column, number: int) -> object:
    chosen = SAMPLES.get((column.table.name, column.name))
    if chosen is not None:
        return chosen
    if column.name == "tenant":
        is_key = list(column.table.primary_key) == [column]
        return f"school-{number}" if is_key else "local"
    if column.foreign_keys:
        return _sample(next(iter(column.foreign_keys)).column, number)
    if isinstance(column.type, UtcTime):
        return datetime(2026, 3, 2, 12, 30, 0, 5, tzinfo=UTC) + timedelta(days=number)
    if isinstance(column.type, type(Json)):
        return {"number": number, "text": "déjà vu", "list": [1, None]}
    if isinstance(column.type, LargeBinary):
        return bytes([number, 0, 255])
    for kind, value in ((Boolean, number == 1), (Integer, number), (Float, number + 0.5)):
        if isinstance(column.type, kind):
            return value
    return f"{column.name} {number}"


def main() -> None:
    """Write the dump of the newest revision, unless there is one."""
    target = SCHEMAS / f"{head_revision()}.sql"
    if target.exists():
        sys.exit(f"{target.name} exists already; what has landed stays as it is.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paige.db"
        with closing(open_sqlite(path)) as database:
            migrate(database)
            fill(database)
        target.write_text("\n".join(statements_of(path)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
