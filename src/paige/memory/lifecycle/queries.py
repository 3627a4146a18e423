"""SQL of the life cycle: memories with what became of them, read from the index."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any, cast

from paige.memory.index.index import Index
from paige.memory.index.preparation import unpack_event
from paige.memory.index.queries import json_list
from paige.memory.lifecycle.held_memory import TIERS, HeldMemory, Page, Tier

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


class HeldMemories:
    """Memories with what became of them, from the index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def get(self, ids: Collection[str]) -> list[HeldMemory]:
        """Those of these ids that are there."""
        return _held(self._read(_OF_IDS, ids=json_list(ids)))

    def of_session(self, session: str, limit: int) -> list[HeldMemory]:
        """The newest memories of a session, oldest first."""
        return _held(self._read(_OF_SESSION, session=session, limit=limit)[::-1])

    def newest(self, types: Collection[str], limit: int) -> list[HeldMemory]:
        """The newest current memories of some types but turns and notes, oldest first."""
        return _held(self._read(_NEWEST, types=json_list(types), limit=limit)[::-1])

    def aged(self, before: datetime, *, after: int, limit: int) -> Page:
        """Memories made before a moment, in the order they came, after a cursor."""
        most = limit * STRETCH
        [(last, count)] = self._read(_STRETCH, after=after, most=most)
        rows = self._read(_AGED, before=before.timestamp(), after=after, last=last, limit=limit)
        if len(rows) == limit:
            return Page(_held(rows), rows[-1][0])
        return Page(_held(rows), last if count == most else None)

    def _read(self, query: str, **values: str | float | None) -> list[tuple[Any, ...]]:
        with self._index.reading() as connection:
            return connection.execute(query, values).fetchall()


def _held(rows: list[tuple[Any, ...]]) -> list[HeldMemory]:
    return [
        HeldMemory(
            event=unpack_event(body),
            importance=importance,
            recalls=accesses,
            last_recall=None if used is None else datetime.fromtimestamp(used, UTC),
            tier=cast(Tier, tier) if tier in TIERS else "hot",
            current=superseded is None and duplicate is None,
        )
        for _, body, importance, accesses, used, tier, superseded, duplicate in rows
    ]
