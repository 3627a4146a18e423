"""What commands share: the settings, and operations.

It is the only place on this side that reads settings. The application is opened for one command,
and closed.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from paige.base.clock import Clock, system_clock
from paige.base.settings import Settings, read_settings
from paige.doors.frame.console import process_console

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from paige.base.actor import Actor


T = TypeVar("T")
Call = Callable[[str, object], Any]
"""Carry out the operation at `module:name` with what is given."""


def command_settings() -> Settings:
    """The settings of the process and the folder it runs in."""
    return read_settings(os.environ, Path.cwd())


def read_database(settings: Settings, query: "Callable[[Connection, Actor], T]") -> T:
    """Open the database for one reading."""
    # Most commands that read settings open no database.
    import anyio  # noqa: PLC0415

    from paige.app.application import open_app  # noqa: PLC0415

    with open_app(settings, strict=False) as app:
        return anyio.run(lambda: app.database.read(query, app.actor))


def run(
    place: str, given: object = None, *, now: Clock = system_clock, actor: "Actor | None" = None
) -> Any:  # noqa: ANN401 - whatever the operation gives
    """Carry out one operation; open windows hear of what it changes. Raises: PaigeError."""
    with calling(now=now, actor=actor) as call:
        return call(place, given)


@contextmanager
def calling(*, now: Clock = system_clock, actor: "Actor | None" = None) -> Iterator[Call]:
    """Carry out several operations, one after the other, in one application.

    They are for the person of this installation, unless somebody else is named.
    """
    # Not at the top: `--help` needs none of it.
    from anyio.from_thread import start_blocking_portal  # noqa: PLC0415

    from paige.app.application import open_app  # noqa: PLC0415
    from paige.doors.frame.dispatch import dispatch  # noqa: PLC0415
    from paige.doors.frame.operations import load_operation  # noqa: PLC0415

    with (
        open_app(command_settings(), strict=False, now=now, at_machine=True) as app,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.openings.running()),
    ):
        whose = app if actor is None else replace(app, actor=actor)

        def call(place: str, given: object) -> object:
            operation = load_operation(place)
            return portal.call(lambda: dispatch(whose, operation, given, way="cli"))

        yield call


def show(
    value: Any,  # noqa: ANN401 - whatever an operation gave
    lines: Callable[[Any], Iterable[str]],
    *,
    as_json: bool,
    remarks: Callable[[Any], Iterable[str]] = lambda _: (),
    record: Callable[[Any], object] | None = None,
) -> None:
    """Print a value: as JSON for programs, else as lines, with remarks for whoever watches.

    `record` is what programs get where that is not the value itself.
    """
    console = process_console()
    if as_json:
        made = dump(value) if record is None else record(value)
        console.give(json.dumps(made, ensure_ascii=False))
        return
    for line in lines(value):
        console.give(line)
    for line in remarks(value):
        console.say(line)


def dump(value: Any) -> Any:  # noqa: ANN401 - a value, and its JSON
    """A value as JSON values, by the names that files and commands use."""
    from paige.doors.frame.schemas import adapter_of  # noqa: PLC0415 - as above

    return adapter_of(type(value)).dump_python(value, mode="json")
