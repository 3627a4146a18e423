"""For whom a transaction works, as the database itself is told.

On PostgreSQL every table of a tenant has a policy that asks three settings of the transaction: the
tenant, the person, and how far the one who acts may see. A query that forgets its conditions then
finds nothing of others. What no actor asked for is the server's own work, and says so: `SYSTEM`.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeVar

from sqlalchemy import Connection, text

from paige.base.actor import Actor

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
class Acting:
    """Who a transaction works for, and how far they see."""

    tenant: str
    person: str
    sees: Sees


SYSTEM = Acting("", "", "all")
"""The server's own work: handing out events, maintenance, migrations, finding out who asks."""


def acting_for(actor: Actor) -> Acting:
    """A person: their own rows, or those of their tenant when a role says so."""
    return Acting(actor.tenant, actor.person, "tenant" if actor.roles & SEES_TENANT else "own")


def acting_for_tenant(tenant: str) -> Acting:
    """Work for everyone of a tenant, such as making its documents again from its log."""
    return Acting(tenant, "", "tenant")


def found_in(query: object, args: Iterable[object], kwargs: Mapping[str, object]) -> Acting | None:
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


def say(connection: Connection, acting: Acting) -> None:
    """Tell PostgreSQL for whom this transaction works; it forgets it with the transaction."""
    connection.execute(
        _SAY, {"tenant": acting.tenant, "person": acting.person, "sees": acting.sees}
    )
