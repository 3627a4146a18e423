"""The coach's part of the REST API: where the person is, the project's files, the log, the cost.

It only reads. What a person does goes over the WebSocket, so that every window sees it.
"""

from typing import Annotated

from fastapi import APIRouter, Query

from paige.app.application import App
from paige.coach.file_work import tree_message
from paige.coach.live import LiveCoach
from paige.coach.messages import DashboardState
from paige.server import coach_wire as wire


def coach_router(app: App, coach: LiveCoach) -> APIRouter:
    """The addresses under `/coach`."""
    router = APIRouter(prefix="/coach", tags=["coach"])
    _add_overview(router, app, coach)
    _add_files(router, app, coach)
    return router


def _add_overview(router: APIRouter, app: App, coach: LiveCoach) -> None:
    @router.get("")
    async def overview() -> wire.CoachOverview:
        """Say where the person is: session, plan, phases, open files."""
        found = await coach.overview(app.actor)
        stored = found.stored
        active = stored.session is not None
        return wire.CoachOverview(
            project=found.project,
            session=stored.session,  # type: ignore[arg-type]  # read by attribute
            plan=stored.plan,  # type: ignore[arg-type]
            phases=stored.phases,  # type: ignore[arg-type]
            open_files=list(found.open_files),
            observer=wire.CoachObserver(active=active, muted=found.muted),
        )

    @router.get("/actions")
    async def actions(asked: Annotated[wire.CoachActionsAsked, Query()]) -> wire.CoachActions:
        """List what was done in the active session, newest first."""
        found = await coach.actions(app.actor, asked.limit)
        return wire.CoachActions.model_validate({"actions": found})

    @router.get("/budget")
    async def budget() -> wire.CoachBudget:
        """Say what model calls cost."""
        return wire.CoachBudget.model_validate(await coach.budget(app.actor))

    @router.get("/dashboard")
    async def dashboard(asked: Annotated[wire.CoachDashboardAsked, Query()]) -> DashboardState:
        """Show the dashboard as far as it is known without a model."""
        return await coach.dashboard(app.actor, asked.period)


def _add_files(router: APIRouter, app: App, coach: LiveCoach) -> None:
    @router.get("/tree")
    async def tree() -> wire.CoachTree:
        """List the project's folders and files."""
        found = tree_message(await coach.tree(app.actor))
        return wire.CoachTree.model_construct(root=found.root, truncated=found.truncated)

    @router.get("/file")
    async def file(asked: Annotated[wire.CoachFileAsked, Query()]) -> wire.CoachFile:
        """Read a file of the project without opening it."""
        return wire.CoachFile.model_validate(await coach.read_file(app.actor, asked.path))
