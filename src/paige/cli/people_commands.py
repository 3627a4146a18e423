"""`paige people add`, `list`, `role`, `disable` and `enable`."""

import json

import click

from paige.app import people
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.rights import ROLES, warning_of
from paige.cli.people_options import ASK, JSON, TENANT, run_as_admin, typed_password
from paige.doors.frame.console import process_console
from paige.store.people_queries import Person

ROLE = click.Choice(ROLES)


@click.command()
@click.argument("id")
@click.option("--name", default="", help="The name that others read.")
@click.option("--email", help="The address to sign in with.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=ROLE,
    help="May be repeated. A developer or admin of `local` gets a shell on this machine.",
)
@click.option("--no-password", is_flag=True, help="For somebody who signs in elsewhere.")
@ASK
@TENANT
def add(id: str, *, roles: tuple[str, ...], no_password: bool, asks: bool, **given: str) -> None:
    """Make the account ID; its password is made up and printed unless you give one."""
    console = process_console()
    made_up = "" if asks or no_password else people.made_up_password()
    secret = typed_password() if asks else made_up or None
    new = people.NewPerson(
        id=id,
        name=given["name"] or "",
        email=given["email"],
        roles=roles or ("learner",),
        password=secret,
    )
    run_as_admin(given["tenant"], lambda app, actor: people.add_person(app, actor, new))
    console.say(f"`{id}` has an account now: {', '.join(new.roles)}.")
    _warn(new.roles, given["tenant"])
    if made_up:
        console.say("The password, shown this once:")
        console.give(made_up)


@click.command("list")
@click.argument("words", default="")
@TENANT
@JSON
def list_(words: str, *, tenant: str, as_json: bool) -> None:
    """List the accounts, those whose id, name or address holds WORDS."""
    console = process_console()
    found = run_as_admin(tenant, lambda app, actor: _all(app, actor, words))
    if as_json:
        console.give(json.dumps([_shown(each) for each in found], ensure_ascii=False))
        return
    for each in found:
        state = "" if each.state == "active" else "  disabled"
        address = f"  {each.email}" if each.email else ""
        console.give(f"{each.id}  {each.name}{address}  {', '.join(each.roles)}{state}")
    if not found:
        console.say("There is nobody. `paige people add ID --role admin` makes the first account.")


@click.command()
@click.argument("id")
@click.argument("roles", nargs=-1, required=True, type=ROLE)
@TENANT
def role(id: str, roles: tuple[str, ...], *, tenant: str) -> None:
    """Give the person ID exactly these ROLES.

    Developers and admins of the tenant `local` get a shell on this machine, as the user that Paige
    runs as.
    """
    _change(tenant, id, people.Changes(roles=roles))
    process_console().say(f"`{id}` is now {', '.join(roles)}.")
    _warn(roles, tenant)


@click.command()
@click.argument("id")
@TENANT
def disable(id: str, *, tenant: str) -> None:
    """Sign the person ID out everywhere and let them in no more; their data stays."""
    _change(tenant, id, people.Changes(state="disabled"))
    process_console().say(f"`{id}` is out. `paige people enable {id}` lets them in again.")


@click.command()
@click.argument("id")
@TENANT
def enable(id: str, *, tenant: str) -> None:
    """Let the disabled person ID in again."""
    _change(tenant, id, people.Changes(state="active"))
    process_console().say(f"`{id}` may sign in again.")


def _warn(roles: tuple[str, ...], tenant: str) -> None:
    if warning := warning_of(roles, tenant):
        process_console().say(warning)


def _change(tenant: str, id: str, changes: people.Changes) -> None:
    run_as_admin(tenant, lambda app, actor: people.change(app, actor, id, changes))


async def _all(app: App, actor: Actor, words: str) -> list[Person]:
    found: list[Person] = []
    while True:
        after = found[-1].id if found else ""
        page = await people.people_of(app, actor, after=after, words=words)
        found += page
        if len(page) < people.PAGE:
            return found


def _shown(person: Person) -> dict[str, object]:
    names = ("tenant", "id", "name", "email", "roles", "state")
    return {name: getattr(person, name) for name in names}
