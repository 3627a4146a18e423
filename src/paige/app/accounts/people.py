"""Accounts: making them, their roles and passwords, and ending them.

Whoever calls these has been let in by `base/rights.py`. Everything that changes an account is
written into the audit log in the same transaction.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any

import anyio
from anyio.to_thread import run_sync
from pydantic import Field
from sqlalchemy import Connection

from paige.app.accounts.passwords import check_password, hash_password
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.rights import ROLES
from paige.base.wire import wire
from paige.models.budget import LimitOnSpend, counted_limits, limits_changed
from paige.store.people_queries import (
    AuditRow,
    Person,
    SpendLimit,
    State,
    audit,
    audit_entries,
    change_person,
    delete_sign_ins,
    find_by_email,
    find_person,
    find_tenant,
    insert_person,
    insert_tenant,
    list_people,
    lock_people,
    set_spend_limit,
)

ID = re.compile(r"[a-z0-9](?:[a-z0-9_-]|\.(?!\.)){0,63}(?<!\.)")
TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]{1,64}@[^@\s\x00-\x1f\x7f]{1,190}")
MOST_NAME = 200
SHELL = Field(description="A developer or admin of the tenant `local` gets a shell on the server.")
PAGE = 200
_HASHING = 2
"""Hashing takes a core and much memory; more at once would only slow each other down."""
_hashers: list[anyio.CapacityLimiter] = []


@wire(kw_only=True)
class PersonNew:
    """An account to be made; without a password one is made up and told once."""

    id: Annotated[str, Field(max_length=64)]
    name: Annotated[str, Field(max_length=MOST_NAME)] = ""
    email: Annotated[str | None, Field(max_length=254)] = None
    roles: Annotated[tuple[str, ...], SHELL] = ("learner",)
    password: Annotated[str | None, Field(max_length=1024)] = None


@wire(kw_only=True)
class PersonChanges:
    """What changes about an account; `None` stays as it is, an empty e-mail is none."""

    name: Annotated[str | None, Field(max_length=MOST_NAME)] = None
    email: Annotated[str | None, Field(max_length=254)] = None
    roles: Annotated[tuple[str, ...] | None, SHELL] = None
    state: State | None = None


async def hashed(work: Callable[..., Any], *args: object) -> Any:  # noqa: ANN401 - what the work gives
    """Run something slow about passwords in a thread, only a few at once."""
    if not _hashers:  # made where an event loop runs
        _hashers.append(anyio.CapacityLimiter(_HASHING))
    return await run_sync(work, *args, limiter=_hashers[0])


async def add_person(app: App, actor: Actor, new: PersonNew) -> Person:
    """Make an account, and its tenant when it is the first. Raises: BadInput, Conflict."""
    id, name = checked_id(new.id), checked_name(new.name or new.id)
    email, roles = checked_email(new.email), checked_roles(new.roles)
    kept = None
    if new.password is not None:
        check_password(new.password, names=(id, name, email or ""))
        kept = await hashed(hash_password, new.password)
    now = app.now()
    person = Person(
        tenant=checked_tenant(actor.tenant),
        id=id,
        name=name,
        email=email,
        roles=roles,
        password_hash=kept,
        oidc_issuer=None,
        oidc_subject=None,
        state="active",
        created_at=now,
        updated_at=now,
    )
    await app.database.write_durably(keep_new, actor, person, now=now)
    return person


def keep_new(connection: Connection, actor: Actor, person: Person, *, now: datetime) -> None:
    """Store an account that is not there yet. Raises: Conflict."""
    lock_people(connection, actor)
    if find_tenant(connection, actor) is None:
        insert_tenant(connection, actor, actor.tenant, now=now)
        audit(connection, actor, "tenant.add", actor.tenant, {}, now=now)
    if find_person(connection, actor, person.id) is not None:
        raise Conflict(f"There is a person `{person.id}` already", hint="Choose another id.")
    if person.email and find_by_email(connection, actor, person.email) is not None:
        raise Conflict(f"Somebody has the e-mail address `{person.email}` already")
    insert_person(connection, person)
    audit(connection, actor, "person.add", person.id, {"roles": list(person.roles)}, now=now)


async def change(app: App, actor: Actor, id: str, changes: PersonChanges) -> Person:
    """Change an account. Raises: NotFound, BadInput, Conflict for the last admin."""
    values = _values(changes)
    return await app.database.write_durably(_change, actor, id, values, now=app.now())


async def set_password(app: App, actor: Actor, id: str, password: str, *, but: str = "") -> None:
    """Give an account another password and end its browsers, except the sign-in `but`."""
    person = await get_person(app, actor, id)
    check_password(password, names=(person.id, person.name, person.email or ""))
    kept = await hashed(hash_password, password)
    await app.database.write_durably(_set_password, actor, id, kept, but=but, now=app.now())


def made_up_password(choose: Callable[[str], str] = secrets.choice) -> str:
    """A password for somebody who gets one told: 16 letters and digits that are not mistaken."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(choose(letters) for _ in range(4)) for _ in range(4))


