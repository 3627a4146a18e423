"""The Study door's part of the REST API: courses, sessions step by step, files, progress, settings.

Nothing here shows an answer before the session does: exercises travel as they are presented.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from fastapi.responses import JSONResponse

from paige.app.study_asked import ActAsked, ProfileChange, SessionAsked, Where
from paige.app.study_lazy import LazyStudy
from paige.base.errors import BadInput, Conflict
from paige.server import study_session_wire as steps
from paige.server import study_views as views
from paige.server import study_wire as wire
from paige.server.desks import At, needs
from paige.server.plan_api import attachment
from paige.server.routes import Routes
from paige.server.wire import ErrorDetail

if TYPE_CHECKING:
    from paige.app.study_door import Seen

Name = Annotated[str, Query(min_length=1, max_length=100)]
Learner = Annotated[str | None, Query(max_length=100)]
Path = Annotated[str, Query(min_length=1, max_length=1000)]
BYTES: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {}}}
}
DOWNLOAD: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": {"application/octet-stream": {}}}
}
CHANGED: dict[int | str, dict[str, Any]] = {409: {"model": steps.StudyFileConflict}}


def study_routes(study: LazyStudy) -> Routes:
    """The addresses under `/study`."""
    routes = Routes(prefix="/study", tags=["study"], dependencies=[Depends(needs("study"))])
    _add_overview(routes, study)
    _add_courses(routes, study)
    _add_session(routes, study)
    _add_files(routes, study)
    _add_media(routes, study)
    _add_settings(routes, study)
    return routes


def _add_overview(routes: Routes, study: LazyStudy) -> None:
    @routes.get("")
    async def today(desk: At, learner: Learner = None) -> wire.StudyToday:
        """Say which courses there are, what is due, which session is open, how the days went."""
        door = await study.open(desk)
        return views.today_of(await door.shelf.today(learner), door)

    @routes.get("/progress")
    async def progress(desk: At, course: Name, learner: Learner = None) -> wire.StudyReport:
        """Say how far a learner is in a course: memory now and later, days, errors."""
        door = await study.open(desk)
        made = await door.shelf.report(course, learner)
        return views.report_of(made.report, made.dump(), made.problems)


def _add_courses(routes: Routes, study: LazyStudy) -> None:
    @routes.get("/courses/{name}")
    async def course(desk: At, name: str, learner: Learner = None) -> wire.StudyCourse:
        """Read a course: its concepts, how well they are known, what is wrong in its files."""
        door = await study.open(desk)
        return views.course_of(await door.shelf.course(name, learner))

    @routes.post("/courses")
    async def begin(desk: At, asked: wire.StudyNew) -> wire.StudyCourse:
        """Begin a course from a template, or as a copy of another course."""
        door = await study.open(desk)
        return views.course_of(await door.shelf.begin(asked.name, asked.template, asked.title))

    @routes.post("/import", openapi_extra=BYTES)
    async def take_in(
        desk: At,
        request: Request,
        kind: Literal["anki", "csv", "exercism"],
        name: Annotated[str, Query(max_length=100)] = "",
        file: Annotated[str, Query(max_length=200)] = "",
        learner: Learner = None,
    ) -> wire.StudyImported:
        """Take a deck, a table or a zipped Exercism track in as a course; `file` is its name."""
        from paige.study.courses.importing import Upload  # noqa: PLC0415 - imported late

        data = await _body(request)
        door = await study.open(desk)
        upload = Upload(file or f"{name or kind}.{kind}", data)
        taken, made = await door.shelf.take_in(kind, upload, name, learner)
        return views.imported_of(taken, made)

    @routes.get("/export", response_class=Response, responses=DOWNLOAD)
    async def export(
        desk: At,
        request: Request,
        course: Name,
        to: Literal["anki", "csv", "xapi"],
        learner: Learner = None,
    ) -> Response:
        """Download a course: cards with their reviews, or results as xAPI statements."""
        door = await study.open(desk)
        home = str(request.base_url).removesuffix("/").removesuffix("/api")
        made = await door.shelf.give_out(_where(course, learner), to, home)
        headers = {"content-disposition": attachment(made.name)}
        return Response(made.content, media_type=made.media_type, headers=headers)


def _add_session(routes: Routes, study: LazyStudy) -> None:
    @routes.post("/sessions")
    async def start(desk: At, asked: steps.StudyStart) -> steps.StudyStep:
        """Begin a session, or go on with one of its kind that is open."""
        door = await study.open(desk)
        quiz = asked.quiz or steps.StudyQuiz()
        wanted = SessionAsked(
            kind=asked.kind,
            minutes=asked.minutes,
            ahead=asked.ahead,
            prefer=asked.prefer,
            anew=asked.anew,
            concepts=tuple(quiz.concepts),
            unit=quiz.unit,
            count=quiz.count,
        )
        return _step(await door.start(_where(asked.course, asked.learner), wanted))

    @routes.get("/session")
    async def look(desk: At, course: Name, learner: Learner = None) -> steps.StudyStep:
        """Read the step the open session is at; the stage is `nothing` when none is open."""
        door = await study.open(desk)
        return _step(await door.look(_where(course, learner)))

    @routes.post("/session/act", responses=CHANGED, response_model=steps.StudyStep)
    async def act(desk: At, asked: steps.StudyAct) -> steps.StudyStep | Response:
        """Answer, ask for a hint, give up, skip, stop; 409 when the session is elsewhere."""
        door = await study.open(desk)
        wanted = ActAsked(**asked.model_dump(exclude={"course", "learner", "done"}))
        try:
            return _step(await door.act(_where(asked.course, asked.learner), wanted))
        except Conflict as error:
            return _conflict(error)

    @routes.post("/session/run")
    async def run(desk: At, asked: steps.StudyIn) -> steps.StudyRun:
        """Run the tests of the code exercise in the sandbox; nothing is handed in."""
        door = await study.open(desk)
        return views.run_of(await door.run_code(_where(asked.course, asked.learner)))

    @routes.post("/session/run/stop")
    async def stop(desk: At) -> steps.StudyStopped:
        """Stop one's own code that is running, whether it is tried out or handed in."""
        return steps.StudyStopped(stopped=desk.stop_runs())

    @routes.post("/undo")
    async def undo(desk: At, asked: steps.StudyUndo) -> steps.StudyUndone:
        """Take the last result of a course back."""
        door = await study.open(desk)
        where = _where(asked.course, asked.learner)
        return views.undone_of(await door.shelf.undo(where, asked.change))


