"""`paige mcp`: tools for an agent that starts a program instead of opening an address."""

import click

from paige.doors.frame.command_settings import command_settings


@click.command()
@click.option(
    "--tools", "sets", default="", metavar="SETS", help="Only these: coach,study,memory,guard."
)
def mcp(sets: str) -> None:
    """Answer an agent over standard input and output.

    Joins the server of this data folder if one runs; without one it opens what it needs itself.
    """
    # The SDK costs more to import than the rest of Paige.
    import anyio  # noqa: PLC0415

    from paige.mcp.endpoint import checked_sets  # noqa: PLC0415
    from paige.mcp.stdio import serve_stdio  # noqa: PLC0415

    anyio.run(serve_stdio, command_settings(), checked_sets(sets))
