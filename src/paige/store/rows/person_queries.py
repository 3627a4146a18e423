"""SQL for everything that the tables hold of one person: reading it, taking it out, changing words.

A row belongs to a person by a column that names them, or because it hangs on such a row: the
journal and the spans of their runs, the decisions of their sessions. Texts of prompts are shared
between runs and go when no run of anybody else uses them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    Select,
    Table,
    Text,
    and_,
    cast,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.types import String

from paige.base.actor import Actor
from paige.store.rows.table_queries import Row
from paige.store.tables import METADATA
from paige.store.types import JsonValue, UtcTime

ERASED = "erased"
"""Stands where a row of somebody else names a person who was erased."""
KEPT = ("audit_log",)
"""What was done is kept; it names people by their id and says nothing else of them."""
_WHOSE = ("person", "teacher_id")
_MENTIONS = ("written_by",)
_SOME = 500


class Link(NamedTuple):
    """Rows that hang on rows of another table: `table.column` is `of.key`, perhaps prefixed."""

    table: str
    column: str
    of: str
    key: str = "id"
    prefix: str = ""


LINKS = (
    Link("journal", "run_id", "runs"),
    Link("spans", "trace", "runs"),
    Link("leases", "name", "runs", prefix="run/"),
    Link("decisions", "session", "sessions"),
    Link("decision_sessions", "session", "sessions"),
)


def of_person(table: Table, person: Actor) -> ColumnElement[bool] | None:
    """The condition for the rows of a person, `None` when the table has none."""
    if table.name in KEPT:
        return None
    mine = [table.c[name] == person.person for name in _WHOSE if name in table.c]
    if table.name == "people":
        mine = [table.c.id == person.person]
    mine += [_hanging(table, link, person) for link in LINKS if link.table == table.name]
    if table.name == "decision_edges":
        mine = _edges(table, person)
    return and_(table.c.tenant == person.tenant, or_(*mine)) if mine else None


def count_of_person(connection: Connection, person: Actor) -> dict[str, int]:
    """How many rows of each table belong to a person, without the tables that have none."""
    found: dict[str, int] = {}
    for table, mine in _tables(person):
        count = connection.scalar(select(func.count()).select_from(table).where(mine))
        if count:
            found[table.name] = count
    blobs = own_blobs(connection, person)
    return {**found, "blobs": len(blobs)} if blobs else found


def rows_of_person(connection: Connection, person: Actor, name: str) -> Iterator[Row]:
    """The rows of a table that belong to a person."""
    table = METADATA.tables[name]
    if name == "blobs":
        yield from _blob_rows(connection, table, person)
        return
    mine = of_person(table, person)
    if mine is None:
        return
    query = select(table).where(mine).order_by(*table.primary_key.columns)
    for row in connection.execute(query).mappings():
        yield dict(row)


def erase_person(connection: Connection, person: Actor) -> dict[str, int]:
    """Delete everything of a person, and their name where others' rows mention it."""
    gone: dict[str, int] = {}
    if connection.dialect.name == "sqlite":  # otherwise the words stay in free pages of the file
        connection.exec_driver_sql("PRAGMA secure_delete=ON")
    blobs = own_blobs(connection, person)
    # What refers to a row goes before it, and what hangs on it too: it is found through it.
    tables = list(_tables(person))[::-1]
    for table, mine in sorted(tables, key=lambda each: _rank(each[0].name)):
        done = connection.execute(delete(table).where(mine)).rowcount
        if done:
            gone[table.name] = done
    if blobs:
        gone["blobs"] = _delete_blobs(connection, person, blobs)
    for table in METADATA.sorted_tables:
        for name in _MENTIONS:
            if name in table.c:
                where = and_(table.c.tenant == person.tenant, table.c[name] == person.person)
                connection.execute(update(table).where(where).values({name: ERASED}))
    _scrub_events(connection, person)
    return gone


