"""The accounts' part of the REST API: oneself, people, limits, and the audit log."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Query, Request

from paige.app import people, signing_in
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.base.rights import Right, check_right
from paige.server import accounts_wire as wire
from paige.server.accounts import ACTOR, SIGNED_IN
from paige.server.accounts_views import about_me, person_view, sign_in_view
from paige.server.routes import Routes
from paige.store.people_queries import SpendLimit

MOST_SEQ = 2**62
Before = Annotated[int | None, Query(ge=1, le=MOST_SEQ)]
Limit = Annotated[int, Query(ge=1, le=500)]
Words = Annotated[str, Query(max_length=200)]


async def _actor(request: Request) -> Actor:
    return request.scope[ACTOR]


Who = Annotated[Actor, Depends(_actor)]


def accounts_routes(app: App) -> Routes:
    """The addresses of accounts; without accounts only oneself can be seen."""
    routes = Routes(tags=["accounts"])

    @routes.get("/me")
    async def me(actor: Who) -> wire.AboutMe:
        """Say who one is, what one may do, and what one has spent."""
        return await about_me(app, actor)

    own = Routes(prefix="/me", dependencies=[Depends(_only_with(app))])
    _add_own(own, app)
    _add_sign_ins(own, app)
    routes.include(own)
    managed = Routes(dependencies=[Depends(_only_with(app, "people"))])
    _add_people(managed, app)
    _add_keeping(managed, app)
    _add_limits(managed, app)
    routes.include(managed)
    audited = Routes(dependencies=[Depends(_only_with(app, "audit"))])
    _add_audit(audited, app)
    routes.include(audited)
    return routes


def _only_with(app: App, right: Right | None = None) -> Callable[[Request], Awaitable[None]]:
    """A dependency: there are accounts, and whoever asks may do this."""

    async def check(request: Request) -> None:
        if not app.settings.many:
            raise NotFound("This Paige has no accounts", hint="Set `PAIGE_ACCOUNTS` to `on`.")
        if right is not None:
            check_right(request.scope[ACTOR], right)

    return check


def _add_own(routes: Routes, app: App) -> None:
    @routes.patch("")
    async def rename(actor: Who, asked: wire.MyChange) -> wire.AboutMe:
        """Give oneself another name."""
        await people.change(app, actor, actor.person, people.Changes(name=asked.name))
        return await about_me(app, actor)

    @routes.put("/password")
    async def password(request: Request, actor: Who, asked: wire.MyPassword) -> wire.AboutMe:
        """Change one's password; other browsers are signed out."""
        but = request.scope[SIGNED_IN].id
        await signing_in.change_own_password(app, actor, asked.current, asked.new, but=but)
        return await about_me(app, actor)


def _add_sign_ins(routes: Routes, app: App) -> None:
    async def mine(request: Request) -> wire.MySignIns:
        actor = request.scope[ACTOR]
        rows = await signing_in.sign_ins_of(app, actor, actor.person)
        this = request.scope[SIGNED_IN]
        return wire.MySignIns(sign_ins=[sign_in_view(row, this) for row in rows])

    @routes.get("/sign-ins")
    async def sign_ins(request: Request) -> wire.MySignIns:
        """List the browsers and programs that are signed in."""
        return await mine(request)

    @routes.delete("/sign-ins/{id}")
    async def revoke(request: Request, actor: Who, id: str) -> wire.MySignIns:
        """Sign one of them out."""
        await signing_in.revoke(app, actor, actor.person, people.checked_text(id, "`id`", most=64))
        return await mine(request)

    @routes.post("/tokens")
    async def token(actor: Who, asked: wire.NewToken) -> wire.MadeToken:
        """Make a token for a program; it is shown once."""
        opened = await signing_in.add_token(app, actor, actor.person, asked.label, days=asked.days)
        return wire.MadeToken(secret=opened.secret, sign_in=sign_in_view(opened.sign_in, None))


def _add_people(routes: Routes, app: App) -> None:
    @routes.get("/people")
    async def listed(
        actor: Who, after: Words = "", words: Words = "", limit: Limit = 100
    ) -> wire.PeoplePage:
        """List the accounts, those that hold some words."""
        found = await people.people_of(app, actor, after=after, words=words, limit=limit)
        following = found[-1].id if len(found) == limit else None
        return wire.PeoplePage(people=[person_view(each) for each in found], next=following)

    @routes.post("/people")
    async def add(actor: Who, asked: wire.PersonNew) -> wire.PersonMade:
        """Make an account; a password that is made up is told once."""
        made_up = people.made_up_password() if asked.password is None else None
        new = people.NewPerson(
            id=asked.id,
            name=asked.name,
            email=asked.email,
            roles=tuple(asked.roles),
            password=asked.password if made_up is None else made_up,
        )
        person = await people.add_person(app, actor, new)
        return wire.PersonMade(person=person_view(person), password=made_up)

    @routes.patch("/people/{id}")
    async def change(actor: Who, id: str, asked: wire.PersonChange) -> wire.AccountPerson:
        """Change a name, an address, roles, or whether the account is active."""
        changes = people.Changes(
            name=asked.name,
            email=asked.email,
            roles=None if asked.roles is None else tuple(asked.roles),
            state=asked.state,
        )
        return person_view(await people.change(app, actor, id, changes))


def _add_keeping(routes: Routes, app: App) -> None:
    @routes.put("/people/{id}/password")
    async def password(actor: Who, id: str, asked: wire.PersonPassword) -> wire.PersonMade:
        """Give somebody another password; their browsers are signed out."""
        made_up = people.made_up_password() if asked.password is None else None
        await people.set_password(app, actor, id, asked.password or made_up or "")
        person = await people.get_person(app, actor, id)
        return wire.PersonMade(person=person_view(person), password=made_up)

    @routes.delete("/people/{id}/sign-ins")
    async def end(actor: Who, id: str) -> wire.SignInsEnded:
        """Sign somebody out everywhere, programs too."""
        return wire.SignInsEnded(ended=await signing_in.revoke_all(app, actor, id))


def _add_limits(routes: Routes, app: App) -> None:
    async def all_limits(actor: Actor) -> wire.LimitsOnSpend:
        rows = await people.limits_of(app, actor)
        return wire.LimitsOnSpend(limits=[wire.LimitOnSpend.model_validate(row) for row in rows])

    @routes.get("/limits")
    async def limits(actor: Who) -> wire.LimitsOnSpend:
        """List what may be spent on models."""
        return await all_limits(actor)

    @routes.put("/limits")
    async def limit(actor: Who, asked: wire.LimitAsked) -> wire.LimitsOnSpend:
        """Set what one person, or everyone together, may spend."""
        figures = SpendLimit(asked.person, asked.usd_per_day, asked.usd_per_month)
        await people.limit_spending(app, actor, figures)
        return await all_limits(actor)


def _add_audit(routes: Routes, app: App) -> None:
    @routes.get("/audit")
    async def audit(actor: Who, before: Before = None, limit: Limit = 100) -> wire.AuditPage:
        """Say who did what, the newest first."""
        rows = await people.audit_page(app, actor, before=before, limit=limit)
        following = rows[-1].seq if len(rows) == limit else None
        entries = [wire.AuditRow.model_validate(row) for row in rows]
        return wire.AuditPage(entries=entries, next=following)
