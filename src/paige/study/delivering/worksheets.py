"""Marking a worksheet that came back: from its file, from its text, or field by field."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from paige.base.errors import BadInput
from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.values import Marked, Marker, score_of
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
)
from paige.study.desk import Desk
from paige.study.generating.words import plain
from paige.study.values import Answer, Evaluated, Exercise

_ENOUGH_WORDS, _SOME_WORDS = 8, 3


def mark_sheet(
    desk: Desk, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    """What a worksheet came to; an empty one is no attempt. Raises: NotFound, BadInput."""
    template = template_of(exercise)
    completed, path = _completed(desk, exercise, answer, template)
    if not any(each.answered for each in completed.answers.values()):
        return evaluated(_empty(exercise, session, path))
    attempt = replace(
        attempt_of(exercise, session, ladder.hints_used, ladder.answer_shown),
        file_path=path or exercise.file_path,
    )
    marked = mark_worksheet(completed, _marker(exercise, desk.mark), attempt)
    result = of_exercise(marked, exercise, session)
    if path and result.gradable:
        mark_evaluated(desk, path)
    return replace(evaluated(result), feedback=_feedback(exercise, result))


def template_of(exercise: Exercise) -> Worksheet:
    """The worksheet as it was given out, with its key. Raises: BadInput."""
    if len(exercise.files) != 1:
        raise BadInput(f"The exercise `{exercise.id}` is no worksheet")
    (text,) = exercise.files.values()
    return parse_worksheet(text).worksheet


def _completed(
    desk: Desk, exercise: Exercise, answer: Answer, template: Worksheet
) -> tuple[Completed, str]:
    if answer.parts:
        return _by_field(template, answer.parts), ""
    if answer.text.strip():
        return parse_worksheet(answer.text, key=template.key, template=template), ""
    path = answer.path or exercise.file_path or ""
    text = read_worksheet_text(desk.place(path))
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


def _marker(exercise: Exercise, mark: Marker) -> Callable[[str, str, str], Marked]:
    kinds = {each.prompt: each.kind for each in exercise.items}

    def marked(prompt: str, reference: str, answer: str) -> Marked:
        if kinds.get(prompt) == "long_form":
            return mark_notes(reference, answer)
        return mark(prompt, reference, answer)

    return marked


def mark_notes(reference: str, answer: str) -> Marked:
    """Notes for an answer: nobody can know what they should say, only whether they say enough."""
    count = len({each.casefold() for each in answer.split() if plain(each)})
    same = plain(answer) and plain(answer) == plain(reference)
    if same or count >= _ENOUGH_WORDS:
        return Marked("correct", 1.0, "Addressed.", None, reference)
    if count >= _SOME_WORDS:
        return Marked("partial", 0.5, "A start; say what happened and what you did.")
    return Marked("incorrect", 0.0, "Too short to build an answer on.")


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
