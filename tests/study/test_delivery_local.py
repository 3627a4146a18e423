"""What holds for every exercise of the shipped courses, by rules alone."""

import re
from pathlib import Path

import pytest

from paige.exercise.hints import WORKED_STEP, Ladder
from paige.exercise.worksheet.parse import parse_worksheet
from paige.study.courses.catalogue import load_course, shipped_documents
from paige.study.courses.values import Course
from paige.study.delivery.open_exercise import begin, take
from paige.study.delivery.presentation import present, show
from paige.study.delivery.round_trip import place
from paige.study.generation.generator import generate
from paige.study.generation.material import possible
from paige.study.generation.worksheets import right_answers
from paige.study.values import Answer, Exercise, ExerciseRequest, HintWanted, OpenExercise, Question
from tests.conftest import NOON
from tests.study.desks import evaluate, local_desk
from tests.study.kept_sittings import kept

pytestmark = pytest.mark.anyio
COURSES = ("bahasa-melayu", "python-algorithms", "how-memory-works")
ASKED_ONE_BY_ONE = ("conversation", "flashcard", "audio", "collaborative", "repl")


def every(course: Course, seed: int = 1) -> list[Exercise]:
    return [
        generate(
            course,
            ExerciseRequest(
                concept_id=concept, modality=modality, bloom=course.concept(concept).bloom
            ),
            seed=seed,
            now=NOON,
        )
        for concept in course.concepts
        for modality in sorted(possible(course, concept))
    ]


def right(question: Question) -> str:
    if question.choices:
        return ", ".join(question.key)
    if question.kind == "true_false" and question.answers in (("true",), ("false",)):
        return f"{question.answers[0]}, because {question.explanation}"
    if len(question.blanks) > 1:
        return "; ".join(each[0] for each in question.blanks)
    return question.answers[0]


@pytest.mark.parametrize("name", COURSES)
async def test_the_courses_own_answers_are_right(name: str, tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    for exercise in every(load_course(shipped_documents(), name)):
        if exercise.modality == "worksheet":
            sheet = parse_worksheet(next(iter(exercise.files.values()))).worksheet
            parts = {key: "; ".join(each) for key, each in right_answers(sheet).items()}
            done = await evaluate(desk, exercise, Answer(parts=parts), Ladder(), NOON)
            assert done.result.score.percentage == 1.0, (exercise.item_ids, done.feedback)
        if exercise.modality not in ASKED_ONE_BY_ONE:
            continue
        sitting = begin(await place(desk, exercise, NOON), NOON)
        while sitting.question is not None and sitting.question.kind != "code":
            question = sitting.question
            taken = await take(desk, sitting, Answer(text=right(question)), NOON)
            assert taken.correct, (question.item_id, right(question), taken.says)
            sitting = taken.sitting


@pytest.mark.parametrize("name", COURSES)
async def test_no_hint_of_a_course_tells_an_answer(name: str, tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    for exercise in every(load_course(shipped_documents(), name), seed=2):
        if exercise.modality != "conversation":
            continue
        for at, question in enumerate(exercise.items):
            sitting = OpenExercise(exercise=exercise, started=NOON, at=at)
            taken = await take(desk, sitting, Answer(text="zebra crossing"), NOON)
            told = [*taken.says]
            while taken.sitting.ladder.level < WORKED_STEP:
                taken = await take(desk, taken.sitting, HintWanted(), NOON)
                told += taken.says
            assert taken.sitting.at == at
            shown = f"{question.prompt} {question.context} {' '.join(question.choices)}".casefold()
            answer = question.answers[0]
            if len(answer) > 3 and answer.casefold() not in shown:
                found = re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", " ".join(told), re.I)
                assert not found, (question.item_id, told)


@pytest.mark.parametrize("name", COURSES)
def test_what_is_shown_holds_no_answer_and_everything_survives_being_written_down(
    name: str,
) -> None:
    for exercise in every(load_course(shipped_documents(), name), seed=3):
        sitting = begin(exercise, NOON)
        assert kept(sitting) == sitting
        for shown in (present(exercise), show(sitting)):
            assert shown.body.strip()
            for question in exercise.items:
                long = [each for each in question.answers if len(each) > 20]
                asked = f"{exercise.prompt} {question.prompt} {question.context}"
                leaks = [each for each in long if each in shown.body and each not in asked]
                assert not leaks or question.choices, (question.item_id, leaks)
