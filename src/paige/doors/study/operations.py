"""What a person or an agent can do in Study, whichever door they come through.

Whoever changes something tells every window. What is done at a step is meant for that step: when
the session is elsewhere by now, nothing is done.
"""

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.places import teaching_documents
from paige.app.study_coach import tell_coach_in, untell_coach_in
from paige.app.study_deps import StudyDeps, models_of, speech_of
from paige.base.errors import BadInput, Conflict, NotFound
from paige.doors.frame.operations import Subject
from paige.doors.frame.values import Download
from paige.doors.study.values import (
    ActRequest,
    AudioRequest,
    CourseExport,
    CourseImport,
    CourseList,
    CourseReports,
    CourseRequest,
    CoursesRequest,
    FileRequest,
    FileWrite,
    FitRequest,
    LearnerRequest,
    NamedCourse,
    NewCourse,
    NextHere,
    NextStep,
    PathImport,
    ProgressRequest,
    StartHere,
    StudyAct,
    StudyImported,
    StudyProgress,
    StudyRun,
    StudyStart,
    StudyStopped,
    Submission,
    UndoRequest,
    UploadRequest,
)
from paige.exercise.result import Attempt, Result
from paige.exercise.values import Rating
from paige.learner.files import LearnerFiles
from paige.models.local import LOCAL
from paige.study import overview as seen
from paige.study import settings as settings_file
from paige.study.courses import export
from paige.study.courses.catalogue import course_names, list_courses, load_course, overview
from paige.study.courses.intake import ImportOptions, IntakeResult, Upload
from paige.study.courses.intake import import_course as import_course_from
from paige.study.courses.writer import new_course, retitle
from paige.study.delivery.code import run_tests
from paige.study.exercise_files import ExerciseFiles, StudyFile
from paige.study.messages import StudyChanged
from paige.study.overview import StudyCourse, StudyToday
from paige.study.report import StudyReport, course_report
from paige.study.session.context import SessionContext, learner_root, read_learner
from paige.study.session.driver import Act, Instead, Skip, Stop, Turn, act, look, start
from paige.study.session.state import SessionState
from paige.study.session.view import StudyStep, problems_of, test_of, view
from paige.study.settings import (
    FitResult,
    StudyProfile,
    StudyProfileChange,
    StudyUndone,
    fit_learner,
    forget_curve,
)
from paige.study.values import (
    Answer,
    GaveUp,
    HintWanted,
    SelfCheck,
    SessionRequest,
    StudyQuiz,
)

T = TypeVar("T")
MAX_LISTED = 200
RATINGS: Mapping[Rating, SelfCheck] = {1: "wrong", 2: "partly", 3: "right", 4: "right"}
"""What somebody says of their own work; who knew it at once says 4."""
AT_ONCE: Rating = 4


@dataclass(frozen=True, slots=True)
class Study:
    """Study as one person uses it: what sessions are opened with, and the application."""

    app: App
    deps: StudyDeps

    async def session(self, course: str | None, learner: str | None) -> SessionContext:
        """A learner's session in a course. Raises: NotFound, BadInput."""
        return await run_sync(self.deps.session_of, course, learner or None)

    async def step(self, context: SessionContext, turn: Turn) -> StudyStep:
        """What there is to see of a session."""
        return await view(context, turn, now=self.app.now())

    async def with_files(
        self, course: str, learner: str | None, work: Callable[[ExerciseFiles], T]
    ) -> T:
        """Do something with the files of the open exercise. Raises: NotFound."""
        context = await self.session(course, learner)
        return await self.deps.terms.in_thread(
            lambda: work(self.files(context, open_state(context)))
        )

    def files(self, context: SessionContext, state: SessionState) -> ExerciseFiles:
        """The files of the exercise a session is at. Raises: NotFound."""
        if state.stage != "exercise" or state.sitting is None:
            raise NotFound("No exercise is being done", hint="Go on with the session first.")
        return ExerciseFiles(self.deps.documents, state.sitting.exercise, context.root)


@asynccontextmanager
async def open_study(app: App) -> AsyncIterator[Study]:
    """Study for a person; its models are closed with it."""
    models = models_of(app) if app.provider != LOCAL else None
    deps = StudyDeps(
        documents=teaching_documents(app),
        speech=await run_sync(speech_of, app.settings),
        models=models,
        heard=partial(tell_coach_in, app),
        unheard=partial(untell_coach_in, app),
        actor=app.actor,
        terms=app.run_terms(),
        anywhere=app.at_machine,
    )
    try:
        yield Study(app, deps)
    finally:
        if models is not None:
            await models.aclose()


def changed(given: Any, step: Any) -> StudyChanged:  # noqa: ANN401 - what any operation takes and gives
    """What windows are told: whose course has changed, and the step it is at if that is known."""
    learner = getattr(given, "learner", None)
    if isinstance(step, StudyStep):
        return StudyChanged(
            course=step.course, session=step.session, learner=learner, step=step.step
        )
    return StudyChanged(course=getattr(given, "course", None), learner=learner)


