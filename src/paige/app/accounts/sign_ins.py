"""Signing in and out: a secret for every browser and program, of which only the hash is kept.

The secret begins with the tenant, so that it is known whose door is knocked at before anything is
looked up.
"""

import base64
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paige.app.accounts.login_throttle import (
    ACCOUNT,
    ADDRESS,
    FORGOTTEN,
    check_tries,
    clear_tries,
    count_try,
)
from paige.app.accounts.passwords import hash_password, is_dated, matches
from paige.app.accounts.people import (
    TENANT,
    checked_text,
    hashed,
    person_named,
    person_or_none,
    set_password,
)
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, PaigeError, Refused
from paige.store.people_queries import (
    Kind,
    Person,
    SignIn,
    audit,
    change_person,
    delete_expired,
    delete_sign_in,
    delete_sign_ins,
    doorkeeper,
    insert_sign_in,
    list_sign_ins,
    prune_tries,
    signed_in,
    used_sign_in,
)

BROWSER_DAYS = 30
TOKEN_DAYS = 365
MOST_DAYS = 730
MOST_TOKENS = 50
TOKEN_MARK = "paige_"
"""What every token begins with, so that scanners find one that got lost."""
NOTICED = timedelta(minutes=5)
"""How exactly it is known when a secret was last shown; writing it every time would cost much."""
_SECRET_BYTES = 32
Randomness = Callable[[int], bytes]


class WrongSignIn(PaigeError):
    """Nobody is known by this name and password, or by this secret."""

    status = 401
    code = "sign_in"


@dataclass(frozen=True, slots=True)
class NewSignIn:
    """Somebody who has signed in; the secret is told once and kept nowhere."""

    secret: str
    person: Person
    sign_in: SignIn


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What somebody typed to be let in, from where, and with what."""

    tenant: str
    name: str
    password: str
    address: str
    label: str


async def sign_in(
    app: App, given: Credentials, *, randomness: Randomness = os.urandom
) -> NewSignIn:
    """Let somebody in by name and password. Raises: WrongSignIn, TooManySignIns, Refused."""
    keeper = doorkeeper(given.tenant if TENANT.fullmatch(given.tenant) else "local")
    await app.database.read(check_tries, keeper, ADDRESS, given.address, now=app.now())
    person = await app.database.read(person_or_none, keeper, given.name)
    account = person.id if person else given.name.strip().lower()
    await app.database.write_quietly(count_try, keeper, ACCOUNT, account, now=app.now())
    kept = person.password_hash if person else None
    if not await hashed(matches, kept, given.password) or person is None:
        await app.database.write_quietly(count_try, keeper, ADDRESS, given.address, now=app.now())
        raise WrongSignIn("The name or the password is wrong", hint="Ask an admin for a new one.")
    await app.database.write_quietly(clear_tries, keeper, ACCOUNT, account)
    if kept is not None and is_dated(kept):
        again = {"password_hash": await hashed(hash_password, given.password)}
        await app.database.write(change_person, keeper, person.id, again, now=app.now())
    return await open_for(app, person, given.label, randomness=randomness)


async def open_for(
    app: App, person: Person, label: str, *, randomness: Randomness = os.urandom
) -> NewSignIn:
    """Let somebody in whose identity is known. Raises: Refused for a disabled account."""
    if person.state != "active":
        raise Refused("This account is disabled", hint="Ask an admin to enable it.")
    opened = _new(person, "browser", label, BROWSER_DAYS, app.now(), randomness)
    await app.database.write_durably(_keep, person.actor, opened.sign_in, "sign_in", now=app.now())
    return opened


async def who(app: App, secret: str) -> tuple[Person, SignIn]:
    """Whose secret this is. Raises: WrongSignIn."""
    found = await find_secret(app, secret)
    if found is None:
        raise WrongSignIn("You are not signed in", hint="Sign in, or send a token as bearer.")
    return found


async def find_secret(app: App, secret: str) -> tuple[Person, SignIn] | None:
    """Whose secret this is, while it counts."""
    tenant = tenant_of(secret)
    if tenant is None:
        return None
    keeper, now = doorkeeper(tenant), app.now()
    found = await app.database.read(signed_in, keeper, secret_id(secret), now=now)
    if found is not None and now - found[1].last_used_at >= NOTICED:
        await app.database.write_quietly(used_sign_in, keeper, found[1].id, now=now)
    return found


async def sign_out(app: App, secret: str) -> None:
    """End the sign-in of a secret, if there is one."""
    found = await find_secret(app, secret)
    if found is not None:
        person, opened = found
        await app.database.write_durably(
            _end, person.actor, person.id, opened.id, "sign_out", now=app.now()
        )


async def add_token(
    app: App,
    actor: Actor,
    id: str,
    label: str,
    *,
    days: int = TOKEN_DAYS,
    randomness: Randomness = os.urandom,
) -> NewSignIn:
    """Make a token for a program of a person. Raises: NotFound, BadInput."""
    if not 1 <= days <= MOST_DAYS:
        raise BadInput(f"A token lasts from 1 to {MOST_DAYS} days, not {days}")
    named = checked_text(label, "The label", most=100)
    person = await app.database.read(person_named, actor, id)
    opened = _new(person, "token", named, days, app.now(), randomness)
    await app.database.write_durably(_add_token, actor, opened.sign_in, now=app.now())
    return opened


async def sign_ins_of(app: App, actor: Actor, id: str) -> list[SignIn]:
    """What a person is signed in with."""
    return await app.database.read(list_sign_ins, actor, id, now=app.now())


async def revoke(app: App, actor: Actor, id: str, sign_in: str) -> None:
    """End one sign-in of a person. Raises: NotFound."""
    await app.database.write_durably(_end, actor, id, sign_in, "sign_in.revoke", now=app.now())


async def revoke_all(app: App, actor: Actor, id: str, *, but: str = "") -> int:
    """End every sign-in of a person, except one; how many there were. Raises: NotFound."""
    return await app.database.write_durably(_end_all, actor, id, but=but, now=app.now())


async def change_own_password(app: App, actor: Actor, current: str, new: str, *, but: str) -> None:
    """Give oneself another password. Raises: WrongSignIn, TooManySignIns, BadInput."""
    person = await app.database.read(person_named, actor, actor.person)
    if person.password_hash is not None:
        await app.database.write_quietly(count_try, actor, ACCOUNT, person.id, now=app.now())
        if not await hashed(matches, person.password_hash, current):
            raise WrongPassword("The password you have now is wrong")
        await app.database.write_quietly(clear_tries, actor, ACCOUNT, person.id)
    await set_password(app, actor, person.id, new, but=but)


class WrongPassword(PaigeError):
    """The password typed once more is wrong; whoever typed it stays signed in."""

    status = 403
    code = "wrong_password"


def secret_id(secret: str) -> str:
    """The hash that a secret is kept as."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def tenant_of(secret: str) -> str | None:
    """The tenant that a secret names; none when it is not one of ours."""
    tenant, dot, rest = secret.removeprefix(TOKEN_MARK).partition(".")
    return tenant if dot and rest and TENANT.fullmatch(tenant) else None


