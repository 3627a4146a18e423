"""Code in a folder, entries at a prompt, and a partner to program with: run in the sandbox."""

from pathlib import Path
from typing import Any

import pytest

from paige.base.errors import NotFound, Refused
from paige.exercise.hints import Ladder
from paige.store.engine import Database
from paige.study.courses.values import ReplCase
from paige.study.delivery.code import CodeReview
from paige.study.delivery.judge import mark_entry, same_output
from paige.study.delivery.open_exercise import NO_PARTNER, begin, finish, take
from paige.study.delivery.presentation import present, show
from paige.study.delivery.round_trip import place
from paige.study.generation.generator import generate
from paige.study.values import Answer, Exercise, ExerciseRequest, GaveUp, HintWanted, Question
from tests.conftest import NOON
from tests.fakes.model_server import ModelServer
from tests.study.desks import evaluate, local_desk, model_desk, says, words_of
from tests.study.small_courses import algorithms, read

pytestmark = pytest.mark.anyio
RIGHT = """def search(items, target):
    for position, each in enumerate(items):
        if each == target:
            return position
    return -1
"""
WRONG = "def search(items, target):\n    return 0\n"


async def given(root: Path, item: str = "b-code", **more: Any) -> Exercise:
    course = algorithms(root)
    wanted = ExerciseRequest(
        concept_id="search", modality="code", bloom="apply", items=(item,), **more
    )
    return await place(local_desk(root), generate(course, wanted, seed=1, now=NOON), NOON)


def write(root: Path, exercise: Exercise, source: str) -> None:
    path = root / str(exercise.file_path) / "exercise.py"
    text = path.read_text()
    head = text[: text.index('"""\n', text.index('"""') + 3) + 4]
    path.write_text(f"{head}\n\n{source}")


async def test_a_code_exercise_lies_in_a_folder_for_its_concept(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    folder = tmp_path / "learner" / "algorithms" / "exercises" / "search"
    assert {each.name for each in folder.iterdir()} == {
        *("exercise.py", "test_exercise.py", "solution.py")
    }
    shown = present(exercise)
    assert shown.open == ("learner/algorithms/exercises/search/exercise.py",)
    assert shown.run == "python3 learner/algorithms/exercises/search/test_exercise.py"
    assert "middle = (low + high) // 2" not in shown.body


async def test_code_that_passes_its_tests_is_over(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, RIGHT)
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), Answer(), NOON)
    assert taken.evaluated is not None
    result = taken.evaluated.result
    assert result.score.percentage == 1.0
    assert result.fsrs_rating >= 3
    assert result.modality == "code"
    assert result.extra["asked"]["items"] == ["b-code"]  # type: ignore[index]


async def test_code_that_fails_may_be_mended_and_hints_do_not_tell_the_solution(
    tmp_path: Path,
) -> None:
    exercise = await given(tmp_path)
    desk = local_desk(tmp_path)
    write(tmp_path, exercise, WRONG)
    first = await take(desk, begin(exercise, NOON), Answer(), NOON)
    assert first.evaluated is None
    assert first.correct is False
    assert "low = middle + 1" not in " ".join(first.says)
    hinted = await take(desk, first.sitting, HintWanted(), NOON)
    assert hinted.says[0] == "What are the borders?"
    write(tmp_path, exercise, RIGHT)
    done = await take(desk, hinted.sitting, Answer(), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.hints_used == 1
    assert done.evaluated.result.fsrs_rating == 2


async def test_code_can_be_handed_in_as_it_is(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, WRONG)
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), Answer(final=True), NOON)
    assert taken.evaluated is not None
    assert taken.evaluated.result.fsrs_rating == 1
    assert taken.sitting.over


async def test_the_solution_is_shown_to_somebody_who_gives_up_and_counts_as_again(
    tmp_path: Path,
) -> None:
    exercise = await given(tmp_path)
    desk = local_desk(tmp_path)
    write(tmp_path, exercise, WRONG)
    first = await take(desk, begin(exercise, NOON), Answer(), NOON)
    shown = await take(desk, first.sitting, GaveUp(), NOON)
    assert "low = middle + 1" in shown.says[0]
    assert shown.evaluated is not None
    assert shown.evaluated.result.answer_shown
    assert shown.evaluated.result.fsrs_rating == 1


async def test_code_that_python_cannot_read_is_no_attempt(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, "def search(items, target:\n")
    taken = await take(local_desk(tmp_path), begin(exercise, NOON), Answer(), NOON)
    assert taken.evaluated is None
    assert taken.sitting.ladder.attempts == 0


async def test_an_older_exercise_is_kept_as_it_was(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, RIGHT)
    folder = tmp_path / str(exercise.file_path)
    (folder / "notes.txt").write_text("mine")
    (folder / "photo.png").write_bytes(b"\x89PNG\xff\xfe")
    second = generate(
        read(tmp_path, "algorithms"),
        ExerciseRequest(concept_id="search", modality="code", bloom="apply", items=("b-double",)),
        seed=1,
        now=NOON,
    )
    await place(local_desk(tmp_path), second, NOON)
    older = folder / "20260302T120000Z"
    assert RIGHT in (older / "exercise.py").read_text()
    assert (older / "notes.txt").read_text() == "mine"
    assert (older / "photo.png").is_file()
    assert "def times" in (folder / "exercise.py").read_text()
    third = await place(local_desk(tmp_path), second, NOON)
    assert (folder / "20260302T120001Z" / "exercise.py").is_file()
    assert third.file_path == "learner/algorithms/exercises/search"


