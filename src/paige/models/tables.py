"""The table of this room: one row for every call of a model."""

from sqlalchemy import Column, Double, Index, Integer, Text

from paige.store.tables import EMPTY, tenant_table
from paige.store.types import UtcTime

API_CALL_LOG = tenant_table(
    "api_call_log",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("session_id", Text),
    Column("call_type", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input_hash", Text, nullable=False),
    Column("latency_ms", Integer, nullable=False),  # -1: the call failed
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("cost_estimate", Double),  # NULL: nobody knows the price
    Column("created_at", UtcTime, nullable=False),
    Column("provider", Text, nullable=False, server_default=EMPTY),
    Column("cache_write_tokens", Integer, nullable=False, server_default="0"),
    Column("cache_read_tokens", Integer, nullable=False, server_default="0"),
    Column("request_id", Text, nullable=False, server_default=EMPTY),
    Column("stop_reason", Text),
    Column("error", Text),  # the error's code; NULL: it went well
    Column("billed_usd", Double),  # what the provider bills, also for an answer nobody could use
    Index("ix_api_call_log_tenant_created_at", "tenant", "created_at"),
    Index("ix_api_call_log_tenant_session_id", "tenant", "session_id"),
)
