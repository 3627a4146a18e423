"""SQL of people: their accounts, their sign-ins, what they may spend, what was done.

Wrong tries to sign in are counted by all servers together, and visits to a provider are remembered.

Whoever signs in is nobody yet, so the server itself asks: as `doorkeeper`, of one tenant.

An entry of the audit log is written in the transaction of what it tells of. It names people by
their id only, never what they wrote, so that erasing a person leaves nothing of them but an id.
Nothing here changes or removes an entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from paige.base.actor import Actor
from paige.base.wire import wire
from paige.store.queries import hold_number
from paige.store.tables import (
    AUDIT_LOG,
    OIDC_STARTS,
    PEOPLE,
    SIGN_IN_TRIES,
    SIGN_INS,
    SPEND_LIMITS,
    TENANTS,
)

# Any fixed numbers do; with the tenant they name the locks of its accounts, and of the order of
# audit entries, on PostgreSQL.
_PEOPLE_LOCK = 7_401_013
_AUDIT_LOCK = 7_401_010
State = Literal["active", "disabled"]
Kind = Literal["browser", "token"]
SERVER = "server"
"""The role of the server itself when it asks for nobody in particular; no person can hold it."""
EVERYONE = ""
"""The person of a limit that all people of a tenant share."""


class Tenant(NamedTuple):
    """A school or a team."""

    tenant: str
    name: str
    state: str
    created_at: datetime


class Person(NamedTuple):
    """One account."""

    tenant: str
    id: str
    name: str
    email: str | None
    roles: tuple[str, ...]
    password_hash: str | None
    oidc_issuer: str | None
    oidc_subject: str | None
    state: State
    created_at: datetime
    updated_at: datetime

    @property
    def actor(self) -> Actor:
        """The person as whoever acts."""
        return Actor(self.tenant, self.id, frozenset(self.roles))


class SignIn(NamedTuple):
    """One browser or program that is signed in; `id` is the hash of its secret."""

    tenant: str
    id: str
    person: str
    kind: Kind
    label: str
    csrf: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime


@wire
class AuditRow:
    """Who did what, when, to whom."""

    seq: int
    at: datetime
    person: str
    action: str
    target: str
    detail: dict[str, Any]


class SpendLimit(NamedTuple):
    """What a person, or everyone of a tenant together, may spend on models, in US dollars."""

    person: str
    usd_per_day: float | None
    usd_per_month: float | None


def doorkeeper(tenant: str) -> Actor:
    """The server itself, which looks up who is at the door of a tenant."""
    return Actor(tenant, "", frozenset({SERVER}))


def lock_people(connection: Connection, actor: Actor) -> None:
    """Let nobody else change the accounts of a tenant until this transaction ends."""
    hold_number(connection, _PEOPLE_LOCK, actor.tenant)


def find_tenant(connection: Connection, actor: Actor) -> Tenant | None:
    """The actor's tenant, when it was made here."""
    query = select(*_columns(TENANTS, Tenant)).where(TENANTS.c.tenant == actor.tenant)
    row = connection.execute(query).one_or_none()
    return None if row is None else Tenant(*row)


def insert_tenant(connection: Connection, actor: Actor, name: str, *, now: datetime) -> None:
    """Make the actor's tenant."""
    row = {"tenant": actor.tenant, "name": name, "state": "active", "created_at": now}
    connection.execute(insert(TENANTS), row)


def insert_person(connection: Connection, person: Person) -> None:
    """Make an account."""
    connection.execute(insert(PEOPLE), {**person._asdict(), "roles": list(person.roles)})


def change_person(
    connection: Connection, actor: Actor, id: str, values: Mapping[str, Any], *, now: datetime
) -> bool:
    """Change columns of an account; false when there is none."""
    mine = (PEOPLE.c.tenant == actor.tenant, PEOPLE.c.id == id)
    changed = {**values, "updated_at": now}
    return connection.execute(update(PEOPLE).where(*mine).values(**changed)).rowcount == 1


