"""Installations to keep: rows in every table, a memory, documents, keys."""

import re
from collections.abc import Collection
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import CheckConstraint, Column, Table, insert, text

from paige.app.application import open_app
from paige.app.backup.tables import declared
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.store.document_table import TableDocuments
from paige.store.engine import Database, open_database
from paige.store.rows import table_queries as queries
from paige.store.rows.table_queries import kind_of
from tests.conftest import NOON

ALLOWED = re.compile(r"(\w+) IN \(('.*?')(?:,|\))")
ELSEWHERE = ("memory_log", "memory_log_heads", "documents")
STRANGE = "déjà vu\u2028 \U0001f600 '\"\\ %s :x \t"
SECRET = "sk-planted-key-0123456789"


def quiet(what: str, done: int, of: int) -> None:
    """Nobody listens."""


def settings_in(folder: Path, url: str = "", **more: Any) -> Settings:
    """Settings whose every place lies in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    environ = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    return Settings(
        cwd=folder, environ=environ, given_data_dir=folder / "data", database_url=url, **more
    )


def fill_tables(
    database: Database,
    count: int = 3,
    *,
    person: str = "me",
    mark: str = "",
    only: Collection[str] = (),
) -> None:
    """Put rows into every table that has no file as its twin, or into some."""
    with database.system.transaction(write=True) as connection:
        there = set(queries.table_names(connection))
        for table in declared():
            wanted = table.name in only if only else table.name not in ELSEWHERE
            if table.name in there and wanted:
                keys = {column.name for column in table.primary_key}
                alone = keys <= {"tenant", "person"} or (mark and table.name == "people")
                rows = [_row(table, number, person, mark) for number in range(1, count + 1)]
                connection.execute(insert(table), rows[:1] if alone else rows)


def _row(table: Table, number: int, person: str, mark: str) -> dict[str, Any]:
    allowed = {
        found[1]: found[2].strip("'")
        for each in table.constraints
        if isinstance(each, CheckConstraint)
        for found in ALLOWED.finditer(str(each.sqltext))
    }
    row = {column.name: _value(column, number, mark) for column in table.columns}
    row |= allowed
    row |= {name: person for name in ("person", "teacher_id") if name in row}
    row |= {"tenant": f"{mark}{number:06d}"} if table.name == "tenants" else {"tenant": "local"}
    return row | ({"id": person} if table.name == "people" and mark else {})


def _value(column: Column[Any], number: int, mark: str) -> Any:
    match kind_of(column.type):
        case "text" if column.foreign_keys or column.primary_key or column.name.endswith("id"):
            return f"{mark}{number:06d}"
        case "text":
            return f"{mark} {column.name} {number} {STRANGE}"
        case "time":
            return NOON + timedelta(days=number % 500, microseconds=number)
        case "json":
            return {"n": number, "f": 1.0, "deep": [None, True, 1e16, -0.5, {mark: STRANGE}]}
        case "flag":
            return number % 2 == 0
        case "bytes":
            return bytes([0, 255, number % 256])
        case "real":
            return number / 7
        case _ if column.primary_key and column.name == "seq":
            return number + sum(map(ord, mark))
        case _:
            return number


def make_installation(folder: Path, url: str = "", count: int = 3) -> Settings:
    """An installation with rows, memories, documents, a course, guards and keys."""
    settings = settings_in(folder, url)
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        fill_tables(app.database, count)
        remember(app.memory.open(), "The school garden needs water on Mondays")
        if url:
            documents = TableDocuments(app.database, Actor(), "workspace", now=lambda: NOON)
            documents.write("lessons/bread.md", "Bread and yeast\n", base="")
    _write(settings.data_dir / "cookie.key", "k" * 32)
    _write(settings.data_dir / "guard/evidence.key", "e" * 64)
    _write(settings.data_dir / "research-salt", "aa" * 16)
    _write(settings.data_dir / "memory/derived/index.bin", "made again")
    if not url:
        _write(settings.workspace / "lessons/bread.md", "Bread and yeast\n")
    _write(settings.teaching_dir / "courses/malay/course.md", "# Malay\n")
    config = folder / "config/ai"
    _write(config / "guards/no-rm.json", '{"id": "no-rm"}')
    _write(config / "paige.toml", f'port = 3210\nanthropic_api_key = "{SECRET}"\n')
    return settings


def remember(memory: Any, *texts: str, person: str = "me") -> None:
    """Say something to the memory."""
    drafts = [Draft(text=text, scope="global", owner=person) for text in texts]
    results = memory.remember(drafts, Writer(person=person))
    assert all(each.status != "refused" for each in results), results


def sums(database: Database) -> dict[str, tuple[int, str]]:
    """What every table adds up to."""
    found = {}
    with database.system.transaction(write=False) as connection:
        there = set(queries.table_names(connection))
        for table in declared():
            if table.name in there:
                total = queries.sum_table(connection, queries.shape_of(connection, table.name))
                found[table.name] = (total.rows, total.shown)
    return found


def ask(settings: Settings, query: str) -> list[tuple[Any, ...]]:
    """What a query finds."""
    with (
        closing(open_database(settings)) as database,
        database.system.transaction(write=False) as connection,
    ):
        return [tuple(row) for row in connection.execute(text(query))]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
