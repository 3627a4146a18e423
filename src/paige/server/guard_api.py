"""The Guard's part of the REST API: decisions, rules, explaining a command, installing in a CLI."""

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query

from paige.app.application import App
from paige.server import guard_wire as wire
from paige.server.desks import At, needs, needs_machine
from paige.server.opened import Opened
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.server.guard_views import GuardViews

PREFIX = "/guard"


def guard_routes() -> Routes:
    """The addresses under `/guard`."""
    routes = Routes(prefix=PREFIX, tags=["guard"], dependencies=[Depends(needs("guard"))])
    door = Opened(_views)
    _add_looking(routes, door)
    _add_rules(routes, door)
    hosts = Routes(tags=["guard"], dependencies=[Depends(needs_machine("guard"))])
    _add_hosts(hosts, door)
    routes.include(hosts)
    return routes


def _add_looking(routes: Routes, door: "Opened[GuardViews]") -> None:
    @routes.get("")
    async def overview(desk: At) -> wire.GuardOverview:
        """Say what was decided in the last days, in numbers."""
        return await door.ask(desk, lambda guard: guard.overview())

    @routes.get("/decisions")
    async def decisions(
        desk: At,
        asked: Annotated[wire.GuardDecisionsAsked, Query()],
    ) -> wire.GuardDecisions:
        """List the newest decisions that fit a filter."""
        return await door.ask(desk, lambda guard: guard.decisions(asked))

    @routes.get("/decisions/{id}")
    async def decision(desk: At, id: str) -> wire.GuardEntry:
        """Show one decision."""
        return await door.ask(desk, lambda guard: guard.decision(id))


def _add_rules(routes: Routes, door: "Opened[GuardViews]") -> None:
    @routes.get("/rules")
    async def rules(desk: At) -> wire.GuardRules:
        """List every rule with its examples, and how often it decided."""
        return await door.ask(desk, lambda guard: guard.rules())

    @routes.post("/explain")
    async def explain(desk: At, asked: wire.GuardExplain) -> wire.GuardExplained:
        """Judge a command as a hook would, and say how; nothing is run or written down."""
        return await door.ask(desk, lambda guard: guard.explain(asked))


def _add_hosts(routes: Routes, door: "Opened[GuardViews]") -> None:
    @routes.get("/hosts")
    async def hosts(desk: At) -> wire.GuardHosts:
        """List the coding CLIs, and whether Paige guards them."""
        return await door.ask(desk, lambda guard: guard.hosts())

    @routes.post("/hosts/{cli}/plan")
    async def plan(desk: At, cli: wire.Cli, asked: wire.GuardPlanAsked) -> wire.GuardPlan:
        """Say what installing or uninstalling would change, file by file; nothing happens yet."""
        return await door.ask(desk, lambda guard: guard.plan(cli, asked))

    @routes.post("/hosts/{cli}")
    async def carry_out(desk: At, cli: wire.Cli, asked: wire.GuardCarryOut) -> wire.GuardDone:
        """Install or uninstall as it was planned; a plan that no longer fits is refused."""
        return await door.ask(desk, lambda guard: guard.carry_out(cli, asked))


def _views(desk: App) -> "GuardViews":
    from paige.server.guard_views import GuardViews  # noqa: PLC0415 - a server starts without

    return GuardViews(desk)
