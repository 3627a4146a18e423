"""`paige guard`: which commands there are, each loaded only when it is used; and `paige hook`."""

import click

from paige.doors.frame.commands import LazyGroup
from paige.hooks.fast import CLIS, run

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "check": ("paige.doors.guard.cli_rules:check", "Say whether a command may run."),
    "explain": ("paige.doors.guard.cli_rules:explain", "Show how a judgement comes about."),
    "list": ("paige.doors.guard.cli_rules:list_", "List the rules, and check their examples."),
    "trust": (
        "paige.doors.guard.cli_rules:trust",
        "Let a project's file loosen rules; list and revoke that.",
    ),
    "guards": (
        "paige.doors.guard.cli_learned:guards",
        "List the learned guards and where they stand.",
    ),
    "replay": ("paige.doors.guard.cli_learned:replay", "Try a guard on everything that happened."),
    "shadow": ("paige.doors.guard.cli_learned:shadow", "Let a proposed guard watch."),
    "promote": ("paige.doors.guard.cli_learned:promote", "Let a guard block."),
    "rollback": ("paige.doors.guard.cli_learned:rollback", "Take a guard back."),
    "override": ("paige.doors.guard.cli_learned:override", "Let one refused action pass once."),
    "learn": (
        "paige.doors.guard.cli_learned:learn_",
        "Find patterns in what was blocked, and propose guards.",
    ),
    "report": (
        "paige.doors.guard.cli_learned:report",
        "Show how well learning works, in numbers.",
    ),
    "prompts": (
        "paige.doors.guard.cli_learned:prompts",
        "Show and decide on changes of agents' prompts.",
    ),
    "traces": (
        "paige.doors.guard.cli_traces:traces",
        "Look into the context graph: what happened, and what led to it.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def guard() -> None:
    """What coding agents may run: judge commands, see the rules, teach new guards."""


@click.command()
@click.argument("cli", type=click.Choice(CLIS))
@click.argument("event", default="")
@click.option("--data", default="", help="The data folder, where it is not the usual one.")
def hook(cli: str, event: str, data: str) -> int:
    """Answer one event of a coding CLI, read from stdin, in that CLI's own contract."""
    return run(cli, event, data)
