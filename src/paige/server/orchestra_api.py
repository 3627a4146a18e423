"""The orchestra's part of the REST API: its board and its handoffs. It is started elsewhere."""

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query

from paige.app.application import App
from paige.server import orchestra_wire as wire
from paige.server.desks import At, needs_machine
from paige.server.opened import Opened
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.orchestra_views import OrchestraViews


def orchestra_routes() -> Routes:
    """The addresses under `/orchestra`."""
    routes = Routes(
        prefix="/orchestra", tags=["orchestra"], dependencies=[Depends(needs_machine("orchestra"))]
    )
    orchestra = Opened(_views)

    @routes.get("")
    async def board(desk: At) -> wire.OrchestraBoard:
        """Say where every feature stands, who works on it, and what comes next."""
        return await orchestra.ask(desk, lambda views: views.board())

    @routes.get("/handoffs")
    async def handoffs(
        desk: At,
        asked: Annotated[wire.OrchestraHandoffsAsked, Query()],
    ) -> wire.OrchestraHandoffs:
        """List what happened to handoffs, the newest first."""
        return await orchestra.ask(desk, lambda views: views.handoffs(asked))

    return routes


def _views(app: App) -> "OrchestraViews":
    from paige.server.orchestra_views import OrchestraViews  # noqa: PLC0415 - starts without

    return OrchestraViews(app)
