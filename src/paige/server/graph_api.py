"""The context graph's part of the REST API: traces, and what stands around one."""

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query

from paige.app.application import App
from paige.server import graph_wire as wire
from paige.server.desks import At, needs
from paige.server.opened import Opened
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.graph_views import GraphViews


def graph_routes() -> Routes:
    """The addresses under `/graph`."""
    routes = Routes(prefix="/graph", tags=["graph"], dependencies=[Depends(needs("guard"))])
    graph = Opened(_views)

    @routes.get("")
    async def overview(desk: At) -> wire.GraphOverview:
        """Say how many traces there are, and what they can be narrowed by."""
        return await graph.ask(desk, lambda views: views.overview())

    @routes.get("/traces")
    async def traces(
        desk: At, asked: Annotated[wire.GraphTracesAsked, Query()]
    ) -> wire.GraphTraces:
        """List the traces that fit: the best for words, else the newest."""
        return await graph.ask(desk, lambda views: views.traces(asked))

    @routes.get("/traces/{id}")
    async def trace(desk: At, id: str, level: wire.Detail = "full") -> wire.GraphTrace:
        """Show one trace."""
        return await graph.ask(desk, lambda views: views.trace(id, level))

    @routes.get("/traces/{id}/around")
    async def around(
        desk: At, id: str, asked: Annotated[wire.GraphAroundAsked, Query()]
    ) -> wire.GraphAround:
        """Show what led to a trace and what came of it, as nodes and edges."""
        return await graph.ask(desk, lambda views: views.around(id, asked))

    return routes


def _views(app: App) -> "GraphViews":
    from paige.server.graph_views import GraphViews  # noqa: PLC0415 - a server starts without

    return GraphViews(app)
