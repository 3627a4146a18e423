"""Everything that watches one server: its tally, its metrics, its readiness, its exported spans.

Metrics tell how much a school works, what models cost and which versions run, so only this machine
and whoever knows the token read them.
"""

import hmac
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict

import anyio
from anyio.abc import TaskGroup
from starlette.datastructures import Address
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from paige.app.application import App
from paige.base.counters import RunEnded, Tally
from paige.base.errors import PaigeError, Refused, Unavailable
from paige.base.settings import Settings
from paige.doors.frame.http import error_response
from paige.doors.frame.metrics.exposed import Metrics
from paige.doors.frame.metrics.request_counter import RequestCounter, RequestGauge
from paige.doors.frame.values import Ready
from paige.doors.frame.web.hub import Hub
from paige.doors.frame.web.readiness import Ask, Readiness, is_ready
from paige.doors.frame.web.request_ids import RequestIds, current_request
from paige.doors.frame.web.security import is_this_machine
from paige.store.engine import Database

SHORTEST_TOKEN = 16
logger = logging.getLogger(__name__)


class WrongToken(Refused):
    """The token is missing or is another one."""

    status = 401
    code = "sign_in"


def check_reader(client: Address | None, headers: Mapping[str, str], *, token: str) -> None:
    """Let a reader of the metrics pass, or not. Raises: Refused, WrongToken."""
    if is_this_machine(client, headers):
        return
    if not token:
        raise Refused(
            "Metrics are read from this machine only",
            hint="Set `PAIGE_METRICS_TOKEN`, and send it as bearer.",
        )
    if len(token) < SHORTEST_TOKEN:
        raise Refused(
            f"`PAIGE_METRICS_TOKEN` has fewer than {SHORTEST_TOKEN} characters, so nobody gets in",
            hint="Set a long random one.",
        )
    scheme, _, given = headers.get("authorization", "").partition(" ")
    right = hmac.compare_digest(given.strip().encode(), token.encode())
    if scheme.lower() != "bearer" or not right:
        raise WrongToken(
            "Metrics need the token of this server", hint="Send `PAIGE_METRICS_TOKEN` as bearer."
        )


def new_request_id() -> str:
    """An id for a request that came without one."""
    return secrets.token_hex(8)


class SiteMetrics:
    """What looks at a server from outside of its rooms."""

    def __init__(self, app: App, hub: Hub, *, new_id: Callable[[], str] = new_request_id) -> None:
        self._app = app
        self._new_id = new_id
        self._spans = Spans(app.settings, app.database)
        self._running = RequestGauge()
        self.tally = Tally(self._spans.offer)
        self.readiness = Readiness(app)
        self._metrics = Metrics(app, hub, self.tally, self._running)
        self._tasks: TaskGroup | None = None

    def add_check(self, name: str, ask: Ask) -> None:
        """Let the server be ready only when this is, too; `ask` blocks, in a thread."""
        self.readiness.add_check(name, ask)

    def middleware(self) -> list[Middleware]:
        """Outermost first."""
        return [
            Middleware(RequestIds, new_id=self._new_id),
            Middleware(RequestCounter, tally=self.tally, gauge=self._running),
        ]

    def routes(self) -> list[Route]:
        """The addresses of whoever watches."""
        return [Route("/health/ready", self.ready), Route("/metrics", self.metrics)]

    @asynccontextmanager
    async def running(self) -> AsyncIterator["SiteMetrics"]:
        """Watch until the block is left."""
        async with anyio.create_task_group() as tasks, self.readiness.running():
            self._tasks = tasks
            tasks.start_soon(self._spans.run)
            try:
                yield self
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    async def ready(self, _: Request) -> Response:
        """Say whether everything the server depends on answers."""
        states = await self.readiness.look()
        ok = is_ready(states)
        body = Ready("ok" if ok else "unavailable", states)
        return JSONResponse(asdict(body), status_code=200 if ok else 503)

    async def metrics(self, request: Request) -> Response:
        """Tell what happened on this server, to those who may know."""
        try:
            token = self._app.settings.metrics_token
            check_reader(request.client, request.headers, token=token)
            if self._tasks is None:
                raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        except (Refused, Unavailable) as error:
            return error_response(error)
        written = await self._metrics.write(self._tasks, request.headers.get("accept", ""))
        return Response(written.body, headers={"content-type": written.media_type})


class Spans:
    """The export of spans when the settings name a collector; otherwise nothing."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._offer: Callable[[RunEnded], None] | None = None

    def offer(self, ended: RunEnded) -> None:
        """Take a run that has ended, in the task that worked on it."""
        if self._offer is not None:
            self._offer(ended)

    async def run(self) -> None:
        """Export spans until cancelled; settings that name no collector are told and left."""
        if not self._settings.otlp_endpoint:
            return
        from paige.agent.trace import otel  # noqa: PLC0415 - the loop is loaded late, if at all

        try:
            collector = otel.read_collector(
                self._settings.otlp_endpoint, self._settings.otlp_headers
            )
        except PaigeError as error:
            logger.warning("Spans are not exported: %s", error.message)
            return
        export = otel.SpanExport(self._database, collector)

        def take(ended: RunEnded) -> None:
            asking = current_request()
            parent = asking.parent if asking else None
            link = (parent.trace, parent.span) if parent else None
            export.offer(otel.EndedRun(ended.actor, ended.run, link))

        self._offer = take
        await export.run()
