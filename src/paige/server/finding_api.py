"""What belongs to no door: one search over all of them, and what waits behind them."""

from typing import TYPE_CHECKING, Annotated

import anyio
from anyio.to_thread import run_sync
from fastapi import APIRouter, Query

from paige.app.application import App
from paige.app.notices import what_waits
from paige.server import finding_views as views
from paige.server import finding_wire as wire

if TYPE_CHECKING:
    from paige.app.finding import Finder


class _LazyFinder:
    """The search, once somebody wants it: it brings the rooms of all doors along."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._opening = anyio.Lock()
        self._finder: Finder | None = None

    async def open(self) -> "Finder":
        async with self._opening:
            if self._finder is None:
                self._finder = await run_sync(_load, self._app)
            return self._finder


def finding_router(app: App) -> APIRouter:
    """The addresses `/search` and `/notices`."""
    router = APIRouter(tags=["finding"])
    finder = _LazyFinder(app)

    @router.get("/search")
    async def search(asked: Annotated[wire.SearchAsked, Query()]) -> wire.SearchFound:
        """Search everything behind all doors that the person may see."""
        found = await (await finder.open()).find(asked.q, limit=asked.limit)
        return views.found_of(found, asked.q)

    @router.get("/notices")
    async def notices() -> wire.Notices:
        """Say what waits for the person behind every door."""
        return views.notices_of(await what_waits(app))

    return router


def _load(app: App) -> "Finder":
    from paige.app.finding_sources import open_finder  # noqa: PLC0415 - a second, with its rooms

    return open_finder(app)
