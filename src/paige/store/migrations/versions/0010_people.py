"""People: tenants, accounts, sign-ins, what they may spend, and the log of who did what."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import Json, UtcTime

revision = "0010"
down_revision = "0009"

BigNumber = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def tenant(*, key: bool = False) -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=key)


def text(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, primary_key=key)


def time(name: str) -> sa.Column[object]:
    return sa.Column(name, UtcTime, nullable=False)


def upgrade() -> None:
    tenants()
    people()
    sign_ins()
    signing_in()
    op.create_table(
        "audit_log",
        tenant(key=True),
        sa.Column("seq", BigNumber, primary_key=True, autoincrement=False),
        time("at"),
        *map(text, ("person", "action", "target")),
        sa.Column("detail", Json, nullable=False),
    )
    op.create_table(
        "spend_limits",
        tenant(key=True),
        text("person", key=True),
        sa.Column("usd_per_day", sa.Double),
        sa.Column("usd_per_month", sa.Double),
    )


def tenants() -> None:
    op.create_table(
        "tenants",
        tenant(key=True),
        *map(text, ("name", "state")),
        time("created_at"),
        sa.CheckConstraint("state IN ('active', 'closed')", name=op.f("ck_tenants_state")),
    )


def people() -> None:
    op.create_table(
        "people",
        tenant(key=True),
        text("id", key=True),
        text("name"),
        sa.Column("email", sa.Text),
        sa.Column("roles", Json, nullable=False),
        *(sa.Column(name, sa.Text) for name in ("password_hash", "oidc_issuer", "oidc_subject")),
        text("state"),
        *map(time, ("created_at", "updated_at")),
        sa.CheckConstraint("state IN ('active', 'disabled')", name=op.f("ck_people_state")),
    )
    op.create_index("ix_people_tenant_email", "people", ["tenant", "email"], unique=True)
    op.create_index(
        "ix_people_tenant_oidc_issuer_oidc_subject",
        "people",
        ["tenant", "oidc_issuer", "oidc_subject"],
        unique=True,
    )


def sign_ins() -> None:
    op.create_table(
        "sign_ins",
        tenant(),
        text("id", key=True),
        *map(text, ("person", "kind", "label", "csrf")),
        *map(time, ("created_at", "expires_at", "last_used_at")),
        sa.CheckConstraint("kind IN ('browser', 'token')", name=op.f("ck_sign_ins_kind")),
    )
    op.create_index("ix_sign_ins_tenant_person", "sign_ins", ["tenant", "person"])


def signing_in() -> None:
    op.create_table(
        "sign_in_tries",
        tenant(key=True),
        text("id", key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        *map(time, ("last_at", "until")),
    )
    op.create_table(
        "oidc_starts",
        tenant(),
        text("id", key=True),
        *map(text, ("nonce", "verifier", "back")),
        time("expires_at"),
    )
