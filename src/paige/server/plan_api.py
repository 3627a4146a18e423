"""The Plan door's part of the REST API: workspace, sessions, runs and their questions, lessons.

Whatever takes time goes on in the server; windows hear of it over the WebSocket and read the
session again.
"""

from typing import Annotated, Any

from fastapi import Depends, Query, Response

from paige.app.plan_asked import AnswerAsked, RunAsked
from paige.doors.frame.http import attachment
from paige.server import plan_views as views
from paige.server import plan_wire as wire
from paige.server.desks import At, needs
from paige.server.plan_mount import PlanMount
from paige.server.routes import Routes

MOST_SESSIONS = 500
DEFAULT_SESSIONS = 50
MOST_RUNS = 200
DEFAULT_RUNS = 40
Path = Annotated[str, Query(min_length=1, max_length=1000)]
Line = Annotated[int, Query(ge=1)]
DOWNLOAD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}


def plan_routes(plan: PlanMount) -> Routes:
    """The addresses under `/plan`."""
    routes = Routes(prefix="/plan", tags=["plan"], dependencies=[Depends(needs("plan"))])
    _add_files(routes, plan)
    _add_sessions(routes, plan)
    _add_runs(routes, plan)
    _add_lessons(routes, plan)
    _add_proposals(routes, plan)
    return routes


def _add_files(routes: Routes, plan: PlanMount) -> None:
    @routes.get("")
    async def overview(desk: At) -> wire.PlanOverview:
        """Say which commands and classes there are, what is wrong, and how much waits."""
        door = await plan.open(desk)
        return views.overview_of(await door.overview())

    @routes.get("/files")
    async def files(desk: At) -> list[wire.PlanFile]:
        """List the files of the workspace; memory documents are apart."""
        door = await plan.open(desk)
        return [views.file_of(each) for each in await door.list_files()]

    @routes.get("/file")
    async def read(desk: At, path: Path) -> wire.PlanText:
        """Read a file, with what is wrong in it."""
        door = await plan.open(desk)
        return views.text_of(await door.read_file(path))

    @routes.put("/file")
    async def write(desk: At, path: Path, asked: wire.PlanWrite) -> wire.PlanText:
        """Write a file that nobody has changed since `version`; without one it must be new."""
        door = await plan.open(desk)
        return views.text_of(await door.files.write(path, asked.text, asked.version))

    @routes.delete("/file")
    async def delete(desk: At, path: Path, version: str | None = None) -> wire.PlanFile:
        """Remove a file, of that version if one is given."""
        door = await plan.open(desk)
        return views.file_of(await door.files.delete(path, version))

    @routes.get("/lines")
    async def lines(desk: At, path: Path, start: Line, end: Line) -> wire.PlanLines:
        """Read some lines of a file, with four around them."""
        door = await plan.open(desk)
        return views.lines_of(await door.read_lines(path, start, end))


def _add_sessions(routes: Routes, plan: PlanMount) -> None:
    @routes.get("/sessions")
    async def sessions(
        desk: At,
        query: str = "",
        class_id: Annotated[str | None, Query(alias="class")] = None,
        plugin: str | None = None,
        limit: Annotated[int, Query(ge=1, le=MOST_SESSIONS)] = DEFAULT_SESSIONS,
    ) -> wire.PlanSessions:
        """Find sessions by what was said in them; without words, the newest first."""
        door = await plan.open(desk)
        found = await door.sessions(query, class_id=class_id, plugin=plugin, limit=limit)
        return wire.PlanSessions(sessions=[views.session_of(each) for each in found])

    @routes.get("/sessions/{id}")
    async def session(
        desk: At,
        id: str,
        start: Annotated[int | None, Query(alias="from", ge=0)] = None,
        limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = DEFAULT_RUNS,
    ) -> wire.PlanTranscript:
        """Read what happened in a session: the last runs, or some from a place on."""
        door = await plan.open(desk)
        return views.transcript_of(await door.transcript(id, start, limit), door.runs.writing)


def _add_runs(routes: Routes, plan: PlanMount) -> None:
    @routes.post("/runs")
    async def start(desk: At, asked: wire.PlanAsk) -> wire.PlanStarted:
        """Start a run; it goes on in the server."""
        door = await plan.open(desk)
        begun = await door.start(
            RunAsked(
                command=asked.command,
                prompt=asked.input,
                session=asked.session,
                class_id=asked.class_id,
                provider=asked.provider or "",
                model=asked.model or "",
                memory=asked.memory,
            )
        )
        return wire.PlanStarted(session=begun.session_id, run=begun.id)

    @routes.post("/runs/{run}/branch")
    async def branch(desk: At, run: str, asked: wire.PlanBranch) -> wire.PlanStarted:
        """Ask again where a run began, in a session that branches off; nothing is replaced."""
        door = await plan.open(desk)
        begun = await door.runs.branch(run, asked.input)
        return wire.PlanStarted(session=begun.session_id, run=begun.id)

    @routes.post("/runs/{run}/gates/{gate:path}")
    async def answer(desk: At, run: str, gate: str, asked: wire.PlanAnswer) -> wire.PlanGate:
        """Answer a question of a run, which goes on; 409 when somebody was quicker."""
        door = await plan.open(desk)
        answered = AnswerAsked(run=run, gate=gate, revision=asked.revision, reply=asked.reply)
        return views.gate_of(await door.answer(answered))

    @routes.post("/runs/{run}/continue")
    async def go_on(desk: At, run: str) -> wire.PlanStarted:
        """Go on with a run that was interrupted."""
        door = await plan.open(desk)
        found = await door.runs.go_on(run)
        return wire.PlanStarted(session=found.session_id, run=found.id)

    @routes.post("/runs/{run}/stop")
    async def stop(desk: At, run: str) -> wire.PlanStarted:
        """Stop a run; it can be continued."""
        door = await plan.open(desk)
        found = await door.runs.stop(run)
        return wire.PlanStarted(session=found.session_id, run=found.id)


def _add_lessons(routes: Routes, plan: PlanMount) -> None:
    @routes.get("/lessons")
    async def lessons(desk: At) -> list[wire.PlanLessonItem]:
        """List what was saved: lessons, units and worksheets, the latest day first."""
        door = await plan.open(desk)
        return [views.lesson_item_of(each) for each in await door.lessons()]

    @routes.get("/lesson")
    async def lesson(desk: At, path: Path) -> wire.PlanLesson:
        """Read a lesson: its sections, and whether its curriculum claims hold."""
        door = await plan.open(desk)
        return views.lesson_of(await door.lesson(path))

    @routes.get("/export", response_class=Response, responses=DOWNLOAD)
    async def export(desk: At, path: Path, to: wire.ExportFormat) -> Response:
        """Download a lesson in another form."""
        door = await plan.open(desk)
        made = await door.export(path, to)
        headers = {"content-disposition": attachment(made.name)}
        return Response(made.content, media_type=made.media_type, headers=headers)


def _add_proposals(routes: Routes, plan: PlanMount) -> None:
    @routes.get("/proposals")
    async def proposals(desk: At) -> list[wire.PlanProposal]:
        """List what might be remembered and nobody has decided about."""
        door = await plan.open(desk)
        return [views.proposal_of(each) for each in await door.proposals.pending()]

    @routes.post("/proposals/{key}")
    async def decide(desk: At, key: str, asked: wire.PlanDecide) -> wire.PlanProposal:
        """Decide about a proposal; what is remembered goes into its memory document."""
        door = await plan.open(desk)
        return views.proposal_of(await door.proposals.decide(key, asked.decision, asked.text))
