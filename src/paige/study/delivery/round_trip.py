"""Giving an exercise out, and marking everything that comes back at once.

A worksheet comes back as its file, as its text, or field by field. Answers one by one, with hints
in between, are in `open_exercise.py`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from anyio import to_thread

from paige.base.errors import BadInput, Conflict, Refused
from paige.base.files import write_atomic, write_error
from paige.exercise.hints import Ladder
from paige.exercise.ids import stamp
from paige.exercise.result import Result
from paige.exercise.values import AnswerMark, Modality, score_of
from paige.exercise.worksheet.lines import read_worksheet_text, write_status
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import parse_worksheet
from paige.exercise.worksheet.values import Answer as SheetAnswer
from paige.exercise.worksheet.values import ReturnedSheet, Worksheet
from paige.study.delivery.code import all_passed
from paige.study.delivery.photos import mark_photo
from paige.study.delivery.results import (
    Session,
    about_result,
    attempt_of,
    evaluated,
    of_exercise,
    self_checked,
)
from paige.study.delivery.speech import place_audio
from paige.study.delivery.texts import mark_text
from paige.study.exercise_tools import ExerciseTools
from paige.study.generation.words import plain
from paige.study.values import COMPARE, Answer, Evaluation, Exercise, Question, QuestionResult

_MOST_NAMES = 100
_CACHES = ("__pycache__", ".pytest_cache", "node_modules")


def place_files(tools: ExerciseTools, exercise: Exercise, now: datetime) -> Exercise:
    """Write an exercise's files, unless they are there already. Raises: Refused, Unavailable."""
    if exercise.file_path is not None or not exercise.files:
        return exercise
    folder = f"{tools.learner}/{exercise.course}/{exercise.folder}"
    if exercise.kind == "code":
        put_away(tools, folder, now)
        for name, text in exercise.files.items():
            _write(tools, f"{folder}/{name}", text)
        return replace(exercise, file_path=folder)
    ((name, text),) = exercise.files.items()
    return replace(exercise, file_path=_write_new(tools, f"{folder}/{name}", text))


def put_away(tools: ExerciseTools, folder: str, now: datetime) -> Path | None:
    """Move what is in a code exercise's folder to a folder of its own; nothing is lost."""
    place = tools.root / PurePosixPath(folder)
    try:
        entries = [each for each in place.iterdir() if not _is_variant(each)]
    except FileNotFoundError:
        return None
    kept = [each for each in entries if each.name not in _CACHES]
    if not kept:
        return None
    moment = now
    while (place / stamp(moment)).exists():
        moment += timedelta(seconds=1)
    older = place / stamp(moment)
    try:
        older.mkdir()
        for each in kept:
            each.rename(older / each.name)
    except OSError as error:
        raise write_error(older, error) from error
    return older


def mark_evaluated(tools: ExerciseTools, path: str) -> None:
    """Say in a worksheet that it was looked at."""
    write_status(tools.place(path), "evaluated")


def _is_variant(entry: Path) -> bool:
    name = entry.name
    return entry.is_dir() and len(name) == 16 and name[8] == "T" and name.endswith("Z")


def _write(tools: ExerciseTools, path: str, text: str) -> None:
    parts = PurePosixPath(path).parts
    if ".." in parts or path.startswith("/"):
        raise Refused(f"`{path}` is not a path inside the folder")
    if any(part.startswith(".") for part in parts):  # hidden files are no documents
        write_atomic(tools.root / PurePosixPath(path), text)
        return
    tools.documents.write(path, text, base="")


def _write_new(tools: ExerciseTools, path: str, text: str) -> str:
    """Write a file under this name, or under the next one that is free."""
    plain = PurePosixPath(path)
    for number in range(1, _MOST_NAMES):
        suffix = f"-{number}" if number > 1 else ""
        name = plain.with_name(f"{plain.stem}{suffix}{plain.suffix}").as_posix()
        try:
            tools.documents.write(name, text, base="")
        except Conflict:
            continue
        return name
    raise Conflict(f"There are too many files named like `{path}`")


NO_JUDGE = (
    "Nobody here can judge an outline without a model: compare yours with what a good one holds."
)


def mark_sheet(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
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
        return Evaluation(result=unjudged, feedback=(*compare, COMPARE), compare=True)
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
) -> tuple[ReturnedSheet, str]:
    if answer.parts:
        return _by_field(template, answer.parts), ""
    if answer.text.strip():
        return parse_worksheet(answer.text, template=template), ""
    path = answer.path or exercise.file_path or ""
    text = read_worksheet_text(tools.place(path))
    return parse_worksheet(text, template=template), path


def _by_field(template: Worksheet, given: Mapping[str, str]) -> ReturnedSheet:
    """A worksheet whose answers came one by one; several blanks are separated by semicolons."""
    answers: dict[str, SheetAnswer] = {}
    for question in template.questions:
        text = given.get(question.id, "")
        section = template.section(question.section)
        blanks = 1 if section is not None and section.matching else question.blanks
        parts = text.split(";", blanks - 1) if blanks > 1 else [text]
        padded = [*(each.strip() for each in parts), *([""] * blanks)]
        answers[question.id] = SheetAnswer(question.id, tuple(padded[:blanks]), 0)
    return ReturnedSheet(worksheet=template, answers=answers)


def _marked_part(
    exercise: Exercise, completed: ReturnedSheet
) -> tuple[ReturnedSheet, tuple[str, ...]]:
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


Mark = Callable[[ExerciseTools, Exercise, Answer, Ladder, Session], Awaitable[Evaluation]]


async def place(tools: ExerciseTools, exercise: Exercise, now: datetime) -> Exercise:
    """Write an exercise's files and recordings; it knows afterwards where they are."""
    if exercise.modality == "audio":
        return await to_thread.run_sync(place_audio, tools, exercise)
    return await to_thread.run_sync(place_files, tools, exercise, now)


async def mark_whole(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
    """What came of an exercise that is handed in as a whole.

    Raises: NotFound, BadInput, Unavailable, ProviderFailed.
    """
    return await _WHOLE[exercise.modality](tools, exercise, answer, ladder, session)


async def _mark_sheet(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
    return await to_thread.run_sync(mark_sheet, tools, exercise, answer, ladder, session)


_WHOLE: Mapping[Modality, Mark] = {
    "worksheet": _mark_sheet,
    "long_form": mark_text,
    "image_review": mark_photo,
}


def judged_code(question: Question, result: Result, ladder: Ladder) -> QuestionResult:
    """The code of a pair as one more question that was answered."""
    share = result.score.percentage if result.gradable else 0.0
    verdict = "correct" if all_passed(result) else "partial" if share > 0.5 else "incorrect"
    kind = next((each.error_type for each in result.errors if each.error_type), None)
    marked = AnswerMark(verdict, round(share, 4), result.message, kind)
    return QuestionResult(question.id, "", marked, replace(ladder, solved=all_passed(result)))


def explained(
    exercise: Exercise, judged: list[QuestionResult] | tuple[QuestionResult, ...], result: Result
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
