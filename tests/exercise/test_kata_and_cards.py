"""Katas, flashcards, ids and the tasks that are only words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from paige.base.errors import BadInput
from paige.exercise.flashcard import Flashcard, cards_of, dump_card, load_card
from paige.exercise.ids import exercise_id, file_name, slug
from paige.exercise.kata import (
    Constraint,
    Kata,
    KataAttempt,
    chosen,
    current_level,
    dump_kata,
    load_kata,
    unlocked,
)
from paige.exercise.values import (
    IMAGE_CRITERIA,
    ImageTask,
    Marked,
    bloom_level,
    conversation_type,
    modality,
    score_of,
)
from paige.exercise.worksheet.values import Choice, Question, Section, Worksheet

KATA = Kata(
    gap="recursion",
    title="Sum a nested list",
    description="Add up all numbers.",
    scaffolding_code="def total(xs): ...",
    instructor_notes="Watch for the base case.",
    constraints=(
        Constraint("No loops", "Use recursion only.", 1),
        Constraint("No recursion", "Use a stack.", 3),
        Constraint("One line", "One expression.", 7),
    ),
    test_cases=("total([1, [2]]) == 3",),
    attempts=(
        KataAttempt("a", review="good", level=4, passed=True),
        KataAttempt("b", constraints=(Constraint("No loops", "", 1),)),
    ),
)


def test_a_kata_survives_json_with_the_names_others_use() -> None:
    data = dump_kata(KATA)
    assert data["constraints"][1] == {  # type: ignore[index]
        "title": "No recursion",
        "description": "Use a stack.",
        "minLevel": 3,
    }
    assert data["user_attempts"][0] == {  # type: ignore[index]
        "code": "a",
        "review": "good",
        "level": 4,
        "passed": True,
    }
    assert load_kata(data) == KATA


def test_a_level_unlocks_constraints() -> None:
    assert current_level(KATA) == 4
    assert [each.title for each in unlocked(KATA)] == ["No loops", "No recursion"]
    assert len(unlocked(KATA, 10)) == 3
    assert [each.title for each in chosen(KATA, ["one line", "unheard of"])] == ["One line"]


def test_constraints_may_be_sentences() -> None:
    kata = load_kata({"title": "T", "description": "D", "constraints": ["Use no loops"]})
    assert kata.constraints == (Constraint("Use no loops", "Use no loops", 1),)
    assert current_level(kata) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"description": "D"}, "title"),
        ({"title": "T", "description": "D", "constraints": [{}]}, "title"),
        ({"title": "T", "description": "D", "constraints": [{"title": "x", "minLevel": 11}]}, "10"),
        ({"title": "T", "description": "D", "test_cases": "all"}, "list"),
        ({"title": "T", "description": "D", "user_attempts": [{}]}, "code"),
    ],
)
def test_a_wrong_kata_is_refused(data: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        load_kata(data)


def test_a_card_survives_json_and_says_what_is_missing() -> None:
    card = Flashcard(
        id="1", concept_id="c", course="d", front="Water", back="air", accepted=("ayer",)
    )
    assert load_card(dump_card(card)) == card
    assert card.reference == "air / ayer"
    with pytest.raises(BadInput, match="back"):
        load_card({"id": "1", "front": "Water"})
    with pytest.raises(BadInput, match="kind"):
        load_card({**dump_card(card), "kind": "loud"})


def test_a_worksheet_becomes_cards() -> None:
    sheet = Worksheet(
        course="malay",
        concept="food",
        title="Food",
        generated="",
        sections=(
            Section(1, "W", (Question(1, 1, "Water: ___"), Question(1, 2, "I ___ rice."))),
            Section(2, "M", (Question(2, 1, "x"),), choices=(Choice("A", "y"),)),
        ),
        key={"1.1": "air / ayer", "1.2": "eat", "2.1": "A"},
    )
    first, second = cards_of(sheet)
    assert (first.front, first.back, first.accepted, first.kind) == (
        "Water",
        "air",
        ("ayer",),
        "basic",
    )
    assert (second.front, second.back, second.kind) == ("I ___ rice.", "eat", "cloze")


def test_names_of_files_and_exercises() -> None:
    moment = datetime(2026, 2, 22, 15, 30, tzinfo=timezone(timedelta(hours=1)))
    assert file_name(moment, "greetings") == "20260222T143000Z-greetings.md"
    assert exercise_id(moment, "greetings", "worksheet") == "20260222T143000Z-greetings-ws"
    assert exercise_id("2026-02-22T14:30:00Z", "a b", "code") == "20260222T143000Z-a-b-code"
    assert slug("../../etc/passwd") == "etc-passwd"
    assert slug("") == "exercise"
    assert file_name(moment.astimezone(UTC), "x/y") == "20260222T143000Z-x-y.md"


def test_words_for_levels_and_modalities_are_checked() -> None:
    assert bloom_level(" Analyse ") == "analyze"
    assert modality("long-form") == "long_form"
    assert conversation_type("Error identification") == "error_identification"
    for wrong in (bloom_level, modality, conversation_type):
        with pytest.raises(BadInput):
            wrong("dance")


def test_a_photo_is_judged_by_the_criteria_of_its_kind() -> None:
    task = ImageTask(id="1", concept_id="jawi", course="malay", kind="script", prompt="Write alif")
    assert [name for name, _ in task.criteria] == [
        "recognition",
        "correctness",
        "formation",
        "consistency",
    ]
    assert [len(criteria) for criteria in IMAGE_CRITERIA.values()] == [4, 3, 3]


def test_a_mark_is_a_share_and_no_questions_score_nothing() -> None:
    with pytest.raises(BadInput):
        Marked("correct", 1.5, "")
    assert score_of(0, 0).percentage == 0.0
    assert score_of(2, 3).percentage == pytest.approx(2 / 3)
