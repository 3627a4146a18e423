"""Carries an operation out for somebody: the one way from every door to a room.

Who is asking and may they; the input read; the person's rooms opened; the operation run and
counted; open windows told. What goes wrong is an error of the one tree, which doors show their way.
"""

import inspect
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from anyio.to_thread import run_sync

from paige.app.person_apps import need, need_machine
from paige.base.counters import count, took
from paige.base.errors import NotFound, PaigeError
from paige.doors.frame.operations import Operation, Subject, opens_app
from paige.store.messages import publish

if TYPE_CHECKING:
    from paige.app.application import App

logger = logging.getLogger(__name__)
Way = Literal["http", "socket", "mcp", "cli"]


async def dispatch(app: "App", operation: Operation[Any], given: Any, *, way: Way) -> Any:  # noqa: ANN401 - whatever it takes and gives
    """Carry an operation out for the person of `app`. Raises: PaigeError.

    `given` may be a function that reads what was sent: whoever may not do this is not listened to.
    """
    begun, outcome = time.perf_counter(), "failed"
    try:
        _check(app, operation)
        arguments = operation.read_input(
            await given() if inspect.iscoroutinefunction(given) else given
        )
        opened = await _open(app, operation.subject)
        value = await _carry_out(app, operation, opened, arguments)
        outcome = "ok"
        return value
    except PaigeError as error:
        outcome = error.code
        raise
    finally:
        count("operations", operation=operation.name, way=way, outcome=outcome)
        took("operation", time.perf_counter() - begun, operation=operation.name)


async def _open(app: "App", subject: Subject[Any]) -> object:
    if subject.opens is opens_app:
        return app.server.app if subject.installation and app.server.app is not None else app
    roles = " ".join(sorted(app.actor.roles)) if subject.by_roles else ""
    return await app.openings.open(app, f"{subject.name} {roles}".strip(), subject.opens)


def _check(app: "App", operation: Operation[Any]) -> None:
    if operation.subject.accounts and not (app.settings.many or app.at_machine):
        raise NotFound("This Paige has no accounts", hint="Set `PAIGE_ACCOUNTS` to `on`.")
    at_home = operation.subject.machine and app.at_machine
    if operation.needs is None or at_home:
        return
    if operation.subject.machine:
        need_machine(app, operation.needs)
    else:
        need(app, operation.needs)


async def _carry_out(
    app: "App", operation: Operation[Any], opened: object, arguments: tuple[Any, ...]
) -> object:
    value: object = None
    try:
        value = await _run(operation.run, opened, *arguments)
        return value
    finally:
        # Also when it failed: a part of it may have been done.
        if operation.announces is not None:
            given = arguments[0] if arguments else None
            await _announce(app, operation.announces(given, value))


async def _run(run: Callable[..., Any], *arguments: object) -> object:
    if inspect.iscoroutinefunction(run):
        return await run(*arguments)
    return await run_sync(partial(run, *arguments))


async def _announce(app: "App", message: Any) -> None:  # noqa: ANN401 - a message, or nothing
    if message is None or not app.database.exists:  # no server was ever here
        return
    try:
        await app.database.write(partial(publish, actor=app.actor, message=message, now=app.now()))
    except PaigeError as error:
        # What was done is done: it must not become an error for this.
        logger.warning("Windows were not told of a change: %s", error.message)
