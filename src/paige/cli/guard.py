"""`paige guard`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "check": ("paige.cli.guard_checking:check", "Say whether a command may run."),
    "explain": ("paige.cli.guard_checking:explain_", "Show how a judgement comes about."),
    "list": ("paige.cli.guard_rules:list_", "List the rules, and check their examples."),
    "trust": (
        "paige.cli.guard_trust:trust",
        "Let a project's file loosen rules; list and revoke that.",
    ),
    "guards": ("paige.cli.guard_stages:guards", "List the learned guards and where they stand."),
    "replay": ("paige.cli.guard_stages:replay", "Try a guard on everything that happened."),
    "shadow": ("paige.cli.guard_stages:shadow", "Let a proposed guard watch."),
    "promote": ("paige.cli.guard_stages:promote", "Let a guard block."),
    "rollback": ("paige.cli.guard_stages:rollback", "Take a guard back."),
    "override": ("paige.cli.guard_stages:override", "Let one refused action pass once."),
    "learn": (
        "paige.cli.guard_learning:learn_",
        "Find patterns in what was blocked, and propose guards.",
    ),
    "report": (
        "paige.cli.guard_learning:report",
        "Show how well learning works, in numbers.",
    ),
    "prompts": (
        "paige.cli.guard_learning:prompts",
        "Show and decide on changes of agents' prompts.",
    ),
    "traces": (
        "paige.cli.guard_traces:traces",
        "Look into the context graph: what happened, and what led to it.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def guard() -> None:
    """What coding agents may run: judge commands, see the rules, teach new guards."""
