"""SQL of the action log, and of what model calls cost."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select, text

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.coach.records import Action, CoachCost
from paige.coach.tables import ACTION_LOG
from paige.models.tables import API_CALL_LOG
from paige.store.row_security import by_system

_LOG = ACTION_LOG.c
_CALLS = API_CALL_LOG.c
_ACTION = [_LOG[name] for name in Action.__dataclass_fields__]
# Plain SQL: this is written with every click. An action of a session that does not exist, or is
# another person's, is not stored. PostgreSQL must be told the types here, SQLite must not.
_SQLITE = """
INSERT INTO action_log (tenant, person, id, session_id, action_type, data, created_at)
SELECT :tenant, :person, :id, :session_id, :action_type, :data, :created_at
WHERE :session_id IS NULL OR EXISTS (
    SELECT 1 FROM sessions WHERE id = :session_id AND tenant = :tenant AND person = :person
)
"""
_POSTGRESQL = text("""
INSERT INTO action_log (tenant, person, id, session_id, action_type, data, created_at)
SELECT CAST(:tenant AS text), CAST(:person AS text), CAST(:id AS text), CAST(:session_id AS text),
    CAST(:action_type AS text), CAST(:data AS jsonb), CAST(:created_at AS timestamptz)
WHERE CAST(:session_id AS text) IS NULL OR EXISTS (
    SELECT 1 FROM sessions WHERE id = :session_id AND tenant = :tenant AND person = :person
)
""")
ActionValues = dict[str, str | None]
"""An action as the database takes it."""


def dump_action(actor: Actor, action: Action) -> ActionValues:
    """An action ready to be stored. Raises: BadInput when its data cannot be JSON."""
    data = None
    if action.data is not None:
        try:
            data = json.dumps(action.data, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise BadInput(
                f"The data of an action `{action.action_type}` is not JSON: {error}"
            ) from error
    return {
        "tenant": actor.tenant,
        "person": actor.person,
        "id": action.id,
        "session_id": action.session_id,
        "action_type": action.action_type,
        "data": data,
        "created_at": to_iso(action.created_at),
    }


@by_system
def insert_dumped(connection: Connection, rows: list[ActionValues]) -> set[str]:
    """Store actions of anyone; return the ids of those whose session there is."""
    if connection.dialect.name == "sqlite":
        # One row is handed over as such: its driver prepares a list of rows more slowly.
        done = connection.exec_driver_sql(_SQLITE, rows if len(rows) > 1 else rows[0])
    else:
        done = connection.execute(_POSTGRESQL, rows)
    ids = {str(row["id"]) for row in rows}
    if done.rowcount == len(rows):
        return ids
    return set(connection.scalars(select(_LOG.id).where(_LOG.id.in_(ids))))


def insert_actions(connection: Connection, actor: Actor, actions: Sequence[Action]) -> None:
    """Store actions with the change they tell of. Raises: NotFound when a session is missing."""
    rows = [dump_action(actor, action) for action in actions]
    if rows and len(insert_dumped(connection, rows)) != len(rows):
        raise NotFound("The session of an action does not exist")


def recent_actions(
    connection: Connection,
    actor: Actor,
    session_id: str,
    *,
    limit: int = 20,
    types: Collection[str] | None = None,
) -> list[Action]:
    """The newest actions of a session, newest first; of some types only, if given."""
    wanted = _own(actor, session_id)
    if types is not None:
        wanted.append(_LOG.action_type.in_(types))
    newest = (_LOG.created_at.desc(), _LOG.id.desc())
    query = select(*_ACTION).where(*wanted).order_by(*newest).limit(limit)
    return [Action(*row) for row in connection.execute(query)]


def last_action(
    connection: Connection, actor: Actor, session_id: str, action_type: str | None = None
) -> Action | None:
    """The newest action of a session, or of one type; the time since then follows from it."""
    types = None if action_type is None else [action_type]
    found = recent_actions(connection, actor, session_id, limit=1, types=types)
    return found[0] if found else None


def actions_since(
    connection: Connection,
    actor: Actor,
    session_id: str,
    *,
    since: datetime | None = None,
    types: Collection[str] | None = None,
) -> list[Action]:
    """The actions of a session from a moment on (from its start), in order."""
    wanted = _own(actor, session_id)
    if since is not None:
        wanted.append(_LOG.created_at >= since)
    if types is not None:
        wanted.append(_LOG.action_type.in_(types))
    query = select(*_ACTION).where(*wanted).order_by(_LOG.created_at, _LOG.id)
    return [Action(*row) for row in connection.execute(query)]


def budget(
    connection: Connection,
    actor: Actor,
    session_id: str | None = None,
    *,
    since: datetime | None = None,
) -> CoachCost:
    """What model calls of a person cost, of one session or of all, since a moment or ever."""
    wanted = [_CALLS.tenant == actor.tenant, _CALLS.person == actor.person]
    if session_id is not None:
        wanted.append(_CALLS.session_id == session_id)
    if since is not None:
        wanted.append(_CALLS.created_at >= since)
    answered = case((_CALLS.latency_ms >= 0, _CALLS.latency_ms))
    query = (
        select(
            _CALLS.model,
            func.count(),
            func.coalesce(func.sum(_CALLS.cost_estimate), 0.0),
            func.coalesce(func.sum(answered), 0),
            func.count(answered),
        )
        .where(*wanted)
        .group_by(_CALLS.model)
        .order_by(_CALLS.model)
    )
    return _budget([tuple(row) for row in connection.execute(query)])


def _budget(rows: list[tuple[Any, ...]]) -> CoachCost:
    calls = sum(row[1] for row in rows)
    latency, answers = sum(int(row[3]) for row in rows), sum(row[4] for row in rows)
    return CoachCost(
        total_cost=float(sum(row[2] for row in rows)),
        by_model={row[0]: float(row[2]) for row in rows},
        average_latency_ms=latency / answers if answers else None,
        calls=calls,
        failed=calls - answers,
    )


def _own(actor: Actor, session_id: str) -> list[ColumnElement[bool]]:
    own = _LOG.tenant == actor.tenant, _LOG.person == actor.person
    return [*own, _LOG.session_id == session_id]
