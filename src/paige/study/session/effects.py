"""Doing what is outstanding in a session: making an exercise, judging an answer, ending the log.

Each function does its part outside and returns the step that says it was done. All of them can be
done twice without harm, so whoever finds them undone may do them.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import anyio.to_thread

from paige.base.errors import BadInput, NotFound, PaigeError
from paige.exercise.result import Result
from paige.exercise.values import AGAIN, EASY, GOOD, MODALITIES, Modality
from paige.learner.cards import utc
from paige.learner.files import RecordedResult
from paige.learner.progress import Evidence, Progress
from paige.study.courses.values import CourseConcept, Override
from paige.study.matrix import shipped_matrix
from paige.study.remediation import Remediation, aimed, history_of, remedy_for
from paige.study.selection import Choice, Purpose, Situation, select_modality
from paige.study.session.context import PracticeOutcome, SessionContext
from paige.study.session.machine import Step, begun, finished, moved, skipped
from paige.study.session.state import (
    EndNow,
    FinishedExercise,
    SessionState,
)
from paige.study.session_plan import PlanRequest, further_item
from paige.study.struggle import Struggle, find_struggle, is_struggling
from paige.study.values import COMPREHENSIVE, ExerciseRequest, OpenExercise, PastExercise, PlanItem

_DAY = timedelta(days=1)
_RECENT = 10
"""So many of the last exercises decide about variety and shares."""
_PURPOSES: Mapping[str, Purpose] = {"new": "practice", "review": "review", "assess": "assess"}
_QUICK = 0.5
"""Who needs at most this share of the time an exercise should take was quick."""
JUST_MET = "It was met less than a day ago, so for the schedule this is Good and not Easy."
TOOK_TIME = "All right, and it took its time, so for the schedule this is Good and not Easy."


def recent_modalities(
    progress: Mapping[str, Progress], most: int = _RECENT
) -> tuple[Modality, ...]:
    """The modalities of the last exercises of a course, the newest last."""
    done = [each for known in progress.values() for each in known.exercise_history]
    return tuple(each.modality for each in sorted(done, key=lambda each: each.at)[-most:])


def situation_of(
    context: SessionContext,
    state: SessionState,
    item: PlanItem,
    progress: Mapping[str, Progress],
    remedy: Remediation,
    without: frozenset[Modality] = frozenset(),
) -> Situation:
    """Everything the choice of a modality depends on. `without` could not be made."""
    course = context.course
    concept = course.concept(item.concept_id)
    known = progress.get(item.concept_id)
    overrides = course.config.overrides
    if state.kind == "quiz":
        overrides = {**overrides, **_quiz_override(context, concept, item)}
    return Situation(
        domain=course.domain,
        bloom=item.bloom,
        concept_type=concept.concept_type,
        purpose=_PURPOSES[item.type],
        overrides=overrides,
        weights={**course.config.weights, **dict.fromkeys(without, 0.0)},
        possible=context.exercises.possible(course, item.concept_id),
        preferred=context.profile.preferred,
        avoided=context.profile.avoided,
        recent=recent_modalities(progress),
        session=state.tried,
        performance=known.modality_performance if known else {},
        struggling=is_struggling(known),
        remedies=remedy.modalities,
        minutes_left=state.minutes_left,
    )


def _quiz_override(
    context: SessionContext, concept: CourseConcept, item: PlanItem
) -> dict[str, Override]:
    """What a quiz wants for a concept, as a course would say it."""
    table, kind = shipped_matrix(), concept.concept_type
    whole = item.minutes >= COMPREHENSIVE
    wanted = table.quiz_unit if whole else table.quiz(context.course.domain, kind)
    own = context.course.config.overrides.get(kind)
    return {kind: Override(wanted, own.secondary if own else None)} if kind else {}


def choose(
    situation: Situation, asked_for: Modality | None, without: frozenset[Modality]
) -> Choice:
    """The modality of the next exercise: the one somebody asked for, or the selected one."""
    choice = select_modality(situation)
    if asked_for is None or asked_for in without or asked_for not in situation.possible:
        return choice
    return Choice(asked_for, choice.modality, None, ("You asked for it",))


def wanted(
    item: PlanItem,
    choice: Choice,
    progress: Mapping[str, Progress],
    history: tuple[PastExercise, ...],
    remedy: Remediation,
) -> ExerciseRequest:
    """What the next exercise should be."""
    known = progress.get(item.concept_id)
    wish = ExerciseRequest(
        concept_id=item.concept_id,
        modality=choice.modality,
        bloom=item.bloom,
        history=history,
        known=frozenset(name for name, each in progress.items() if each.card is not None),
        manner=choice.manner,
        is_new=item.type == "new",
        mastery=known.mastery_score if known else 0.0,
    )
    return aimed(wish, remedy)


def may_be_asked_for(context: SessionContext, concept: CourseConcept) -> tuple[Modality, ...]:
    """The modalities a learner may ask for."""
    possible = context.exercises.possible(context.course, concept.id)
    weights = context.course.config.weights
    return tuple(sorted(each for each in possible if weights.get(each) != 0))


def weighed(result: Result, sitting: OpenExercise, known: Progress | None, now: datetime) -> Result:
    """The result as it counts for the schedule; only Easy is ever changed."""
    if result.fsrs_rating != EASY:
        return result
    card = known.card if known else None
    if card is None or card.last_review is None or utc(now) - card.last_review < _DAY:
        return _only_good(result, JUST_MET)
    if sitting.confident or _was_quick(result, sitting):
        return result
    return _only_good(result, TOOK_TIME)


def _was_quick(result: Result, sitting: OpenExercise) -> bool:
    seconds = sitting.seconds
    if seconds is None:
        seconds = result.time_spent_seconds
    return seconds is not None and 0 < seconds <= sitting.exercise.minutes * 60 * _QUICK


def _only_good(result: Result, why: str) -> Result:
    return replace(result, fsrs_rating=GOOD, remarks=(*result.remarks, why))


_OFTEN = 3
"""A concept is tried at most so often in one session."""
_AGAIN_MINUTES = 3.0


async def make(context: SessionContext, state: SessionState, now: datetime) -> Step:
    """An exercise of the best kind that can be made; nothing at all is no reason to stop."""
    item = state.item
    assert item is not None
    known = (await anyio.to_thread.run_sync(context.known)).progress
    changes = await anyio.to_thread.run_sync(context.files.changes, context.course.name)
    history = history_of(changes, item.concept_id)
    remedy = remedy_for(context.course, known.get(item.concept_id), history)
    without: frozenset[Modality] = frozenset()
    why = ""
    for _ in MODALITIES:
        situation = situation_of(context, state, item, known, remedy, without)
        choice = choose(situation, state.asked_for or state.prefer, without)
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
        why_this = replace(choice, why=(*choice.why, *remedy.why))
        return partial(begun, sitting=sitting, choice=why_this)
    title = context.course.concept(item.concept_id).title
    return partial(skipped, says=(f"{title} is left out: {why or 'there is nothing to ask'}",))


async def judge(context: SessionContext, state: SessionState, now: datetime) -> Step:
    """What an answer led to; a result is recorded once, whoever judges it."""
    sitting, pending = state.sitting, state.pending
    assert sitting is not None
    assert pending is not None
    files, course, change_id = context.files, context.course.name, state.change_id
    found = await anyio.to_thread.run_sync(
        lambda: files.recorded(course, session=state.session, change_id=change_id)
    )
    if found is not None:  # somebody was stopped between recording and noting it
        return await _finished(context, state, found, (found.result.message,), now)
    event = pending.event
    if isinstance(event, EndNow):
        taken = await context.exercises.finish(sitting, now=now)
    else:
        taken = await context.exercises.take(sitting, event, now=now)
    if taken.evaluated is None:
        return partial(moved, sitting=taken.sitting, says=taken.says)
    known = (await anyio.to_thread.run_sync(context.known)).progress
    result = taken.evaluated.result
    result = weighed(result, taken.sitting, known.get(result.concept_id), now)
    if not result.gradable:  # nothing was measured, so it can be handed in again
        says = taken.evaluated.feedback or taken.says or (result.message,)
        return partial(moved, sitting=replace(taken.sitting, over=False), says=says)
    recorded = await anyio.to_thread.run_sync(
        lambda: files.record(course, result, session=state.session, change_id=change_id, now=now)
    )
    feedback = taken.evaluated.feedback
    says = (*taken.says, *(line for line in feedback if line not in taken.says))
    return await _finished(context, state, recorded, says or (result.message,), now)


async def _finished(
    context: SessionContext,
    state: SessionState,
    recorded: RecordedResult,
    says: tuple[str, ...],
    now: datetime,
) -> Step:
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
    return partial(finished, done=done, result=result, says=told, more=more)


def _practised(
    context: SessionContext, recorded: RecordedResult, evidence: Evidence
) -> PracticeOutcome:
    """What came of an exercise, for whoever wants to hear of it."""
    result = recorded.result
    return PracticeOutcome(
        course=context.course.name,
        concept_id=result.concept_id,
        title=context.course.concept(result.concept_id).title,
        modality=result.modality,
        progress=recorded.progress,
        evidence=evidence,
    )


def done_of(state: SessionState, item: PlanItem, recorded: RecordedResult) -> FinishedExercise:
    """What the session keeps of a result."""
    result, evidence = recorded.result, recorded.evidence
    started = state.sitting.started if state.sitting else state.moved
    finished = result.completed or result.timestamp or state.moved
    seconds = result.time_spent_seconds
    return FinishedExercise(
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
    asked = PlanRequest(
        now=now, minutes=after.minutes, scheduling=context.scheduling, kind=after.kind
    )
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


def close(context: SessionContext, state: SessionState, now: datetime) -> None:
    """End the log, and write what results say about modalities into the profile."""
    files, name = context.files, context.course.name
    if not state.done:
        return
    files.end_session(name, state.session, now=now)
    try:
        files.note_modalities()
    except PaigeError:
        # A profile that cannot be read is told of whenever a context is opened; it stays as it is.
        return
