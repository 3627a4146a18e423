"""The Guard's part of the REST API: decisions, rules, explaining a command, installing in a CLI."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, TypeVar

from anyio.to_thread import run_sync
from fastapi import APIRouter, Query

from paige.app.application import App
from paige.server import guard_wire as wire

if TYPE_CHECKING:
    from paige.server.guard_views import GuardViews

T = TypeVar("T")


class _Opened:
    """The Guard door, opened when somebody first asks for it."""

    def __init__(self, app: App) -> None:
        self._app = app

    @cached_property
    def _views(self) -> "GuardViews":
        from paige.server.guard_views import GuardViews  # noqa: PLC0415 - a server starts without

        return GuardViews(self._app)

    async def ask(self, work: "Callable[[GuardViews], T]") -> T:
        """Do something with the door, in a thread."""
        return await run_sync(lambda: work(self._views))


def guard_router(app: App) -> APIRouter:
    """The addresses under `/guard`."""
    router = APIRouter(prefix="/guard", tags=["guard"])
    door = _Opened(app)
    _add_looking(router, door)
    _add_rules(router, door)
    _add_hosts(router, door)
    return router


def _add_looking(router: APIRouter, door: _Opened) -> None:
    @router.get("")
    async def overview() -> wire.GuardOverview:
        """Say what was decided in the last days, in numbers."""
        return await door.ask(lambda guard: guard.overview())

    @router.get("/decisions")
    async def decisions(
        asked: Annotated[wire.GuardDecisionsAsked, Query()],
    ) -> wire.GuardDecisions:
        """List the newest decisions that fit a filter."""
        return await door.ask(lambda guard: guard.decisions(asked))

    @router.get("/decisions/{id}")
    async def decision(id: str) -> wire.GuardEntry:
        """Show one decision."""
        return await door.ask(lambda guard: guard.decision(id))


def _add_rules(router: APIRouter, door: _Opened) -> None:
    @router.get("/rules")
    async def rules() -> wire.GuardRules:
        """List every rule with its examples, and how often it decided."""
        return await door.ask(lambda guard: guard.rules())

    @router.post("/explain")
    async def explain(asked: wire.GuardExplain) -> wire.GuardExplained:
        """Judge a command as a hook would, and say how; nothing is run or written down."""
        return await door.ask(lambda guard: guard.explain(asked))


def _add_hosts(router: APIRouter, door: _Opened) -> None:
    @router.get("/hosts")
    async def hosts() -> wire.GuardHosts:
        """List the coding CLIs, and whether Paige guards them."""
        return await door.ask(lambda guard: guard.hosts())

    @router.post("/hosts/{cli}/plan")
    async def plan(cli: wire.Cli, asked: wire.GuardPlanAsked) -> wire.GuardPlan:
        """Say what installing or uninstalling would change, file by file; nothing happens yet."""
        return await door.ask(lambda guard: guard.plan(cli, asked))

    @router.post("/hosts/{cli}")
    async def carry_out(cli: wire.Cli, asked: wire.GuardCarryOut) -> wire.GuardDone:
        """Install or uninstall as it was planned; a plan that no longer fits is refused."""
        return await door.ask(lambda guard: guard.carry_out(cli, asked))
