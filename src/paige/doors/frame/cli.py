"""Operations from the command line: the application is opened for one command, and closed."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from paige.base.clock import Clock, system_clock
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

Call = Callable[[str, object], Any]
"""Carry out the operation at `module:name` with what is given."""


def run(place: str, given: object = None, *, now: Clock = system_clock) -> Any:  # noqa: ANN401 - whatever the operation gives
    """Carry out one operation; open windows hear of what it changes. Raises: PaigeError."""
    with calling(now=now) as call:
        return call(place, given)


@contextmanager
def calling(*, now: Clock = system_clock) -> Iterator[Call]:
    """Carry out several operations, one after the other, in one application."""
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

        def call(place: str, given: object) -> object:
            operation = load_operation(place)
            return portal.call(lambda: dispatch(app, operation, given, way="cli"))

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
