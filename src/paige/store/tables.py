"""The tables of the database, declared once; the migrations bring a real database to this shape.

Every table is made by `tenant_table`, so that every row belongs to someone. A room declares its own
tables in its `tables.py` with the same function; a test compares all of them with what the
migrations build.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, Text, text
from sqlalchemy.schema import SchemaItem

from paige.store.types import Json, UtcTime

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# SQLite knows autoincrementing and rowid keys only as INTEGER, PostgreSQL wants the 8 bytes said.
BigNumber = BigInteger().with_variant(Integer(), "sqlite")
EMPTY = text("''")
"""The empty text as a default, written out: a plain one is not told from none by Alembic."""


def tenant_table(name: str, *items: SchemaItem, tenant_key: bool = False) -> Table:
    """Declare a table whose rows belong to a tenant, which may be part of its primary key."""
    tenant = Column("tenant", Text, nullable=False, server_default="local", primary_key=tenant_key)
    return Table(name, METADATA, tenant, *items)


EVENTS = tenant_table(
    "events",
    Column("seq", BigNumber, primary_key=True, autoincrement=False),
    Column("person", Text),  # who may hear it; NULL is everyone of the tenant
    Column("topic", Text, nullable=False),
    Column("payload", Json, nullable=False),
    Column("at", UtcTime, nullable=False),
    Index("ix_events_tenant_seq", "tenant", "seq"),
)

LEASES = tenant_table(
    "leases",
    Column("name", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column(
        "started", Text, nullable=False
    ),  # start of the process, so that a reused pid is another holder
    Column("fence", BigNumber, nullable=False),  # grows with every new holder
    Column("until", UtcTime, nullable=False),
    tenant_key=True,
)
