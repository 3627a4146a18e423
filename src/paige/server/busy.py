"""Says no in time: a server where many requests wait already answers no more than it can.

Whoever comes while the database has a long queue is told so at once and when to come again, instead
of waiting with everybody else until they give up. Probes are always answered: a busy server is no
dead one. On SQLite there is one machine and few people, who rather wait.
"""

import logging
import time

from anyio.to_thread import current_default_thread_limiter
from starlette.types import ASGIApp, Receive, Scope, Send

from paige.base.errors import Unavailable
from paige.doors.frame.http import error_response
from paige.store.engine import Database

logger = logging.getLogger(__name__)
MOST_WAITING = 256
QUIET_SECONDS = 10.0
PROBES = ("/health", "/metrics")
TRY_AGAIN = 1013
"""The WebSocket's word for: come back later."""


class BusyCheck:
    """Middleware that turns requests away while too many wait."""

    def __init__(self, app: ASGIApp, database: Database, most: int = MOST_WAITING) -> None:
        self.app = app
        self.database = database
        self.most = most
        self._quiet_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say when to come again."""
        if scope["type"] == "lifespan" or scope["path"].startswith(PROBES) or not self._is_busy():
            await self.app(scope, receive, send)
            return
        full = Unavailable(
            f"{self.most} requests wait for the database of this server already",
            hint="Try again in a few seconds.",
        )
        self._note(full.message)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": full.message})
        else:
            await error_response(full)(scope, receive, send)

    def _note(self, message: str) -> None:
        """Say it in the log, but not for each of those who come at once."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + QUIET_SECONDS
            logger.warning("Requests are turned away: %s", message)

    def _is_busy(self) -> bool:
        if self.database.kind != "postgresql":
            return False
        threads = current_default_thread_limiter().statistics().tasks_waiting
        return self.database.waiting + threads >= self.most
