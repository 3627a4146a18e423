"""What the commands of `paige people` share: whose accounts, who acts, and passwords."""

import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import anyio
import click

from paige.app.application import App, open_app
from paige.app.people import checked_tenant
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput
from paige.cli.people import person
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import plain_text

T = TypeVar("T")
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


def run_as_admin(tenant: str, work: Callable[[App, Actor], Awaitable[T]]) -> T:
    """Do something for whoever runs this installation; agents may not. Raises: Refused."""
    actor = Actor(checked_tenant(tenant), f"cli:{person()}", frozenset({"admin"}))
    with open_app(command_settings(), strict=False) as app:
        return anyio.run(partial(work, app, actor))


def typed_password() -> str:
    """A password that somebody types, or that comes on stdin. Raises: BadInput."""
    if sys.stdin.isatty():
        given = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise BadInput("The password is empty")
    return plain_text(given)
