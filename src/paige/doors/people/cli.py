"""`paige people` with its commands, and `paige passcode`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paige.app.accounts.passcode import hash_passcode
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput
from paige.base.rights import ROLES, warning_of
from paige.doors.frame import cli
from paige.doors.frame.cli import calling, dump
from paige.doors.frame.commands import LazyGroup
from paige.doors.frame.console import Console, person, plain_text, process_console

if TYPE_CHECKING:
    from paige.app.erasure import ErasePlan
    from paige.doors.people.values import AccountPerson
    from paige.models.budget import LimitOnSpend


# name: (module and attribute, what `--help` says)
COMMANDS = {
    "add": ("paige.doors.people.cli:add", "Make an account."),
    "list": ("paige.doors.people.cli:list_", "List the accounts."),
    "role": ("paige.doors.people.cli:role", "Give a person other roles."),
    "disable": ("paige.doors.people.cli:disable", "Sign a person out and keep them out."),
    "enable": ("paige.doors.people.cli:enable", "Let a disabled person in again."),
    "password": ("paige.doors.people.cli:password", "Give a person another password."),
    "token": ("paige.doors.people.cli:token", "Make a token for a person's programs."),
    "limit": ("paige.doors.people.cli:limit", "Set what may be spent on models."),
    "export": ("paige.doors.people.cli:export", "Write out everything of one person."),
    "erase": ("paige.doors.people.cli:erase", "Erase everything of one person."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def people() -> None:
    """The people of this installation: accounts, roles, passwords, tokens, limits."""


OPERATIONS = "paige.doors.people.operations"
ERASURE = "paige.doors.people.erasure"
ROLE = click.Choice(ROLES)
PAGE = 200
TENANT = click.option(
    "--tenant", default=LOCAL_TENANT, show_default=True, help="The school or team."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ASK = click.option(
    "--password",
    "asks",
    is_flag=True,
    help="Ask for the password, or read it from stdin; otherwise one is made up and printed.",
)


def admin(tenant: str) -> Actor:
    """Whoever runs this installation, in a tenant; agents may not. Raises: Refused, BadInput."""
    from paige.app.accounts.people import checked_tenant  # noqa: PLC0415 - `--help` does without

    return Actor(checked_tenant(tenant), f"cli:{person()}", frozenset({"admin"}))


def run(operation: str, given: object = None, *, tenant: str) -> Any:  # noqa: ANN401 - whatever it gives
    """Carry out one operation for whoever runs this installation. Raises: PaigeError."""
    return cli.run(f"{OPERATIONS}:{operation}", given, actor=admin(tenant))


def typed(what: str) -> str:
    """A secret that somebody types, or that comes on stdin. Raises: BadInput."""
    if sys.stdin.isatty():
        given = click.prompt(what, hide_input=True, confirmation_prompt=True, err=True)
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise BadInput(f"The {what.lower()} is empty")
    return plain_text(given)


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
@click.option(
    "--no-password", "elsewhere", is_flag=True, help="For somebody who signs in elsewhere."
)
@ASK
@TENANT
def add(
    id: str, *, roles: tuple[str, ...], elsewhere: bool, asks: bool, tenant: str, **given: str
) -> None:
    """Make the account ID; its password is made up and printed unless you give one."""
    console = process_console()
    secret, roles = typed("Password") if asks else None, roles or ("learner",)
    new = {"id": id, "roles": roles, "password": secret, "elsewhere": elsewhere, **given}
    made = run("add_here", new, tenant=tenant)
    console.say(f"`{id}` has an account now: {', '.join(roles)}.")
    _warn(roles, tenant)
    if made.password:
        console.say("The password, shown this once:")
        console.give(made.password)


@click.command("list")
@click.argument("words", default="")
@TENANT
@JSON
def list_(words: str, *, tenant: str, as_json: bool) -> None:
    """List the accounts, those whose id, name or address holds WORDS."""
    console = process_console()
    found = _all(tenant, words)
    if as_json:
        names = ("id", "name", "email", "roles", "state")
        shown = [
            {"tenant": tenant, **{name: getattr(each, name) for name in names}} for each in found
        ]
        console.give(json.dumps(shown, ensure_ascii=False))
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
    run("change", {"id": id, "roles": roles}, tenant=tenant)
    process_console().say(f"`{id}` is now {', '.join(roles)}.")
    _warn(roles, tenant)


@click.command()
@click.argument("id")
@TENANT
def disable(id: str, *, tenant: str) -> None:
    """Sign the person ID out everywhere and let them in no more; their data stays."""
    run("change", {"id": id, "state": "disabled"}, tenant=tenant)
    process_console().say(f"`{id}` is out. `paige people enable {id}` lets them in again.")


@click.command()
@click.argument("id")
@TENANT
def enable(id: str, *, tenant: str) -> None:
    """Let the disabled person ID in again."""
    run("change", {"id": id, "state": "active"}, tenant=tenant)
    process_console().say(f"`{id}` may sign in again.")


@click.command()
@click.argument("id")
@ASK
@TENANT
def password(id: str, *, asks: bool, tenant: str) -> None:
    """Give the person ID another password; their browsers are signed out."""
    console = process_console()
    secret = typed("Password") if asks else None
    made = run("set_password", {"id": id, "password": secret}, tenant=tenant)
    console.say(f"`{id}` has another password.")
    if made.password:
        console.say("Here it is, shown this once:")
        console.give(made.password)


@click.command()
@click.argument("id")
@click.option("--label", default="command line", show_default=True, help="What it is for.")
@click.option("--days", type=int, default=365, show_default=True)
@TENANT
def token(*, tenant: str, **given: object) -> None:
    """Make a token with which programs act as the person ID: for MCP, hooks and scripts."""
    console = process_console()
    made = run("make_token_for", given, tenant=tenant)
    console.say(f"It counts until {made.sign_in.expires_at:%Y-%m-%d} and is shown this once:")
    console.give(made.secret)


@click.command()
@click.argument("person", metavar="[ID]", default="")
@click.option("--day", "usd_per_day", type=click.FloatRange(min=0), help="US dollars in a day.")
@click.option(
    "--month", "usd_per_month", type=click.FloatRange(min=0), help="US dollars in a month."
)
@click.option("--none", "clear", is_flag=True, help="Take the limit away.")
@TENANT
@JSON
def limit(*, clear: bool, tenant: str, as_json: bool, **given: object) -> None:
    """Set what the person ID, or without ID everyone together, may spend; or list the limits."""
    console = process_console()
    sets = clear or given["usd_per_day"] is not None or given["usd_per_month"] is not None
    limits = (run("limit", given, tenant=tenant) if sets else run("limits", tenant=tenant)).limits
    if as_json:
        console.give(json.dumps(dump(limits), ensure_ascii=False))
        return
    for each in limits:
        console.give(_line(each))
    if not limits:
        console.say("Nothing is limited.")


def _warn(roles: tuple[str, ...], tenant: str) -> None:
    if warning := warning_of(roles, tenant):
        process_console().say(warning)


def _all(tenant: str, words: str) -> "list[AccountPerson]":
    found: list[AccountPerson] = []
    with calling(actor=admin(tenant)) as call:
        after: str | None = ""
        while after is not None:
            page = call(f"{OPERATIONS}:listed", {"after": after, "words": words, "limit": PAGE})
            found += page.people
            after = page.next
    return found


def _line(limit: "LimitOnSpend") -> str:
    figures = (
        ("a day", limit.usd_per_day, limit.spent_usd_today),
        ("a month", limit.usd_per_month, limit.spent_usd_this_month),
    )
    said = [
        f"{amount:.2f} US dollars {when} ({spent:.2f} spent)"
        for when, amount, spent in figures
        if amount is not None
    ]
    return f"{limit.person or 'everyone'}  {', '.join(said)}"


@click.command()
@click.argument("person")
@click.argument("file", type=click.Path(path_type=Path))
@TENANT
@JSON
def export(person: str, file: Path, *, tenant: str, as_json: bool) -> None:
    """Write everything of PERSON into FILE, as readable JSON and their own files."""
    console = process_console()
    done = cli.run(f"{ERASURE}:export", {"id": person, "file": file}, actor=admin(tenant))
    if as_json:
        counts = {"rows": done.rows, "memories": done.memories, "files": done.files}
        console.give(json.dumps({"file": str(done.path), **counts}))
        return
    console.give(
        f"Wrote `{done.path}`: {done.rows} rows, {done.memories} memories, {done.files} files"
    )


@click.command()
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do it; without, only the plan is shown.")
@TENANT
@JSON
def erase(person: str, *, yes: bool, tenant: str, as_json: bool) -> None:
    """Erase everything of PERSON: rows, memories, documents, files. It cannot be undone.

    The plan is shown first; `--yes` carries it out.
    """
    console = process_console()
    with calling(actor=admin(tenant)) as call:
        done = call(f"{ERASURE}:plan", {"id": person})
        if not as_json:
            _show(console, done, "This would go" if not yes else "This goes")
        if yes:
            done = call(f"{ERASURE}:erase", done)
    if as_json:
        said = {"person": done.person.person, "erased": yes, "rows": dict(done.rows)}
        folders = [str(folder) for folder in done.folders]
        more = {"memories": done.memories, "files": done.files, "folders": folders}
        console.give(json.dumps({**said, **more}))
    elif yes:
        console.give(f"Erased everything of `{done.person.person}`")
    if not yes:
        raise BadInput("Nothing was erased", hint="Add `--yes` to erase it for good.")


def _show(console: Console, plan: "ErasePlan", head: str) -> None:
    console.say(f"{head}, of `{plan.person.person}`:")
    for name, count in sorted(plan.rows.items()):
        console.say(f"{count:>9}  rows of {name}")
    console.say(f"{plan.memories:>9}  memories")
    for folder in plan.folders:
        console.say(f"           {folder}")
    console.say(f"{plan.files:>9}  files")


@click.command()
def passcode() -> None:
    """Ask for a passcode (or read it from stdin) and print the hash for PAIGE_PASSCODE."""
    click.echo(hash_passcode(typed("Passcode")))
