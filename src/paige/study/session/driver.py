"""Driving a session: begin or resume it, see the step it is at, do something, end it.

Every door calls these functions. Each reads the state, lets what is outstanding be done, changes
it by one event and writes it down, and only over the version it has seen. An answer is written down
before it is judged, so that whoever is killed loses at most what was being typed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import anyio.to_thread

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.exercise.values import Modality
from paige.learner.json_files import StudyProblem
from paige.learner.profile import Profile
from paige.learner.session_logs import session_name
from paige.sandbox.terms import RunStopped
from paige.study.courses.values import Check, Course
from paige.study.quiz import plan_quiz
from paige.study.session.context import SessionContext
from paige.study.session.effects import close, judge, make, may_be_asked_for
from paige.study.session.machine import (
    Step,
    begin,
    checked,
    closed,
    exchanged,
    handed_in,
    moved,
    outstanding,
    read,
    skipped,
    stopped,
)
from paige.study.session.session_store import StoredState
from paige.study.session.state import (
    EndNow,
    SessionState,
)
from paige.study.session_plan import PlanRequest, plan_session
from paige.study.values import (
    Answer,
    GaveUp,
    HintWanted,
    SessionKind,
    SessionPlan,
    SessionRequest,
    StudyQuiz,
    check_manner,
)

_TRIES = 50
_STALE = timedelta(hours=12)
_STALE_WITH_FILE = timedelta(days=7)
_FILES = ("worksheet", "code", "long_form", "image_review")
"""Work on these is done elsewhere and may take days."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Leave out what is being done."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the session."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Do it as another kind of exercise."""

    modality: Modality


