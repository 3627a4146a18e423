"""The step a session is at, as one value: kept nowhere, sent to every door, shown and typed there.

Answers are never in it before the ladder allows them: an exercise is shown by its presentation
only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal

import anyio.to_thread
from pydantic import Field

from paige.base.wire import wire
from paige.exercise.result import Result, dump_result
from paige.exercise.values import Bloom, Modality, Rating, TestOutcome, TestStatus
from paige.learner.json_files import StudyProblem
from paige.study.exercise_files import ExerciseFiles
from paige.study.session.context import SessionContext
from paige.study.session.driver import Turn
from paige.study.session.effects import may_be_asked_for
from paige.study.session.state import SessionState, Stage
from paige.study.session.summary import StudySummary, preview_lines, summarise
from paige.study.session_plan import minutes_for_new, preview
from paige.study.struggle import stalled
from paige.study.values import (
    AnsweredBy,
    ItemType,
    SessionKind,
    StudyExercise,
    StudyPreview,
    StudyUpload,
)

Expects = AnsweredBy | Literal["go_on", "self_check", "nothing"]
MOST_PROBLEMS = 200
_EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyItem:
    """What of the plan is being done, and why."""

    number: int
    of: int
    type: ItemType
    concept: str
    title: str
    bloom: Bloom
    minutes: float
    reason: str
    opening: bool
    """Whether it is recall before anything is taught."""


@dataclass(frozen=True, slots=True)
class StudyScore:
    """Points. `percentage` is a share from 0 to 1."""

    correct: float
    total: int
    percentage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyError:
    """One thing that went wrong."""

    question: str
    error_type: str | None
    expected: str | None
    actual: str | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyVerdict:
    """What one question came to."""

    question: str
    prompt: str
    expected: str | None
    actual: str | None
    verdict: Literal["correct", "partial", "incorrect", "unanswered"]
    score: float
    feedback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTest:
    """What one test of a code exercise came to."""

    name: str
    status: TestStatus
    description: str
    message: str
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult:
    """What came of the exercise before."""

    exercise_id: str
    concept_id: str
    modality: Modality
    score: StudyScore
    fsrs_rating: Rating
    message: str
    errors: tuple[StudyError, ...]
    strengths: tuple[str, ...]
    improvements: tuple[str, ...]
    answers: tuple[StudyVerdict, ...]
    tests: tuple[StudyTest, ...]
    hints_used: int
    answer_shown: bool
    gradable: bool
    remarks: tuple[str, ...]
    source: str
    """`local`, or the name of a model."""


@wire(kw_only=True)
class StudyStep:
    """The step a session is at; `stage` is `nothing` when none is open or nothing is to do.

    `expects` is what the person does next: go on after reading (`go_on`), say something (`text`),
    choose (`choice`), have a file or folder ready, name a photo (`image`), type an entry at a
    prompt, recall a card, speak (`voice`), judge their own work (`self_check`), or nothing.
    """

    session: str | None = None
    course: str
    course_title: str
    kind: SessionKind = "study"
    step: int = 0
    """It goes back with an answer."""
    stage: Stage | Literal["nothing"] = "nothing"
    expects: Expects = "nothing"
    resumed: bool = False
    says: tuple[str, ...] = ()
    """What to tell the person about what they did."""
    advice: str | None = None
    """For somebody who has been stuck for a while."""
    minutes: int = 0
    minutes_left: float = 0.0
    item: StudyItem | None = None
    lesson: tuple[str, ...] | None = None
    """Parts of markdown, in the order this learner likes."""
    question: str | None = None
    """The check after a lesson."""
    exercise: StudyExercise | None = None
    result: StudyResult | None = None
    summary: StudySummary | None = None
    next: StudyPreview | None = None
    concepts: Mapping[str, str]
    """Titles of the concepts of the course, by id."""
    root: str
    """The folder that paths are relative to."""
    problems: tuple[StudyProblem, ...] = ()
    record: Annotated[Result | None, Field(exclude=True)] = None
    """The whole record of the exercise before, as it is kept."""


def problems_of(problems: Iterable[StudyProblem]) -> tuple[StudyProblem, ...]:
    """Files that need a hand, each once."""
    return tuple(dict.fromkeys(problems))[:MOST_PROBLEMS]


async def view(context: SessionContext, turn: Turn, *, now: datetime) -> StudyStep:
    """What there is to see now."""
    state = turn.state
    known = await anyio.to_thread.run_sync(context.known)
    problems = (*context.problems, *context.course.problems, *known.problems, *turn.problems)
    bare = StudyStep(
        course=context.course.name,
        course_title=context.course.title,
        concepts={each.id: each.title for each in context.course.concepts.values()},
        root=str(context.documents.root),
        problems=problems_of(problems),
    )
    if state is None:
        return await anyio.to_thread.run_sync(_nothing, context, turn, bare, now)
    shown = replace(_shown(context, state, bare, now), resumed=turn.resumed)
    if state.is_over:
        summed = await anyio.to_thread.run_sync(
            summarise, state, context.course, known.progress, now
        )
        return replace(shown, summary=summed, next=summed.next)
    if state.stage == "exercise" and state.sitting is not None:
        given = await context.exercises.show(state.sitting)
        files = ExerciseFiles(context.documents, state.sitting.exercise, context.root)
        uploads = await anyio.to_thread.run_sync(files.handed_over)
        return _with_exercise(context, state, shown, given, uploads)
    return shown


def lesson_of(context: SessionContext, concept_id: str) -> tuple[str, ...]:
    """How a concept is taught: parts of markdown, the examples first for who likes that."""
    concept = context.course.concept(concept_id)
    teaching = context.course.teaching.get(concept_id)
    if teaching is None:
        said = concept.description or "Nothing is written about it yet: try, and ask for hints."
        return (f"# {concept.title}", said)
    examples = tuple(f"## Worked example\n\n{each}" for each in teaching.examples[:_EXAMPLES])
    explained = (teaching.explanation,) if teaching.explanation else ()
    first = context.profile.explanation_style == "examples_first"
    parts = (*examples, *explained) if first else (*explained, *examples)
    return (f"# {concept.title}", *parts)


def dump_step(step: StudyStep, dumped: Mapping[str, Any]) -> dict[str, Any]:
    """A step as programs at the terminal have it: with the whole record of the exercise before."""
    return {**dumped, "result": None if step.record is None else dump_result(step.record)}


def result_of(result: Result) -> StudyResult:
    """What came of an exercise, as it is shown."""
    dumped: Any = dump_result(result)
    answers = dumped["details"].get("answers", ())
    return StudyResult(
        exercise_id=result.exercise_id,
        concept_id=result.concept_id,
        modality=result.modality,
        score=StudyScore(result.score.correct, result.score.total, result.score.percentage),
        fsrs_rating=result.fsrs_rating,
        message=result.message,
        errors=tuple(_only(StudyError, each) for each in dumped["errors"]),
        strengths=result.strengths,
        improvements=result.improvements,
        answers=tuple(_only(StudyVerdict, each) for each in answers),
        tests=tuple(map(test_of, result.tests)),
        hints_used=result.hints_used,
        answer_shown=result.answer_shown,
        gradable=result.gradable,
        remarks=result.remarks,
        source=result.source,
    )


def test_of(test: TestOutcome) -> StudyTest:
    """What one test came to."""
    return StudyTest(
        name=test.name,
        status=test.status,
        description=test.description,
        message=test.message,
        output=test.output,
    )


def _only(kind: type[Any], record: Mapping[str, object]) -> Any:  # noqa: ANN401 - one of `kind`
    """The fields of a record that a value has."""
    return kind(**{name: record[name] for name in kind.__dataclass_fields__})


def _shown(
    context: SessionContext, state: SessionState, bare: StudyStep, now: datetime
) -> StudyStep:
    item = state.item
    shown = replace(
        bare,
        stage=state.stage,
        session=state.session,
        kind=state.kind,
        step=state.step,
        says=state.said,
        advice=stalled(state, now) or None,
        result=None if state.last is None else result_of(state.last),
        record=state.last,
        minutes=state.minutes,
        minutes_left=round(state.minutes_left, 2),
    )
    if item is None:
        return shown
    made = StudyItem(
        number=state.at + 1,
        of=len(state.plan),
        type=item.type,
        concept=item.concept_id,
        title=context.course.concept(item.concept_id).title,
        bloom=item.bloom,
        minutes=item.minutes,
        reason=item.reason,
        opening=item.opening,
    )
    shown = replace(shown, item=made)
    match state.stage:
        case "teach":
            return replace(shown, expects="go_on", lesson=lesson_of(context, item.concept_id))
        case "check":
            teaching = context.course.teaching.get(item.concept_id)
            question = teaching.checks[0].question if teaching and teaching.checks else ""
            return replace(shown, expects="text", question=question or None)
        case _:
            return shown


def _with_exercise(
    context: SessionContext,
    state: SessionState,
    shown: StudyStep,
    given: StudyExercise,
    uploads: tuple[StudyUpload, ...],
) -> StudyStep:
    sitting, item, choice = state.sitting, state.item, state.choice
    assert sitting is not None
    assert item is not None
    untouched = not (sitting.ladder.attempts or sitting.judged)
    others = may_be_asked_for(context, context.course.concept(item.concept_id)) if untouched else ()
    made = replace(
        given,
        why=choice.why if choice else (),
        offer=choice.offer if choice else None,
        instead=tuple(each for each in others if each != given.modality),
        uploads=uploads,
    )
    expects = "self_check" if sitting.turned else given.answered_by
    return replace(shown, expects=expects, exercise=made)


def _nothing(context: SessionContext, turn: Turn, bare: StudyStep, now: datetime) -> StudyStep:
    ahead = preview(context.course, context.known().progress, now)
    plan = turn.plan
    first = "No session is open." if plan is None else "There is nothing to do today."
    if plan is not None and plan.new_waiting:
        least = minutes_for_new(plan.minutes)
        if least > plan.minutes:
            first = f"{plan.minutes} minutes are too short for something new; take {least}."
    says = (first, *preview_lines(ahead, context.course, now))
    return replace(bare, says=says, next=ahead)
