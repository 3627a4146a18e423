"""Worksheets and response files: written, filled in by hand, marked, kept apart."""

from pathlib import Path
from typing import Any

import pytest

from paige.base.errors import NotFound
from paige.exercise.hints import Ladder
from paige.exercise.worksheet.parse import parse_worksheet
from paige.learner.files import LearnerFiles
from paige.study.delivery.open_exercise import begin, take
from paige.study.delivery.presentation import present
from paige.study.delivery.round_trip import NO_JUDGE, place
from paige.study.generation.generator import generate
from paige.study.generation.worksheets import fill_in, right_answers
from paige.study.remediation import history_of
from paige.study.values import Answer, Exercise, ExerciseRequest, HintWanted
from tests.conftest import NOON
from tests.study.desks import evaluate, local_desk
from tests.study.small_courses import INTERVIEW, interview, malay, read, write_course

pytestmark = pytest.mark.anyio
WANTED = ExerciseRequest(concept_id="greetings", modality="worksheet", bloom="remember")


async def given(root: Path, wanted: ExerciseRequest = WANTED) -> Exercise:
    exercise = generate(malay(root), wanted, seed=3, now=NOON)
    return await place(local_desk(root), exercise, NOON)


def write_answers(root: Path, exercise: Exercise, wrong: tuple[str, ...] = ()) -> None:
    path = root / (exercise.file_path or "")
    text = path.read_text()
    sheet = parse_worksheet(text).worksheet
    answers = {
        name: ("something else",) * len(parts) if name in wrong else parts
        for name, parts in right_answers(sheet).items()
    }
    path.write_text(fill_in(text, sheet, answers))


async def test_a_worksheet_is_a_file_in_the_learners_folder(tmp_path: Path) -> None:
    exercise = await given(tmp_path)

    assert exercise.file_path == "learner/malay/worksheets/20260302T120000Z-greetings.md"
    text = (tmp_path / exercise.file_path).read_text()
    assert "<!-- status: pending -->" in text
    shown = present(exercise)
    assert shown.open == (exercise.file_path,)
    assert shown.pauses
    answers = [each for one in exercise.items for each in one.answers if len(each) > 6]
    assert not any(each in shown.body for each in answers)


