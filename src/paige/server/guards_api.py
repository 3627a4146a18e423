"""The learned guards' part of the REST API: stages, trials, patterns, metrics."""

from typing import TYPE_CHECKING

from fastapi import Depends

from paige.app.application import App
from paige.server import guards_wire as wire
from paige.server.desks import At, needs
from paige.server.opened import Opened
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.guards_views import GuardsViews


def guards_routes() -> Routes:
    """The addresses under `/guards`."""
    routes = Routes(prefix="/guards", tags=["guards"], dependencies=[Depends(needs("guard"))])
    guards = Opened(_views)
    _add_looking(routes, guards)
    _add_moving(routes, guards)
    return routes


def _add_looking(routes: Routes, guards: "Opened[GuardsViews]") -> None:
    @routes.get("")
    async def all(desk: At) -> wire.LearnedGuards:
        """List every guard with its stage, its trials and what was seen of it."""
        return await guards.ask(desk, lambda views: views.guards())

    @routes.get("/lessons")
    async def lessons(desk: At) -> wire.LearnedLessons:
        """Show patterns, proposals and the report on how well learning works."""
        return await guards.ask(desk, lambda views: views.lessons())

    @routes.get("/metrics")
    async def metrics(desk: At) -> wire.LearnedMetrics:
        """Compare the success metrics before and after the first guard blocked."""
        return await guards.ask(desk, lambda views: views.metrics())

    @routes.get("/{id}")
    async def one(desk: At, id: str) -> wire.LearnedGuard:
        """Show one guard."""
        return await guards.ask(desk, lambda views: views.guard(id))


def _add_moving(routes: Routes, guards: "Opened[GuardsViews]") -> None:
    @routes.post("/{id}/try")
    async def try_out(desk: At, id: str) -> wire.LearnedGuard:
        """Try a guard on its examples, on harmless actions and on the past; nothing moves."""
        return await guards.ask(desk, lambda views: views.try_out(id))

    @routes.post("/{id}/shadow")
    async def shadow(desk: At, id: str, asked: wire.LearnedMove) -> wire.LearnedGuard:
        """Let a proposal watch."""
        return await guards.ask(desk, lambda views: views.shadow(id, asked))

    @routes.post("/{id}/promote")
    async def promote(desk: At, id: str, asked: wire.LearnedMove) -> wire.LearnedGuard:
        """Let a guard block."""
        return await guards.ask(desk, lambda views: views.promote(id, asked))

    @routes.post("/{id}/rollback")
    async def roll_back(desk: At, id: str, asked: wire.LearnedAct) -> wire.LearnedGuard:
        """Take a guard back."""
        return await guards.ask(desk, lambda views: views.roll_back(id, asked))


def _views(app: App) -> "GuardsViews":
    from paige.server.guards_views import GuardsViews  # noqa: PLC0415 - a server starts without

    return GuardsViews(app)