async def get_person(app: App, actor: Actor, id: str) -> Person:
    """One account by its id or its e-mail address. Raises: NotFound."""
    return await app.database.read(person_named, actor, id)


def person_named(connection: Connection, actor: Actor, name: str) -> Person:
    """One account by its id or its e-mail address. Raises: NotFound."""
    found = person_or_none(connection, actor, name)
    if found is None:
        raise NotFound(f"There is no person `{name}`", hint="`paige people list` lists them.")
    return found


def person_or_none(connection: Connection, actor: Actor, name: str) -> Person | None:
    """One account by its id or its e-mail address."""
    plain = name.strip().lower()
    if "@" in plain:
        return find_by_email(connection, actor, plain) if EMAIL.fullmatch(plain) else None
    return find_person(connection, actor, plain) if ID.fullmatch(plain) else None


async def people_of(
    app: App, actor: Actor, *, after: str = "", words: str = "", limit: int = PAGE
) -> list[Person]:
    """The accounts of the actor's tenant by id, a page at a time."""
    plain = checked_text(words, "The words", most=MOST_NAME, empty=True)
    page = {"after": checked_text(after, "`after`", most=64, empty=True), "limit": limit}
    return await app.database.read(list_people, actor, words=plain, **page)


async def audit_page(
    app: App, actor: Actor, *, before: int | None = None, limit: int = 100
) -> list[AuditRow]:
    """What was done in the actor's tenant, the newest first."""
    return await app.database.read(audit_entries, actor, before=before, limit=limit)


async def limits_of(app: App, actor: Actor) -> list[LimitOnSpend]:
    """Every limit on spending in the actor's tenant, and what was spent against it."""
    # What others have spent is the tenant's to know, so the tenant is who asks.
    shared = app.database.of_tenant(actor.tenant)
    return await shared.read(counted_limits, actor, now=app.now())


async def limit_spending(app: App, actor: Actor, limit: SpendLimit) -> None:
    """Set what a person, or everyone together, may spend. Raises: NotFound, BadInput."""
    for amount in (limit.usd_per_day, limit.usd_per_month):
        if amount is not None and not 0 <= amount < 1e9:
            raise BadInput(f"`{amount}` is not an amount", hint="Use a number such as 2.5.")
    await app.database.write_durably(_limit, actor, limit, now=app.now())
    limits_changed()


def checked_id(id: str) -> str:
    """An id that may name a folder and an account. Raises: BadInput."""
    if not ID.fullmatch(id):
        raise BadInput(
            f"`{_shown(id)}` cannot be an id",
            hint="Use small letters, digits, `.`, `_` and `-`, at most 64.",
        )
    return id


def checked_tenant(tenant: str) -> str:
    """The name of a tenant. Raises: BadInput."""
    if not TENANT.fullmatch(tenant):
        raise BadInput(
            f"`{_shown(tenant)}` cannot be the name of a school or team",
            hint="Use small letters, digits and `-`, at most 63.",
        )
    return tenant


def checked_name(name: str) -> str:
    """The name that others read. Raises: BadInput."""
    return checked_text(name, "The name", most=MOST_NAME)


