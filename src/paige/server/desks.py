"""Whose desk a request is for: the server acts for whoever asks, never for one fixed person.

The routes of FastAPI take it as an argument; see `doors/frame/current_app.py`.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated

import anyio
from anyio.to_thread import run_sync
from fastapi import Depends
from starlette.requests import HTTPConnection

from paige.app.application import App
from paige.app.person_apps import PersonApps, need, need_machine
from paige.base.rights import Right
from paige.doors.frame.current_app import app_of
from paige.server.plan_mount import PlanMount

LOOK_SECONDS = 60.0


async def _desk(connection: HTTPConnection) -> App:
    return app_of(connection.scope)


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


async def tidy_up(desks: PersonApps, plan: PlanMount) -> None:
    """Close what nobody uses, again and again until cancelled."""
    while True:
        await anyio.sleep(LOOK_SECONDS)
        for desk in plan.desks:
            desks.of(desk.actor)  # a run may go on behind a door, and it needs the memory
        for memory in desks.idle_memories():
            await run_sync(memory.close)
