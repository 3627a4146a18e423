"""What belongs to no door: one search over all of them, and what waits behind them."""

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from paige.app.application import App
from paige.app.notices import what_waits
from paige.server import finding_views as views
from paige.server import finding_wire as wire
from paige.server.desks import At
from paige.server.opened import Opened
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.app.finding import Finder


def finding_routes() -> Routes:
    """The addresses `/search` and `/notices`."""
    routes = Routes(tags=["finding"])
    finders = Opened(_load)

    @routes.get("/search")
    async def search(desk: At, asked: Annotated[wire.SearchAsked, Query()]) -> wire.SearchFound:
        """Search everything behind all doors that the person may see."""
        finder = await finders.ask(desk, lambda found: found)
        found = await finder.find(asked.q, limit=asked.limit)
        return views.found_of(found, asked.q)

    @routes.get("/notices")
    async def notices(desk: At) -> wire.Notices:
        """Say what waits for the person behind every door."""
        return views.notices_of(await what_waits(desk))

    return routes


def _load(app: App) -> "Finder":
    from paige.app.finding_sources import open_finder  # noqa: PLC0415 - a second, with its rooms

    return open_finder(app)
