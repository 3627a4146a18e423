"""The tables that make up an installation: every room's, declared by importing them."""

from sqlalchemy import Connection, Table

from paige.agent import tables as _agent
from paige.coach import tables as _coach
from paige.guard import tables as _guard
from paige.learner import tables as _learner
from paige.memory import tables as _memory
from paige.models import tables as _models
from paige.plan import tables as _plan
from paige.store import dumping_queries as queries
from paige.store.dumping import Shape
from paige.store.tables import METADATA

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
