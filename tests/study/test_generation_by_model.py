"""Items written by a model over the wire: read like a course's file, checked, or left out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paige.models.errors import ProviderFailed
from paige.store.engine import Database
from paige.study.courses.values import Course
from paige.study.generation.by_model import MadeItem, MadeItems, make_exercise
from paige.study.generation.generator import generate
from paige.study.values import ExerciseRequest, PastExercise
from tests.conftest import NOON
from tests.fakes.model_server import Hangup, ModelServer
from tests.fakes.wire_bodies import ANTHROPIC
from tests.study.desks import local_desk, model_desk, says, words_of
from tests.study.small_courses import algorithms, malay

pytestmark = pytest.mark.anyio
_EMPTY: dict[str, Any] = {
    "kind": "short",
    "bloom": "understand",
    "prompt": "",
    "answers": [],
    "pairs": [],
    "distractors": [],
    "direction": "",
    "explanation": "Because it is so.",
    "hints": ["one", "two", "three"],
    "context": "",
    "discrimination": False,
    "points": [],
    "reference": [],
    "starter": "",
    "solution": "",
    "tests": [],
    "imports": [],
    "script": [],
}


def item(**more: Any) -> MadeItem:
    return MadeItem(**_EMPTY | more)


def written(*items: MadeItem) -> MadeItems:
    return MadeItems(items=list(items))


def with_prompt(course: Course, name: str) -> Course:
    told = "Vocabulary on {concept_name}: {n} items for {worksheet|conversation}; {key_vocabulary}"
    return replace(course, prompts={name: told})


CONVERSATION = ExerciseRequest(concept_id="greetings", modality="conversation", bloom="understand")
CODE = ExerciseRequest(concept_id="search", modality="code", bloom="apply")


async def test_items_of_a_model_are_asked_with_their_hints(tmp_path: Path, db: Database) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    made = written(
        item(prompt="Greet your aunt at eight in the morning.", answers=["selamat pagi"]),
        item(prompt="Thank a shopkeeper.", answers=["terima kasih"]),
        item(
            kind="choice",
            prompt="You leave; your host stays. You say:",
            answers=["selamat tinggal"],
            distractors=["selamat jalan", "apa khabar"],
        ),
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(made))
        exercise = await make_exercise(desk, course, CONVERSATION, seed=1, now=NOON)

    assert exercise.source == "anthropic"
    asked = {each.prompt for each in exercise.items}
    assert "Greet your aunt at eight in the morning." in asked
    assert exercise.items[0].hints == ("one", "two", "three")


async def test_the_prompt_of_the_course_is_filled_in_and_past_exercises_are_named(
    tmp_path: Path, db: Database
) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    past = PastExercise(
        at=NOON, exercise_id="x", modality="conversation", prompts=("Greet the teacher at nine.",)
    )
    wanted = ExerciseRequest(
        concept_id="greetings",
        modality="conversation",
        bloom="apply",
        history=(past,),
        focus=("word_order",),
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(written()))
        await make_exercise(desk, course, wanted, seed=1, now=NOON)
        told = words_of(server.requests[0])

    assert "Vocabulary on Greetings: 3 items for conversation" in told
    assert "selamat pagi (good morning)" in told
    assert "Greet the teacher at nine." in told
    assert "word order" in told
    assert "{concept_name}" not in told


async def test_what_is_wrong_in_form_or_was_asked_before_is_left_out(
    tmp_path: Path, db: Database
) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    past = PastExercise(
        at=NOON, exercise_id="x", modality="conversation", prompts=("Thank a shopkeeper.",)
    )
    wanted = ExerciseRequest(
        concept_id="greetings", modality="conversation", bloom="understand", history=(past,)
    )
    made = written(
        item(prompt="No answer at all."),
        item(kind="choice", prompt="One wrong choice only", answers=["a"], distractors=["b"]),
        item(kind="riddle", prompt="No such kind", answers=["a"]),
        item(prompt="Thank a shopkeeper!", answers=["terima kasih"]),
        item(prompt="Say sorry for being late.", answers=["maaf"]),
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(made))
        exercise = await make_exercise(desk, course, wanted, seed=1, now=NOON)

    asked = " ".join(each.prompt for each in exercise.items)
    assert "Say sorry for being late." in asked
    for wrong in ("No answer", "One wrong choice", "No such kind", "shopkeeper"):
        assert wrong not in asked


async def test_code_of_a_model_has_to_pass_its_own_tests(tmp_path: Path, db: Database) -> None:
    course = with_prompt(algorithms(tmp_path), "code")
    tests = [
        {"name": "usual", "body": "assert first([3, 1]) == 3"},
        {"name": "one", "body": "assert first([5]) == 5"},
        {"name": "nothing", "body": "assert first([]) is None"},
    ]
    code = {
        "kind": "code",
        "bloom": "apply",
        "prompt": "Return the first item, or None.",
        "starter": "def first(items: list) -> int | None:\n    pass\n",
        "tests": tests,
        "imports": ["first"],
    }
    wrong = item(**code, solution="def first(items):\n    return items[0]\n")
    trivial = item(
        **code | {"starter": "def first(items):\n    return items[0] if items else None\n"},
        solution="def first(items):\n    return items[0] if items else None\n",
    )
    right = item(
        **code | {"prompt": "Give the first of the items, or None if there is none."},
        solution="def first(items):\n    return items[0] if items else None\n",
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(written(wrong, trivial)), says(written(wrong, right)))
        own = await make_exercise(desk, course, CODE, seed=1, now=NOON)
        made = await make_exercise(desk, course, CODE, seed=1, now=NOON)

    assert own.source == "local"
    assert any("did not pass the checks" in each for each in own.remarks)
    assert made.source == "anthropic"
    assert made.prompt.startswith("Give the first of the items")


async def test_a_worksheet_of_a_model_is_put_together_like_any_other(
    tmp_path: Path, db: Database
) -> None:
    course = with_prompt(malay(tmp_path), "worksheet")
    made = written(
        item(
            kind="match",
            prompt="Who says what?",
            pairs=[
                {"left": "a guest", "right": "selamat tinggal"},
                {"left": "a host", "right": "selamat jalan"},
                {"left": "a friend", "right": "apa khabar"},
            ],
        ),
        item(kind="cloze", prompt="Selamat hari ___!", answers=["jadi"], bloom="remember"),
        item(kind="order", prompt="I come from Johor.", answers=["saya", "dari", "Johor"]),
    )
    wanted = ExerciseRequest(concept_id="greetings", modality="worksheet", bloom="remember")
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(made))
        exercise = await make_exercise(desk, course, wanted, seed=1, now=NOON)

    (text,) = exercise.files.values()
    assert "Selamat hari ___!" in text
    assert "a guest" in text
    assert exercise.source == "anthropic"


@pytest.mark.parametrize(
    "reply",
    [ANTHROPIC.answer("no json"), ANTHROPIC.refusal("no"), Hangup()],
    ids=["not json", "refused", "no answer"],
)
async def test_without_a_usable_answer_the_course_does_it_alone(
    reply: Any, tmp_path: Path, db: Database
) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.answer_with(lambda _: reply)
        exercise = await make_exercise(desk, course, CONVERSATION, seed=1, now=NOON)

    assert exercise.source == "local"
    assert exercise.items == generate(course, CONVERSATION, seed=1, now=NOON).items
    assert any("model" in each for each in exercise.remarks)


async def test_where_rules_may_not_stand_in_the_failure_is_told(
    tmp_path: Path, db: Database
) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    async with (
        ModelServer() as server,
        model_desk(tmp_path, db, server, fallback="none") as desk,
    ):
        server.answer_with(lambda _: Hangup())
        with pytest.raises(ProviderFailed):
            await make_exercise(desk, course, CONVERSATION, seed=1, now=NOON)


async def test_a_course_that_has_something_new_left_does_not_ask_the_model(
    tmp_path: Path, db: Database
) -> None:
    course = malay(tmp_path)
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        exercise = await make_exercise(desk, course, CONVERSATION, seed=1, now=NOON)
        assert not server.requests
    assert exercise.source == "local"


async def test_a_course_that_has_nothing_new_left_asks_the_model(
    tmp_path: Path, db: Database
) -> None:
    course = malay(tmp_path)
    wanted = ExerciseRequest(concept_id="greetings", modality="long_form", bloom="evaluate")
    first = generate(course, wanted, seed=1, now=NOON)
    past = PastExercise(
        at=NOON,
        exercise_id=first.id,
        modality="long_form",
        kind="long_form",
        item_ids=first.item_ids,
    )
    again = ExerciseRequest(
        concept_id="greetings", modality="long_form", bloom="evaluate", history=(past,)
    )
    made = written(
        item(
            kind="long_form",
            bloom="evaluate",
            prompt="Is it rude to skip a greeting?",
            points=["in a shop", "at home"],
            reference=["In a shop it is", "At home it depends"],
        )
    )
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.play(says(made))
        exercise = await make_exercise(desk, course, again, seed=1, now=NOON)
    assert exercise.prompt == "Is it rude to skip a greeting?"
    assert exercise.source == "anthropic"


async def test_without_a_model_the_course_does_it_alone(tmp_path: Path) -> None:
    course = with_prompt(malay(tmp_path), "conversation")
    exercise = await make_exercise(local_desk(tmp_path), course, CONVERSATION, seed=1, now=NOON)
    assert exercise.source == "local"
