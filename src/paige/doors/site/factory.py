"""Builds the ASGI application: one object that holds everything a running server has."""

import logging
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from paige.app.application import App, wake_memory
from paige.app.coach_model import open_coach_model
from paige.app.person_apps import PersonApps
from paige.base.modes import own_places, shut_tree
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.model import CoachModel
from paige.coach.project_context import SUMMARY_SECONDS, Surroundings
from paige.doors.frame.current_app import CurrentApp, app_of
from paige.models.retrying import Sleep
from paige.sandbox.checks import checks as sandbox_checks
from paige.sandbox.terms import least_isolation
from paige.server.accounts import Accounts, OnePerson
from paige.server.api import build_api
from paige.server.body_limits import BodyLimits
from paige.server.busy import BusyCheck
from paige.server.coach_handlers import add_coach
from paige.server.desks import tidy_up
from paige.server.docs_site import docs_routes
from paige.server.hooks_api import HookDoor
from paige.server.hub import Hub
from paige.server.many_servers import ManyServers
from paige.server.mcp_mount import McpMount
from paige.server.metrics_site import Watching
from paige.server.pages import WebApp
from paige.server.passcode import Passcode, cookie_key
from paige.server.plan_mount import PlanMount
from paige.server.restarting import Restart
from paige.server.router import Router
from paige.server.security import OriginCheck, reach_of
from paige.server.signed_in import SignedIn
from paige.server.wire import Health

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Running:
    """The parts that exist while the server runs."""

    hub: Hub
    mcp: McpMount
    coach: LiveCoach
    closed: bool = False

    async def close_connections(self) -> None:
        """End what would keep the server from stopping, once; each step is logged."""
        if self.closed:
            return
        self.closed = True
        logger.info("Closing MCP sessions")
        await self.mcp.stop()
        count = await self.hub.close()
        logger.info("Closed %d WebSocket connections", count)
        await self.coach.close()


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
        self.app = app
        self.running: Running | None = None
        self.passcode = _passcode(app.settings)
        self.hub = Hub(app, Router())
        self.watching = Watching(app, self.hub)
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
        add_coach(self.hub, self.coach)
        self._started = time.monotonic()
        self._mcp = McpMount()
        self.desks = PersonApps(app)
        self._plan = PlanMount(app, self.hub)
        self._many = ManyServers(app, self.hub, self._plan, self.desks)
        self.restart = Restart(boot=secrets.token_hex(8))
        api = build_api(app, self.coach, self._plan, self.passcode, self.restart)
        self.asgi = Starlette(
            lifespan=self._lifespan,
            routes=[
                Route("/health", self.health),
                *self.watching.routes(),
                Route("/mcp", endpoint=self._mcp),
                Route("/hooks/{cli}", HookDoor().answer, methods=["POST"]),
                WebSocketRoute("/ws", self.socket),
                Mount("/api", app=api),
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
        elif self.passcode is not None:
            checks.append(Middleware(SignedIn, passcode=self.passcode, clock=self.app.now))
        if not self.app.settings.many:
            checks.append(Middleware(OnePerson, actor=self.app.actor))
        return [*checks, Middleware(CurrentApp, people=self.desks)]

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with (
            self.app.bus.running(),
            self.watching.running(),
            anyio.create_task_group() as tasks,
            self.hub.running() as hub,
            self._model.running(),
            self.coach.running() as coach,
            self.app.openings.running(),
        ):
            self.running = Running(hub, self._mcp, coach)
            tasks.start_soon(self._mcp.run, self.app, coach, app_of)
            tasks.start_soon(self._plan.run)
            tasks.start_soon(self._many.run)
            tasks.start_soon(self._wake_memory)
            for place in own_places(self.app.settings):  # an older Paige left them open
                tasks.start_soon(run_sync, shut_tree, place)
            tasks.start_soon(self._say_how_code_runs)
            tasks.start_soon(tidy_up, self.desks, self._plan)
            yield
            self.app.runs.stop()
            await self.running.close_connections()
            self.running = None
            tasks.cancel_scope.cancel()
        await run_sync(self.desks.close)

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
        return JSONResponse(Health(uptime=uptime).model_dump())

    async def socket(self, websocket: WebSocket) -> None:
        """Serve one WebSocket connection."""
        assert self.running is not None, "requests come only while the server runs"
        await self.running.hub.serve(websocket, app_of(websocket.scope), secrets.token_hex(8))


def _passcode(settings: Settings) -> Passcode | None:
    if not settings.passcode:
        return None
    return Passcode(settings.passcode, key=cookie_key(settings.data_dir))
