"""The coach's part of the REST API: where the person is, the project's files, the log, the cost.

It only reads. What a person does goes over the WebSocket, so that every window sees it.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query

from paige.coach.file_work import tree_message
from paige.coach.live import LiveCoach
from paige.coach.messages import DashboardState
from paige.coach.snapshot import session_seen
from paige.server import coach_wire as wire
from paige.server.desks import At, needs_machine
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.app.coach_gaps import GapSeen


def coach_routes(coach: LiveCoach) -> Routes:
    """The addresses under `/coach`."""
    routes = Routes(prefix="/coach", tags=["coach"], dependencies=[Depends(needs_machine("coach"))])
    _add_overview(routes, coach)
    _add_gaps(routes)
    _add_files(routes, coach)
    return routes


def _add_overview(routes: Routes, coach: LiveCoach) -> None:
    @routes.get("")
    async def overview(desk: At) -> wire.CoachOverview:
        """Say where the person is: session, plan, phases, open files."""
        found = await coach.overview(desk.actor)
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

    @routes.get("/sessions/{id}")
    async def session(desk: At, id: str) -> wire.CoachSessionSeen:
        """Look back at a session, open or over."""
        found = await desk.database.read(session_seen, desk.actor, id)
        return wire.CoachSessionSeen.model_validate(found)

    @routes.get("/actions")
    async def actions(
        desk: At, asked: Annotated[wire.CoachActionsAsked, Query()]
    ) -> wire.CoachActions:
        """List what was done in the active session, newest first."""
        found = await coach.actions(desk.actor, asked.limit)
        return wire.CoachActions.model_validate({"actions": found})

    @routes.get("/budget")
    async def budget(desk: At) -> wire.CoachBudget:
        """Say what model calls cost."""
        return wire.CoachBudget.model_validate(await coach.budget(desk.actor))

    @routes.get("/dashboard")
    async def dashboard(
        desk: At, asked: Annotated[wire.CoachDashboardAsked, Query()]
    ) -> DashboardState:
        """Show the dashboard as far as it is known without a model."""
        return await coach.dashboard(desk.actor, asked.period)


def _add_gaps(routes: Routes) -> None:
    @routes.get("/gaps")
    async def gaps(desk: At) -> wire.CoachGaps:
        """List what sessions showed to be missing, each with its stage and its next review."""
        from paige.app.coach_gaps import gaps_seen  # noqa: PLC0415 - it brings Study along

        now = desk.now()
        return wire.CoachGaps(gaps=[_gap(each, now) for each in await gaps_seen(desk)])


def _gap(seen: "GapSeen", now: datetime) -> wire.CoachGap:
    gap, session = seen.gap, seen.session
    return wire.CoachGap(
        topic=gap.topic,
        severity=gap.severity,
        frequency=gap.frequency,
        closed=gap.addressed,
        stage=seen.stage,
        kata_id=seen.kata_id,
        session_id=session.id if session else None,
        session_title=session.issue_title if session else None,
        session_at=session.started_at if session else None,
        course=seen.course,
        concept=seen.concept,
        next_review=seen.due,
        due=seen.is_due(now),
        reviews=seen.reviews,
    )


def _add_files(routes: Routes, coach: LiveCoach) -> None:
    @routes.get("/tree")
    async def tree(desk: At) -> wire.CoachTree:
        """List the project's folders and files."""
        found = tree_message(await coach.tree(desk.actor))
        return wire.CoachTree.model_construct(root=found.root, truncated=found.truncated)

    @routes.get("/file")
    async def file(desk: At, asked: Annotated[wire.CoachFileAsked, Query()]) -> wire.CoachFile:
        """Read a file of the project without opening it."""
        return wire.CoachFile.model_validate(await coach.read_file(desk.actor, asked.path))
