"""`paige demo`: the demo that `paige up --demo` shows, put back or taken away."""

from collections.abc import Callable
from datetime import datetime

import click

from paige.app.demo.installation import (
    SEED,
    alone,
    demo_folder,
    demo_settings,
    ensure_demo,
    read_demo,
    remove_demo,
    reset_demo,
)
from paige.base.clock import system_clock
from paige.base.errors import Refused
from paige.base.settings import Settings
from paige.doors.data.cli import progress
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import Console, person, process_console

YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.group()
def demo() -> None:
    """The demo of `paige up --demo`. It lies in a folder of its own, apart from your data."""


@demo.command()
@YES
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The last day of its term; today unless given.",
)
@click.option("--seed", default=SEED, show_default=True, help="Another one makes another term.")
def reset(*, yes: bool, day: datetime | None, seed: int) -> None:
    """Put the demo back as it was. Whatever was changed in it goes; nothing else is touched."""
    person()
    console, settings = process_console(), command_settings()
    _ask(console, f"Everything in `{demo_folder(settings.data_dir)}` is made anew.", yes=yes)
    last = day.date() if day else system_clock().date()
    with progress(console) as told:
        made = reset_demo(settings, last, seed, told)
    console.say(f"The demo is as new: a term that ends on {made.day}. `paige up --demo` shows it.")


@demo.command()
@YES
def remove(*, yes: bool) -> None:
    """Remove the demo, and nothing else."""
    person()
    console, settings = process_console(), command_settings()
    _ask(console, f"Everything in `{demo_folder(settings.data_dir)}` is removed.", yes=yes)
    gone = remove_demo(settings)
    console.say("The demo is gone." if gone else "There is no demo.")


@demo.command()
def path() -> None:
    """Print where the demo lies."""
    process_console().give(str(demo_folder(command_settings().data_dir)))


def show_demo(settings: Settings, run: Callable[[Settings], None]) -> None:
    """Fill the demo if need be, and run a server on it. Raises: Conflict when one runs."""
    console = process_console()
    with alone(settings.data_dir) as lock:
        if read_demo(settings.data_dir) is None:
            console.say("Filling the demo: a term behind every door. It takes a moment, once.")
        with progress(console) as told:
            made = ensure_demo(settings, system_clock().date(), told, lock)
        console.say(f"This is the demo: an invented term that ends on {made.day}.")
        console.say("Nothing in it is yours, and no model is asked. `paige up` without `--demo`")
        console.say("leaves it, `paige demo reset` puts it back, `paige demo remove` removes it.")
        run(demo_settings(settings))


def _ask(console: Console, what: str, *, yes: bool) -> None:
    """Make sure that a person means it. Raises: Refused."""
    if yes:
        return
    if not console.interactive:
        raise Refused("Nobody can be asked here", hint="Say `--yes`.")
    console.say(what)
    if console.read("Go on? [y/N] ").strip().lower() not in ("y", "yes"):
        raise Refused("Nothing was changed")
