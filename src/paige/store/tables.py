"""The tables of the database, declared once; the migrations bring a real database to this shape.

Every table is made by `tenant_table`, so that every row belongs to someone. A room declares its own
tables in its `tables.py` with the same function; a test compares all of them with what the
migrations build.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)
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

TENANTS = tenant_table(
    "tenants",
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    CheckConstraint("state IN ('active', 'closed')", name="state"),
    tenant_key=True,
)

PEOPLE = tenant_table(
    "people",
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("email", Text),  # in lower case
    Column("roles", Json, nullable=False),
    Column("password_hash", Text),  # NULL: signs in elsewhere, or not at all
    Column("oidc_issuer", Text),
    Column("oidc_subject", Text),
    Column("state", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    CheckConstraint("state IN ('active', 'disabled')", name="state"),
    Index("ix_people_tenant_email", "tenant", "email", unique=True),
    Index(
        "ix_people_tenant_oidc_issuer_oidc_subject",
        *("tenant", "oidc_issuer", "oidc_subject"),
        unique=True,
    ),
    tenant_key=True,
)

SIGN_INS = tenant_table(
    "sign_ins",
    Column("id", Text, primary_key=True),  # the hash of a secret that is kept nowhere
    Column("person", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("csrf", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("last_used_at", UtcTime, nullable=False),
    CheckConstraint("kind IN ('browser', 'token')", name="kind"),
    Index("ix_sign_ins_tenant_person", "tenant", "person"),
)

SIGN_IN_TRIES = tenant_table(
    "sign_in_tries",
    Column("id", Text, primary_key=True),  # the hash of an address or of an account
    Column("failures", Integer, nullable=False),
    Column("last_at", UtcTime, nullable=False),
    Column("until", UtcTime, nullable=False),  # nobody is let in before
    tenant_key=True,
)

OIDC_STARTS = tenant_table(
    "oidc_starts",
    Column("id", Text, primary_key=True),  # the hash of the state that went to the provider
    Column("nonce", Text, nullable=False),
    Column("verifier", Text, nullable=False),
    Column("back", Text, nullable=False),  # the page to go to afterwards
    Column("expires_at", UtcTime, nullable=False),
)

AUDIT_LOG = tenant_table(
    "audit_log",
    Column("seq", BigNumber, primary_key=True, autoincrement=False),
    Column("at", UtcTime, nullable=False),
    Column("person", Text, nullable=False),  # who did it
    Column("action", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("detail", Json, nullable=False),
    tenant_key=True,
)

SPEND_LIMITS = tenant_table(
    "spend_limits",
    Column("person", Text, primary_key=True),  # empty: everyone of the tenant together
    Column("usd_per_day", Double),
    Column("usd_per_month", Double),
    tenant_key=True,
)

DOCUMENTS = tenant_table(
    "documents",
    Column("area", Text, primary_key=True),  # what a folder is to files
    Column("path", Text, primary_key=True),
    Column("number", BigNumber, primary_key=True, autoincrement=False),  # 1 is the first version
    Column("hash", Text, nullable=False),  # of the text; empty for a deletion
    Column("text", Text, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("person", Text),  # whose area it is; NULL is everyone of the tenant
    Column("written_by", Text, nullable=False),
    Index("ix_documents_tenant_person", "tenant", "person"),
    tenant_key=True,
)