def moved(given: Any, step: StudyStep | None) -> StudyChanged | None:  # noqa: ANN401 - as above
    """The same, for what only goes on with what is there."""
    return None if step is None or step.resumed or step.session is None else changed(given, step)


STUDY = Subject("study", needs="study", opens=open_study)


# --- between sessions ----------------------------------------------------------------------------


@STUDY.read
def today(study: Study, given: LearnerRequest) -> StudyToday:
    """Say which courses there are, what is due, which session is open, how the days went."""
    deps, app = study.deps, study.app
    found = seen.today(deps.documents, app.now(), learner=given.learner)
    return replace(
        found,
        provider=app.provider,
        local=deps.models is None,
        speaks=bool(deps.speech.speaker),
        hears=bool(deps.speech.endpoint),
    )


@STUDY.read
def report(study: Study, given: CourseRequest) -> StudyReport:
    """Say how far a learner is in a course: memory now and later, days, errors."""
    now = study.app.now()
    return course_report(
        study.deps.documents, now, name=given.course, learner=given.learner or None
    )


@STUDY.read
def progress(study: Study, given: ProgressRequest) -> StudyProgress:
    """How far the person is in one course, or in all that were begun. Raises: NotFound."""
    documents, now, learner = study.deps.documents, study.app.now(), given.learner or None
    known = seen.today(documents, now, learner=learner)
    begun = [each.name for each in known.courses if each.begun]
    names = [given.course] if given.course else begun
    reports = (course_report(documents, now, name=each, learner=learner) for each in names)
    return StudyProgress(courses=tuple(reports), due=known.due, streak=known.streak)


@STUDY.read
def course(study: Study, given: NamedCourse) -> StudyCourse:
    """Read a course: its concepts, how well they are known, what is wrong in its files."""
    now = study.app.now()
    return seen.course_in_full(study.deps.documents, now, name=given.name, learner=given.learner)


@STUDY.change(announces=lambda given, _: StudyChanged(course=given.name))
def begin(study: Study, given: NewCourse) -> StudyCourse:
    """Begin a course from a template, or as a copy of another course."""
    documents = study.deps.documents
    new_course(documents, given.name, given.template)
    if title := " ".join((given.title or "").split()):
        retitle(documents, given.name, title)
    return seen.course_in_full(documents, study.app.now(), name=given.name, learner=None)


@STUDY.change(
    announces=lambda given, made: (
        made and StudyChanged(course=made.course.name, learner=given.learner)
    )
)
def import_course(study: Study, given: CourseImport) -> StudyImported:
    """Take a deck, a table or a zipped Exercism track in as a course; `file` is its name."""
    documents, now, learner = study.deps.documents, study.app.now(), given.learner or None
    upload = Upload(given.file or f"{given.name or given.kind}.{given.kind}", given.data)
    taken = import_course_from(documents, given.kind, upload, _options(given), now=now)
    return StudyImported(
        course=seen.one_course(documents, now, name=taken.course.name, learner=learner),
        added=taken.added,
        there=taken.there,
        reviewed=taken.reviewed,
        differing=taken.differing[:MAX_LISTED],
        left_out=taken.left_out[:MAX_LISTED],
        remarks=taken.remarks[:MAX_LISTED],
    )


@STUDY.read
def export_course(study: Study, given: CourseExport) -> Download:
    """Download a course: cards with their reviews, or results as xAPI statements."""
    documents, now = study.deps.documents, study.app.now()
    files = LearnerFiles(documents, root=learner_root(given.learner or None))
    found = load_course(documents, given.course)
    made = export.export_course(found, files, given.to, home=given.home, now=now)
    return Download(made.content, made.media_type, made.name)


@STUDY.read
def profile(study: Study, given: LearnerRequest) -> StudyProfile:
    """Read how a learner likes to study, with what is wrong in the file."""
    return settings_file.read_profile(study.deps.documents, given.learner or None)


@STUDY.change(announces=changed)
def change_profile(study: Study, given: StudyProfileChange) -> StudyProfile:
    """Change how a learner likes to study; what is left out stays."""
    return settings_file.change_profile(study.deps.documents, given)


@STUDY.change(announces=changed)
async def undo(study: Study, given: UndoRequest) -> StudyUndone:
    """Take the last result of a course back."""
    learner = given.learner or None
    take = partial(
        settings_file.undo_last, course=given.course, learner=learner, change=given.change
    )
    undone, taken = await run_sync(take, study.deps.documents, study.app.now())
    if learner is None and study.deps.unheard is not None:
        await study.deps.unheard(taken)
    return undone


