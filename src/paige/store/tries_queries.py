"""SQL of signing in: wrong tries, which all servers count together, and visits to a provider."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, text, update

from paige.base.actor import Actor
from paige.store.tables import OIDC_STARTS, SIGN_IN_TRIES

# Any fixed number does; with the id it names the lock of one count on PostgreSQL.
_TRIES_LOCK = 7_401_011


class Tries(NamedTuple):
    """Wrong tries in a row of one address or one account; nobody is let in before `until`."""

    failures: int
    last_at: datetime
    until: datetime


class OidcStart(NamedTuple):
    """What a browser took to a provider and must bring back."""

    nonce: str
    verifier: str
    back: str
    expires_at: datetime


def lock_tries(connection: Connection, actor: Actor, id: str) -> None:
    """Let nobody else count the same tries until this transaction ends."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer anyway
        lock = text("SELECT pg_advisory_xact_lock(:key, hashtext(:id))")
        connection.execute(lock, {"key": _TRIES_LOCK, "id": f"{actor.tenant}/{id}"})


def find_tries(connection: Connection, actor: Actor, id: str) -> Tries | None:
    """What was counted."""
    columns = (SIGN_IN_TRIES.c[name] for name in Tries._fields)
    query = select(*columns).where(SIGN_IN_TRIES.c.tenant == actor.tenant, SIGN_IN_TRIES.c.id == id)
    row = connection.execute(query).one_or_none()
    return None if row is None else Tries(*row)


def keep_tries(connection: Connection, actor: Actor, id: str, tries: Tries) -> None:
    """Store a count over an earlier one."""
    mine = (SIGN_IN_TRIES.c.tenant == actor.tenant, SIGN_IN_TRIES.c.id == id)
    values = tries._asdict()
    if not connection.execute(update(SIGN_IN_TRIES).where(*mine).values(**values)).rowcount:
        connection.execute(insert(SIGN_IN_TRIES), {"tenant": actor.tenant, "id": id, **values})


def forget_tries(connection: Connection, actor: Actor, id: str) -> None:
    """Forget a count: somebody knew the password."""
    mine = (SIGN_IN_TRIES.c.tenant == actor.tenant, SIGN_IN_TRIES.c.id == id)
    connection.execute(delete(SIGN_IN_TRIES).where(*mine))


def prune_tries(connection: Connection, actor: Actor, *, before: datetime) -> int:
    """Forget counts that have not grown since `before`."""
    old = (SIGN_IN_TRIES.c.tenant == actor.tenant, SIGN_IN_TRIES.c.last_at < before)
    return connection.execute(delete(SIGN_IN_TRIES).where(*old)).rowcount


def insert_start(connection: Connection, actor: Actor, id: str, start: OidcStart) -> None:
    """Remember a browser that goes to the provider."""
    connection.execute(insert(OIDC_STARTS), {"tenant": actor.tenant, "id": id, **start._asdict()})


def take_start(connection: Connection, actor: Actor, id: str) -> OidcStart | None:
    """What a browser took along; it comes back once."""
    columns = (OIDC_STARTS.c[name] for name in OidcStart._fields)
    mine = (OIDC_STARTS.c.tenant == actor.tenant, OIDC_STARTS.c.id == id)
    row = connection.execute(select(*columns).where(*mine)).one_or_none()
    if row is None or not connection.execute(delete(OIDC_STARTS).where(*mine)).rowcount:
        return None
    return OidcStart(*row)


def prune_starts(connection: Connection, actor: Actor, *, now: datetime) -> int:
    """Forget browsers that never came back."""
    old = (OIDC_STARTS.c.tenant == actor.tenant, OIDC_STARTS.c.expires_at <= now)
    return connection.execute(delete(OIDC_STARTS).where(*old)).rowcount
