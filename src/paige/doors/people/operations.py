"""What a person can do with accounts: oneself, people, limits, and the audit log."""

from dataclasses import replace

from paige.app.accounts import people
from paige.app.accounts.people import PersonNew
from paige.app.accounts.sign_ins import add_token, change_own_password, revoke_all, sign_ins_of
from paige.app.accounts.sign_ins import revoke as revoke_sign_in
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.rights import RIGHTS, rights_of
from paige.doors.frame.operations import Subject
from paige.doors.people.values import (
    AboutMe,
    AccountPerson,
    AuditPage,
    AuditRequest,
    LimitChange,
    LimitsOnSpend,
    MadeToken,
    MyChange,
    MyPassword,
    MySignInEnd,
    MySignIns,
    NewToken,
    PeoplePage,
    PeopleRequest,
    PersonChange,
    PersonId,
    PersonMade,
    PersonNewHere,
    PersonPassword,
    PersonToken,
    SessionRequest,
    SignInsEnded,
    account,
    sign_in_view,
)
from paige.models.budget import spending
from paige.models.setup import prices_of
from paige.store.people_queries import SpendLimit

ME = Subject("people")
MINE = Subject("people", accounts=True)
PEOPLE = Subject("people", needs="people", accounts=True)
AUDIT = Subject("people", needs="audit", accounts=True)


# --- oneself -------------------------------------------------------------------------------------


@ME.read
async def me(app: App) -> AboutMe:
    """Say who one is, what one may do, and what one has spent."""
    actor, settings, many = app.actor, app.settings, app.settings.many
    own_day, prices = settings.spend_limit_day, prices_of(settings)
    spent = await spending(app.database, actor, own_day=own_day, now=app.now(), prices=prices)
    return AboutMe(
        accounts=many,
        tenant=actor.tenant,
        person=account(await people.get_person(app, actor, actor.person)) if many else _only(actor),
        rights=tuple(rights_of(actor.roles) if many else RIGHTS),
        spend=tuple(spent),
    )


@MINE.change()
async def rename(app: App, given: MyChange) -> AboutMe:
    """Give oneself another name."""
    await people.change(app, app.actor, app.actor.person, people.PersonChanges(name=given.name))
    return await me.run(app)


@MINE.change()
async def change_password(app: App, given: MyPassword) -> AboutMe:
    """Change one's password; other browsers are signed out."""
    but = given.browser.sign_in
    await change_own_password(app, app.actor, given.current, given.new, but=but)
    return await me.run(app)


@MINE.read
async def sign_ins(app: App, given: SessionRequest) -> MySignIns:
    """List the browsers and programs that are signed in."""
    rows = await sign_ins_of(app, app.actor, app.actor.person)
    return MySignIns(tuple(sign_in_view(row, given.browser.sign_in) for row in rows))


@MINE.change()
async def revoke(app: App, given: MySignInEnd) -> MySignIns:
    """Sign one of them out."""
    id = people.checked_text(given.id, "`id`", most=64)
    await revoke_sign_in(app, app.actor, app.actor.person, id)
    return await sign_ins.run(app, given)


@MINE.change()
async def make_token(app: App, given: NewToken) -> MadeToken:
    """Make a token for a program; it is shown once."""
    return await _token(app, app.actor.person, given)


# --- people --------------------------------------------------------------------------------------


@PEOPLE.read
async def listed(app: App, given: PeopleRequest) -> PeoplePage:
    """List the accounts, those that hold some words."""
    found = await people.people_of(
        app, app.actor, after=given.after, words=given.words, limit=given.limit
    )
    following = found[-1].id if len(found) == given.limit else None
    return PeoplePage(tuple(map(account, found)), following)


@PEOPLE.change()
async def add(app: App, given: PersonNew) -> PersonMade:
    """Make an account; a password that is made up is told once."""
    return await _added(app, given)


@PEOPLE.change()
async def add_here(app: App, given: PersonNewHere) -> PersonMade:
    """Make an account from this machine; without a password when they sign in elsewhere."""
    if given.elsewhere:
        return PersonMade(account(await people.add_person(app, app.actor, given)), None)
    return await _added(app, given)


@PEOPLE.change()
async def change(app: App, given: PersonChange) -> AccountPerson:
    """Change a name, an address, roles, or whether the account is active."""
    return account(await people.change(app, app.actor, given.id, given))


@PEOPLE.change()
async def set_password(app: App, given: PersonPassword) -> PersonMade:
    """Give somebody another password; their browsers are signed out."""
    made_up = people.made_up_password() if given.password is None else None
    await people.set_password(app, app.actor, given.id, given.password or made_up or "")
    return PersonMade(account(await people.get_person(app, app.actor, given.id)), made_up)


@PEOPLE.change()
async def make_token_for(app: App, given: PersonToken) -> MadeToken:
    """Make a token with which programs act as somebody; it is shown once."""
    return await _token(app, given.id, given)


@PEOPLE.change()
async def end_sign_ins(app: App, given: PersonId) -> SignInsEnded:
    """Sign somebody out everywhere, programs too."""
    return SignInsEnded(await revoke_all(app, app.actor, given.id))


@PEOPLE.read
async def limits(app: App) -> LimitsOnSpend:
    """List what may be spent on models."""
    return LimitsOnSpend(tuple(await people.limits_of(app, app.actor)))


@PEOPLE.change()
async def limit(app: App, given: LimitChange) -> LimitsOnSpend:
    """Set what one person, or everyone together, may spend."""
    figures = SpendLimit(given.person, given.usd_per_day, given.usd_per_month)
    await people.limit_spending(app, app.actor, figures)
    return await limits.run(app)


@AUDIT.read
async def audit(app: App, given: AuditRequest) -> AuditPage:
    """Say who did what, the newest first."""
    rows = await people.audit_page(app, app.actor, before=given.before, limit=given.limit)
    return AuditPage(tuple(rows), rows[-1].seq if len(rows) == given.limit else None)


async def _added(app: App, given: PersonNew) -> PersonMade:
    made_up = people.made_up_password() if given.password is None else None
    new = given if made_up is None else replace(given, password=made_up)
    return PersonMade(account(await people.add_person(app, app.actor, new)), made_up)


async def _token(app: App, id: str, given: NewToken) -> MadeToken:
    opened = await add_token(app, app.actor, id, given.label, days=given.days)
    return MadeToken(opened.secret, sign_in_view(opened.sign_in, ""))


def _only(actor: Actor) -> AccountPerson:
    """Without accounts, the one person of this server."""
    return AccountPerson(
        id=actor.person,
        name=actor.person,
        email=None,
        roles=(),
        state="active",
        has_password=False,
        provider=None,
        created_at=None,
    )