@STUDY.read
def courses(study: Study, given: CoursesRequest) -> CourseList:
    """List the courses, or show what is in one."""
    documents = study.deps.documents
    if given.name is None:
        return CourseList(tuple(list_courses(documents)))
    found = load_course(documents, given.name)
    begun = LearnerFiles(documents).courses()
    return CourseList((overview(found, begun),), found)


@STUDY.read
def reports(study: Study, given: ProgressRequest) -> CourseReports:
    """How far somebody is in a course, or in all that were begun, with everything for plots."""
    documents, root = study.deps.documents, learner_root(given.learner)
    who = read_learner(documents, root)
    known = course_names(documents)
    begun = [name for name in LearnerFiles(documents, root=root).courses() if name in known]
    now = study.app.now()
    made = [
        course_report(documents, now, name=name, learner=given.learner)
        for name in ([given.course] if given.course else begun)
    ]
    problems = (*problems_of(who.problems), *(each for one in made for each in one.problems))
    return CourseReports(tuple(made), tuple(dict.fromkeys(problems)))


@STUDY.change(announces=lambda _, made: made and StudyChanged(course=made.course.name))
def import_path(study: Study, given: PathImport) -> IntakeResult:
    """Take in what lies on this machine as a course."""
    documents, now = study.deps.documents, study.app.now()
    return import_course_from(documents, given.kind, FilePath(given.path), _options(given), now=now)


@STUDY.change(announces=changed)
def fit(study: Study, given: FitRequest) -> FitResult | None:
    """Fit the forgetting curve to what somebody remembered, or go back to the usual one."""
    root = learner_root(given.learner)
    if given.reset:
        forget_curve(study.deps.documents, root)
        return None
    return fit_learner(study.deps.documents, root)


# --- sessions ------------------------------------------------------------------------------------


@STUDY.change(announces=moved)
async def start_session(study: Study, given: StudyStart) -> StudyStep:
    """Begin a session, or go on with one of its kind that is open."""
    return await _start(study, await study.session(given.course, given.learner), given)


@STUDY.change(announces=moved)
async def start_here(study: Study, given: StartHere) -> StudyStep:
    """The same in the course that was studied last, if none is named."""
    context = await study.session(given.course, given.learner)
    return await _start(study, context, given, given.seed)


@STUDY.read
async def look_at(study: Study, given: CourseRequest) -> StudyStep:
    """Read the step the open session is at; the stage is `nothing` when none is open."""
    context = await study.session(given.course, given.learner)
    return await study.step(context, await look(context, now=study.app.now()))


@STUDY.change(announces=moved)
async def next_step(study: Study, given: NextStep) -> StudyStep:
    """The step of the open session, or the first of a new one. Raises: NotFound, BadInput."""
    context = await study.session(given.course, given.learner)
    if given.kind is None and not given.anew:
        turn = await look(context, now=study.app.now())
        if turn.state is not None and not turn.state.is_over:
            return await study.step(context, turn)
    wanted = SessionRequest(
        kind=given.kind or "study",
        minutes=given.minutes,
        ahead=given.ahead,
        prefer=given.prefer,
        anew=given.anew,
        quiz=StudyQuiz(concepts=given.concepts, unit=given.unit),
    )
    seed = given.seed if isinstance(given, NextHere) else None
    return await _start(study, context, wanted, seed)


@STUDY.change(announces=moved)
async def next_here(study: Study, given: NextHere) -> StudyStep:
    """The same for whoever wants the same exercises again."""
    return await next_step.run(study, given)


@STUDY.change(announces=changed)
async def act_on(study: Study, given: StudyAct) -> StudyStep:
    """Answer, ask for a hint, give up, skip, stop; 409 when the session is elsewhere."""
    return await _act(study, given)


@STUDY.change(announces=changed)
async def act_here(study: Study, given: ActRequest) -> StudyStep:
    """The same at whichever step the last course is, unless one is named."""
    return await _act(study, given)


@STUDY.change(announces=changed)
async def submit(study: Study, given: Submission) -> StudyStep:
    """Do something with a step. Raises: NotFound, BadInput, Conflict when it is elsewhere."""
    return await _act(study, given.act)


@STUDY.change()
async def run_code(study: Study, given: CourseRequest) -> StudyRun:
    """Run the tests of the code exercise in the sandbox; nothing is handed in."""
    now, terms = study.app.now(), study.deps.terms

    def run(files: ExerciseFiles) -> Result:
        attempt = Attempt(now=now, exercise_id=files.exercise.id)
        return run_tests(files.code(), files.exercise, attempt, terms=terms)

    result = await study.with_files(given.course, given.learner, run)
    printed = [each.output.strip() for each in result.tests if each.output.strip()]
    return StudyRun(
        passed=sum(each.status == "passed" for each in result.tests),
        total=len(result.tests),
        output="\n\n".join(dict.fromkeys((result.message, *printed, *result.remarks))),
        tests=tuple(map(test_of, result.tests)),
    )


