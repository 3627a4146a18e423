"""`paige people`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "add": ("paige.cli.people_commands:add", "Make an account."),
    "list": ("paige.cli.people_commands:list_", "List the accounts."),
    "role": ("paige.cli.people_commands:role", "Give a person other roles."),
    "disable": ("paige.cli.people_commands:disable", "Sign a person out and keep them out."),
    "enable": ("paige.cli.people_commands:enable", "Let a disabled person in again."),
    "password": ("paige.cli.people_secrets:password", "Give a person another password."),
    "token": ("paige.cli.people_secrets:token", "Make a token for a person's programs."),
    "limit": ("paige.cli.people_secrets:limit", "Set what may be spent on models."),
    "export": ("paige.cli.people_keeping:export", "Write out everything of one person."),
    "erase": ("paige.cli.people_keeping:erase", "Erase everything of one person."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def people() -> None:
    """The people of this installation: accounts, roles, passwords, tokens, limits."""
