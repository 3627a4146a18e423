"""`paige up`, `paige serve` and `paige mcp`."""

import logging
import os
import signal
import sys
import time
from dataclasses import replace
from types import FrameType

import click

from paige.base.errors import BadInput, PaigeError
from paige.base.files import make_private
from paige.base.settings import Settings, provider_of
from paige.doors.frame.cli import command_settings


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

    from paige.doors.site.mcp_endpoint import checked_sets  # noqa: PLC0415
    from paige.doors.site.mcp_stdio import serve_stdio  # noqa: PLC0415

    anyio.run(serve_stdio, command_settings(), checked_sets(sets))


logger = logging.getLogger(__name__)
_BEGAN = time.monotonic()
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}


class CannotStart(PaigeError):
    """Something the server needs is missing; the process exits with 1, as scripts expect."""


@click.command()
@click.option("--demo", is_flag=True, help="Look around in a demo, apart from your own data.")
@click.option("--port", type=click.IntRange(0, 65535), help="Listen here; 0 takes a free port.")
@click.option("--host", metavar="ADDRESS", help="Listen at this address of the machine.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in your browser.")
def up(*, demo: bool, port: int | None, host: str | None, open_page: bool) -> None:
    """Start Paige for yourself: embedded database, no key needed; prints the address."""
    settings = command_settings()
    if port is not None:
        settings = replace(settings, port=port)
    if host is not None:
        settings = replace(settings, host=host)
    if demo:
        from paige.doors.setup.cli_demo import show_demo  # noqa: PLC0415 - most people start without it

        show_demo(settings, lambda shown: _run(shown, strict=False, open_page=open_page))
        return
    if settings.project_dir is None:
        settings = replace(settings, project_dir=settings.cwd)
    _run(settings, strict=False, open_page=open_page)


@click.command()
def serve() -> None:
    """Start the server for scripts; PROJECT_DIR and the provider's key must be set."""
    settings = command_settings()
    check_for_serve(settings)
    _run(settings, strict=True)


def check_for_serve(settings: Settings) -> None:
    """Refuse to start half set up. Raises: CannotStart naming every missing variable."""
    key = KEYS.get(provider_of(settings, strict=True))
    given = {
        "PROJECT_DIR": settings.project_dir,
        "ANTHROPIC_API_KEY": settings.anthropic_api_key,
        "OPENAI_API_KEY": settings.openai_api_key,
    }
    missing = [name for name in ("PROJECT_DIR", key) if name and not given[name]]
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        raise CannotStart(
            f"{names} must be set", hint="Set it in the environment, in `.env` or in `paige.toml`."
        )


def _run(settings: Settings, *, strict: bool, open_page: bool = False) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop_early)
    _check_places(settings)
    # uvicorn and Starlette are not needed to say that something is missing.
    from paige.doors.site.run import run_server  # noqa: PLC0415

    try:
        run_server(
            settings, strict=strict, say=lambda address: _announce(settings, address, open_page)
        )
    except BadInput as error:
        raise CannotStart(error.message, hint=error.hint) from error


def _check_places(settings: Settings) -> None:
    project = settings.project_dir
    if project is not None and not project.is_dir():
        raise CannotStart(
            f"`PROJECT_DIR` is `{project}`, which does not exist",
            hint="Set it to the folder of the project to be coached on.",
        )
    if not settings.loopback and not settings.passcode and not settings.many:
        raise CannotStart(
            f"`{settings.host}` can be reached from other machines and there is no passcode",
            hint="Set `PAIGE_PASSCODE`, or `PAIGE_ACCOUNTS`, or bind `127.0.0.1`.",
        )
    make_private(settings.data_dir)


def _announce(settings: Settings, address: str, open_page: bool) -> None:
    if open_page:
        import webbrowser  # noqa: PLC0415 - only for whoever asks for it

        webbrowser.open(address)
    if settings.log_format == "json":
        where = {"project": str(settings.project_dir), "data": str(settings.data_dir)}
        logger.info("Paige is ready at %s", address, extra=where)
        return
    click.echo(f"Paige is ready at {address}")
    click.echo(f"  port     {address.rpartition(':')[2]}")
    click.echo(f"  project  {settings.project_dir}")
    click.echo(f"  data     {settings.data_dir}")
    click.echo(f"  started  in {time.monotonic() - _BEGAN:.1f} s")
    click.echo("  Press Ctrl+C to stop.")
    sys.stdout.flush()


def _stop_early(number: int, _: FrameType | None) -> None:
    """End a start-up; once the server runs it takes the signals itself."""
    # Not `click.echo`: the signal may have come in the middle of another line.
    os.write(1, f"Stopping on {signal.Signals(number).name} during start-up\n".encode())
    # Not `sys.exit`: where Python cannot raise, as in a weak reference's callback, it is lost and
    # the start goes on. What is open survives a killed process, so it survives this.
    os._exit(0)
