"""MCP over standard input and output: joins the server of this data folder, or does without.

With a server, what the tools show reaches its windows. Without one they work all the same; those
that point something out say that no window is open.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server

from paige.app.application import App, open_app
from paige.app.coach_model import NoWindows, open_coach_model
from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.base.running_server import announced_address
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.messages import Reply
from paige.coach.project_context import Surroundings
from paige.doors.site.mcp_endpoint import all_tools, build_server
from paige.store.messages import Message

LOOK_SECONDS = 2.0
_ONLY_SHOWN = ("editor:", "explorer:", "coaching:message")


class ClosedWindows(NoWindows):
    """Nobody has a window open, and whoever would show something there is told so."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Refuse what would be seen by nobody. Raises: Unavailable."""
        if message.topic.startswith(_ONLY_SHOWN):
            raise Unavailable(
                "No window of Paige is open", hint="Start `paige up` and open its page."
            )


async def serve_stdio(settings: Settings, sets: frozenset[str]) -> None:
    """Answer until standard input ends."""
    address = await _listening(settings)
    if address is None:
        await _alone(settings, sets)
    else:
        chosen = f"?tools={','.join(sorted(sets))}" if sets else ""
        await _joined(f"{address}/mcp{chosen}", settings)


async def _listening(settings: Settings) -> str | None:
    """The address of the server, if it answers."""
    address = announced_address(settings)
    if address is None:
        return None
    try:
        async with httpx2.AsyncClient(timeout=LOOK_SECONDS) as client:
            return address if (await client.get(f"{address}/health")).is_success else None
    except httpx2.HTTPError:
        return None


async def _joined(url: str, settings: Settings) -> None:
    """Hand everything on to the server and back."""
    headers = {}
    if passcode := settings.environ.get("PAIGE_PASSCODE", ""):
        headers["authorization"] = f"Bearer {passcode}"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=None) as client,
        stdio_server() as (from_agent, to_agent),
        streamable_http_client(url, http_client=client) as (from_server, to_server),
        anyio.create_task_group() as tasks,
    ):

        async def hand_on(source: Any, target: Any) -> None:  # noqa: ANN401 - streams of the SDK
            async for message in source:
                if isinstance(message, Exception):
                    sys.stderr.write(f"paige: a message cannot be read: {message}\n")
                else:
                    await target.send(message)

        tasks.start_soon(hand_on, from_server, to_agent)
        await hand_on(from_agent, to_server)
        tasks.cancel_scope.cancel()


async def _alone(settings: Settings, sets: frozenset[str]) -> None:
    with open_app(settings, strict=False) as app:
        async with app.bus.running(), app.openings.running(), _coach(app) as coach:
            server = build_server(replace(app, coach=coach), all_tools(), sets=sets)
            async with stdio_server() as (read, write):
                await server.run(read, write, server.create_initialization_options())


@asynccontextmanager
async def _coach(app: App) -> AsyncIterator[LiveCoach]:
    model = open_coach_model(app)
    around = Surroundings(
        database=app.database,
        bus=app.bus,
        outlet=ClosedWindows(),
        now=app.now,
        model=model,
        own_folder=app.settings.data_dir,
    )
    coach = LiveCoach(app.settings.project_dir or app.settings.cwd, around)
    async with model.running(), coach.running():
        yield coach