async def test_a_filled_in_worksheet_is_marked_and_says_so(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    desk = local_desk(tmp_path)
    write_answers(tmp_path, exercise)

    taken = await take(desk, begin(exercise, NOON), Answer(), NOON)

    assert taken.evaluated is not None
    result = taken.evaluated.result
    assert result.score.percentage == 1.0
    assert result.fsrs_rating == 4
    assert result.modality == "worksheet"
    assert result.exercise_id == "20260302T120000Z-greetings-ws"
    assert "<!-- status: evaluated -->" in (tmp_path / str(exercise.file_path)).read_text()
    assert taken.sitting.over


async def test_errors_name_the_item_and_explain_the_answer(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    wrong = next(each for each in exercise.items if each.explanation and not each.choices)
    write_answers(tmp_path, exercise, (wrong.id,))

    done = await evaluate(local_desk(tmp_path), exercise, Answer(), Ladder(), NOON)

    (error,) = done.result.errors
    assert error.question == wrong.id
    assert error.extra["item"] == wrong.item_id
    line = next(each for each in done.feedback if each.startswith(f"{wrong.id}:"))
    assert wrong.explanation.split("\n")[0] in line


async def test_an_empty_worksheet_is_no_attempt(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), Answer(), NOON)
    assert taken.evaluated is None
    assert not taken.sitting.over
    assert "Nothing is filled in yet" in taken.says[0]


async def test_a_deleted_worksheet_is_named(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    (tmp_path / str(exercise.file_path)).unlink()
    with pytest.raises(NotFound, match="greetings"):
        await take(local_desk(tmp_path), begin(exercise, NOON), Answer(), NOON)


async def test_answers_may_come_field_by_field(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    sheet = parse_worksheet(next(iter(exercise.files.values()))).worksheet
    parts = {name: "; ".join(each) for name, each in right_answers(sheet).items()}
    answer = Answer(parts=parts)
    done = await evaluate(local_desk(tmp_path), exercise, answer, Ladder(), NOON)
    assert done.result.score.percentage == 1.0


async def test_an_edited_key_changes_nothing_and_is_told(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    path = tmp_path / str(exercise.file_path)
    wrong = next(each for each in exercise.items if each.kind == "translate" and not each.choices)
    write_answers(tmp_path, exercise, (wrong.id,))
    text = path.read_text()
    first = f"{wrong.id}: "
    line = next(each for each in text.split("\n") if each.startswith(first))
    path.write_text(text.replace(line, f"{first}something else"))

    done = await evaluate(local_desk(tmp_path), exercise, Answer(), Ladder(), NOON)

    assert [each.question for each in done.result.errors] == [wrong.id]
    assert any("answer key" in each for each in done.feedback)


async def test_two_worksheets_of_one_second_have_two_names(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = generate(malay(tmp_path), WANTED, seed=3, now=NOON)
    first = await place(desk, exercise, NOON)
    second = await place(desk, exercise, NOON)
    assert first.file_path != second.file_path
    assert (tmp_path / str(second.file_path)).is_file()
    assert await place(desk, first, NOON) == first


async def test_an_outline_is_compared_and_only_the_rest_is_marked(tmp_path: Path) -> None:
    course = interview(tmp_path)
    wanted = ExerciseRequest(concept_id="conflict", modality="worksheet", bloom="apply")
    exercise = generate(course, wanted, seed=1, now=NOON)
    told = "Two people in my team wanted the same week off in summer"
    outline = [each.id for each in exercise.items if each.kind == "long_form"]
    closed = [each for each in exercise.items if each.kind != "long_form"]
    parts = {**dict.fromkeys(outline, told), **{each.id: each.answers[0] for each in closed}}
    done = await evaluate(local_desk(tmp_path), exercise, Answer(parts=parts), Ladder(), NOON)
    answers: Any = done.result.details_extra["answers"]
    assert closed
    assert [each["question"] for each in answers] == [each.id for each in closed]
    assert done.result.score.total == len(closed)
    assert done.feedback[-1].startswith(NO_JUDGE)


async def test_a_sheet_of_nothing_but_an_outline_is_rated_by_its_writer(tmp_path: Path) -> None:
    outlines = [each for each in INTERVIEW if each["kind"] == "long_form"]
    config = {"title": "Interviews", "domain_type": "interview"}
    concepts = [{"id": "conflict", "title": "Conflict", "concept_type": "knowledge recall"}]
    write_course(tmp_path, "interview", config, concepts, {"conflict": outlines})
    wanted = ExerciseRequest(concept_id="conflict", modality="worksheet", bloom="apply")
    only = generate(read(tmp_path, "interview"), wanted, seed=1, now=NOON)
    parts = {each.id: "We talked about it and took turns" for each in only.items}
    desk = local_desk(tmp_path)
    taken = await take(desk, begin(only, NOON), Answer(parts=parts), NOON)
    assert taken.evaluated is None
    assert taken.says[0].startswith(NO_JUDGE)
    done = await take(desk, taken.sitting, Answer(self_check="right"), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.source == "self"


async def test_a_hint_for_a_worksheet_gives_nothing_away(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), HintWanted(), NOON)
    assert taken.says == ("Fill in what you know; leave the rest open.",)


async def test_what_was_asked_and_missed_comes_back_as_history(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    wrong = next(each for each in exercise.items if not each.choices)
    write_answers(tmp_path, exercise, (wrong.id,))
    done = await evaluate(local_desk(tmp_path), exercise, Answer(), Ladder(), NOON)
    files = LearnerFiles(local_desk(tmp_path).documents)
    files.record("malay", done.result, session="20260302T120000Z", change_id="c1", now=NOON)

    (past,) = history_of(files.changes("malay"), "greetings")

    assert past.item_ids == exercise.item_ids
    assert past.missed == (wrong.item_id,)
    assert past.modality == "worksheet"
    assert past.kind == exercise.kind
