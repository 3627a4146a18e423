"""What the commands of `paige memory` share: options, the memory, who asks."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from paige.app.application import App, open_app
from paige.doors.frame.cli import command_settings
from paige.memory.access import Reader, read_reader
from paige.memory.event import SCOPES
from paige.memory.memory import Memory

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
AS = click.option("--as", "reader", metavar="READER", help="Who asks: NAME, agent:NAME, role:NAME.")
SCOPE = click.option("--scope", type=click.Choice(SCOPES))
PROJECT = click.option("--project", metavar="NAME", help="The project it is about.")


@contextmanager
def opened_memory() -> Iterator[tuple[App, Memory]]:
    """The application and its memory; the database is opened by whoever needs it."""
    with open_app(command_settings(), strict=False, at_machine=True) as app:
        yield app, app.memory.open()


def named_reader(named: str | None) -> Reader:
    """Who asks; the person at this machine when nobody is named."""
    return Reader() if named is None else read_reader(named)
