"""`paige people password`, `token` and `limit`."""

import json

import click

from paige.app import people, signing_in
from paige.app.application import App
from paige.base.actor import Actor
from paige.cli.people_options import ASK, JSON, TENANT, run_as_admin, typed_password
from paige.doors.frame.console import process_console
from paige.models.spending import CountedLimit
from paige.store.people_queries import EVERYONE, SpendLimit


@click.command()
@click.argument("id")
@ASK
@TENANT
def password(id: str, *, asks: bool, tenant: str) -> None:
    """Give the person ID another password; their browsers are signed out."""
    console = process_console()
    made_up = "" if asks else people.made_up_password()
    secret = made_up or typed_password()
    run_as_admin(tenant, lambda app, actor: people.set_password(app, actor, id, secret))
    console.say(f"`{id}` has another password.")
    if made_up:
        console.say("Here it is, shown this once:")
        console.give(made_up)


@click.command()
@click.argument("id")
@click.option("--label", default="command line", show_default=True, help="What it is for.")
@click.option("--days", type=int, default=signing_in.TOKEN_DAYS, show_default=True)
@TENANT
def token(id: str, *, label: str, days: int, tenant: str) -> None:
    """Make a token with which programs act as the person ID: for MCP, hooks and scripts."""
    console = process_console()
    made = run_as_admin(
        tenant, lambda app, actor: signing_in.add_token(app, actor, id, label, days=days)
    )
    console.say(f"It counts until {made.sign_in.expires_at:%Y-%m-%d} and is shown this once:")
    console.give(made.secret)


@click.command()
@click.argument("id", default=EVERYONE)
@click.option("--day", type=click.FloatRange(min=0), help="US dollars in a day.")
@click.option("--month", type=click.FloatRange(min=0), help="US dollars in a month.")
@click.option("--none", "clear", is_flag=True, help="Take the limit away.")
@TENANT
@JSON
def limit(id: str, *, day: float | None, month: float | None, clear: bool, **given: str) -> None:
    """Set what the person ID, or without ID everyone together, may spend; or list the limits."""
    console = process_console()
    wanted = SpendLimit(id, day, month)
    sets = clear or day is not None or month is not None

    async def work(app: App, actor: Actor) -> list[CountedLimit]:
        if sets:
            await people.limit_spending(app, actor, wanted)
        return await people.limits_of(app, actor)

    limits = run_as_admin(given["tenant"], work)
    if given["as_json"]:
        console.give(json.dumps([each._asdict() for each in limits], ensure_ascii=False))
        return
    for each in limits:
        console.give(_line(each))
    if not limits:
        console.say("Nothing is limited.")


def _line(limit: CountedLimit) -> str:
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
