"""SQL of a small table in the target of a move: how far it came, so that it can go on.

It is changed in the transaction of the rows it counts, so after a kill it says exactly what is
there. It exists only while a move is under way.
"""

from typing import NamedTuple

from sqlalchemy import Connection, inspect, text

TABLE = "paige_move"
_CREATE = text("""
CREATE TABLE paige_move (
    part text PRIMARY KEY, source text NOT NULL, after_key text, rows bigint NOT NULL,
    state text NOT NULL
)
""")
_BEGIN = text("""
INSERT INTO paige_move (part, source, after_key, rows, state)
VALUES (:part, :source, NULL, 0, 'copying') ON CONFLICT (part) DO NOTHING
""")
_READ = text("SELECT source, after_key, rows, state FROM paige_move WHERE part = :part FOR UPDATE")
_WRITE = text("""
UPDATE paige_move SET after_key = :after_key, rows = :rows, state = :state WHERE part = :part
""")
_SOURCE = text("SELECT source FROM paige_move ORDER BY part LIMIT 1")


class Progress(NamedTuple):
    """How far a part came: the last key as JSON, how many rows, and what is next for it."""

    source: str
    after_key: str | None
    rows: int
    state: str  # copying, copied, verified


def source_of_move(connection: Connection) -> str | None:
    """Where the rows of an unfinished move come from; `None` when none is under way."""
    if not inspect(connection).has_table(TABLE):
        return None
    return connection.scalar(_SOURCE) or ""


def begin_move(connection: Connection, source: str) -> None:
    """Note that a move has begun."""
    connection.execute(_CREATE)
    connection.execute(_BEGIN, {"part": "", "source": source})


def progress_of(connection: Connection, part: str, source: str) -> Progress:
    """How far a part came, for whoever goes on with it."""
    connection.execute(_BEGIN, {"part": part, "source": source})
    return Progress(*connection.execute(_READ, {"part": part}).one())


def note_progress(connection: Connection, part: str, progress: Progress) -> None:
    """Say how far a part came, with the rows that were put in."""
    connection.execute(_WRITE, {"part": part, **progress._asdict()})


def end_move(connection: Connection) -> None:
    """Remove the table: the move is done."""
    connection.execute(text("DROP TABLE paige_move"))
