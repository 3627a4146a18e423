"""Middleware that counts requests, sockets and frames, and gives every task its tally.

A route is counted under its template (`/api/traces/{id}`), never under the path that was asked for:
that has no end of values, and may hold what is nobody's business.
"""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.base.counters import OTHER, Tally, count_into

logger = logging.getLogger(__name__)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
CLOSE_CODES = frozenset({1000, 1001, 1002, 1003, 1008, 1009, 1011, 1012, 1013, 4401})
NO_ROUTE = "none"
WEB_APP = "web app"
NOT_ANSWERED = "none"
"""The status of a request whose client left before there was one."""
HEALTH = "/health"


class RequestCounter:
    """Outermost but for the request's id: whatever refuses a request is counted as well."""

    def __init__(self, app: ASGIApp, tally: Tally, gauge: "RequestGauge") -> None:
        self.app = app
        self.tally = tally
        self.gauge = gauge

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count what comes of it."""
        count_into(self.tally)  # also for the tasks of the server itself, which begin here
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "websocket":
                await self._socket(scope, receive, send)
            case _:
                await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = NOT_ANSWERED

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        begun = time.perf_counter()
        self.gauge.requests += 1
        try:
            await self.app(scope, receive, answer)
        except Exception:
            status = "500" if status == NOT_ANSWERED else status
            raise
        finally:
            self.gauge.requests -= 1
            self._note(scope, status, time.perf_counter() - begun)

    def _note(self, scope: Scope, status: str, seconds: float) -> None:
        route = route_of(scope)
        method = scope["method"] if scope["method"] in METHODS else OTHER
        asked = {"route": route, "method": method}
        self.tally.count("http_requests", 1.0, {**asked, "status": status})
        self.tally.took("http_request", seconds, asked)
        if status.startswith("5") and not route.startswith(HEALTH):
            shown = {"route": route, "method": method, "status": int(status)}
            logger.warning("A request was answered with %s", status, extra=shown)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def hear() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                self.tally.count("frames_received", 1.0, {})
            return message

        async def say(message: Message) -> None:
            if message["type"] == "websocket.close":
                code = message.get("code", 1000)
                shown = str(code) if code in CLOSE_CODES else OTHER
                self.tally.count("sockets_closed", 1.0, {"code": shown})
            await send(message)

        await self.app(scope, hear, say)


class RequestGauge:
    """How many requests are being answered; only the event loop touches it."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests = 0


def route_of(scope: Scope) -> str:
    """The template of the route that answered, or what stands for it."""
    route = scope.get("route")
    if route is None:
        return NO_ROUTE
    path = getattr(route, "path", "")
    root = scope.get("root_path", "")
    if hasattr(route, "routes"):  # a mount: nothing inside of it said that it was the one
        return f"{path}/{{unknown}}" if path else WEB_APP
    return f"{root}{path}"
