"""Whom a provider's statement means: an account that is there, or one that is made.

The claim with the roles decides when it is there. Without one, a new person becomes a learner only
when their confirmed e-mail address is of an allowed domain. Accounts are joined by e-mail only when
the provider has confirmed it: otherwise anybody could write anybody's address.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from paige.app.accounts.people import EMAIL, ID, MOST_NAME, keep_new
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import Conflict, Refused
from paige.base.rights import ROLES
from paige.store.people_queries import (
    Person,
    audit,
    change_person,
    find_by_email,
    find_by_subject,
    find_person,
    lock_people,
)

_PREFIX = re.compile(r"^(?:role[_-])?paige[-_:/]", re.IGNORECASE)
LEARNER = ("learner",)
TAKEN = frozenset({Actor().person})
"""Ids that only an admin gives: what there was before accounts belongs to this one."""


async def person_of(app: App, actor: Actor, claims: Mapping[str, Any]) -> Person:
    """The account of whoever a checked statement speaks of. Raises: Refused, Conflict."""
    settings = app.settings
    told = roles_told(claims, settings.oidc_roles_claim)
    allowed = is_allowed(claims, settings.oidc_allowed_domains)
    return await app.database.write_durably(
        _person, actor, claims, told=told, allowed=allowed, now=app.now()
    )


def roles_told(claims: Mapping[str, Any], claim: str) -> tuple[str, ...] | None:
    """The roles that a statement gives; `None` when it does not speak of roles."""
    value = _claim(claims, claim)
    if isinstance(value, str):
        value = re.split(r"[\s,]+", value)
    if not isinstance(value, list):
        return None
    names = {_PREFIX.sub("", str(name)).lower() for name in value}
    return tuple(role for role in ROLES if role in names)


def is_allowed(claims: Mapping[str, Any], domains: tuple[str, ...]) -> bool:
    """Whether somebody without a role may come in as a learner."""
    email = confirmed_email(claims)
    wanted = {domain.lower().removeprefix("@") for domain in domains}
    return email is not None and email.rpartition("@")[2] in wanted


def confirmed_email(claims: Mapping[str, Any]) -> str | None:
    """The e-mail address, when the provider has confirmed it."""
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        return None
    plain = email.strip().lower()
    return plain if EMAIL.fullmatch(plain) else None


def wanted_id(claims: Mapping[str, Any]) -> str:
    """An id that reads like the name the provider uses."""
    for key in ("preferred_username", "email", "name"):
        value = claims.get(key)
        if isinstance(value, str):
            plain = re.sub(r"[^a-z0-9]+", "-", value.partition("@")[0].lower()).strip("-")[:48]
            if ID.fullmatch(plain):
                return plain
    return "person"


def _person(
    connection: Connection,
    actor: Actor,
    claims: Mapping[str, Any],
    *,
    told: tuple[str, ...] | None,
    allowed: bool,
    now: datetime,
) -> Person:
    lock_people(connection, actor)
    found = find_by_subject(connection, actor, claims["iss"], claims["sub"])
    if found is None:
        found = _joined(connection, actor, claims, now=now)
    if found is None:
        return _made(connection, actor, claims, _first_roles(told, allowed), now=now)
    if told is None or told == found.roles:
        return found
    roles = _first_roles(told, allowed)
    change_person(connection, actor, found.id, {"roles": list(roles)}, now=now)
    audit(connection, actor, "person.change", found.id, {"roles": list(roles)}, now=now)
    return found._replace(roles=roles)


def _first_roles(told: tuple[str, ...] | None, allowed: bool) -> tuple[str, ...]:
    if told:
        return told
    if allowed:
        return LEARNER
    raise Refused(
        "You are known, but nobody has given you a role here",
        hint="Ask an admin to add you, or to give you a role at the provider.",
    )


def _joined(
    connection: Connection, actor: Actor, claims: Mapping[str, Any], *, now: datetime
) -> Person | None:
    """An account that was made here for the same confirmed e-mail address."""
    email = confirmed_email(claims)
    found = find_by_email(connection, actor, email) if email else None
    if found is None:
        return None
    if found.oidc_subject is not None:
        raise Conflict("Somebody else signs in with this e-mail address", hint="Ask an admin.")
    who = {"oidc_issuer": claims["iss"], "oidc_subject": claims["sub"]}
    change_person(connection, actor, found.id, who, now=now)
    audit(connection, actor, "person.join", found.id, {"provider": claims["iss"]}, now=now)
    return found._replace(**who)


def _made(
    connection: Connection,
    actor: Actor,
    claims: Mapping[str, Any],
    roles: tuple[str, ...],
    *,
    now: datetime,
) -> Person:
    id = _free(connection, actor, wanted_id(claims))
    name = "".join(each for each in str(claims.get("name") or id) if each.isprintable())
    person = Person(
        tenant=actor.tenant,
        id=id,
        name=name.strip()[:MOST_NAME] or id,
        email=confirmed_email(claims),
        roles=roles,
        password_hash=None,
        oidc_issuer=claims["iss"],
        oidc_subject=claims["sub"],
        state="active",
        created_at=now,
        updated_at=now,
    )
    keep_new(connection, actor, person, now=now)
    return person


def _free(connection: Connection, actor: Actor, wanted: str) -> str:
    """The id, with a number when somebody has it."""
    id, number = wanted, 1
    while id in TAKEN or find_person(connection, actor, id) is not None:
        number += 1
        id = f"{wanted}-{number}"
    return id


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """A claim by its name, or by a path such as `realm_access.roles`."""
    if name in claims:
        return claims[name]
    value: object = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
