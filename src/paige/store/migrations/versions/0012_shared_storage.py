"""Documents in a table with all their versions, and the memory log as an append-only table.

On PostgreSQL the log has a partition for each month, in a schema of its own so that nobody takes a
partition for a table. Triggers refuse every change but one: a line may lose its words, as
forgetting does, when the function that forgets asks for it.
"""

import sqlalchemy as sa
from alembic import op

from paige.store.row_security import secured
from paige.store.types import UtcTime

revision = "0012"
down_revision = "0011"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MONTHS = "paige_months"
MONTH = """
CREATE FUNCTION paige_memory_log_month(moment timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    first timestamp := date_trunc('month', moment AT TIME ZONE 'UTC');
    name text := 'memory_log_' || to_char(first, 'YYYY_MM');
BEGIN
    IF to_regclass('paige_months.' || name) IS NOT NULL THEN
        RETURN name;
    END IF;
    PERFORM pg_advisory_xact_lock(7401012);
    -- Asked of the catalogue: what was looked up before the lock is remembered as missing.
    IF EXISTS (SELECT FROM pg_class WHERE relname = name
            AND relnamespace = 'paige_months'::regnamespace) THEN
        RETURN name;
    END IF;
    -- Rows of that month that came without a partition stay where they are.
    IF EXISTS (SELECT FROM paige_months.memory_log_other WHERE
            written_at >= first AT TIME ZONE 'UTC'
            AND written_at < (first + interval '1 month') AT TIME ZONE 'UTC') THEN
        RETURN 'memory_log_other';
    END IF;
    EXECUTE format('CREATE TABLE paige_months.%I PARTITION OF SCHEMA.memory_log '
        'FOR VALUES FROM (%L) TO (%L)', name, first AT TIME ZONE 'UTC',
        (first + interval '1 month') AT TIME ZONE 'UTC');
    EXECUTE format('ALTER TABLE paige_months.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE TRIGGER memory_log_is_kept BEFORE TRUNCATE ON paige_months.%I '
        'FOR EACH STATEMENT EXECUTE FUNCTION SCHEMA.paige_memory_log_kept()', name);
    RETURN name;
END $$
"""


def tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=True)


def text(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, primary_key=key)


def upgrade() -> None:
    documents()
    memory_log()
    if op.get_bind().dialect.name == "postgresql":
        months()
        only_appended()
        op.execute("SELECT paige_memory_log_month(now()), paige_memory_log_month(now() + '1 mon')")
        for table, person in (
            ("documents", "person"),
            ("memory_log", None),
            ("memory_log_heads", None),
        ):
            for statement in secured(table, person):
                op.execute(statement)


def documents() -> None:
    op.create_table(
        "documents",
        tenant(),
        text("area", key=True),
        text("path", key=True),
        sa.Column("number", BIG, primary_key=True, autoincrement=False),
        text("hash"),
        text("text"),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("at", UtcTime, nullable=False),
        sa.Column("person", sa.Text),
        text("written_by"),
    )
    op.create_index("ix_documents_tenant_person", "documents", ["tenant", "person"])


def memory_log() -> None:
    op.create_table(
        "memory_log",
        tenant(),
        text("log", key=True),
        sa.Column("seq", BIG, primary_key=True, autoincrement=False),
        sa.Column("written_at", UtcTime, primary_key=True),
        text("id"),
        text("line"),
        postgresql_partition_by="RANGE (written_at)",
    )
    op.create_index("ix_memory_log_tenant_log_id", "memory_log", ["tenant", "log", "id"])
    op.create_table(
        "memory_log_heads",
        tenant(),
        text("log", key=True),
        sa.Column("seq", BIG, nullable=False),
        text("hash"),
    )


def months() -> None:
    """A partition for a month, made by whoever owns the tables, whoever asks for it."""
    schema = str(op.get_bind().scalar(sa.text("SELECT quote_ident(current_schema())")))
    op.execute(f"CREATE SCHEMA IF NOT EXISTS {MONTHS}")
    op.execute(f"CREATE TABLE {MONTHS}.memory_log_other PARTITION OF memory_log DEFAULT")
    op.execute(f"ALTER TABLE {MONTHS}.memory_log_other ENABLE ROW LEVEL SECURITY")
    op.execute(MONTH.replace("SCHEMA", schema))


def only_appended() -> None:
    """Nothing of the log is changed or deleted; a line may lose its words and nothing else."""
    op.execute("""
CREATE FUNCTION paige_memory_log_kept() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    IF TG_OP <> 'UPDATE' OR current_setting('paige.forgetting', true) IS DISTINCT FROM 'on' THEN
        RAISE EXCEPTION 'the memory log is only ever added to'
            USING HINT = 'To remove a memory, use `paige memory forget`.',
            ERRCODE = 'insufficient_privilege';
    END IF;
    IF (OLD.tenant, OLD.log, OLD.seq, OLD.written_at, OLD.id)
            IS DISTINCT FROM (NEW.tenant, NEW.log, NEW.seq, NEW.written_at, NEW.id)
            OR coalesce((NEW.line::json -> 'forgotten')::text, '') <> 'true' THEN
        RAISE EXCEPTION 'forgetting takes the words out of a line and changes nothing else'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    FOREACH name IN ARRAY ARRAY['seq', 'id', 'at', 'owner', 'digest', 'prev', 'hash'] LOOP
        IF (OLD.line::json -> name)::text IS DISTINCT FROM (NEW.line::json -> name)::text THEN
            RAISE EXCEPTION 'forgetting may not change the field `%`', name
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    FOREACH name IN ARRAY ARRAY['text', 'payload', 'task', 'outcome', 'evidence', 'salt'] LOOP
        IF NEW.line::json -> name IS NOT NULL THEN
            RAISE EXCEPTION 'the field `%` should be forgotten', name
                USING ERRCODE = 'insufficient_privilege';
        END IF;
    END LOOP;
    RETURN NEW;
END $$
""")
    op.execute("""
CREATE TRIGGER memory_log_is_only_added_to BEFORE UPDATE OR DELETE ON memory_log
FOR EACH ROW EXECUTE FUNCTION paige_memory_log_kept()
""")
    for table in ("memory_log", f"{MONTHS}.memory_log_other"):
        op.execute(f"""
CREATE TRIGGER memory_log_is_kept BEFORE TRUNCATE ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION paige_memory_log_kept()
""")
    op.execute("""
CREATE FUNCTION paige_memory_head_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.seq > OLD.seq
            AND (NEW.tenant, NEW.log) IS NOT DISTINCT FROM (OLD.tenant, OLD.log) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the memory log only ever goes on' USING ERRCODE = 'insufficient_privilege';
END $$
""")
    op.execute("""
CREATE TRIGGER memory_log_heads_go_on BEFORE UPDATE OR DELETE ON memory_log_heads
FOR EACH ROW EXECUTE FUNCTION paige_memory_head_moves()
""")
    op.execute("""
CREATE FUNCTION paige_forget_memory(of_tenant text, of_log text, of_seq bigint, without text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    changed bigint;
BEGIN
    PERFORM set_config('paige.forgetting', 'on', true);
    UPDATE memory_log SET line = without
        WHERE tenant = of_tenant AND log = of_log AND seq = of_seq;
    GET DIAGNOSTICS changed = ROW_COUNT;
    PERFORM set_config('paige.forgetting', 'off', true);
    RETURN changed;
END $$
""")
