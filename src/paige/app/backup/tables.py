"""The tables that make up an installation, and their rows put back out of a backup.

Importing the rooms declares every table.
"""

from collections.abc import Iterator
from itertools import islice

from sqlalchemy import Connection, Table

from paige.agent import tables as _agent
from paige.app.backup.archive import ArchiveReader, Manifest, Told
from paige.base.errors import BadInput, Conflict
from paige.coach import tables as _coach
from paige.guard import tables as _guard
from paige.learner import tables as _learner
from paige.memory import tables as _memory
from paige.memory.log.table_queries import make_months
from paige.models import tables as _models
from paige.plan import tables as _plan
from paige.store.migrate import build_schema, head_revision
from paige.store.rows import table_queries as queries
from paige.store.rows.table_queries import Row, Shape, Sum, add, decode
from paige.store.tables import METADATA

BATCH = 500


def check_rows(archive: ArchiveReader, told: Told) -> None:
    """Read every row of the archive and compare what they add up to. Raises: BadInput."""
    manifest, done = archive.manifest, 0
    for name, facts in manifest.tables.items():
        shape, total = facts.shape(name), Sum()
        for row in rows_of(archive, shape):
            total = add(total, queries.portable_row(row, shape)[0], shape)
        if (total.rows, total.shown) != (facts.rows, facts.digest):
            raise BadInput(f"The rows of `{name}` do not add up", hint="Use another backup.")
        done += total.rows
        told("reading rows", done, manifest.rows)


def check_schema(manifest: Manifest) -> None:
    """Refuse rows that this code does not know. Raises: Conflict."""
    head = head_revision()
    if manifest.schema > head:
        raise Conflict(
            f"The backup was made by a newer Paige (schema {manifest.schema}, this is {head})",
            hint=f"Install Paige {manifest.paige} or newer; nothing was changed.",
        )


def load(connection: Connection, archive: ArchiveReader, told: Told) -> int:
    """Make the tables, fill them, compare, and upgrade them, all in the caller's transaction.

    Returns how many values had to be changed because PostgreSQL cannot store them.
    """
    manifest = archive.manifest
    build_schema(connection, manifest.schema)
    changed = done = 0
    for name in _in_order(manifest):
        shape = manifest.tables[name].shape(name)
        rows = rows_of(archive, shape)
        while batch := list(islice(rows, BATCH)):
            changed += put_rows(connection, shape, batch)
            done += len(batch)
            told("rows", done, manifest.rows)
        queries.set_sequences(connection, name)
    compare(connection, manifest, told)
    build_schema(connection, head_revision())
    return changed


def compare(connection: Connection, manifest: Manifest, told: Told) -> None:
    """Count and add up what is in the tables now. Raises: Conflict when it is something else."""
    for done, (name, facts) in enumerate(manifest.tables.items()):
        told("comparing", done, len(manifest.tables))
        found = queries.sum_table(connection, facts.shape(name))
        if (found.rows, found.shown) != (facts.rows, facts.digest):
            raise Conflict(
                f"`{name}` has {found.rows} rows that are not the {facts.rows} of the backup",
                hint="Nothing was changed. Please report this.",
            )
    told("comparing", len(manifest.tables), len(manifest.tables))


def put_rows(connection: Connection, shape: Shape, batch: list[Row]) -> int:
    """Add rows as this engine stores them; returns how many values were changed for that."""
    if connection.dialect.name != "postgresql":
        queries.insert_batch(connection, shape, batch)
        return 0
    if shape.name == LOG_TABLES[0]:
        make_months(connection, {row["written_at"].replace(day=1) for row in batch})
    made = [queries.portable_row(row, shape) for row in batch]
    queries.insert_batch(connection, shape, [row for row, _ in made])
    return sum(count for _, count in made)


def rows_of(archive: ArchiveReader, shape: Shape) -> Iterator[Row]:
    """The rows of a table in the archive."""
    for line in archive.lines(f"database/{shape.name}.jsonl"):
        yield decode(line, shape)


def _in_order(manifest: Manifest) -> list[str]:
    """What another table refers to comes first; tables that no longer exist come last."""
    known = [each.name for each in declared() if each.name in manifest.tables]
    return [*known, *(name for name in manifest.tables if name not in known)]


ROOMS = (_agent, _coach, _guard, _learner, _memory, _models, _plan)
LOG_TABLES = ("memory_log", "memory_log_heads")
"""The memory's log where it is a table; in an embedded installation it is a file."""
DOCUMENTS = "documents"
_MADE_AGAIN = ("memory_vectors", "procrastinate_", "paige_move")


def declared() -> list[Table]:
    """Every table of every room; what another one refers to comes first."""
    return METADATA.sorted_tables


def shapes(connection: Connection) -> list[Shape]:
    """The tables of Paige that a database has, in an order in which rows can be put in."""
    there = set(queries.table_names(connection))
    return [queries.shape_of(connection, each.name) for each in declared() if each.name in there]


def strangers(connection: Connection) -> list[str]:
    """Tables that are nothing Paige declares: other programs', or ones that are made again."""
    known = {each.name for each in declared()} | {queries.VERSION}
    names = (name for name in queries.table_names(connection) if name not in known)
    return [name for name in names if not _is_index(name) and not name.startswith(_MADE_AGAIN)]


def _is_index(name: str) -> bool:
    """A full-text index of SQLite and its parts."""
    table, mark, _ = name.rpartition("_fts")
    return bool(mark) and table in METADATA.tables
