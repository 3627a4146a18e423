"""How a session moves on: a function for everything that can happen, from state to state.

All are pure. What has to be done outside before the next thing can happen, `outstanding` says from
the state alone: make an exercise, judge an answer, end the log. Whoever does that (`effects.py`)
can be killed at any moment and find out what is still to be done.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, assert_never

from paige.base.errors import Conflict
from paige.exercise.result import Result
from paige.exercise.values import Modality
from paige.study.selection import Choice
from paige.study.session.state import (
    CheckDone,
    EndNow,
    FinishedExercise,
    SessionState,
    Stage,
    pending_of,
)
from paige.study.values import Event, OpenExercise, PlanItem

P = ParamSpec("P")
Step = Callable[[SessionState, datetime], SessionState]
"""Something that happens at a moment. Raises: Conflict where it does not belong."""
_LONGEST = 3.0
"""Who has not moved for so many times the minutes of a box was away, and worked for one box."""
_SLOWEST = 2.0
"""Boxes are taken to be so many times longer at most, for somebody who needs longer."""
_LEAST_BOX = 3.0
_OPEN: tuple[Stage, ...] = ("teach", "check", "ready", "exercise")


def _at(
    *stages: Stage,
) -> Callable[
    [Callable[Concatenate[SessionState, P], SessionState]],
    Callable[Concatenate[SessionState, datetime, P], SessionState],
]:
    """Something that can happen at these stages only: it is one step, and time has passed."""

    def step(
        change: Callable[Concatenate[SessionState, P], SessionState],
    ) -> Callable[Concatenate[SessionState, datetime, P], SessionState]:
        @wraps(change)
        def changed(
            state: SessionState, now: datetime, *given: P.args, **named: P.kwargs
        ) -> SessionState:
            if state.stage not in stages:
                name = change.__name__.replace("_", "")
                raise Conflict(
                    f"The session is at `{state.stage}`, where `{name}` cannot happen",
                    hint="`paige study next` shows where the session stands.",
                )
            return _stepped(change(_timed(state, now), *given, **named))

        return changed

    return step


def begin(state: SessionState) -> SessionState:
    """A session at its first item."""
    return _stepped(_arrived(replace(state, at=0)))


@_at("teach")
def read(state: SessionState, *, check: bool = True) -> SessionState:
    """The teaching was read; `check` says that a question follows."""
    return replace(state, stage="check" if check else "ready", said=())


@_at("check")
def checked(state: SessionState, correct: bool, says: tuple[str, ...]) -> SessionState:
    """The question after teaching was answered."""
    item = state.item
    assert item is not None
    check = CheckDone(item.concept_id, correct)
    return replace(state, stage="ready", checks=(*state.checks, check), said=says)


@_at("ready")
def begun(state: SessionState, sitting: OpenExercise, choice: Choice) -> SessionState:
    """An exercise was made and is given."""
    return replace(state, sitting=sitting, choice=choice, asked_for=None, stage="exercise")


@_at("exercise")
def handed_in(state: SessionState, event: Event | EndNow) -> SessionState:
    """The learner did something with an exercise; it is not judged yet."""
    if state.pending is not None:
        raise Conflict(
            "An answer to this step is being judged already",
            hint="`paige study next` shows where the session stands.",
        )
    return replace(state, pending=pending_of(event, state.moved))


@_at("exercise")
def moved(state: SessionState, sitting: OpenExercise, says: tuple[str, ...]) -> SessionState:
    """An exercise goes on: a hint, another try, the next question."""
    return replace(state, sitting=sitting, said=says, pending=None)


@_at("exercise")
def finished(
    state: SessionState,
    done: FinishedExercise,
    result: Result,
    says: tuple[str, ...],
    more: tuple[PlanItem, ...] = (),
) -> SessionState:
    """An exercise is over and its result is safe; `more` are things to do because of it."""
    if any(each.change_id == done.change_id for each in state.done):
        raise Conflict(f"The exercise `{done.exercise_id}` is finished already")
    ends = state.pending is not None and state.pending.kind == "end"
    after = replace(
        _put_away(state),
        done=(*state.done, done),
        said=says,
        last=result,
        plan=_with_more(state, more),
        at=state.at + 1,
    )
    return replace(after, stage="over") if ends else _arrived(after)


@_at("exercise")
def exchanged(state: SessionState, modality: Modality) -> SessionState:
    """The exercise is put aside for one of another kind, because the learner asked for it."""
    return _put_away(replace(state, stage="ready", asked_for=modality, said=()))


@_at(*_OPEN)
def skipped(state: SessionState, says: tuple[str, ...] = ()) -> SessionState:
    """What is being done is left out; nothing is recorded."""
    item = state.item
    assert item is not None
    left_out = (*state.skipped, item.concept_id)
    return _arrived(replace(_put_away(state), skipped=left_out, said=says, at=state.at + 1))


@_at(*_OPEN)
def stopped(state: SessionState, says: tuple[str, ...] = ()) -> SessionState:
    """The learner ends the session."""
    return replace(_put_away(state), said=says, stage="over")


@_at("over")
def closed(state: SessionState) -> SessionState:
    """The log was ended and the profile brought up to date."""
    return replace(state, closed=True)


def outstanding(state: SessionState) -> Literal["make", "judge", "close", ""]:
    """What has to be done before anything else can happen, whoever left it undone."""
    match state.stage:
        case "ready":
            return "make" if state.item else ""
        case "exercise":
            return "judge" if state.pending and state.sitting else ""
        case "over":
            return "" if state.closed else "close"
        case "teach" | "check":
            return ""
        case _:
            assert_never(state.stage)


def _stepped(state: SessionState) -> SessionState:
    return replace(state, step=state.step + 1)


def _timed(state: SessionState, now: datetime) -> SessionState:
    """With the time since the last step added, as far as it was work."""
    if state.is_over:
        return state
    passed = max((now - state.moved).total_seconds(), 0.0)
    box = max(state.item.minutes if state.item else 0.0, _LEAST_BOX)
    work = passed if passed <= box * _LONGEST * 60 else box * 60
    return replace(state, spent=state.spent + work, moved=max(now, state.moved))


def _with_more(state: SessionState, more: tuple[PlanItem, ...]) -> tuple[PlanItem, ...]:
    """The plan with what has to come back, at the end: some time should have passed by then."""
    ahead = {item.concept_id for item in state.plan[state.at + 1 :]}
    return (*state.plan, *(item for item in more if item.concept_id not in ahead))


def _put_away(state: SessionState) -> SessionState:
    return replace(state, sitting=None, choice=None, pending=None)


def _arrived(state: SessionState) -> SessionState:
    """At the next item that there is time for, or at the end."""
    dropped = list(state.dropped)
    slower = _pace(state)
    for at in range(state.at, len(state.plan)):
        item = state.plan[at]
        if at == 0 or item.minutes * slower <= state.minutes_left:
            is_new = item.type == "new" and item.concept_id not in state.taught
            taught = (*state.taught, item.concept_id) if is_new else state.taught
            is_taught = is_new or item.teach_again
            return replace(
                state,
                at=at,
                stage="teach" if is_taught else "ready",
                taught=taught,
                dropped=tuple(dropped),
            )
        dropped.append(item.concept_id)
    return replace(state, at=len(state.plan), dropped=tuple(dropped), stage="over")


def _pace(state: SessionState) -> float:
    """How many times longer than planned somebody has needed so far; 1 for whoever is quick."""
    planned = sum(item.minutes for item in state.plan[: state.at])
    return min(max(state.spent / 60 / planned, 1.0), _SLOWEST) if planned else 1.0
