"""`paige hook`: the hook's process, started through the command line."""

import click

from paige.hooks.fast import CLIS, run


@click.command()
@click.argument("cli", type=click.Choice(CLIS))
@click.argument("event", default="")
def hook(cli: str, event: str) -> int:
    """Answer one event of a coding CLI, read from stdin, in that CLI's own contract."""
    return run(cli, event)
