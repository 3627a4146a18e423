"""`paige study`: which commands there are, each loaded only when it is used."""

import click

from paige.cli.lazy import LazyGroup

# name: (module and attribute, what `--help` says)
COMMANDS = {
    "grade": ("paige.cli.study_commands:grade", "Grade a worksheet, a response or a code folder."),
    "mark": ("paige.cli.study_commands:mark", "Mark short answers, a line each."),
    "disclose": ("paige.cli.study_commands:disclose", "Say whether replies give an answer away."),
}


@click.group(cls=LazyGroup, table=COMMANDS)
def study() -> None:
    """Exercises: grade them, mark answers, keep answers back."""