def find_person(connection: Connection, actor: Actor, id: str) -> Person | None:
    """An account by its id."""
    return _one_person(connection, actor, PEOPLE.c.id == id)


def find_by_email(connection: Connection, actor: Actor, email: str) -> Person | None:
    """An account by its e-mail address, however that is written."""
    return _one_person(connection, actor, PEOPLE.c.email == email.strip().lower())


def find_by_subject(
    connection: Connection, actor: Actor, issuer: str, subject: str
) -> Person | None:
    """An account by who it is for a provider of identities."""
    same = (PEOPLE.c.oidc_issuer == issuer, PEOPLE.c.oidc_subject == subject)
    return _one_person(connection, actor, *same)


def list_people(
    connection: Connection, actor: Actor, *, after: str = "", limit: int = 200, words: str = ""
) -> list[Person]:
    """The accounts of a tenant by id, those whose id, name or e-mail holds `words`."""
    columns = (PEOPLE.c.tenant == actor.tenant, PEOPLE.c.id > after)
    query = select(*_columns(PEOPLE, Person)).where(*columns).order_by(PEOPLE.c.id).limit(limit)
    if words:
        parts = (PEOPLE.c.id, PEOPLE.c.name, PEOPLE.c.email)
        query = query.where(or_(*(part.icontains(words, autoescape=True) for part in parts)))
    return [_person(row) for row in connection.execute(query)]


def insert_sign_in(connection: Connection, sign_in: SignIn) -> None:
    """Remember somebody who is signed in."""
    connection.execute(insert(SIGN_INS), sign_in._asdict())


