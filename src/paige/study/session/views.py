"""What a door shows of a session: the step it is at, as one value and as JSON.

Answers are never in it before the ladder allows them: an exercise is shown by its presentation
only.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

import anyio.to_thread

from paige.exercise.result import Result, dump_result
from paige.exercise.values import Modality
from paige.learner.json_files import FileProblem
from paige.study.courses.overview import dump_problem
from paige.study.plan_values import PlanItem, Preview
from paige.study.selection import Choice
from paige.study.session.choosing import may_be_asked_for
from paige.study.session.room import Room
from paige.study.session.running import Turn
from paige.study.session.state import SessionState, Stage
from paige.study.session.summary import (
    Summary,
    dump_preview,
    dump_summary,
    preview_lines,
    summarise,
)
from paige.study.struggle import stalled
from paige.study.values import AnsweredBy, Presentation, Shown

Expects = AnsweredBy | Literal["go_on", "self_check", "nothing"]
_EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The step a session is at. `stage` is `nothing` when there is nothing to do today.

    `lesson` are parts of markdown in the order this learner likes. `question` is the check after a
    lesson. `instead` are other kinds of exercise that may be asked for now.
    """

    course: str
    course_title: str
    stage: Stage | Literal["nothing"]
    expects: Expects = "nothing"
    session: str = ""
    kind: str = "study"
    step: int = 0
    resumed: bool = False
    item: PlanItem | None = None
    item_title: str = ""
    number: int = 0
    of: int = 0
    says: tuple[str, ...] = ()
    lesson: tuple[str, ...] = ()
    question: str = ""
    presentation: Presentation | None = None
    asking: str = ""
    """The id of the question that is being asked, where they come one by one."""
    choice: Choice | None = None
    instead: tuple[Modality, ...] = ()
    file_path: str = ""
    advice: str = ""
    result: Result | None = None
    minutes: int = 0
    minutes_left: float = 0.0
    summary: Summary | None = None
    preview: Preview | None = None
    problems: tuple[FileProblem, ...] = ()


async def view(room: Room, turn: Turn, *, now: datetime) -> View:
    """What there is to see now."""
    state = turn.state
    known = await anyio.to_thread.run_sync(room.known)
    problems = (*room.problems, *room.course.problems, *known.problems, *turn.problems)
    bare = View(
        course=room.course.name, course_title=room.course.title, stage="nothing", problems=problems
    )
    if state is None:
        return await anyio.to_thread.run_sync(_nothing, room, turn, bare, now)
    shown = _shown(room, state, bare, now)
    shown = replace(shown, resumed=turn.resumed)
    if state.is_over:
        summed = await anyio.to_thread.run_sync(summarise, state, room.course, known.progress, now)
        return replace(shown, summary=summed, preview=summed.preview)
    if state.stage == "exercise" and state.sitting is not None:
        return _with_exercise(room, state, shown, await room.exercises.show(state.sitting))
    return shown


def lesson_of(room: Room, concept_id: str) -> tuple[str, ...]:
    """How a concept is taught: parts of markdown, the examples first for who likes that."""
    concept = room.course.concept(concept_id)
    teaching = room.course.teaching.get(concept_id)
    if teaching is None:
        said = concept.description or "Nothing is written about it yet: try, and ask for hints."
        return (f"# {concept.title}", said)
    examples = tuple(f"## Worked example\n\n{each}" for each in teaching.examples[:_EXAMPLES])
    explained = (teaching.explanation,) if teaching.explanation else ()
    first = room.profile.explanation_style == "examples_first"
    parts = (*examples, *explained) if first else (*explained, *examples)
    return (f"# {concept.title}", *parts)


def dump_view(shown: View) -> dict[str, object]:
    """A step as JSON values."""
    made: dict[str, object] = {
        "session": shown.session or None,
        "course": shown.course,
        "course_title": shown.course_title,
        "kind": shown.kind,
        "step": shown.step,
        "stage": shown.stage,
        "expects": shown.expects,
        "resumed": shown.resumed,
        "says": list(shown.says),
        "advice": shown.advice or None,
        "minutes": shown.minutes,
        "minutes_left": round(shown.minutes_left, 2),
        "item": _dump_item(shown),
        "lesson": list(shown.lesson) or None,
        "question": shown.question or None,
        "exercise": _dump_exercise(shown),
        "result": None if shown.result is None else dump_result(shown.result),
        "summary": None if shown.summary is None else dump_summary(shown.summary),
        "next": None if shown.preview is None else dump_preview(shown.preview),
        "problems": [dump_problem(each) for each in shown.problems],
    }
    return made


