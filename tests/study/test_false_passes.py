"""What earns nothing: answers that name everything, say nothing, or are marked against nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from paige.base.errors import BadInput, NotFound
from paige.exercise.marking.marker import mark
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import (
    BLANK,
    Answer,
    Question,
    ReturnedSheet,
    Section,
    Worksheet,
)
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import ReplCase
from paige.study.delivery.judge import mark_entry
from paige.study.delivery.open_exercise import begin, take
from paige.study.delivery.round_trip import place
from paige.study.delivery.rules import mark_answer
from paige.study.generation.generator import generate
from paige.study.values import Answer as Answered
from paige.study.values import ExerciseRequest, StepOutcome
from paige.study.values import Question as Asked
from tests.conftest import NOON
from tests.study.desks import local_desk
from tests.study.small_course import FIVE, write_five
from tests.study.small_courses import algorithms


def asked(answers: Sequence[str] = ("Paris",), **more: Any) -> Asked:
    given = {"id": "1", "prompt": "What is the capital of France?", "kind": "short", **more}
    return Asked(answers=tuple(answers), **given)


GUESSES = [
    (asked(), "Paris London Rome Berlin"),
    (asked(), "Paris, London, Rome"),
    (asked(), "London / Paris"),
    (asked(), "Paris; London"),
    (asked(), "maybe Paris maybe London"),
    (asked(), "Paris London"),
    (asked(["selamat pagi"]), "selamat pagi selamat petang selamat malam"),
    (asked(["true"], kind="true_false"), "true false because it is so"),
    (asked(["true"], kind="true_false"), "true or false, it depends on this"),
    (asked(["B"], choices=("x", "y", "z"), key=("B",)), "A B C"),
    (asked(["- +"], kind="order", key=("-", "+")), "! ?"),
]


@pytest.mark.parametrize(("question", "answer"), GUESSES)
def test_whoever_names_everything_has_not_answered(question: Asked, answer: str) -> None:
    assert mark_answer(question, answer, mark, "language", ("London",)).verdict != "correct"


@pytest.mark.parametrize(
    "answer", ["It is Paris", "Paris, France", "The capital of France is Paris.", "Paris, I think"]
)
def test_an_answer_in_a_sentence_is_still_right(answer: str) -> None:
    assert mark_answer(asked(), answer, mark, "language", ("London",)).verdict == "correct"


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        *(("B", each) for each in ("A, B", "A B", "B A", "a b", "B or A", "B and C", "A B C D")),
        *(("A", each) for each in ("A, B", "A or B", "options A and B")),
        *(("true", each) for each in ("true false", "true/false", "true or false", "false, true")),
        ("yes", "yes no"),
        ("no", "no, yes"),
    ],
)
def test_of_few_choices_several_earn_nothing(reference: str, answer: str) -> None:
    assert mark("Which one?", reference, answer).score == 0.0


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("B", "B) a verb"), ("B", "B"), ("B", "Answer: b"), ("A", "A."), ("true", "true, not false")],
)
def test_one_choice_with_words_behind_it_is_right(reference: str, answer: str) -> None:
    assert mark("Which one?", reference, answer).verdict == "correct"


@pytest.mark.parametrize("entry", ["", " ", "# only a remark", "\n\n"])
def test_an_entry_that_does_nothing_is_no_entry(entry: str) -> None:
    question = asked(kind="repl", cases=(ReplCase("x = 1", "None"),))
    assert mark_entry(question, entry).score == 0.0


def test_an_entry_with_nothing_to_try_it_on_is_not_right() -> None:
    with pytest.raises(BadInput):
        mark_entry(asked(kind="repl"), "1 + 1")


def sheet(prompt: str, key: dict[str, str], *parts: str) -> ReturnedSheet:
    questions = (Question(1, 1, prompt),)
    section = Section(number=1, title="One", questions=questions)
    worksheet = Worksheet(
        course="c", concept="x", title="X", sections=(section,), generated="2026-03-02", key=key
    )
    return ReturnedSheet(worksheet=worksheet, answers={"1.1": Answer("1.1", parts, 3)})


def test_a_blank_that_is_missing_is_wrong() -> None:
    result = mark_worksheet(sheet("___ and ___", {"1.1": "salt; pepper"}, "salt"))
    assert result.score.percentage < 1.0


@pytest.mark.parametrize("key", [{"1.1": ""}, {"1.1": "  "}, {"2.7": "salt"}])
def test_a_worksheet_whose_key_says_nothing_is_not_graded(key: dict[str, str]) -> None:
    result = mark_worksheet(sheet("___", key, "salt"))
    assert not result.gradable
    assert result.score.percentage == 0.0


# --- code -----------------------------------------------------------------------------------------


async def handed_in(root: Path, answer: Callable[[Path], Answered]) -> StepOutcome:
    wanted = ExerciseRequest(concept_id="search", modality="code", bloom="apply")
    desk = local_desk(root)
    exercise = await place(desk, generate(algorithms(root), wanted, seed=2, now=NOON), NOON)
    return await take(desk, begin(exercise, NOON), answer(root / str(exercise.file_path)), NOON)


def weakened(folder: Path) -> Answered:
    """The tests in the learner's own folder let everything pass."""
    (folder / "test_exercise.py").write_text("def test_all():\n    pass\n")
    return Answered()


def elsewhere(folder: Path) -> Answered:
    """Another folder with easy tests."""
    other = folder.parent / "easy"
    other.mkdir()
    (other / "exercise.py").write_text("x = 1\n")
    (other / "test_exercise.py").write_text("def test_all():\n    pass\n")
    return Answered(path=str(other))


def worksheet(folder: Path) -> Answered:
    """A worksheet that is all right."""
    path = folder.parent / "done.md"
    text = render_worksheet(sheet("salt and ___", {"1.1": "pepper"}).worksheet)
    path.write_text(text.replace(BLANK, "pepper", 1))
    return Answered(path=str(path))


def only_the_solution(folder: Path) -> Answered:
    """Nothing but the answer is there."""
    (folder / "exercise.py").unlink()
    (folder / "test_exercise.py").unlink()
    return Answered()


@pytest.mark.anyio
@pytest.mark.parametrize("answer", [weakened, elsewhere, worksheet, only_the_solution])
async def test_code_is_tested_by_the_tests_it_was_given_with(
    answer: Callable[[Path], Answered], tmp_path: Path
) -> None:
    try:
        taken = await handed_in(tmp_path, answer)
    except (BadInput, NotFound):
        return
    assert taken.correct is False
    assert taken.evaluated is None


# --- texts ----------------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["x " * 300, "lorem ipsum dolor sit amet. " * 40])
async def test_a_text_about_nothing_gets_no_mark(text: str, tmp_path: Path) -> None:
    wanted = ExerciseRequest(concept_id="shape", modality="long_form", bloom="analyze")
    write_five(tmp_path)
    course = load_course(DirectoryDocuments(tmp_path), FIVE)
    exercise = generate(course, wanted, seed=2, now=NOON)
    assert exercise.reference or exercise.points
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), Answered(text=text), NOON)
    assert taken.evaluated is None
    assert taken.correct is None
