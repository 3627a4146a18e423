"""Giving an exercise out, and marking everything that comes back at once.

Answers one by one, with hints in between, are in `sittings.py`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime

from anyio import to_thread

from paige.exercise.hints import Ladder
from paige.exercise.ratings import with_help
from paige.exercise.result import Result
from paige.exercise.values import Marked, Modality, score_of
from paige.study.delivering.audio import place_audio
from paige.study.delivering.coding import all_passed, mark_code
from paige.study.delivering.judging import judge
from paige.study.delivering.photos import mark_photo
from paige.study.delivering.placing import place_files
from paige.study.delivering.results import (
    Session,
    about_result,
    evaluated,
    questions_result,
    session_of,
)
from paige.study.delivering.texts import mark_text
from paige.study.delivering.worksheets import mark_sheet
from paige.study.exercise_tools import ExerciseTools
from paige.study.generating.words import plain
from paige.study.values import Answer, Evaluated, Exercise, Judged, Question

Mark = Callable[[ExerciseTools, Exercise, Answer, Ladder, Session], Awaitable[Evaluated]]


async def place(tools: ExerciseTools, exercise: Exercise, now: datetime) -> Exercise:
    """Write an exercise's files and recordings; it knows afterwards where they are."""
    if exercise.modality == "audio":
        return await to_thread.run_sync(place_audio, tools, exercise)
    return await to_thread.run_sync(place_files, tools, exercise, now)


async def evaluate(
    tools: ExerciseTools,
    exercise: Exercise,
    answer: Answer,
    ladder: Ladder,
    now: datetime,
    started: datetime | None = None,
) -> Evaluated:
    """What came of an exercise that is handed in as a whole.

    Raises: NotFound, BadInput, Unavailable, ProviderFailed.
    """
    session = session_of(answer, started, now)
    mark = _WHOLE.get(exercise.modality, _mark_questions)
    return await mark(tools, exercise, answer, ladder, session)


async def mark_whole(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    """The same for somebody who knows more about the attempt."""
    return await _WHOLE.get(exercise.modality, _mark_questions)(
        tools, exercise, answer, ladder, session
    )


async def _mark_sheet(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    return await to_thread.run_sync(mark_sheet, tools, exercise, answer, ladder, session)


_WHOLE: Mapping[Modality, Mark] = {
    "worksheet": _mark_sheet,
    "code": mark_code,
    "long_form": mark_text,
    "image_review": mark_photo,
}


async def _mark_questions(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    """Questions that are usually asked one by one, all answered at once."""
    if answer.empty:
        return evaluated(_nothing(exercise, session))
    judged: list[Judged] = []
    tests: Result | None = None
    for question in exercise.items:
        if question.kind == "code":
            tests = (await mark_code(tools, exercise, answer, ladder, session)).result
            judged.append(judged_code(question, tests, ladder))
            continue
        given = await judge(tools, exercise, question, _part(exercise, question, answer), ladder)
        mark = given.marked or Marked("incorrect", 0.0, "There is no answer yet.")
        judged.append(Judged(question.id, given.text, mark, replace(ladder, attempts=1)))
        if given.by != session.source:
            session = replace(session, source=given.by)
    result = questions_result(exercise, judged, session)
    rating = with_help(
        result.fsrs_rating, hints_used=ladder.hints_used, answer_shown=ladder.answer_shown
    )
    result = replace(
        result,
        fsrs_rating=rating,
        hints_used=ladder.hints_used,
        answer_shown=ladder.answer_shown,
        tests=tests.tests if tests else (),
    )
    return replace(evaluated(result, judged), feedback=explained(exercise, judged, result))


def judged_code(question: Question, result: Result, ladder: Ladder) -> Judged:
    """The code of a pair as one more question that was answered."""
    share = result.score.percentage if result.gradable else 0.0
    verdict = "correct" if all_passed(result) else "partial" if share > 0.5 else "incorrect"
    kind = next((each.error_type for each in result.errors if each.error_type), None)
    marked = Marked(verdict, round(share, 4), result.message, kind)
    return Judged(question.id, "", marked, replace(ladder, solved=all_passed(result)))


def explained(
    exercise: Exercise, judged: list[Judged] | tuple[Judged, ...], result: Result
) -> tuple[str, ...]:
    """What came of questions, with why each answer is what it is."""
    said = [result.message]
    for each in judged:
        question = exercise.question(each.question_id)
        why = question.explanation.strip() if question else ""
        told = each.marked.feedback
        if why and plain(why) not in plain(told):
            told = f"{told} {why}"
        if each.marked.verdict != "correct" and told:
            said.append(f"{each.question_id}: {told}")
    said += [*result.strengths, *result.improvements, *result.remarks]
    return tuple(each for each in said if each.strip())


def _part(exercise: Exercise, question: Question, answer: Answer) -> Answer:
    if answer.parts:
        return replace(answer, text=answer.parts.get(question.id, ""), parts={}, path="")
    return answer if len(exercise.items) == 1 else replace(answer, path="")


def _nothing(exercise: Exercise, session: Session) -> Result:
    return Result(
        **about_result(exercise, session),
        score=score_of(0, len(exercise.items)),
        gradable=False,
        message="Nothing was answered yet.",
    )
