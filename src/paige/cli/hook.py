"""`paige hook`: the hook's process, started through the command line."""

import click

from paige.hooks.fast import CLIS, run


@click.command()
@click.argument("cli", type=click.Choice(CLIS))
@click.argument("event", default="")
@click.option("--data", default="", help="The data folder, where it is not the usual one.")
def hook(cli: str, event: str, data: str) -> int:
    """Answer one event of a coding CLI, read from stdin, in that CLI's own contract."""
    return run(cli, event, data)
