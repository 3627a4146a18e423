"""`paige passcode`."""

import sys

import click

from paige.base.errors import BadInput
from paige.server.passcode import hash_passcode


@click.command()
def passcode() -> None:
    """Ask for a passcode (or read it from stdin) and print the hash for PAIGE_PASSCODE."""
    if sys.stdin.isatty():
        given = click.prompt("Passcode", hide_input=True, confirmation_prompt=True, err=True)
    else:
        given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise BadInput("The passcode is empty")
    click.echo(hash_passcode(given))