def _new(
    person: Person, kind: Kind, label: str, days: int, now: datetime, randomness: Randomness
) -> NewSignIn:
    mark = TOKEN_MARK if kind == "token" else ""
    secret = f"{mark}{person.tenant}.{_text(randomness(_SECRET_BYTES))}"
    row = SignIn(
        tenant=person.tenant,
        id=secret_id(secret),
        person=person.id,
        kind=kind,
        label=label,
        csrf=_text(randomness(_SECRET_BYTES)) if kind == "browser" else "",
        created_at=now,
        expires_at=now + timedelta(days=days),
        last_used_at=now,
    )
    return NewSignIn(secret, person, row)


def _text(random: bytes) -> str:
    return base64.urlsafe_b64encode(random).rstrip(b"=").decode()


def _keep(connection: Connection, actor: Actor, row: SignIn, action: str, *, now: datetime) -> None:
    # Whoever comes in takes out what has run out, so that nothing else has to.
    delete_expired(connection, actor, now=now)
    prune_tries(connection, actor, before=now - FORGOTTEN)
    insert_sign_in(connection, row)
    audit(connection, actor, action, row.person, {"with": row.kind}, now=now)


def _add_token(connection: Connection, actor: Actor, row: SignIn, *, now: datetime) -> None:
    there = list_sign_ins(connection, actor, row.person, now=now)
    if sum(each.kind == "token" for each in there) >= MOST_TOKENS:
        raise Refused(f"You have {MOST_TOKENS} tokens already", hint="Revoke one of them.")
    _keep(connection, actor, row, "token.add", now=now)


def _end(
    connection: Connection, actor: Actor, id: str, sign_in: str, action: str, *, now: datetime
) -> None:
    if not delete_sign_in(connection, actor, id, sign_in):
        raise NotFound("There is no such sign-in", hint="It may have ended already.")
    audit(connection, actor, action, id, {}, now=now)


def _end_all(connection: Connection, actor: Actor, id: str, *, but: str, now: datetime) -> int:
    person = person_named(connection, actor, id)
    ended = delete_sign_ins(connection, actor, person.id, but=but)
    audit(connection, actor, "sign_in.revoke_all", person.id, {"ended": ended}, now=now)
    return ended
