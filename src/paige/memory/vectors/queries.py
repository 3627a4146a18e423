"""SQL of the vectors that PostgreSQL keeps with pgvector.

One table holds the vectors of every embedder, whatever their length, so that forgetting a memory
is one statement. An index for each length serves the search; pgvector cannot index very long ones,
those are compared one by one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from paige.store.row_security import secured

LONGEST_INDEXED = 2000
_SETUP_LOCK = 7_401_021  # any fixed number that nothing else uses

_TABLE = """
CREATE TABLE IF NOT EXISTS memory_vectors (
    tenant text NOT NULL,
    embedder text NOT NULL,
    id text NOT NULL,
    project text,
    session text,
    marks text[] NOT NULL,
    vector vector NOT NULL,
    PRIMARY KEY (tenant, embedder, id)
)
"""
_MARKS = "CREATE INDEX IF NOT EXISTS ix_memory_vectors_marks ON memory_vectors USING gin (marks)"
_IS_SECURED = "SELECT relrowsecurity FROM pg_class WHERE oid = 'memory_vectors'::regclass"
_UPSERT = text("""
INSERT INTO memory_vectors (tenant, embedder, id, project, session, marks, vector)
VALUES (
    :tenant, :embedder, :id, :project, :session,
    CAST(:marks AS text[]), CAST(:vector AS vector)
)
ON CONFLICT (tenant, embedder, id) DO UPDATE SET
    project = excluded.project, session = excluded.session,
    marks = excluded.marks, vector = excluded.vector
""")
_DELETE = text("DELETE FROM memory_vectors WHERE tenant = :tenant AND id = ANY(:ids)")
_CLEAR = text("DELETE FROM memory_vectors WHERE tenant = :tenant")
_LOOK_ON = text("""
SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
       set_config('hnsw.ef_search', :width, true)
""")
_LOOK_WIDER = text("SELECT set_config('hnsw.ef_search', '1000', true)")
_COUNT = text("SELECT count(*) FROM memory_vectors WHERE tenant = :tenant AND embedder = :embedder")


def installed_version(connection: Connection) -> tuple[int, ...] | None:
    """The version of pgvector in this database, if it is there."""
    found = connection.execute(
        text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    ).scalar()
    return None if found is None else tuple(int(part) for part in found.split(".")[:2])


def offered(connection: Connection) -> bool:
    """Whether the server has pgvector on its disk."""
    query = text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
    return connection.execute(query).scalar() is not None


class Table(NamedTuple):
    """The table as it is now: what tells it from a later one, and pgvector's version."""

    oid: str
    version: tuple[int, ...]


def prepare(connection: Connection) -> Table:
    """Make extension and table where they are missing."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SETUP_LOCK})
    if installed_version(connection) is None:
        connection.execute(text("CREATE EXTENSION vector"))
    connection.execute(text(_TABLE))
    connection.execute(text(_MARKS))
    if not connection.execute(text(_IS_SECURED)).scalar():
        for statement in secured("memory_vectors"):
            connection.execute(text(statement))
    oid = connection.execute(text("SELECT 'memory_vectors'::regclass::oid")).scalar_one()
    return Table(str(oid), installed_version(connection) or (0, 0))


def prepare_length(connection: Connection, version: tuple[int, ...], dimension: int) -> None:
    """Make the search index for vectors of this length."""
    if dimension > LONGEST_INDEXED or version < (0, 5):
        return
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _SETUP_LOCK})
    connection.execute(
        text(f"""
        CREATE INDEX IF NOT EXISTS ix_memory_vectors_{dimension:d} ON memory_vectors
        USING hnsw ((vector::vector({dimension:d})) vector_cosine_ops)
        WHERE vector_dims(vector) = {dimension:d}
        """)
    )


def upsert(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store vectors, replacing those of the same id."""
    if rows:
        connection.execute(_UPSERT, rows)


def delete(connection: Connection, tenant: str, ids: Sequence[str]) -> None:
    """Remove the vectors of these memories, of every embedder."""
    connection.execute(_DELETE, {"tenant": tenant, "ids": list(ids)})


def clear(connection: Connection, tenant: str) -> None:
    """Remove every vector of a tenant."""
    connection.execute(_CLEAR, {"tenant": tenant})


def count(connection: Connection, tenant: str, embedder: str) -> int:
    """How many vectors of this embedder there are."""
    return connection.execute(_COUNT, {"tenant": tenant, "embedder": embedder}).scalar_one()


def nearest(
    connection: Connection,
    version: tuple[int, ...],
    dimension: int,
    groups: Sequence[frozenset[str]],
    values: Mapping[str, Any],
) -> list[tuple[str, float]]:
    """Ids and similarities, best first; `values` are tenant, embedder, vector and k."""
    _search_thoroughly(connection, values["k"], version)
    carries = "".join(
        f" AND marks && CAST(:group_{number} AS text[])" for number in range(len(groups))
    )
    distance = f"vector::vector({dimension:d}) <=> CAST(:vector AS vector({dimension:d}))"
    query = f"""
        SELECT id, 1 - ({distance}) AS similarity FROM memory_vectors
        WHERE tenant = :tenant AND embedder = :embedder
        AND vector_dims(vector) = {dimension:d}{carries}
        ORDER BY {distance} LIMIT :k
    """  # noqa: S608 - only numbers are written into it
    marks = {f"group_{number}": sorted(group) for number, group in enumerate(groups)}
    rows = connection.execute(text(query), {**values, **marks})
    return [(row.id, row.similarity) for row in rows]


def _search_thoroughly(connection: Connection, k: int, version: tuple[int, ...]) -> None:
    """Let the index look on when filters left too few; older versions look wider at once."""
    if version >= (0, 8):
        width = max(40, min(2 * k, 1000))
        connection.execute(_LOOK_ON, {"width": str(width)})
    else:
        connection.execute(_LOOK_WIDER)
