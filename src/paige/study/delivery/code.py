"""Marking code: its tests in the sandbox, and a model's remarks about how it is written."""

from dataclasses import replace
from pathlib import Path

from anyio import to_thread
from pydantic import BaseModel, Field

from paige.base.errors import PaigeError
from paige.exercise.code_folder import read_code_folder
from paige.exercise.grading import grade_code
from paige.exercise.hints import LEVELS, Ladder
from paige.exercise.result import Attempt, Result
from paige.exercise.worksheet.lines import decode
from paige.models.calls import Call
from paige.models.prompts import render, untrusted
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import Isolation
from paige.study.delivery.help import kept_back
from paige.study.delivery.presentation import files_to_write
from paige.study.delivery.results import Session, attempt_of, evaluated, of_exercise
from paige.study.exercise_tools import ExerciseTools, ask_model
from paige.study.values import Answer, Evaluation, Exercise

_LONGEST = 20_000
_MOST_SHOWN = 4


class CodeReview(BaseModel):
    """What a reader says about code."""

    uses_concept: bool
    comments: list[str] = Field(max_length=6)
    question: str


async def mark_code(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
    """What the tests say. Raises: NotFound, BadInput, Unavailable."""
    place = tools.place(answer.path or exercise.file_path or "")
    attempt = attempt_of(exercise, session, ladder.hints_used, ladder.answer_shown)

    def run() -> Result:
        return run_tests(place, exercise, attempt, tools.isolation, tools.terms)

    result = of_exercise(await tools.terms.in_thread(run), exercise, session)
    result = replace(result, file_path=exercise.file_path or result.file_path)
    said = _feedback(result)
    if result.gradable:
        said = (*said, *await _review(tools, exercise, place, result, ladder))
    return replace(evaluated(result), feedback=said)


def run_tests(
    place: Path,
    exercise: Exercise,
    attempt: Attempt,
    isolation: Isolation | None = None,
    terms: RunTerms | None = None,
) -> Result:
    """Run the exercise's own tests over what a learner wrote, wherever that lies.

    Raises: NotFound, BadInput, Unavailable.
    """
    own = files_to_write(exercise)
    given = {name: text for name, text in exercise.files.items() if name not in own}
    folder = place.parent if place.is_file() else place
    return grade_code(folder, attempt, isolation=isolation, terms=terms, given=given)


def all_passed(result: Result) -> bool:
    """Whether every test passed."""
    return result.gradable and result.score.total > 0 and result.score.percentage >= 1.0


def _feedback(result: Result) -> tuple[str, ...]:
    """Which tests failed and why; a solution is never part of it."""
    failed = [each for each in result.tests if each.status not in ("passed", "skipped")]
    said = [result.message]
    said += [f"{each.description or each.name}: {each.message}" for each in failed[:_MOST_SHOWN]]
    if len(failed) > _MOST_SHOWN:
        said.append(f"{len(failed) - _MOST_SHOWN} more tests fail.")
    told = "\n".join(said)  # a test that failed says the same as its error
    said += [each.detail for each in result.errors if each.error_type and each.detail not in told]
    said += [*result.strengths, *result.improvements, *result.remarks]
    return tuple(dict.fromkeys(each for each in said if each.strip()))


async def _review(
    tools: ExerciseTools, exercise: Exercise, place: Path, result: Result, ladder: Ladder
) -> tuple[str, ...]:
    if not tools.asks_a_model:
        return ()
    code = await to_thread.run_sync(_written, place)
    call = Call(
        call_type="study_code_review",
        model="haiku",
        system_prompt=render(
            "study/code-review",
            concept=exercise.concept_title,
            task=exercise.prompt,
            tests=result.message,
            allows=LEVELS[min(ladder.level, 3)].allows,
        ),
        user_message=untrusted("code of the learner", code[:_LONGEST]),
        response_schema=CodeReview,
    )
    asked = await ask_model(tools, call)
    if asked.value is None:
        return (asked.remark,) if asked.remark else ()
    question = exercise.items[-1]
    open_ladder = replace(ladder, solved=all_passed(result))
    said = [kept_back(question, open_ladder, each) for each in asked.value.comments[:3]]
    kept = tuple(each for each in said if each)
    return (*kept, *([asked.value.question] if all_passed(result) else ()))


def _written(place: Path) -> str:
    """What the learner wrote, all files in one text."""
    folder = place if place.is_dir() else place.parent
    try:
        files = read_code_folder(folder).solution
    except PaigeError:
        return ""
    return "\n\n".join(f"# {name}\n{decode((folder / name).read_bytes())}" for name in files)
