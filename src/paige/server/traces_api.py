"""The part of the REST API that shows runs: traces, journals, moments told again, and costs."""

from typing import TYPE_CHECKING, Annotated

from anyio.to_thread import run_sync
from fastapi import Path, Query

from paige.app.application import App
from paige.server import traces_wire as wire
from paige.server.desks import At
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.traces_views import TracesViews

Step = Annotated[str, Query(max_length=2000)]
Seq = Annotated[int, Path(ge=1, le=2**53)]


def traces_routes() -> Routes:
    """The addresses under `/traces`, and `/costs`."""
    routes = Routes(tags=["traces"])

    async def views(desk: App) -> "TracesViews":
        return await run_sync(_views, desk)

    @routes.get("/traces")
    async def runs(desk: At, asked: Annotated[wire.TracesAsked, Query()]) -> wire.TraceRuns:
        """List runs, newest first; `next` leads to older ones."""
        return await (await views(desk)).list(asked)

    @routes.get("/traces/{id}")
    async def run(desk: At, id: str) -> wire.TraceDetail:
        """Show one run: every span of it with its parent, and every question it asked."""
        return await (await views(desk)).one(id)

    @routes.get("/traces/{id}/span")
    async def span(desk: At, id: str, step: Step = "") -> wire.TraceSpan:
        """Show one span with everything that is known of it; without a step the run itself."""
        return await (await views(desk)).span(id, step)

    @routes.get("/traces/{id}/journal")
    async def journal(
        desk: At, id: str, asked: Annotated[wire.JournalAsked, Query()]
    ) -> wire.TraceJournal:
        """List what a run meant to do and what came of it, as its journal keeps it."""
        return await (await views(desk)).journal(id, asked)

    @routes.get("/traces/{id}/journal/{seq}")
    async def entry(desk: At, id: str, seq: Seq) -> wire.TraceEntry:
        """Show one whole entry of a journal."""
        return await (await views(desk)).entry(id, seq)

    @routes.get("/traces/{id}/moments")
    async def moments(
        desk: At, id: str, asked: Annotated[wire.MomentsAsked, Query()]
    ) -> wire.TraceMoments:
        """Tell a run again: what the model read, said and called, what was asked of people."""
        return await (await views(desk)).moments(id, asked)

    @routes.get("/costs")
    async def costs(desk: At, asked: Annotated[wire.CostsAsked, Query()]) -> wire.Costs:
        """Say what models cost, by day, model, door and purpose."""
        return await (await views(desk)).costs(asked)

    return routes


def _views(app: App) -> "TracesViews":
    from paige.server.traces_views import TracesViews  # noqa: PLC0415 - a server starts without

    return TracesViews(app)
