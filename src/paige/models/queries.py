"""SQL of the log of model calls."""

from dataclasses import fields
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, func, select, text

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.counters import count, took
from paige.models.log import ApiCall
from paige.models.requests import Usage
from paige.models.tables import API_CALL_LOG
from paige.store.queries import insert_rows

_LOG = API_CALL_LOG.c
_FIELDS = tuple(field.name for field in fields(ApiCall))
_BILLED = func.coalesce(_LOG.billed_usd, _LOG.cost_estimate, 0.0)
_INSERT = text("""
INSERT INTO api_call_log (
    tenant, person, id, session_id, call_type, model, input_hash, created_at, provider, latency_ms,
    input_tokens, output_tokens, cost_estimate, cache_write_tokens, cache_read_tokens, request_id,
    stop_reason, error, billed_usd
) VALUES (
    :tenant, :person, :id, :session_id, :call_type, :model, :input_hash, :created_at, :provider,
    :latency_ms, :input_tokens, :output_tokens, :cost_estimate, :cache_write_tokens,
    :cache_read_tokens, :request_id, :stop_reason, :error, :billed_usd
)
""")


def insert_api_call(connection: Connection, actor: Actor, call: ApiCall) -> None:
    """Add one row to the log."""
    row = {name: getattr(call, name) for name in _FIELDS}
    own = {"tenant": actor.tenant, "person": actor.person, "created_at": to_iso(call.created_at)}
    insert_rows(connection, _INSERT, [{**row, **own}])
    _count(call)


def billed(
    connection: Connection, actor: Actor, *, since: datetime, everyone: bool = False
) -> float:
    """What the calls of a person, or of everyone of the tenant, have cost since a moment."""
    query = select(func.coalesce(func.sum(_BILLED), 0.0)).where(*_mine(actor, since))
    if not everyone:
        query = query.where(_LOG.person == actor.person)
    return float(connection.scalar(query) or 0.0)


def unbilled(
    connection: Connection, actor: Actor, *, since: datetime, everyone: bool = False
) -> dict[str, Usage]:
    """By model, the tokens of calls since a moment whose price nobody knew then."""
    query = select(
        _LOG.model,
        func.sum(_LOG.input_tokens),
        func.sum(_LOG.output_tokens),
        func.sum(_LOG.cache_write_tokens),
        func.sum(_LOG.cache_read_tokens),
    ).where(*_mine(actor, since), _LOG.billed_usd.is_(None), _LOG.cost_estimate.is_(None))
    if not everyone:
        query = query.where(_LOG.person == actor.person)
    rows = connection.execute(query.group_by(_LOG.model).order_by(_LOG.model))
    return {row[0]: Usage(*(int(tokens or 0) for tokens in row[1:])) for row in rows}


def billed_by_person(connection: Connection, actor: Actor, *, since: datetime) -> dict[str, float]:
    """What the calls of each person of the tenant have cost since a moment."""
    query = (
        select(_LOG.person, func.sum(_BILLED))
        .where(*_mine(actor, since))
        .group_by(_LOG.person)
        .order_by(_LOG.person)
    )
    return {person: float(usd) for person, usd in connection.execute(query)}


def _count(call: ApiCall) -> None:
    named = {"provider": call.provider, "model": call.model}
    count("model_calls", 1.0, outcome="failed" if call.latency_ms < 0 else "ok", **named)
    if call.latency_ms >= 0:
        took("model_call", call.latency_ms / 1000, **named)
    tokens = {
        "input": call.input_tokens,
        "output": call.output_tokens,
        "cache_read": call.cache_read_tokens,
        "cache_write": call.cache_write_tokens,
    }
    for kind, number in tokens.items():
        if number:
            count("model_tokens", number, kind=kind, **named)
    count("model_cost_usd", call.billed_usd or call.cost_estimate or 0.0, **named)


def _mine(actor: Actor, since: datetime) -> tuple[ColumnElement[bool], ...]:
    return _LOG.tenant == actor.tenant, _LOG.created_at >= since
