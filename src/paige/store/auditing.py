"""The audit log: who did what, written in the transaction of what it tells of.

An entry names people by their id only, never what they wrote, so that erasing a person leaves
nothing of them but an id. Nothing here changes or removes an entry.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.store.people_queries import AuditEntry, insert_audit, latest_audit

# Any fixed number does; with the tenant it names the lock that orders entries on PostgreSQL.
_AUDIT_LOCK = 7_401_010


def audit(
    connection: Connection,
    actor: Actor,
    action: str,
    target: str,
    detail: Mapping[str, Any],
    *,
    now: datetime,
) -> int:
    """Add an entry to the log of the actor's tenant; return its number. There are no gaps."""
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(:key, hashtext(:tenant))")
        connection.execute(lock, {"key": _AUDIT_LOCK, "tenant": actor.tenant})
    seq = latest_audit(connection, actor.tenant) + 1
    entry = AuditEntry(seq, now, actor.person, action, target, dict(detail))
    insert_audit(connection, actor.tenant, entry)
    return seq
