"""Accounts as REST sends them."""

from paige.app.application import App
from paige.app.people import get_person
from paige.base.actor import Actor
from paige.base.rights import RIGHTS, rights_of
from paige.models.setup import prices_of
from paige.models.spending import spending
from paige.server import accounts_wire as wire
from paige.store.people_queries import Person, SignIn


def person_view(person: Person) -> wire.AccountPerson:
    """An account, without what is secret about it."""
    return wire.AccountPerson(
        id=person.id,
        name=person.name,
        email=person.email,
        roles=list(person.roles),
        state=person.state,
        has_password=person.password_hash is not None,
        provider=person.oidc_issuer,
        created_at=person.created_at,
    )


def sign_in_view(row: SignIn, this: SignIn | None) -> wire.MySignIn:
    """One sign-in; `this` is the one that asks."""
    return wire.MySignIn(
        id=row.id,
        kind=row.kind,
        label=row.label,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        this=this is not None and row.id == this.id,
    )


async def about_me(app: App, actor: Actor) -> wire.AboutMe:
    """Oneself; without accounts the one person of this server, who may do everything."""
    own_day = app.settings.spend_limit_day
    prices = prices_of(app.settings)
    spent = await spending(app.database, actor, own_day=own_day, now=app.now(), prices=prices)
    many = app.settings.many
    return wire.AboutMe(
        accounts=many,
        tenant=actor.tenant,
        person=person_view(await get_person(app, actor, actor.person)) if many else _only(actor),
        rights=list(rights_of(actor.roles) if many else RIGHTS),
        spend=[wire.SpendState.model_validate(each) for each in spent],
    )


def _only(actor: Actor) -> wire.AccountPerson:
    return wire.AccountPerson(
        id=actor.person,
        name=actor.person,
        email=None,
        roles=[],
        state="active",
        has_password=False,
        provider=None,
        created_at=None,
    )