@STUDY.change()
async def stop_code(study: Study) -> StudyStopped:
    """Stop one's own code that is running, whether it is tried out or handed in."""
    return StudyStopped(study.app.stop_runs())


# --- files of the open exercise ------------------------------------------------------------------


@STUDY.read
async def read_file(study: Study, given: FileRequest) -> StudyFile:
    """Read a file of the open exercise, a worksheet without its answers."""
    return await study.with_files(given.course, given.learner, lambda files: files.read(given.path))


@STUDY.change(announces=changed)
async def write_file(study: Study, given: FileWrite) -> StudyFile:
    """Write a file of the open exercise; 409 with both texts when somebody changed it."""
    return await study.with_files(
        given.course,
        given.learner,
        lambda files: files.write(given.path, given.text, given.version),
    )


@STUDY.change(announces=changed)
async def upload(study: Study, given: UploadRequest) -> StudyStep:
    """Keep a photo or a recording for the open exercise; hand it in by its path."""
    context = await study.session(given.course, given.learner)
    state = await run_sync(open_state, context)
    if state.step != given.step:
        raise elsewhere(state, given.step, "Look at where it stands before you upload a file.")
    await run_sync(study.files(context, state).keep, given.name, given.data)
    return await study.step(context, await look(context, now=study.app.now()))


@STUDY.read
async def uploaded(study: Study, given: FileRequest) -> Download:
    """Show a photo or a recording that was kept."""
    found = await study.with_files(
        given.course, given.learner, lambda files: files.upload(given.path)
    )
    return Download(*found, inline=True)


@STUDY.read
async def audio(study: Study, given: AudioRequest) -> Download:
    """Play what is to be heard of a question."""
    data = await study.with_files(
        given.course, given.learner, lambda files: files.recording(given.question)
    )
    return Download(data, "audio/wav", inline=True)


# --- how it is done ------------------------------------------------------------------------------


def _options(given: CourseImport | PathImport) -> ImportOptions:
    return ImportOptions(
        name=given.name,
        both_ways=given.both_ways,
        reviews=given.reviews,
        learner=learner_root(given.learner or None),
    )


def open_state(context: SessionContext) -> SessionState:
    """The state of the open session. Raises: NotFound."""
    kept, _ = context.sessions.open_one()
    if kept is None:
        raise NotFound("No session is open", hint="Begin one.")
    return kept.state


def elsewhere(state: SessionState, step: int, hint: str) -> Conflict:
    """The session has moved on since somebody looked at it."""
    return Conflict(f"The session is at step {state.step} by now, not at step {step}", hint=hint)


async def _start(
    study: Study, context: SessionContext, given: SessionRequest, seed: int | None = None
) -> StudyStep:
    drawn = int.from_bytes(os.urandom(4)) if seed is None else seed
    return await study.step(context, await start(context, given, now=study.app.now(), seed=drawn))


async def _act(study: Study, given: ActRequest) -> StudyStep:
    context = await study.session(given.course, given.learner)
    state = await run_sync(open_state, context)
    if given.step is not None and state.step != given.step:
        raise elsewhere(state, given.step, "Look at where it stands, and answer that.")
    path = await _path(study, context, state, given)
    what = _what(given, path)
    turn = await act(context, what, now=study.app.now(), at_step=given.step)
    return await study.step(context, turn)


async def _path(
    study: Study, context: SessionContext, state: SessionState, given: ActRequest
) -> str:
    """The file that is handed in; a text of it is written first. Raises: Refused, FileChanged."""
    if given.act != "answer" or (given.file_text is None and not given.path):
        return ""
    if study.deps.anywhere and given.file_text is None:
        return given.path
    files = study.files(context, state)
    if given.file_text is not None:
        await run_sync(_write_first, files, given.file_text, given.file_version)
    return await run_sync(files.own, given.path) if given.path else ""


def _write_first(files: ExerciseFiles, text: str, version: str | None) -> None:
    if not files.editable:
        raise NotFound("This exercise has no file to write", hint="Answer it with `text`.")
    files.write(files.editable[0], text, version)


def _what(given: ActRequest, path: str) -> Act:
    match given.act:
        case "hint":
            return HintWanted()
        case "give_up":
            return GaveUp()
        case "skip":
            return Skip()
        case "stop":
            return Stop()
        case "instead":
            if given.modality is None:
                raise BadInput("Which kind of exercise?", hint="Name it as `modality`.")
            return Instead(given.modality)
        case "answer":
            return Answer(
                text=given.text,
                question=given.question,
                parts=given.parts,
                path=path,
                self_check=None if given.rating is None else RATINGS[given.rating],
                seconds=given.seconds,
                confident=given.sure or given.rating == AT_ONCE,
                final=given.final,
            )
