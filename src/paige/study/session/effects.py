"""Carrying out what a session asks for: making an exercise, judging an answer, ending the log.

Each function does its part outside and returns the event that says it was done. All of them can be
done twice without harm, so whoever finds them undone may do them.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import assert_never

import anyio.to_thread

from paige.base.errors import BadInput, NotFound, PaigeError
from paige.exercise.values import AGAIN, MODALITIES, Modality
from paige.learner.progress import Evidence, Progress
from paige.study.history import history_of
from paige.study.plan_values import PlanItem
from paige.study.remediation import remedy_for
from paige.study.session.choosing import choose, situation_of, wanted
from paige.study.session.context import SessionContext
from paige.study.session.ports import Practised
from paige.study.session.recording import Recording
from paige.study.session.state import (
    Begun,
    Closed,
    CloseLog,
    Done,
    Effect,
    EndNow,
    Finished,
    Judge,
    MakeExercise,
    Moved,
    SessionEvent,
    SessionState,
    Skipped,
)
from paige.study.session.weighing import weighed
from paige.study.struggle import Struggle, find_struggle

_OFTEN = 3
"""A concept is tried at most so often in one session."""
_AGAIN_MINUTES = 3.0


async def carry_out(
    context: SessionContext, state: SessionState, effect: Effect, now: datetime
) -> SessionEvent:
    """Do what has to be done; the event that follows from it."""
    match effect:
        case MakeExercise():
            return await _make(context, state, effect, now)
        case Judge():
            return await _judge(context, state, effect, now)
        case CloseLog():
            await anyio.to_thread.run_sync(_close, context, state, now)
            return Closed()
        case _:
            assert_never(effect)


async def _make(
    context: SessionContext, state: SessionState, effect: MakeExercise, now: datetime
) -> SessionEvent:
    """An exercise of the best kind that can be made; nothing at all is no reason to stop."""
    item = effect.item
    known = (await anyio.to_thread.run_sync(context.known)).progress
    files, name = context.logbook.files, context.course.name
    changes = await anyio.to_thread.run_sync(files.changes, name)
    history = history_of(changes, item.concept_id)
    remedy = remedy_for(context.course, known.get(item.concept_id), history)
    without: frozenset[Modality] = frozenset()
    why = ""
    for _ in MODALITIES:
        situation = situation_of(context, state, item, known, remedy, without)
        choice = choose(situation, effect.asked_for or state.prefer, without)
        if choice.modality in without:
            break
        wish = wanted(item, choice, known, history, remedy)
        seed = state.seed + len(state.done) + len(state.skipped)
        try:
            exercise = await context.exercises.make(context.course, wish, now=now, seed=seed)
            sitting = await context.exercises.begin(exercise, now=now)
        except (NotFound, BadInput) as error:
            why = error.message
            without = frozenset[Modality]((*without, choice.modality))
            continue
        return Begun(sitting, replace(choice, why=(*choice.why, *remedy.why)))
    title = context.course.concept(item.concept_id).title
    return Skipped((f"{title} is left out: {why or 'there is nothing to ask'}",))


async def _judge(
    context: SessionContext, state: SessionState, effect: Judge, now: datetime
) -> SessionEvent:
    """What an answer led to; a result is recorded once, whoever judges it."""
    book = context.logbook
    found = await anyio.to_thread.run_sync(book.find, state.session, effect.change_id)
    if found is not None:  # somebody was stopped between recording and noting it
        return await _finished(context, state, found, (found.result.message,), now)
    if isinstance(effect.event, EndNow):
        taken = await context.exercises.finish(effect.sitting, now=now)
    else:
        taken = await context.exercises.take(effect.sitting, effect.event, now=now)
    if taken.evaluated is None:
        return Moved(taken.sitting, taken.says)
    known = (await anyio.to_thread.run_sync(context.known)).progress
    result = taken.evaluated.result
    result = weighed(result, taken.sitting, known.get(result.concept_id), now)
    if not result.gradable:  # nothing was measured, so it can be handed in again
        says = taken.evaluated.feedback or taken.says or (result.message,)
        return Moved(replace(taken.sitting, over=False), says)
    recorded = await anyio.to_thread.run_sync(
        lambda: book.record(result, session=state.session, change_id=effect.change_id, now=now)
    )
    feedback = taken.evaluated.feedback
    says = (*taken.says, *(line for line in feedback if line not in taken.says))
    return await _finished(context, state, recorded, says or (result.message,), now)


async def _finished(
    context: SessionContext,
    state: SessionState,
    recorded: Recording,
    says: tuple[str, ...],
    now: datetime,
) -> Finished:
    item = state.item
    assert item is not None
    result, evidence = recorded.result, recorded.evidence
    done = done_of(state, item, recorded)
    known = (await anyio.to_thread.run_sync(context.known)).progress
    after = replace(state, done=(*state.done, done))
    struggle = find_struggle(context.course, known, after) if state.kind != "quiz" else None
    more = () if state.kind == "quiz" else _more(context, after, known, struggle, now)
    if evidence is not None and context.heard is not None:
        await context.heard(_practised(context, recorded, evidence))
    told = (*says, *_comes_back(evidence, now), *([struggle.says] if struggle else ()))
    return Finished(done, result, told, more)


def _practised(context: SessionContext, recorded: Recording, evidence: Evidence) -> Practised:
    """What came of an exercise, for whoever wants to hear of it."""
    result = recorded.result
    return Practised(
        course=context.course.name,
        concept_id=result.concept_id,
        title=context.course.concept(result.concept_id).title,
        modality=result.modality,
        progress=recorded.progress,
        evidence=evidence,
    )


def done_of(state: SessionState, item: PlanItem, recorded: Recording) -> Done:
    """What the session keeps of a result."""
    result, evidence = recorded.result, recorded.evidence
    started = state.sitting.started if state.sitting else state.moved
    finished = result.completed or result.timestamp or state.moved
    seconds = result.time_spent_seconds
    return Done(
        change_id=state.change_id,
        exercise_id=result.exercise_id,
        concept_id=result.concept_id,
        type=item.type,
        modality=result.modality,
        bloom=result.bloom_level or item.bloom,
        share=min(max(result.score.percentage, 0.0), 1.0),
        rating=evidence.rating if evidence else result.fsrs_rating,
        at=finished,
        seconds=seconds if seconds is not None else max((finished - started).total_seconds(), 0.0),
        minutes=state.sitting.exercise.minutes if state.sitting else item.minutes,
        hints_used=result.hints_used,
        answer_shown=result.answer_shown,
        gradable=result.gradable,
        errors=tuple(each.error_type for each in result.errors if each.error_type),
        due=recorded.progress.card.due if recorded.progress.card else None,
        mastered=evidence.mastered if evidence else False,
    )


def _more(
    context: SessionContext,
    after: SessionState,
    known: Mapping[str, Progress],
    struggle: Struggle | None,
    now: datetime,
) -> tuple[PlanItem, ...]:
    """What has to come in this session because of how it went; else more, if there is time."""
    if struggle is not None and struggle.way_out == "pause":
        return ()
    return _again(after, known, struggle) or _further(context, after, known, now)


def _again(
    after: SessionState, known: Mapping[str, Progress], struggle: Struggle | None
) -> tuple[PlanItem, ...]:
    """The same once more: at once if it went wrong, after something else if it was not sure."""
    last, item = after.done[-1], after.plan[after.at]
    often = sum(each.concept_id == item.concept_id for each in after.done)
    unsure = last.concept_id in known and known[last.concept_id].status == "learning"
    something_else = after.at + 1 < len(after.plan)
    if often >= _OFTEN or not (last.rating == AGAIN or (unsure and something_else)):
        return ()
    again = PlanItem(
        type="review",
        concept_id=item.concept_id,
        minutes=_AGAIN_MINUTES,
        bloom=item.bloom,
        reason="It did not go well before" if last.rating == AGAIN else "It is not sure yet",
        teach_again=struggle is not None and struggle.way_out == "teach_again",
    )
    if struggle is None or struggle.way_out != "step_back":
        return (again,)
    back = replace(again, concept_id=struggle.towards, reason=struggle.says, teach_again=False)
    return (back, again)


def _further(
    context: SessionContext, after: SessionState, known: Mapping[str, Progress], now: datetime
) -> tuple[PlanItem, ...]:
    """One more thing at the end of the plan, for who was quick."""
    if after.at + 1 < len(after.plan):
        return ()
    # Planning needs NumPy, which no other step of a session needs.
    from paige.study.planning import Asked, further_item  # noqa: PLC0415

    asked = Asked(now=now, minutes=after.minutes, scheduling=context.scheduling, kind=after.kind)
    since = max((now - after.moved).total_seconds() / 60, 0.0)
    left = after.minutes_left - since
    return further_item(context.course, known, asked, planned=after.plan, left=left)


def _comes_back(evidence: Evidence | None, now: datetime) -> tuple[str, ...]:
    """When it comes back, and what was reached."""
    if evidence is None or evidence.due is None:
        return ()
    days = (evidence.due - now).total_seconds() / 86_400
    when = "soon, in this or the next session" if days < 0.5 else f"in {days_as_words(days)}"
    reached = ("That makes it mastered.",) if evidence.mastered else ()
    return (f"It comes back {when}.", *reached)


def days_as_words(days: float) -> str:
    """A number of days as people say it."""
    whole = max(round(days), 1)
    return "a day" if whole == 1 else f"{whole} days"


def _close(context: SessionContext, state: SessionState, now: datetime) -> None:
    """End the log, and write what results say about modalities into the profile."""
    files, name = context.logbook.files, context.course.name
    if not state.done:
        return
    files.end_session(name, state.session, now=now)
    try:
        files.note_modalities()
    except PaigeError:
        # A profile that cannot be read is told of whenever a context is opened; it stays as it is.
        return
