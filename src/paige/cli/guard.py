"""`paige guard`: which commands there are, each loaded only when it is used."""

import click

from paige.cli.lazy import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "check": ("paige.cli.guard_checking:check", "Say whether a command may run."),
    "explain": ("paige.cli.guard_checking:explain_", "Show how a judgement comes about."),
    "list": ("paige.cli.guard_rules:list_", "List the rules, and check their examples."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def guard() -> None:
    """What coding agents may run: judge commands, see the rules behind it."""
