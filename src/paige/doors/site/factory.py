"""Builds the ASGI application: one object that holds everything a running server has."""

import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from paige.app.accounts.passcode import Passcode, cookie_key
from paige.app.application import App, wake_memory
from paige.app.coach_model import open_coach_model
from paige.app.person_apps import PersonApps
from paige.base.errors import PaigeError
from paige.base.modes import own_places, shut_tree
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.model import CoachModel
from paige.coach.project_context import SUMMARY_SECONDS, Surroundings
from paige.doors.coach.socket import add_coach
from paige.doors.frame.current_app import CurrentApp, app_of
from paige.doors.frame.metrics.site import SiteMetrics
from paige.doors.frame.operations import ready_operation
from paige.doors.frame.values import Health
from paige.doors.frame.web.hub import Hub
from paige.doors.frame.web.limits import BodyLimits, BusyCheck
from paige.doors.frame.web.pages import WebApp, docs_routes
from paige.doors.frame.web.router import Router
from paige.doors.frame.web.security import OriginCheck, reach_of
from paige.doors.frame.web.sign_in import Accounts, PasscodeCheck
from paige.doors.guard.hooks_api import HookDoor
from paige.doors.site.api import build_api
from paige.doors.site.many_servers import ManyServers
from paige.doors.site.mcp_mount import McpMount
from paige.models.wrappers import Sleep
from paige.sandbox.checks import checks as sandbox_checks
from paige.sandbox.terms import least_isolation

if TYPE_CHECKING:
    from paige.app.accounts.oidc import Oidc

logger = logging.getLogger(__name__)
LOOK_SECONDS = 60.0
LATER = 1.0
"""Seconds: so long a starting server is left alone before what may wait is opened."""


class Site:
    """The server as a value: an app in, `asgi` out; `running` is set between start and stop."""

    def __init__(
        self,
        app: App,
        *,
        model: CoachModel | None = None,
        summary_seconds: float = SUMMARY_SECONDS,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        """`model` answers for the coach, who sums up what was typed every `summary_seconds`.

        `sleep` is how the observer waits between two looks.
        """
        self.running = False
        server = app.server
        server.passcode, server.oidc = _passcode(app.settings), _provider(app.settings)
        server.app, server.restart.boot = app, secrets.token_hex(8)
        self.hub = Hub(app, Router())
        self.watching = SiteMetrics(app, self.hub)
        self._model = model or open_coach_model(app)
        around = Surroundings(
            database=app.database,
            bus=app.bus,
            outlet=self.hub,
            now=app.now,
            model=self._model,
            summary_seconds=summary_seconds,
            sleep=sleep,
            own_folder=app.settings.data_dir,
        )
        isolated = app.settings.many and least_isolation(app.settings) == "bubblewrap"
        self.coach = LiveCoach(
            app.settings.project_dir,
            around,
            environ=os.environ,
            shut_off_from=app.settings.data_dir if isolated else None,
        )
        add_coach(self.hub)
        self.app = app = replace(app, coach=self.coach)
        self._started = time.monotonic()
        self._mcp = McpMount()
        self.desks = PersonApps(app)
        app.bus.passing.show = self.hub.send
        self._many = ManyServers(app, self.desks)
        self.asgi = Starlette(
            lifespan=self._lifespan,
            routes=[
                Route("/health", self.health),
                *self.watching.routes(),
                Route("/mcp", endpoint=self._mcp),
                Route("/hooks/{cli}", HookDoor().answer, methods=["POST"]),
                WebSocketRoute("/ws", self.hub),
                Mount("/api", app=build_api(app)),
                *docs_routes(SHIPPED / "docs"),
                Mount("/", app=WebApp(SHIPPED / "web")),
            ],
            middleware=self._middleware(),
        )

    def _middleware(self) -> list[Middleware]:
        reach = reach_of(self.app.settings)
        checks = [*self.watching.middleware(), Middleware(OriginCheck, reach=reach)]
        checks.append(Middleware(BodyLimits))
        checks.append(Middleware(BusyCheck, database=self.app.database))
        if self.app.settings.many:
            checks.append(Middleware(Accounts, paige=self.app))
        elif (passcode := self.app.server.passcode) is not None:
            checks.append(Middleware(PasscodeCheck, passcode=passcode, clock=self.app.now))
        return [*checks, Middleware(CurrentApp, people=self.desks)]

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with (
            self.app.bus.running(),
            self.watching.running(),
            anyio.create_task_group() as tasks,
            self.hub.running(),
            self._model.running(),
            self.coach.running(),
            self.app.openings.running(),
        ):
            self.running = True
            tasks.start_soon(self._mcp.run, self.app, app_of)
            tasks.start_soon(self._open_plan)
            tasks.start_soon(self._many.run)
            tasks.start_soon(self._wake_memory)
            for place in own_places(self.app.settings):  # an older Paige left them open
                tasks.start_soon(run_sync, shut_tree, place)
            tasks.start_soon(self._say_how_code_runs)
            tasks.start_soon(_tidy_up, self.desks, lambda: self.app.openings.apps)
            yield
            self.app.runs.stop()
            await self.close_connections()
            tasks.cancel_scope.cancel()
        await run_sync(self.desks.close)

    async def close_connections(self) -> None:
        """End what would keep the server from stopping, once; each step is logged."""
        if not self.running:
            return
        self.running = False
        logger.info("Closing MCP sessions")
        await self._mcp.stop()
        count = await self.hub.close()
        logger.info("Closed %d WebSocket connections", count)
        await self.coach.close()

    async def _open_plan(self) -> None:
        """Open what the owner plans with soon: there may be runs to tell of."""
        if not self.app.settings.many:
            await anyio.sleep(LATER)
            operation = await ready_operation("paige.doors.plan.operations:overview")
            try:
                await self.app.openings.open(self.app, "plan", operation.subject.opens)
            except PaigeError as error:  # it stops already, or whoever comes is told the same
                logger.warning("Plan is not open yet: %s", error.message)

    async def _wake_memory(self) -> None:
        # The thread may outlive the server: what it does is safe to be cut off anywhere.
        await run_sync(wake_memory, self.app, abandon_on_cancel=True)

    async def _say_how_code_runs(self) -> None:
        for check in await run_sync(sandbox_checks, self.app.settings, abandon_on_cancel=True):
            level = logging.INFO if check.status == "ok" else logging.WARNING
            logger.log(level, "Sandbox: %s", " ".join(filter(None, (check.message, check.fix))))

    async def health(self, _: Request) -> Response:
        """Say that the server lives."""
        uptime = round(time.monotonic() - self._started, 3)
        return JSONResponse(asdict(Health(uptime=uptime)))


async def _tidy_up(desks: PersonApps, open_apps: Callable[[], list[App]]) -> None:
    """Close what nobody uses, again and again until cancelled."""
    while True:
        await anyio.sleep(LOOK_SECONDS)
        for desk in open_apps():
            desks.of(desk.actor)  # a run may go on behind a door, and it needs the memory
        for memory in desks.idle_memories():
            await run_sync(memory.close)


def _provider(settings: Settings) -> "Oidc | None":
    if not settings.many or not settings.oidc_issuer:
        return None
    from paige.app.accounts.oidc import Oidc  # noqa: PLC0415 - most servers ask nobody else

    return Oidc(settings)


def _passcode(settings: Settings) -> Passcode | None:
    if not settings.passcode:
        return None
    return Passcode(settings.passcode, key=cookie_key(settings.data_dir))