def checked_email(email: str | None) -> str | None:
    """An e-mail address in small letters, or none. Raises: BadInput."""
    plain = (email or "").strip().lower()
    if not plain:
        return None
    if not EMAIL.fullmatch(plain) or not _is_text(plain):
        raise BadInput(f"`{_shown(plain)}` is not an e-mail address")
    return plain


def checked_roles(roles: Iterable[str]) -> tuple[str, ...]:
    """Roles, each once, in the order of the table. Raises: BadInput."""
    given = frozenset(roles)
    unknown = sorted(given - frozenset(ROLES))
    if unknown:
        known = ", ".join(f"`{role}`" for role in ROLES)
        raise BadInput(f"There is no role `{_shown(unknown[0])}`", hint=f"Use {known}.")
    return tuple(role for role in ROLES if role in given)


def checked_text(text: str, what: str, *, most: int, empty: bool = False) -> str:
    """A line of text that every database takes. Raises: BadInput."""
    plain = text.strip()
    if (not plain and not empty) or len(plain) > most or not _is_text(plain):
        raise BadInput(f"{what} must be one line of at most {most} characters")
    return plain


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # JSON can bring half of a character
        return False
    return text.isprintable()


def _shown(text: str) -> str:
    return text[:80].encode(errors="replace").decode()


def _values(changes: PersonChanges) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if changes.name is not None:
        values["name"] = checked_name(changes.name)
    if changes.email is not None:
        values["email"] = checked_email(changes.email)
    if changes.roles is not None:
        values["roles"] = list(checked_roles(changes.roles))
    if changes.state is not None:
        if changes.state not in ("active", "disabled"):
            raise BadInput(f"An account is `active` or `disabled`, not `{_shown(changes.state)}`")
        values["state"] = changes.state
    return values


def _change(
    connection: Connection, actor: Actor, id: str, values: Mapping[str, Any], *, now: datetime
) -> Person:
    lock_people(connection, actor)
    before = person_named(connection, actor, id)
    changed = {key: value for key, value in values.items() if _differs(before, key, value)}
    if not changed:
        return before
    keep_an_admin(connection, before, before._replace(**changed))
    if changed.get("email") and find_by_email(connection, actor, changed["email"]) is not None:
        raise Conflict(f"Somebody has the e-mail address `{changed['email']}` already")
    change_person(connection, actor, before.id, changed, now=now)
    if changed.get("state") == "disabled":
        delete_sign_ins(connection, actor, before.id)
    # What somebody is called stays out of the log; roles and states are what it is for.
    told = {key: value for key, value in changed.items() if key in ("roles", "state")}
    told["changed"] = sorted(changed)
    audit(connection, actor, "person.change", before.id, told, now=now)
    return person_named(connection, actor, before.id)


def _differs(before: Person, key: str, value: object) -> bool:
    return list(before.roles) != value if key == "roles" else getattr(before, key) != value


def keep_an_admin(connection: Connection, before: Person, after: Person | None = None) -> None:
    """Refuse to take the last admin away, by a change or for good. Raises: Conflict."""
    if not _is_admin(before) or (after is not None and _is_admin(after)):
        return
    last = ""
    while page := list_people(connection, before.actor, after=last):
        if any(_is_admin(person) and person.id != before.id for person in page):
            return
        last = page[-1].id
    raise Conflict(
        f"`{before.id}` is the only admin", hint="Give somebody else the role `admin` first."
    )


def _is_admin(person: Person) -> bool:
    return person.state == "active" and "admin" in person.roles


def _set_password(
    connection: Connection, actor: Actor, id: str, kept: str, *, but: str, now: datetime
) -> None:
    person = person_named(connection, actor, id)
    change_person(connection, actor, person.id, {"password_hash": kept}, now=now)
    ended = delete_sign_ins(connection, actor, person.id, but=but, kinds=("browser",))
    audit(connection, actor, "person.password", person.id, {"ended": ended}, now=now)


def _limit(connection: Connection, actor: Actor, limit: SpendLimit, *, now: datetime) -> None:
    if limit.person:
        limit = limit._replace(person=person_named(connection, actor, limit.person).id)
    set_spend_limit(connection, actor, limit)
    detail = {"day": limit.usd_per_day, "month": limit.usd_per_month}
    audit(connection, actor, "limit.set", limit.person, detail, now=now)
