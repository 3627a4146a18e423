"""How a session moves on: from where it stands and what happened to where it stands then.

A pure function. It also says what has to be done outside before the next event can come: make an
exercise, judge an answer, end the log. Whoever does that (`running.py`) can be killed at any moment
and find out from the state alone what is still to be done: `outstanding`.
"""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, assert_never

from paige.base.errors import Conflict
from paige.study.plan_values import PlanItem
from paige.study.session.state import (
    Begun,
    CheckDone,
    Checked,
    Closed,
    CloseLog,
    Effect,
    Exchanged,
    ExerciseEvent,
    Finished,
    HandedIn,
    Judge,
    MakeExercise,
    Moved,
    Read,
    SessionEvent,
    SessionState,
    Skipped,
    Stage,
    Stopped,
    pending_of,
)

_LONGEST = 3.0
"""Who has not moved for so many times the minutes of a box was away, and worked for one box."""
_SLOWEST = 2.0
"""Boxes are taken to be so many times longer at most, for somebody who needs longer."""
_LEAST_BOX = 3.0
_OPEN: tuple[Stage, ...] = ("teach", "check", "ready", "exercise")
_WHERE: dict[type[SessionEvent], tuple[Stage, ...]] = {
    Read: ("teach",),
    Checked: ("check",),
    Begun: ("ready",),
    HandedIn: ("exercise",),
    Moved: ("exercise",),
    Finished: ("exercise",),
    Exchanged: ("exercise",),
    Skipped: _OPEN,
    Stopped: _OPEN,
    Closed: ("over",),
}
"""Where each event can happen."""


class Stepped(NamedTuple):
    """The state after an event, and what has to be done because of it."""

    state: SessionState
    effects: tuple[Effect, ...]


def begin(state: SessionState) -> Stepped:
    """A session at its first item."""
    return _arrived(replace(state, at=0))


def step(state: SessionState, event: SessionEvent, now: datetime) -> Stepped:
    """The session after an event. Raises: Conflict when the event does not belong here."""
    _expect(state, event)
    state = _timed(state, now)
    match event:
        case Read():
            return _stepped(replace(state, stage="check" if event.check else "ready", said=()))
        case Checked():
            return _stepped(_checked(state, event))
        case Skipped():
            return _skipped(state, event)
        case Stopped():
            return _over(_put_away(replace(state, said=event.says)))
        case Closed():
            return _stepped(replace(state, closed=True))
        case _:
            return _in_exercise(state, event, now)


def _in_exercise(state: SessionState, event: ExerciseEvent, now: datetime) -> Stepped:
    match event:
        case Begun():
            given = replace(state, sitting=event.sitting, choice=event.choice, asked_for=None)
            return _stepped(replace(given, stage="exercise"))
        case HandedIn():
            if state.pending is not None:
                raise Conflict(
                    "An answer to this step is being judged already",
                    hint="`paige study next` shows where the session stands.",
                )
            return _stepped(replace(state, pending=pending_of(event.event, now)))
        case Moved():
            return _stepped(replace(state, sitting=event.sitting, said=event.says, pending=None))
        case Finished():
            return _finished(state, event)
        case Exchanged():
            wished = replace(state, stage="ready", asked_for=event.modality, said=())
            return _stepped(_put_away(wished))
        case _:
            assert_never(event)


def outstanding(state: SessionState) -> tuple[Effect, ...]:
    """What has to be done before anything else can happen, whoever left it undone."""
    match state.stage:
        case "ready":
            return (MakeExercise(item, state.asked_for),) if (item := state.item) else ()
        case "exercise":
            if state.pending is None or state.sitting is None:
                return ()
            return (Judge(state.sitting, state.pending.event, state.change_id),)
        case "over":
            return () if state.closed else (CloseLog(),)
        case "teach" | "check":
            return ()
        case _:
            assert_never(state.stage)


def _stepped(state: SessionState) -> Stepped:
    moved = replace(state, step=state.step + 1)
    return Stepped(moved, outstanding(moved))


def _timed(state: SessionState, now: datetime) -> SessionState:
    """With the time since the last step added, as far as it was work."""
    if state.is_over:
        return state
    passed = max((now - state.moved).total_seconds(), 0.0)
    box = max(state.item.minutes if state.item else 0.0, _LEAST_BOX)
    work = passed if passed <= box * _LONGEST * 60 else box * 60
    return replace(state, spent=state.spent + work, moved=max(now, state.moved))


def _checked(state: SessionState, event: Checked) -> SessionState:
    item = state.item
    assert item is not None
    check = CheckDone(item.concept_id, event.correct)
    return replace(state, stage="ready", checks=(*state.checks, check), said=event.says)


def _finished(state: SessionState, event: Finished) -> Stepped:
    if any(each.change_id == event.done.change_id for each in state.done):
        raise Conflict(f"The exercise `{event.done.exercise_id}` is finished already")
    ends = state.pending is not None and state.pending.kind == "end"
    after = replace(
        _put_away(state),
        done=(*state.done, event.done),
        said=event.says,
        last=event.result,
        plan=_with_more(state, event.more),
        at=state.at + 1,
    )
    return _over(after) if ends else _arrived(after)


def _with_more(state: SessionState, more: tuple[PlanItem, ...]) -> tuple[PlanItem, ...]:
    """The plan with what has to come back, at the end: some time should have passed by then."""
    ahead = {item.concept_id for item in state.plan[state.at + 1 :]}
    return (*state.plan, *(item for item in more if item.concept_id not in ahead))


def _skipped(state: SessionState, event: Skipped) -> Stepped:
    item = state.item
    assert item is not None
    after = replace(
        _put_away(state),
        skipped=(*state.skipped, item.concept_id),
        said=event.says,
        at=state.at + 1,
    )
    return _arrived(after)


def _put_away(state: SessionState) -> SessionState:
    return replace(state, sitting=None, choice=None, pending=None)


def _arrived(state: SessionState) -> Stepped:
    """At the next item that there is time for, or at the end."""
    dropped = list(state.dropped)
    slower = _pace(state)
    for at in range(state.at, len(state.plan)):
        item = state.plan[at]
        if at == 0 or item.minutes * slower <= state.minutes_left:
            is_new = item.type == "new" and item.concept_id not in state.taught
            taught = (*state.taught, item.concept_id) if is_new else state.taught
            is_taught = is_new or item.teach_again
            return _stepped(
                replace(
                    state,
                    at=at,
                    stage="teach" if is_taught else "ready",
                    taught=taught,
                    dropped=tuple(dropped),
                )
            )
        dropped.append(item.concept_id)
    return _over(replace(state, at=len(state.plan), dropped=tuple(dropped)))


def _pace(state: SessionState) -> float:
    """How many times longer than planned somebody has needed so far; 1 for whoever is quick."""
    planned = sum(item.minutes for item in state.plan[: state.at])
    return min(max(state.spent / 60 / planned, 1.0), _SLOWEST) if planned else 1.0


def _over(state: SessionState) -> Stepped:
    return _stepped(replace(state, stage="over"))


def _expect(state: SessionState, event: SessionEvent) -> None:
    if state.stage not in _WHERE[type(event)]:
        name = type(event).__name__.lower()
        raise Conflict(
            f"The session is at `{state.stage}`, where `{name}` cannot happen",
            hint="`paige study next` shows where the session stands.",
        )
