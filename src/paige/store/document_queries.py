"""SQL of documents that are kept in a table: every version is a row, the newest one counts."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, LargeBinary, Select, bindparam, cast, func, select, text

from paige.base.actor import Actor
from paige.store.queries import latest_event
from paige.store.tables import DOCUMENTS, EVENTS
from paige.store.types import UtcTime

_INSERT = text("""
INSERT INTO documents
    (tenant, area, path, number, hash, text, deleted, at, person, written_by)
VALUES
    (:tenant, :area, :path, :number, :hash, :text, :deleted, :at, :person, :written_by)
ON CONFLICT (tenant, area, path, number) DO NOTHING
""").bindparams(bindparam("at", type_=UtcTime))


class Area(NamedTuple):
    """What belongs together, as a folder does: its name, and whose it is (`None`: the tenant's)."""

    name: str
    person: str | None


class Version(NamedTuple):
    """One version of a document; the text of a deletion is empty."""

    path: str
    number: int
    hash: str
    text: str
    deleted: bool
    at: datetime
    written_by: str


class Entry(NamedTuple):
    """A document in a list: its version and how many bytes it has."""

    path: str
    version: str
    size: int


def insert_version(connection: Connection, actor: Actor, area: Area, version: Version) -> bool:
    """Store a version; false when there is one of that number already."""
    row = {"tenant": actor.tenant, "area": area.name, "person": area.person}
    return connection.execute(_INSERT, {**row, **version._asdict()}).rowcount == 1


def newest_version(connection: Connection, actor: Actor, area: Area, path: str) -> Version | None:
    """The newest version of a document, deleted or not."""
    query = _versions(actor, area, path).order_by(DOCUMENTS.c.number.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else Version(*row)


def all_versions(connection: Connection, actor: Actor, area: Area, path: str) -> list[Version]:
    """Every version of a document, the oldest first."""
    query = _versions(actor, area, path).order_by(DOCUMENTS.c.number)
    return [Version(*row) for row in connection.execute(query)]


def has_versions(connection: Connection, actor: Actor, area: Area) -> bool:
    """Whether anything was ever written in an area."""
    query = select(DOCUMENTS.c.path).where(
        DOCUMENTS.c.tenant == actor.tenant, DOCUMENTS.c.area == area.name
    )
    return connection.scalar(query.limit(1)) is not None


def live_paths(connection: Connection, actor: Actor, area: Area, below: str = "") -> list[str]:
    """The paths of all documents that are there, below a folder."""
    newest = _newest(actor, area, below).subquery()
    query = select(newest.c.path).where(newest.c.deleted.is_(False))
    return list(connection.scalars(query))


def entries(connection: Connection, actor: Actor, area: Area) -> list[Entry]:
    """Every document that is there, without its text."""
    octets = func.octet_length(DOCUMENTS.c.text)
    if connection.dialect.name == "sqlite":
        octets = func.length(cast(DOCUMENTS.c.text, LargeBinary))
    query = _newest(actor, area, "").where(DOCUMENTS.c.deleted.is_(False)).add_columns(octets)
    return [Entry(row[0], row[1], row[3]) for row in connection.execute(query)]


def newest_hashes(connection: Connection, actor: Actor, area: Area) -> dict[str, str]:
    """The version of every document that ever was there; empty for a deleted one."""
    found = connection.execute(_newest(actor, area, ""))
    return {row.path: "" if row.deleted else row.hash for row in found}


def known_hashes(connection: Connection, actor: Actor, area: Area) -> dict[str, set[str]]:
    """Every version that each document ever had."""
    query = select(DOCUMENTS.c.path, DOCUMENTS.c.hash).where(
        DOCUMENTS.c.tenant == actor.tenant,
        DOCUMENTS.c.area == area.name,
        DOCUMENTS.c.deleted.is_(False),
    )
    known: dict[str, set[str]] = {}
    for path, version in connection.execute(query):
        known.setdefault(path, set()).add(version)
    return known


def is_folder(connection: Connection, actor: Actor, area: Area, path: str) -> bool:
    """Whether documents are below a path."""
    return bool(live_paths(connection, actor, area, path))


def any_live(connection: Connection, actor: Actor, area: Area, paths: Collection[str]) -> bool:
    """Whether one of these paths is a document."""
    return any(
        (found := newest_version(connection, actor, area, path)) is not None and not found.deleted
        for path in paths
    )


def newest_change(connection: Connection, actor: Actor) -> int:
    """The place in the event stream from which someone watches."""
    return latest_event(connection)


def changes_after(
    connection: Connection, actor: Actor, topic: str, seq: int, limit: int
) -> list[tuple[int, dict[str, str]]]:
    """What an actor may hear of a topic after a place in the event stream."""
    query = (
        select(EVENTS.c.seq, EVENTS.c.payload)
        .where(
            EVENTS.c.tenant == actor.tenant,
            EVENTS.c.topic == topic,
            EVENTS.c.seq > seq,
            EVENTS.c.person.is_(None) | (EVENTS.c.person == actor.person),
        )
        .order_by(EVENTS.c.seq)
        .limit(limit)
    )
    return [(row.seq, row.payload) for row in connection.execute(query)]


def _versions(actor: Actor, area: Area, path: str) -> Select[Any]:
    return select(*(DOCUMENTS.c[name] for name in Version._fields)).where(
        DOCUMENTS.c.tenant == actor.tenant,
        DOCUMENTS.c.area == area.name,
        DOCUMENTS.c.path == path,
    )


def _newest(actor: Actor, area: Area, below: str) -> Select[Any, Any, Any]:
    """The newest version of every document below a folder; `below` itself is not one of them."""
    mine = [DOCUMENTS.c.tenant == actor.tenant, DOCUMENTS.c.area == area.name]
    if below:
        # Not LIKE: its wild cards may be in a path, and SQLite compares it without case.
        mine.append(func.substr(DOCUMENTS.c.path, 1, len(below) + 1) == f"{below}/")
    numbers = (
        select(DOCUMENTS.c.path, func.max(DOCUMENTS.c.number).label("number"))
        .where(*mine)
        .group_by(DOCUMENTS.c.path)
        .subquery()
    )
    return (
        select(DOCUMENTS.c.path, DOCUMENTS.c.hash, DOCUMENTS.c.deleted)
        .join(
            numbers,
            (DOCUMENTS.c.path == numbers.c.path) & (DOCUMENTS.c.number == numbers.c.number),
        )
        .where(*mine)
    )