def own_blobs(connection: Connection, person: Actor) -> list[str]:
    """The texts that only runs of this person use."""
    runs = METADATA.tables["runs"]
    mine = _named(connection, select(runs.c.header).where(_of(runs, person)))
    if not mine:
        return []
    blobs = METADATA.tables["blobs"]
    for some in _portions(sorted(mine)):
        found = select(blobs.c.hash).where(blobs.c.tenant == person.tenant, blobs.c.hash.in_(some))
        mine -= set(some) - set(connection.execute(found).scalars())
    others = and_(runs.c.tenant == person.tenant, runs.c.person != person.person)
    return sorted(mine - _named(connection, select(runs.c.header).where(others)))


def _rank(name: str) -> int:
    if name == "decision_edges":
        return 0
    return 1 if name in {link.table for link in LINKS} else 2


def _tables(person: Actor) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    for table in METADATA.sorted_tables:
        mine = of_person(table, person)
        if mine is not None:
            yield table, mine


def _of(table: Table, person: Actor) -> ColumnElement[bool]:
    return and_(table.c.tenant == person.tenant, table.c.person == person.person)


def _hanging(table: Table, link: Link, person: Actor) -> ColumnElement[bool]:
    parent = METADATA.tables[link.of]
    keys = select((link.prefix + parent.c[link.key]) if link.prefix else parent.c[link.key])
    return table.c[link.column].in_(keys.where(_of(parent, person)))


def _edges(table: Table, person: Actor) -> list[ColumnElement[bool]]:
    decisions, sessions = METADATA.tables["decisions"], METADATA.tables["sessions"]
    own = select(sessions.c.id).where(_of(sessions, person))
    ids = select(decisions.c.id).where(
        decisions.c.tenant == person.tenant, decisions.c.session.in_(own)
    )
    both = (table.c.source_id, table.c.target_id)
    return [*(each.in_(ids) for each in both), *(each.in_(own) for each in both)]


def _named(connection: Connection, headers: Select[Any]) -> set[str]:
    """Every text in the headers of runs that may be the name of a blob."""
    found: set[str] = set()
    for header in connection.execute(headers).scalars():
        found |= {text for text in _texts(header) if len(text) == 64}
    return found


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from _texts(each)
        case dict():
            for each in value.values():
                yield from _texts(each)


def _blob_rows(connection: Connection, table: Table, person: Actor) -> Iterator[Row]:
    for some in _portions(own_blobs(connection, person)):
        query = select(table).where(table.c.tenant == person.tenant, table.c.hash.in_(some))
        for row in connection.execute(query).mappings():
            yield dict(row)


def _delete_blobs(connection: Connection, person: Actor, names: list[str]) -> int:
    table = METADATA.tables["blobs"]
    where = table.c.tenant == person.tenant
    return sum(
        connection.execute(delete(table).where(where, table.c.hash.in_(some))).rowcount
        for some in _portions(names)
    )


def _scrub_events(connection: Connection, person: Actor) -> None:
    """Take a person's id out of what everyone of their tenant was told."""
    table = METADATA.tables["events"]
    quoted = f'%"{person.person}"%'
    query = select(table.c.seq, table.c.payload).where(
        table.c.tenant == person.tenant,
        table.c.person.is_(None),
        cast(table.c.payload, Text).like(quoted),
    )
    for row in connection.execute(query).all():
        payload = _without(row.payload, person.person)
        connection.execute(update(table).where(table.c.seq == row.seq).values(payload=payload))


def _without(value: Any, name: str) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return ERASED if value == name else value
        case list():
            return [_without(each, name) for each in value]
        case dict():
            return {key: _without(each, name) for key, each in value.items()}
        case _:
            return value


def _portions(names: Iterable[str]) -> Iterator[list[str]]:
    listed = list(names)
    for start in range(0, len(listed), _SOME):
        yield listed[start : start + _SOME]


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
    return isinstance(kind, String | JSON | JsonValue) and not isinstance(kind, UtcTime)
