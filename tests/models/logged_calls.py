"""What the log of model calls holds, for tests that look at it."""

from dataclasses import fields

from sqlalchemy import Connection, select

from paige.base.actor import Actor
from paige.models.log import ApiCall
from paige.models.tables import API_CALL_LOG

_LOG = API_CALL_LOG.c
_COLUMNS = tuple(_LOG[field.name] for field in fields(ApiCall))


def api_calls(connection: Connection, actor: Actor) -> list[ApiCall]:
    """Every call of a tenant, the newest first."""
    query = (
        select(*_COLUMNS)
        .where(_LOG.tenant == actor.tenant)
        .order_by(_LOG.created_at.desc(), _LOG.id.desc())
    )
    return [ApiCall(**row._mapping) for row in connection.execute(query)]
