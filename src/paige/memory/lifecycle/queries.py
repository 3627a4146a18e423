"""SQL of the life cycle: memories with what became of them, read from the index."""

from collections.abc import Collection
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any, cast

import orjson

from paige.memory.index.packing import unpack_event
from paige.memory.lifecycle.held import Held, Page
from paige.memory.lifecycle.tiers import TIERS, Tier

STRETCH = 10  # rows looked at for one that is wanted: no query goes through the whole table
_COLUMNS = """
SELECT row, body, importance, accesses, last_access, tier, superseded_by, duplicate_of
FROM memories
"""
_OF_IDS = f"{_COLUMNS} WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY row"  # noqa: S608 - constants
_OF_SESSION = f"{_COLUMNS} WHERE session = :session ORDER BY at DESC, row DESC LIMIT :limit"
_NEWEST = f"""{_COLUMNS}
WHERE type IN (SELECT value FROM json_each(:types)) AND type NOT IN ('turn', 'note')
  AND superseded_by IS NULL AND duplicate_of IS NULL
ORDER BY at DESC, row DESC LIMIT :limit"""  # noqa: S608 - constants
_STRETCH = """
SELECT max(row), count(*)
FROM (SELECT row FROM memories WHERE row > :after ORDER BY row LIMIT :most)
"""
_AGED = f"""{_COLUMNS}
WHERE row > :after AND row <= :last AND at < :before ORDER BY row LIMIT :limit"""


def held_of(connection: Connection, ids: Collection[str]) -> list[Held]:
    """Those of these ids that are there."""
    return _held(connection.execute(_OF_IDS, {"ids": _json(ids)}).fetchall())


def held_of_session(connection: Connection, session: str, limit: int) -> list[Held]:
    """The newest memories of a session, oldest first."""
    values = {"session": session, "limit": limit}
    return _held(connection.execute(_OF_SESSION, values).fetchall()[::-1])


def newest_held(connection: Connection, types: Collection[str], limit: int) -> list[Held]:
    """The newest memories of some types that hold now, oldest first; not turns and notes."""
    values = {"types": _json(types), "limit": limit}
    return _held(connection.execute(_NEWEST, values).fetchall()[::-1])


def aged_held(connection: Connection, before: datetime, after: int, limit: int) -> Page:
    """Memories made before a moment, in the order they came, after a row."""
    most = limit * STRETCH
    last, count = connection.execute(_STRETCH, {"after": after, "most": most}).fetchone()
    values = {"before": before.timestamp(), "after": after, "last": last, "limit": limit}
    rows = connection.execute(_AGED, values).fetchall()
    if len(rows) == limit:
        return Page(_held(rows), rows[-1][0])
    return Page(_held(rows), last if count == most else None)


def _held(rows: list[tuple[Any, ...]]) -> list[Held]:
    return [
        Held(
            event=unpack_event(body),
            importance=importance,
            recalls=accesses,
            last_recall=None if used is None else datetime.fromtimestamp(used, UTC),
            tier=cast(Tier, tier) if tier in TIERS else "hot",
            current=superseded is None and duplicate is None,
        )
        for _, body, importance, accesses, used, tier, superseded, duplicate in rows
    ]


def _json(values: Collection[str]) -> str:
    return orjson.dumps(list(values)).decode()
