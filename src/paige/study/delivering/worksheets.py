"""Marking a worksheet that came back: from its file, from its text, or field by field."""

from collections.abc import Mapping
from dataclasses import replace

from paige.base.errors import BadInput
from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.values import score_of
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import parse_worksheet
from paige.exercise.worksheet.status import read_worksheet_text
from paige.exercise.worksheet.values import Answer as SheetAnswer
from paige.exercise.worksheet.values import Completed, Worksheet
from paige.study.delivering.placing import mark_evaluated
from paige.study.delivering.results import (
    Session,
    about_result,
    attempt_of,
    evaluated,
    of_exercise,
    self_checked,
)
from paige.study.exercise_tools import ExerciseTools
from paige.study.manner import COMPARE
from paige.study.values import Answer, Evaluated, Exercise

NO_JUDGE = (
    "Nobody here can judge an outline without a model: compare yours with what a good one holds."
)


def mark_sheet(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    """What a worksheet came to; an empty one is no attempt. Raises: NotFound, BadInput."""
    if answer.self_check is not None:
        return self_checked(exercise, answer.self_check, ladder, session)
    template = template_of(exercise)
    completed, path = _completed(tools, exercise, answer, template)
    if not any(each.answered for each in completed.answers.values()):
        return evaluated(_empty(exercise, session, path))
    attempt = replace(
        attempt_of(exercise, session, ladder.hints_used, ladder.answer_shown),
        file_path=path or exercise.file_path,
    )
    closed, outlined = _marked_part(exercise, completed)
    compare = ("\n".join((NO_JUDGE, "", *outlined)),) if outlined else ()
    result = of_exercise(mark_worksheet(closed, tools.mark, attempt), exercise, session)
    if outlined and not closed.worksheet.key:
        unjudged = replace(result, message=NO_JUDGE)
        return Evaluated(result=unjudged, feedback=(*compare, COMPARE), compare=True)
    if path and result.gradable:
        mark_evaluated(tools, path)
    return replace(evaluated(result), feedback=(*_feedback(exercise, result), *compare))


def template_of(exercise: Exercise) -> Worksheet:
    """The worksheet as it was given out, with its key. Raises: BadInput."""
    if len(exercise.files) != 1:
        raise BadInput(f"The exercise `{exercise.id}` is no worksheet")
    (text,) = exercise.files.values()
    return parse_worksheet(text).worksheet


def _completed(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, template: Worksheet
) -> tuple[Completed, str]:
    if answer.parts:
        return _by_field(template, answer.parts), ""
    if answer.text.strip():
        return parse_worksheet(answer.text, key=template.key, template=template), ""
    path = answer.path or exercise.file_path or ""
    text = read_worksheet_text(tools.place(path))
    return parse_worksheet(text, key=template.key, template=template), path


def _by_field(template: Worksheet, given: Mapping[str, str]) -> Completed:
    """A worksheet whose answers came one by one; several blanks are separated by semicolons."""
    answers: dict[str, SheetAnswer] = {}
    for question in template.questions:
        text = given.get(question.id, "")
        section = template.section(question.section)
        blanks = 1 if section is not None and section.matching else question.blanks
        parts = text.split(";", blanks - 1) if blanks > 1 else [text]
        padded = [*(each.strip() for each in parts), *([""] * blanks)]
        answers[question.id] = SheetAnswer(question.id, tuple(padded[:blanks]), 0)
    return Completed(worksheet=template, answers=answers, key_state="intact")


def _marked_part(exercise: Exercise, completed: Completed) -> tuple[Completed, tuple[str, ...]]:
    """The sheet without its outlines, and what those are compared with.

    An outline has points to address and no answer: by rules nobody can say what it is worth.
    """
    outlines = {each.id: each for each in exercise.items if each.kind == "long_form"}
    key = completed.worksheet.key or {}
    held = tuple(f"- {each.prompt} {key.get(name, '')}" for name, each in outlines.items())
    kept = {name: value for name, value in key.items() if name not in outlines}
    return replace(completed, worksheet=replace(completed.worksheet, key=kept)), held


def _empty(exercise: Exercise, session: Session, path: str) -> Result:
    where = f" in `{path}`" if path else ""
    return Result(
        **about_result(exercise, session),
        score=score_of(0, len(exercise.items)),
        gradable=False,
        message=f"Nothing is filled in yet{where}. Save the file and say when it is done.",
    )


def _feedback(exercise: Exercise, result: Result) -> tuple[str, ...]:
    """What came of it, then each error with why the answer is what it is."""
    said = [result.message]
    for error in result.errors:
        question = exercise.question(error.question)
        why = question.explanation.strip() if question else ""
        more = f" {why}" if why and why not in error.detail else ""
        said.append(f"{error.question}: {error.detail}{more}")
    said += [*result.strengths, *result.improvements, *result.remarks]
    return tuple(each for each in said if each)