def signed_in(
    connection: Connection, actor: Actor, id: str, *, now: datetime
) -> tuple[Person, SignIn] | None:
    """Whose secret this is the hash of, while it counts and the account is active."""
    query = (
        select(*_columns(PEOPLE, Person), *_columns(SIGN_INS, SignIn))
        .join_from(
            SIGN_INS,
            PEOPLE,
            (PEOPLE.c.tenant == SIGN_INS.c.tenant) & (PEOPLE.c.id == SIGN_INS.c.person),
        )
        .where(
            SIGN_INS.c.id == id,
            SIGN_INS.c.tenant == actor.tenant,
            SIGN_INS.c.expires_at > now,
            PEOPLE.c.state == "active",
        )
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    width = len(Person._fields)
    return _person(row[:width]), SignIn(*row[width:])


def list_sign_ins(
    connection: Connection, actor: Actor, person: str, *, now: datetime
) -> list[SignIn]:
    """What a person is signed in with, the newest first."""
    mine = (SIGN_INS.c.tenant == actor.tenant, SIGN_INS.c.person == person)
    query = (
        select(*_columns(SIGN_INS, SignIn))
        .where(*mine, SIGN_INS.c.expires_at > now)
        .order_by(SIGN_INS.c.created_at.desc(), SIGN_INS.c.id)
    )
    return [SignIn(*row) for row in connection.execute(query)]


def used_sign_in(connection: Connection, actor: Actor, id: str, *, now: datetime) -> None:
    """Remember when a secret was last shown."""
    mine = (SIGN_INS.c.tenant == actor.tenant, SIGN_INS.c.id == id)
    connection.execute(update(SIGN_INS).where(*mine).values(last_used_at=now))


def delete_sign_in(connection: Connection, actor: Actor, person: str, id: str) -> bool:
    """End one sign-in of a person; false when they have none of this id."""
    mine = (SIGN_INS.c.tenant == actor.tenant, SIGN_INS.c.person == person, SIGN_INS.c.id == id)
    return connection.execute(delete(SIGN_INS).where(*mine)).rowcount == 1


def delete_sign_ins(
    connection: Connection, actor: Actor, person: str, *, but: str = "", kinds: Iterable[Kind] = ()
) -> int:
    """End the sign-ins of a person, except one; of some kinds only, when they are named."""
    mine = [SIGN_INS.c.tenant == actor.tenant, SIGN_INS.c.person == person, SIGN_INS.c.id != but]
    chosen = tuple(kinds)
    if chosen:
        mine.append(SIGN_INS.c.kind.in_(chosen))
    return connection.execute(delete(SIGN_INS).where(*mine)).rowcount


def delete_expired(connection: Connection, actor: Actor, *, now: datetime) -> int:
    """Forget the sign-ins of a tenant that have run out."""
    old = (SIGN_INS.c.tenant == actor.tenant, SIGN_INS.c.expires_at <= now)
    return connection.execute(delete(SIGN_INS).where(*old)).rowcount


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
    hold_number(connection, _AUDIT_LOCK, actor.tenant)
    newest = select(func.max(AUDIT_LOG.c.seq)).where(AUDIT_LOG.c.tenant == actor.tenant)
    seq = (connection.scalar(newest) or 0) + 1
    entry = AuditRow(seq, now, actor.person, action, target, dict(detail))
    connection.execute(insert(AUDIT_LOG), {"tenant": actor.tenant, **asdict(entry)})
    return seq


def audit_entries(
    connection: Connection, actor: Actor, *, before: int | None = None, limit: int = 100
) -> list[AuditRow]:
    """What was done in a tenant, the newest first, older than `before`."""
    query = select(*_columns(AUDIT_LOG, AuditRow)).where(AUDIT_LOG.c.tenant == actor.tenant)
    if before is not None:
        query = query.where(AUDIT_LOG.c.seq < before)
    rows = connection.execute(query.order_by(AUDIT_LOG.c.seq.desc()).limit(limit))
    return [AuditRow(*row) for row in rows]


def spend_limits(connection: Connection, actor: Actor) -> list[SpendLimit]:
    """The limits that bind the actor: their own, and everyone's."""
    who = SPEND_LIMITS.c.person.in_((actor.person, EVERYONE))
    return _limits(connection, actor, who)


def all_spend_limits(connection: Connection, actor: Actor) -> list[SpendLimit]:
    """Every limit of a tenant; everyone's first."""
    return _limits(connection, actor)


def set_spend_limit(connection: Connection, actor: Actor, limit: SpendLimit) -> None:
    """Store a limit over an earlier one; without any figure there is none."""
    mine = (SPEND_LIMITS.c.tenant == actor.tenant, SPEND_LIMITS.c.person == limit.person)
    connection.execute(delete(SPEND_LIMITS).where(*mine))
    if limit.usd_per_day is not None or limit.usd_per_month is not None:
        connection.execute(insert(SPEND_LIMITS), {"tenant": actor.tenant, **limit._asdict()})


def _limits(connection: Connection, actor: Actor, *conditions: Any) -> list[SpendLimit]:  # noqa: ANN401 - SQLAlchemy's
    mine = SPEND_LIMITS.c.tenant == actor.tenant
    query = select(*_columns(SPEND_LIMITS, SpendLimit)).where(mine, *conditions)
    return [SpendLimit(*row) for row in connection.execute(query.order_by(SPEND_LIMITS.c.person))]


def _one_person(connection: Connection, actor: Actor, *conditions: Any) -> Person | None:  # noqa: ANN401 - SQLAlchemy's
    query = select(*_columns(PEOPLE, Person)).where(PEOPLE.c.tenant == actor.tenant, *conditions)
    row = connection.execute(query).one_or_none()
    return None if row is None else _person(row)


def _person(row: Row[Any] | tuple[Any, ...]) -> Person:
    person = Person(*row)
    return person._replace(roles=tuple(person.roles))


def _columns(table: Any, kind: Any) -> list[Any]:  # noqa: ANN401 - a table and a NamedTuple
    return [table.c[name] for name in kind.__annotations__]


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
    hold_number(connection, _TRIES_LOCK, f"{actor.tenant}/{id}")


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