def _add_files(routes: Routes, study: LazyStudy) -> None:
    @routes.get("/session/file")
    async def read(desk: At, course: Name, path: Path, learner: Learner = None) -> steps.StudyFile:
        """Read a file of the open exercise, a worksheet without its answers."""
        door = await study.open(desk)
        return views.file_of(await door.read_file(_where(course, learner), path))

    @routes.put("/session/file", responses=CHANGED, response_model=steps.StudyFile)
    async def write(
        desk: At, course: Name, path: Path, asked: steps.StudyWrite, learner: Learner = None
    ) -> steps.StudyFile | Response:
        """Write a file of the open exercise; 409 with both texts when somebody changed it."""
        door = await study.open(desk)
        where = _where(course, learner)
        try:
            written = await door.write_file(where, path, asked.text, asked.version)
        except Conflict as error:
            return _conflict(error)
        return views.file_of(written)


def _add_media(routes: Routes, study: LazyStudy) -> None:
    @routes.post("/session/upload", openapi_extra=BYTES)
    async def upload(
        desk: At,
        request: Request,
        course: Name,
        step: Annotated[int, Query(ge=0)],
        name: Annotated[str, Query(min_length=1, max_length=200)],
        learner: Learner = None,
    ) -> steps.StudyStep:
        """Keep a photo or a recording for the open exercise; hand it in by its path."""
        data = await _body(request)
        door = await study.open(desk)
        return _step(await door.upload(_where(course, learner), step, name, data))

    @routes.get("/session/upload", response_class=Response, responses=DOWNLOAD)
    async def uploaded(desk: At, course: Name, path: Path, learner: Learner = None) -> Response:
        """Show a photo or a recording that was kept."""
        door = await study.open(desk)
        data, media_type = await door.uploaded(_where(course, learner), path)
        return Response(data, media_type=media_type, headers=_UNSTORED)

    @routes.get("/session/audio", response_class=Response, responses=DOWNLOAD)
    async def audio(
        desk: At,
        course: Name,
        question: Annotated[str, Query(min_length=1, max_length=100)],
        learner: Learner = None,
    ) -> Response:
        """Play what is to be heard of a question."""
        door = await study.open(desk)
        data = await door.recording(_where(course, learner), question)
        return Response(data, media_type="audio/wav", headers=_UNSTORED)


def _add_settings(routes: Routes, study: LazyStudy) -> None:
    @routes.get("/profile")
    async def profile(desk: At, learner: Learner = None) -> wire.StudyProfile:
        """Read how a learner likes to study, with what is wrong in the file."""
        door = await study.open(desk)
        return views.profile_of(await door.shelf.profile(learner))

    @routes.put("/profile")
    async def change(
        desk: At, asked: wire.StudyProfileChange, learner: Learner = None
    ) -> wire.StudyProfile:
        """Change how a learner likes to study; what is left out stays."""
        door = await study.open(desk)
        wanted = ProfileChange(
            session_minutes=asked.session_minutes,
            explanation_style=asked.explanation_style,
            preferred=None if asked.preferred is None else tuple(asked.preferred),
            avoided=None if asked.avoided is None else tuple(asked.avoided),
            retention=asked.retention,
            easy_days=None if asked.easy_days is None else tuple(asked.easy_days),
            balance=asked.balance,
            zone=asked.zone,
            class_id=asked.class_id,
            exams=asked.exams,
        )
        return views.profile_of(await door.shelf.change_profile(learner, wanted))


_UNSTORED = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


def _where(course: str, learner: str | None) -> Where:
    return Where(course, learner or None)


def _step(seen: "Seen") -> steps.StudyStep:
    return views.step_of(seen, seen.dump())


def _conflict(error: Conflict) -> Response:
    """What somebody needs to decide between two texts. Raises: the error, when there are none."""
    from paige.app.study_files import FileChanged  # noqa: PLC0415 - imported late, as the rooms

    if not isinstance(error, FileChanged):
        raise error
    detail = ErrorDetail(code=error.code, message=error.message, hint=error.hint)
    both = steps.StudyFileConflict(
        error=detail, current=views.file_of(error.current), yours=error.yours
    )
    return JSONResponse(both.model_dump(mode="json", by_alias=True), status_code=error.status)


async def _body(request: Request) -> bytes:
    """The body of a request. Raises: BadInput when it is empty."""
    data = await request.body()
    if not data:
        raise BadInput("No file was sent", hint="Send it as the body of the request.")
    return data
