"""Row-level security of PostgreSQL: what a migration runs for a table, and for whom a query works.

Every table of a tenant has a policy that asks three settings of the transaction: the tenant, the
person, and how far the one who acts may see. A query that forgets its conditions then finds nothing
of others. What no actor asked for is the server's own work, and says so: `SYSTEM`.

`FORCE` binds the owner of the table too; only superusers and roles with `BYPASSRLS` are not bound,
which `paige doctor` tells. Settings are read in a subquery, so once for a statement and not once
for a row.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

from sqlalchemy import Connection, text

from paige.base.actor import Actor

TENANT = "(SELECT current_setting('paige.tenant', true))"
PERSON = "(SELECT current_setting('paige.person', true))"
SEES = "(SELECT current_setting('paige.sees', true))"
POLICY = "of_whoever_acts"
LATEST_EVENT = "paige_latest_event"


def secured(table: str, person: str | None = None) -> tuple[str, ...]:
    """The statements for a table; `person` is the column that says whose a row is, if one does.

    A row without a person belongs to everyone of its tenant.
    """
    own = f"tenant = {TENANT}"
    if person is not None:
        own += f" AND ({person} IS NULL OR {person} = {PERSON} OR {SEES} = 'tenant')"
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {POLICY} ON {table} USING ({SEES} = 'all' OR ({own}))",
    )


def latest_event_function() -> str:
    """A function for the number of the newest event of all tenants, which says nothing else.

    Numbers of events are common to all tenants, and whoever adds one sees only their own.
    """
    # Not with `SET` in its head: to name a setting there, its owner would have to be a superuser.
    return """
CREATE OR REPLACE FUNCTION paige_latest_event() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    saw text := current_setting('paige.sees', true);
    latest bigint;
BEGIN
    PERFORM set_config('paige.sees', 'all', true);
    SELECT coalesce(max(seq), 0) INTO latest FROM events;
    PERFORM set_config('paige.sees', coalesce(saw, ''), true);
    RETURN latest;
END $$
"""


Sees = Literal["own", "tenant", "all"]
SEES_TENANT = frozenset({"admin", "researcher", "server"})
"""Roles that may read what belongs to other people of their own tenant; `server` is no person's."""
F = TypeVar("F", bound=Callable[..., object])
_OF_SYSTEM: set[object] = set()
_SAY = text(
    "SELECT set_config('paige.tenant', :tenant, true), set_config('paige.person', :person, true),"
    " set_config('paige.sees', :sees, true)"
)


@dataclass(frozen=True, slots=True)
class TransactionActor:
    """Who a transaction works for, and how far they see."""

    tenant: str
    person: str
    sees: Sees


SYSTEM = TransactionActor("", "", "all")
"""The server's own work: handing out events, maintenance, migrations, finding out who asks."""


def acting_for(actor: Actor) -> TransactionActor:
    """A person: their own rows, or those of their tenant when a role says so."""
    return TransactionActor(
        actor.tenant, actor.person, "tenant" if actor.roles & SEES_TENANT else "own"
    )


def acting_for_tenant(tenant: str) -> TransactionActor:
    """Work for everyone of a tenant, such as making its documents again from its log."""
    return TransactionActor(tenant, "", "tenant")


def found_in(
    query: object, args: Iterable[object], kwargs: Mapping[str, object]
) -> TransactionActor | None:
    """For whom a query works: the actor among its arguments, or of one of them."""
    if isinstance(query, Hashable) and query in _OF_SYSTEM:
        return SYSTEM
    for value in (*args, *kwargs.values()):
        actor = value if isinstance(value, Actor) else getattr(value, "actor", None)
        if isinstance(actor, Actor):
            return acting_for(actor)
    if isinstance(query, partial):  # asked last: what is given now is stronger
        return found_in(query.func, query.args, query.keywords)
    return None


def by_system(query: F) -> F:
    """Mark a query that is always the server's own work, such as one for many people at once."""
    _OF_SYSTEM.add(query)
    return query


def say(connection: Connection, acting: TransactionActor) -> None:
    """Tell PostgreSQL for whom this transaction works; it forgets it with the transaction."""
    connection.execute(
        _SAY, {"tenant": acting.tenant, "person": acting.person, "sees": acting.sees}
    )