def _shown(room: Room, state: SessionState, bare: View, now: datetime) -> View:
    item = state.item
    shown = replace(
        bare,
        stage=state.stage,
        session=state.session,
        kind=state.kind,
        step=state.step,
        item=item,
        number=state.at + 1 if item else 0,
        of=len(state.plan),
        says=state.said,
        advice=stalled(state, now) or "",
        result=state.last,
        minutes=state.minutes,
        minutes_left=state.minutes_left,
    )
    if item is None:
        return shown
    shown = replace(shown, item_title=room.course.concept(item.concept_id).title)
    match state.stage:
        case "teach":
            return replace(shown, expects="go_on", lesson=lesson_of(room, item.concept_id))
        case "check":
            teaching = room.course.teaching.get(item.concept_id)
            question = teaching.checks[0].question if teaching and teaching.checks else ""
            return replace(shown, expects="text", question=question)
        case _:
            return shown


def _with_exercise(room: Room, state: SessionState, shown: View, given: Presentation) -> View:
    sitting, item = state.sitting, state.item
    assert sitting is not None
    assert item is not None
    untouched = not (sitting.ladder.attempts or sitting.judged)
    others = may_be_asked_for(room, room.course.concept(item.concept_id)) if untouched else ()
    return replace(
        shown,
        expects="self_check" if sitting.turned else given.answered_by,
        presentation=given,
        asking=sitting.question.id if sitting.question and not given.pauses else "",
        choice=state.choice,
        instead=tuple(each for each in others if each != given.modality),
        file_path=sitting.exercise.file_path or "",
    )


def _nothing(room: Room, turn: Turn, bare: View, now: datetime) -> View:
    # Planning needs NumPy, which no other step of a session needs.
    from paige.study.planning import minutes_for_new, preview  # noqa: PLC0415

    ahead = preview(room.course, room.known().progress, now)
    plan = turn.plan
    first = "No session is open." if plan is None else "There is nothing to do today."
    if plan is not None and plan.new_waiting:
        least = minutes_for_new(plan.minutes)
        if least > plan.minutes:
            first = f"{plan.minutes} minutes are too short for something new; take {least}."
    says = (first, *preview_lines(ahead, room.course, now))
    return replace(bare, says=says, preview=ahead)


def _dump_item(shown: View) -> dict[str, object] | None:
    item = shown.item
    if item is None:
        return None
    return {
        "number": shown.number,
        "of": shown.of,
        "type": item.type,
        "concept": item.concept_id,
        "title": shown.item_title,
        "bloom": item.bloom,
        "minutes": item.minutes,
        "reason": item.reason,
        "opening": item.opening,
    }


def _dump_exercise(shown: View) -> dict[str, object] | None:
    given, choice = shown.presentation, shown.choice
    if given is None:
        return None
    return {
        "id": given.exercise_id,
        "modality": given.modality,
        "why": list(choice.why) if choice else [],
        "offer": choice.offer if choice else None,
        "instead": list(shown.instead),
        "title": given.title,
        "body": given.body,
        "answered_by": given.answered_by,
        "asking": shown.asking or None,
        "questions": [_dump_question(each) for each in given.questions],
        "minutes": given.minutes,
        "file": shown.file_path or None,
        "open": list(given.open),
        "run": given.run or None,
        "pauses": given.pauses,
        "optional": given.optional,
        "how_to_continue": given.how_to_continue or None,
    }


def _dump_question(each: Shown) -> dict[str, object]:
    return {
        "id": each.id,
        "prompt": each.prompt,
        "kind": each.kind,
        "choices": list(each.choices),
        "parts": list(each.parts),
        "context": each.context or None,
        "starter": each.starter or None,
        "audio": each.audio_path or None,
    }
