"""`paige orchestra`: which commands there are, each loaded only when it is used."""

import click

from paige.doors.frame.commands import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "init": (
        "paige.doors.orchestra.cli_commands:init",
        "Give the project a goal and its features.",
    ),
    "status": (
        "paige.doors.orchestra.cli_commands:status",
        "Show the features and who works on what.",
    ),
    "next": ("paige.doors.orchestra.cli_commands:next_", "Say what comes next."),
    "run": ("paige.doors.orchestra.cli_commands:run", "Let agents work until everything is done."),
    "handoff": (
        "paige.doors.orchestra.cli_commands:handoff",
        "Check and log a handoff, or list those there were.",
    ),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def orchestra() -> None:
    """Features are broken down, coded, tested and merged by agents, without prompting."""
