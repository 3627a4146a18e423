"""Finding and changing a person's words wherever they stand, the same on both engines."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, ColumnElement, Connection, Table, Text, and_, cast, or_, select, update
from sqlalchemy.types import String

from paige.base.actor import Actor
from paige.store.dumping_person_queries import of_person, own_blobs
from paige.store.tables import METADATA
from paige.store.types import UtcTime

_AT_ONCE = 20


def change_words(
    connection: Connection,
    person: Actor,
    probes: Sequence[str],
    change: Callable[[Any], Any],
    *,
    without: Collection[str],
) -> int:
    """Change every value of a person's rows that holds one of some words; how many rows.

    What names a row stays as it is, and so do the tables in `without`.
    """
    changed = 0
    for table, row in _rows(connection, person, probes, without):
        new = {name: change(value) for name, value in row.items() if not table.c[name].primary_key}
        values = {name: value for name, value in new.items() if value != row[name]}
        if values:
            own = and_(*(key == row[key.name] for key in table.primary_key.columns))
            connection.execute(update(table).where(own).values(values))
            changed += 1
    return changed


def tables_with(
    connection: Connection,
    person: Actor,
    probes: Sequence[str],
    holds: Callable[[Any], bool],
    *,
    only: Collection[str],
) -> dict[str, int]:
    """In which of some tables a person's rows hold some words, and how many do."""
    without = METADATA.tables.keys() - set(only)
    found: dict[str, int] = {}
    for table, row in _rows(connection, person, probes, without):
        if any(holds(value) for value in row.values()):
            found[table.name] = found.get(table.name, 0) + 1
    return found


def overwrite_deleted(connection: Connection) -> None:
    """Let SQLite overwrite what is deleted from now on; otherwise it stays in the file."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")


def holds_bytes(path: Path, words: Collection[bytes]) -> bool:
    """Whether some bytes stand anywhere in a file, also where nothing is stored any more."""
    longest = max(map(len, words), default=0)
    if not longest or not path.is_file():
        return False
    with path.open("rb") as file:
        before = b""
        while part := file.read(2**20):
            if any(each in before + part for each in words):
                return True
            before = part[-longest:]
    return False


def _rows(
    connection: Connection, person: Actor, probes: Sequence[str], without: Collection[str]
) -> Iterator[tuple[Table, dict[str, Any]]]:
    for table in METADATA.sorted_tables:
        mine = None if table.name in without else _mine(connection, table, person)
        if mine is None:
            continue
        keys = list(table.primary_key.columns)
        texts = [each for each in table.columns if _is_text(each.type)]
        wanted = {each.name: each for each in (*keys, *texts)}
        for start in range(0, len(probes), _AT_ONCE):
            there: list[ColumnElement[bool]] = [
                cast(each, Text).contains(probe, autoescape=True)
                for each in texts
                for probe in probes[start : start + _AT_ONCE]
            ]
            query = select(*wanted.values()).where(mine, or_(*there)).order_by(*keys)
            for row in connection.execute(query).mappings().all():
                yield table, dict(row)


def _mine(connection: Connection, table: Table, person: Actor) -> ColumnElement[bool] | None:
    if table.name != "blobs":
        return of_person(table, person)
    own = own_blobs(connection, person)
    return and_(table.c.tenant == person.tenant, table.c.hash.in_(own)) if own else None


def _is_text(kind: object) -> bool:
    return isinstance(kind, String | JSON) and not isinstance(kind, UtcTime)
