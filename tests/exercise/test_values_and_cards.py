"""Ids, and the words and marks that exercises share."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from paige.base.errors import BadInput
from paige.exercise.ids import exercise_id, file_name, slug
from paige.exercise.values import (
    IMAGE_CRITERIA,
    AnswerMark,
    bloom_level,
    modality,
    score_of,
)


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
    for wrong in (bloom_level, modality):
        with pytest.raises(BadInput):
            wrong("dance")


def test_a_photo_is_judged_by_the_criteria_of_its_kind() -> None:
    assert [name for name, _ in IMAGE_CRITERIA["script"]] == [
        "recognition",
        "correctness",
        "formation",
        "consistency",
    ]
    assert [len(criteria) for criteria in IMAGE_CRITERIA.values()] == [4, 3, 3]


def test_a_mark_is_a_share_and_no_questions_score_nothing() -> None:
    with pytest.raises(BadInput):
        AnswerMark("correct", 1.5, "")
    assert score_of(0, 0).percentage == 0.0
    assert score_of(2, 3).percentage == pytest.approx(2 / 3)