Act = Answer | HintWanted | GaveUp | Skip | Stop | Instead


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a session stands after something was done; nothing kept means nothing to do.

    `problems` are states of other sessions that cannot be read.
    """

    kept: StoredState | None
    plan: SessionPlan | None = None
    resumed: bool = False
    problems: tuple[StudyProblem, ...] = ()

    @property
    def state(self) -> SessionState | None:
        """The state of the session, if there is one."""
        return self.kept.state if self.kept else None


async def start(context: SessionContext, wish: SessionRequest, *, now: datetime, seed: int) -> Turn:
    """Begin a session, or go on with one of its kind that is open.

    Raises: NotFound for a quiz about nothing.
    """
    kept, problems = await _open(context, wish.kind)
    if kept is not None:
        if not (wish.anew or is_stale(kept.state, now)):
            return Turn(await settle(context, kept, now), None, True, problems)
        await _end(context, kept, now)
    plan = await anyio.to_thread.run_sync(_plan, context, wish, now)
    if not plan.items:
        return Turn(None, plan, False, problems)
    made = await anyio.to_thread.run_sync(_create, context, wish, plan, now, seed)
    return Turn(await settle(context, made, now), plan, False, problems)


async def look(context: SessionContext, *, now: datetime) -> Turn:
    """The open session at the step it is at, if there is one."""
    kept, problems = await _open(context)
    if kept is not None:
        kept = await settle(context, kept, now)
    return Turn(kept, None, kept is not None, problems)


async def act(
    context: SessionContext, what: Act, *, now: datetime, at_step: int | None = None
) -> Turn:
    """Do something in the open session. Raises: NotFound, BadInput, Conflict.

    `at_step` is the step it is meant for; when the session is elsewhere by now, nothing is done.
    """
    kept, problems = await _open(context)
    if kept is None:
        raise NotFound("No session is open", hint="`paige study start` begins one.")
    if at_step is not None and kept.state.step != at_step:
        raise _elsewhere(kept.state.step, at_step)
    kept = await _caught_up(context, kept, what, now)
    step = await _step(context, kept.state, what)
    stepped = step(kept.state, now)
    try:
        kept = await anyio.to_thread.run_sync(context.sessions.save, kept, stepped)
    except Conflict as error:
        raise Conflict(
            "Somebody else has answered this step meanwhile",
            hint="`paige study next` shows where the session stands.",
        ) from error
    return Turn(await settle(context, kept, now), None, False, problems)


async def settle(context: SessionContext, kept: StoredState, now: datetime) -> StoredState:
    """Do what is outstanding, and write it down, until the learner's turn has come.

    Raises: what judging raises. An answer that cannot be judged as it is, is put away first.
    """
    for _ in range(_TRIES):
        gone = _gone(context, kept.state)
        if not outstanding(kept.state) and not gone:
            return kept
        wrong: PaigeError | None = None
        try:
            step = partial(skipped, says=gone) if gone else await _carried_out(context, kept, now)
            if isinstance(step, PaigeError):
                assert kept.state.sitting is not None
                wrong = step
                step = partial(moved, sitting=kept.state.sitting, says=kept.state.said)
            stepped = step(kept.state, now)
            kept = await anyio.to_thread.run_sync(context.sessions.save, kept, stepped)
        except Conflict:  # somebody else did it as well, and was quicker
            kept = await anyio.to_thread.run_sync(context.sessions.read, kept.state.session)
            continue
        if wrong is not None:
            raise wrong
    raise Conflict("The session is being changed by somebody else all the time")


def _gone(context: SessionContext, state: SessionState) -> tuple[str, ...]:
    """What to say where the course has a concept no more; an answer that waits is judged first."""
    item = state.item
    if item is None or item.concept_id in context.course.concepts or state.pending is not None:
        return ()
    return (f"`{item.concept_id}` is not in the course any more, so it is left out.",)


async def _carried_out(
    context: SessionContext, kept: StoredState, now: datetime
) -> Step | PaigeError:
    """What follows from the outstanding work; of an answer that cannot be judged, the reason."""
    state = kept.state
    match outstanding(state):
        case "make":
            return await make(context, state, now)
        case "judge":
            try:
                return await judge(context, state, now)
            except (NotFound, BadInput, Refused, RunStopped) as error:
                return error
        case _:
            await anyio.to_thread.run_sync(close, context, state, now)
            return closed


async def _caught_up(
    context: SessionContext, kept: StoredState, what: Act, now: datetime
) -> StoredState:
    """The session with nothing outstanding, unless that cannot be done and is not wanted either."""
    before = kept.state
    gone = _gone(context, before)
    if gone and not isinstance(what, Stop):
        await settle(context, kept, now)
        raise Conflict(gone[0], hint="`paige study next` shows what is next.")
    if not outstanding(before):
        return kept
    try:
        kept = await settle(context, kept, now)
    except Unavailable:
        if isinstance(what, Skip | Stop):
            return kept
        raise
    if before.stage != "ready":
        raise Conflict(
            "Your earlier answer has only now been judged",
            hint="`paige study next` shows what came of it and what is next.",
        )
    return kept


def is_stale(state: SessionState, now: datetime) -> bool:
    """Whether a session was left so long ago that a new plan is better."""
    modality = state.sitting.exercise.modality if state.sitting else ""
    limit = _STALE_WITH_FILE if modality in _FILES else _STALE
    return now - state.moved > limit


async def _open(
    context: SessionContext, kind: SessionKind | None = None
) -> tuple[StoredState | None, tuple[StudyProblem, ...]]:
    return await anyio.to_thread.run_sync(context.sessions.open_one, kind)


async def _end(context: SessionContext, kept: StoredState, now: datetime) -> None:
    """End a session that was left; what was answered in it is judged first."""
    for _ in range(_TRIES):
        kept = await settle(context, kept, now)
        if kept.state.is_over:
            return
        stepped = _stopping(kept.state)(kept.state, kept.state.moved)
        try:
            kept = await anyio.to_thread.run_sync(context.sessions.save, kept, stepped)
        except Conflict:
            kept = await anyio.to_thread.run_sync(context.sessions.read, kept.state.session)
    raise Conflict("The open session is being changed by somebody else all the time")


def _plan(context: SessionContext, wish: SessionRequest, now: datetime) -> SessionPlan:
    minutes = minutes_of(context, wish)
    known = context.known().progress
    if wish.kind == "quiz":
        return plan_quiz(context.course, known, wish.quiz or StudyQuiz(), minutes)
    asked = PlanRequest(
        now=now, minutes=minutes, scheduling=context.scheduling, kind=wish.kind, ahead=wish.ahead
    )
    return plan_session(context.course, known, asked)


def minutes_of(context: SessionContext, wish: SessionRequest) -> int:
    """How long a session is: as asked, as the learner likes it, or as the course suggests."""
    return wish.minutes or usual_minutes(context.profile, context.course)


def usual_minutes(profile: Profile, course: Course) -> int:
    """How long a session is when nobody says: as the learner likes it, or as the course does."""
    own = profile.session_duration_minutes
    return own if own != Profile().session_duration_minutes else course.config.minutes


def _create(
    context: SessionContext, wish: SessionRequest, plan: SessionPlan, now: datetime, seed: int
) -> StoredState:
    def named(name: str) -> SessionState:
        state = SessionState(
            session=name,
            course=context.course.name,
            kind=wish.kind,
            started=now,
            moved=now,
            minutes=plan.minutes,
            plan=plan.items,
            prefer=wish.prefer,
            seed=seed,
        )
        return begin(state)

    return context.sessions.create(named, session_name(now))


async def _step(context: SessionContext, state: SessionState, what: Act) -> Step:
    """What somebody does, as a step of the place where the session stands."""
    if isinstance(what, Answer):
        check_manner(state.sitting, what)
    match what:
        case Skip():
            return partial(skipped, says=("Left out.",))
        case Stop():
            return _stopping(state)
        case Instead():
            return _exchanged(context, state, what.modality)
    match state.stage:
        case "teach":
            _only_answers(what, "There is nothing to ask yet: read, then go on")
            return partial(read, check=bool(_checks(context, state)))
        case "check":
            return await _check(context, state, what)
        case "exercise":
            return partial(handed_in, event=what)
        case _:
            raise Conflict("The session is over", hint="`paige study start` begins another.")


def _stopping(state: SessionState) -> Step:
    """The end of a session; what was answered of an exercise is judged first."""
    sitting = state.sitting
    if state.stage == "exercise" and sitting is not None and sitting.judged:
        return partial(handed_in, event=EndNow())
    return stopped


def _exchanged(context: SessionContext, state: SessionState, modality: Modality) -> Step:
    item = state.item
    if state.stage != "exercise" or item is None or state.sitting is None:
        raise BadInput("There is no exercise to exchange here", hint="Go on first.")
    if state.sitting.ladder.attempts or state.sitting.judged:
        raise BadInput(
            "This exercise was begun already", hint="Finish it, or leave it out with `--skip`."
        )
    allowed = may_be_asked_for(context, context.course.concept(item.concept_id))
    if modality not in allowed:
        names = ", ".join(allowed)
        raise BadInput(f"It cannot be done as `{modality}`", hint=f"Use one of: {names}.")
    return partial(exchanged, modality=modality)


async def _check(
    context: SessionContext, state: SessionState, what: Answer | HintWanted | GaveUp
) -> Step:
    """Mark the question after teaching; wrong is no harm, the explanation follows at once."""
    checks = _checks(context, state)
    if not checks:
        return partial(checked, correct=True, says=())
    check = checks[0]
    answer = " / ".join(check.answers)
    because = (check.because,) if check.because else ()
    if isinstance(what, GaveUp):
        return partial(checked, correct=False, says=(f"The answer: {check.answers[0]}.", *because))
    _only_answers(what, "Try it first: the explanation follows at once")
    assert isinstance(what, Answer)
    marked = await anyio.to_thread.run_sync(context.mark, check.question, answer, what.text)
    return partial(checked, correct=marked.verdict == "correct", says=(marked.feedback, *because))


def _checks(context: SessionContext, state: SessionState) -> tuple[Check, ...]:
    item = state.item
    teaching = context.course.teaching.get(item.concept_id) if item else None
    return teaching.checks if teaching else ()


def _only_answers(what: Act, message: str) -> None:
    if not isinstance(what, Answer):
        raise BadInput(message)


def _elsewhere(step: int, wanted: int) -> Conflict:
    return Conflict(
        f"The session is at step {step} by now, not at step {wanted}",
        hint="`paige study next` shows where it stands.",
    )
