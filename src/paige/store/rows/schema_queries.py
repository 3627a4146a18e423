"""SQL that puts a whole installation in PostgreSQL aside: its objects move to another schema.

Tables take their indexes, triggers and policies along. What extensions own stays where it is, so
that the new tables find it.
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


_TABLES = text("""
SELECT c.relname, c.relkind::text AS kind FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm')
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
""")
_FUNCTIONS = text("""
SELECT p.oid::regprocedure::text AS said FROM pg_proc p
JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = current_schema() AND p.prokind = 'f'
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
""")
_TYPES = text("""
SELECT t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE n.nspname = current_schema() AND t.typtype = 'e'
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = t.oid AND d.deptype = 'e')
""")
_MONTHS = "paige_months"
_HAS_MONTHS = text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
_OTHERS = text("""
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
""")
_KINDS = {"r": "TABLE", "p": "TABLE", "v": "VIEW", "m": "MATERIALIZED VIEW"}


def set_aside(connection: Connection, schema: str) -> None:
    """Move everything of this schema that no extension owns into a new one."""
    quoted = _quoted(schema)
    tables = connection.execute(_TABLES).all()
    functions = connection.execute(_FUNCTIONS).scalars().all()
    types = connection.execute(_TYPES).scalars().all()
    connection.exec_driver_sql(f"CREATE SCHEMA {quoted}")
    for found in tables:
        what = f"{_KINDS[found.kind]} {_quoted(found.relname)}"
        connection.exec_driver_sql(f"ALTER {what} SET SCHEMA {quoted}")
    for said in functions:
        connection.exec_driver_sql(f"ALTER FUNCTION {said} SET SCHEMA {quoted}")
    for name in types:
        connection.exec_driver_sql(f"ALTER TYPE {_quoted(name)} SET SCHEMA {quoted}")

    if connection.execute(_HAS_MONTHS, {"name": _MONTHS}).first():  # parts of the memory log
        connection.exec_driver_sql(f"ALTER SCHEMA {_MONTHS} RENAME TO {_quoted(_months(schema))}")


def drop_aside(connection: Connection, schema: str) -> None:
    """Remove what was set aside."""
    for name in (schema, _months(schema)):
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {_quoted(name)} CASCADE")


def other_connections(connection: Connection) -> int:
    """How many others have this database open, as far as this user may see."""
    return connection.scalar(_OTHERS) or 0


def _months(schema: str) -> str:
    return f"{schema}_months"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
