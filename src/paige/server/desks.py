"""Whose desk a request is for: the server acts for whoever asks, never for one fixed person.

Whoever lets people in puts the actor into the scope (`paige.actor`). Everything behind asks
`desk_of` for the application as that person uses it, and hands it on as an argument.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

import anyio
from anyio.to_thread import run_sync
from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from paige.app.application import App
from paige.app.desks import Desks, need, need_machine
from paige.app.rights import Right
from paige.server.plan_mount import PlanMount

ACTOR = "paige.actor"
_DESKS = "paige.desks"
LOOK_SECONDS = 60.0


class AtDesk:
    """Middleware that lets everything behind it find the desks of this server."""

    def __init__(self, app: ASGIApp, desks: Desks) -> None:
        self.app = app
        self.desks = desks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        scope[_DESKS] = self.desks
        await self.app(scope, receive, send)


def desk_of(scope: Scope) -> App:
    """The application as whoever asks uses it. Raises: Refused when that is nobody."""
    desks: Desks = scope[_DESKS]
    return desks.of(scope.get(ACTOR))


async def _desk(connection: HTTPConnection) -> App:
    return desk_of(connection.scope)


At = Annotated[App, Depends(_desk)]
"""The desk of a request, as an argument of a route."""


def needs(right: Right) -> Callable[[App], Awaitable[None]]:
    """A dependency that lets only people with a right in."""

    async def check(desk: At) -> None:
        need(desk, right)

    return check


def needs_machine(right: Right) -> Callable[[App], Awaitable[None]]:
    """A dependency for what belongs to this machine."""

    async def check(desk: At) -> None:
        need_machine(desk, right)

    return check


async def tidy_up(desks: Desks, plan: PlanMount) -> None:
    """Close what nobody uses, again and again until cancelled."""
    while True:
        await anyio.sleep(LOOK_SECONDS)
        for desk in plan.desks:
            desks.of(desk.actor)  # a run may go on behind a door, and it needs the memory
        for memory in desks.idle_memories():
            await run_sync(memory.close)