async def test_a_file_elsewhere_counts_only_for_somebody_at_this_machine(tmp_path: Path) -> None:
    exercise = await given(tmp_path / "teaching")
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    for name, text in exercise.files.items():
        (outside / name).write_text(text)
    (outside / "exercise.py").write_text(RIGHT)
    at_home = local_desk(tmp_path / "teaching")
    done = await evaluate(at_home, exercise, Answer(path=str(outside)), Ladder(), NOON)
    assert done.result.score.percentage == 1.0
    served = local_desk(tmp_path / "teaching", anywhere=False)
    with pytest.raises(Refused):
        await evaluate(served, exercise, Answer(path=str(outside)), Ladder(), NOON)
    with pytest.raises(NotFound):
        await evaluate(at_home, exercise, Answer(path="nothing/here"), Ladder(), NOON)


async def test_when_time_is_up_code_counts_as_it_is(tmp_path: Path) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, WRONG)
    ended = await finish(local_desk(tmp_path), begin(exercise, NOON), NOON)
    assert ended.evaluated is not None
    assert ended.sitting.over
    assert ended.evaluated.result.score.percentage < 1.0


async def test_a_model_reads_the_code_and_asks_about_it(tmp_path: Path, db: Database) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, RIGHT)
    review = CodeReview(
        uses_concept=False,
        comments=["The names are clear.", "It looks at every item, though the list is sorted."],
        question="Why does it stop at the first match?",
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(review))
        done = await evaluate(desk, exercise, Answer(), Ladder(), NOON)
        told = words_of(server.requests[0])
    assert "The names are clear." in done.feedback
    assert done.feedback[-1] == "Why does it stop at the first match?"
    assert done.result.score.percentage == 1.0
    assert "enumerate(items)" in told
    assert "low = middle + 1" not in told


async def test_a_models_review_of_failing_code_does_not_hand_over_the_solution(
    tmp_path: Path, db: Database
) -> None:
    exercise = await given(tmp_path)
    write(tmp_path, exercise, WRONG)
    solution = exercise.items[0].answers[0]
    review = CodeReview(uses_concept=False, comments=[f"Write this: {solution}"], question="Why?")
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(review))
        done = await evaluate(desk, exercise, Answer(), Ladder(attempts=1), NOON)
    assert "low = middle + 1" not in " ".join(done.feedback)


# --- entries at a prompt --------------------------------------------------------------------------


def entry(**more: Any) -> Question:
    given: dict[str, Any] = {
        "id": "1",
        "prompt": "Give the middle position of items.",
        "kind": "repl",
        "answers": ("len(items) // 2",),
        "cases": (
            ReplCase("items = [1, 3, 5, 7]\nprint('noise')", "2"),
            ReplCase("items = [1, 2]", "1"),
        ),
    }
    return Question(**given | more)


@pytest.mark.parametrize(
    ("typed", "verdict", "says_"),
    [
        ("len(items) // 2", "correct", "Right"),
        ("middle = len(items) // 2\nprint(middle)", "correct", "Right"),
        ("2", "partial", "not when it begins with"),
        ("len(items) / 2", "incorrect", "It printed `2.0`"),
        ("len(item) // 2", "incorrect", "NameError"),
        ("len(items", "incorrect", "cannot be read"),
        ("x = 1", "incorrect", "printed nothing"),
        ("while True: pass", "incorrect", "ran too long"),
        ("  ", "incorrect", "no entry"),
        ("raise SystemExit(3)", "incorrect", "SystemExit"),
    ],
)
def test_an_entry_is_judged_by_what_it_prints(typed: str, verdict: str, says_: str) -> None:
    marked = mark_entry(entry(), typed)
    assert marked.verdict == verdict
    assert says_ in marked.feedback


def test_an_off_by_one_is_recognised() -> None:
    assert mark_entry(entry(), "len(items) // 2 + 1").error_type == "off_by_one"


def test_outputs_are_compared_line_by_line() -> None:
    assert same_output("['a', 'b']\n", '["a", "b"]')
    assert same_output("1 \n2\n", "1\n2")
    assert not same_output("1\n2", "1 2")


async def test_a_prompt_is_a_sitting_with_hints(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    wanted = ExerciseRequest(concept_id="search", modality="repl", bloom="remember")
    exercise = generate(course, wanted, seed=1, now=NOON)
    desk = local_desk(tmp_path)
    start = begin(exercise, NOON)
    shown = show(start)
    assert shown.answered_by == "entry"
    assert "items = [1, 3, 5, 7]" in shown.body
    wrong = await take(desk, start, Answer(text="items[2]"), NOON)
    assert wrong.correct is False
    assert "len(items)" not in " ".join(wrong.says)
    done = await take(desk, wrong.sitting, Answer(text="len(items) // 2"), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.modality == "repl"
    assert done.evaluated.result.score.percentage == 1.0


# --- with a partner -------------------------------------------------------------------------------


async def test_a_pair_talks_about_tests_first_and_then_writes_code(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    wanted = ExerciseRequest(
        concept_id="search", modality="collaborative", bloom="apply", items=("b-code",)
    )
    desk = local_desk(tmp_path)
    exercise = await place(desk, generate(course, wanted, seed=1, now=NOON), NOON)
    sitting = begin(exercise, NOON)
    first = await take(desk, sitting, Answer(text="1"), NOON)
    assert first.correct
    assert first.says[0] == NO_PARTNER.format(name="Robin")
    second = await take(desk, first.sitting, Answer(text="-1"), NOON)
    shown = show(second.sitting)
    assert shown.answered_by == "folder"
    assert shown.open == ("learner/algorithms/exercises/search/exercise.py",)
    write(tmp_path, exercise, RIGHT)
    done = await take(desk, second.sitting, Answer(), NOON)
    assert done.evaluated is not None
    result = done.evaluated.result
    assert result.modality == "collaborative"
    assert (result.score.correct, result.score.total) == (3, 3)
    assert len(result.tests) == 3
