"""What went wrong before decides what is asked next."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.taxonomy.names import taxonomy
from paige.exercise.values import MODALITIES
from paige.learner.progress import ErrorSeen, Progress
from paige.study.courses.values import ITEM_KINDS
from paige.study.generation.generator import generate
from paige.study.remediation import (
    aimed,
    confused_words,
    helps_against,
    missed_again,
    remedy_for,
    shipped_remedies,
)
from paige.study.values import ExerciseRequest, PastExercise
from tests.conftest import NOON
from tests.study.small_courses import malay, memory


def error(kind: str | None, expected: str = "a", actual: str = "b") -> ErrorSeen:
    return ErrorSeen(NOON, "x", "1", kind, "detail", expected, actual)


def progress(*errors: ErrorSeen, concept: str = "greetings") -> Progress:
    return Progress(concept_id=concept, error_history=errors)


def past(number: int, asked: tuple[str, ...], missed: tuple[str, ...] = ()) -> PastExercise:
    return PastExercise(
        at=NOON + timedelta(days=number),
        exercise_id=f"x{number}",
        modality="flashcard",
        item_ids=asked,
        missed=missed,
    )


def test_every_kind_of_error_has_a_remedy() -> None:
    remedies = shipped_remedies()
    assert set(remedies) == set(taxonomy().kinds)
    for remedy in remedies.values():
        assert remedy.kinds
        assert set(remedy.kinds) <= set(ITEM_KINDS)
        assert remedy.modalities
        assert set(remedy.modalities) <= set(MODALITIES)


def test_an_error_that_came_back_is_worked_on_and_said(tmp_path: Path) -> None:
    course = malay(tmp_path)
    known = progress(error("word_order"), error("word_order"), error("spelling"))
    remedy = remedy_for(course, known, ())
    assert remedy.focus == ("word_order",)
    assert remedy.modalities[0] == "worksheet"
    assert "The right words in another order came back" in remedy.why[0]


def test_a_single_error_is_no_pattern(tmp_path: Path) -> None:
    remedy = remedy_for(malay(tmp_path), progress(error("word_order"), error(None)), ())
    assert not remedy.needed
    assert not remedy_for(malay(tmp_path / "again"), None, ()).needed


def test_words_that_were_mixed_up_are_asked_side_by_side(tmp_path: Path) -> None:
    course = malay(tmp_path)
    known = progress(
        error("vocabulary_confusion", "selamat petang", "selamat malam"),
        error("vocabulary_confusion", "B. good night", "C. good afternoon"),
        error("vocabulary_confusion", "something else", "entirely"),
    )
    assert set(confused_words(course, known)) == {"w-selamat-petang", "w-selamat-malam"}

    remedy = remedy_for(course, known, ())
    wanted = ExerciseRequest(concept_id="greetings", modality="flashcard", bloom="remember")
    exercise = generate(course, aimed(wanted, remedy), seed=1, now=NOON)
    words = {each.rpartition(".")[0] for each in exercise.item_ids}
    assert {"w-selamat-petang", "w-selamat-malam"} <= words


def test_something_missed_twice_comes_back_but_not_at_once() -> None:
    twice = (past(1, ("a", "b"), ("a",)), past(2, ("a",), ("a",)))
    assert missed_again(twice) == ()
    later = (*twice, past(3, ("c",)))
    assert missed_again(later) == ("a",)
    solved = (*later, past(4, ("a",)), past(5, ("c",)))
    assert missed_again(solved) == ()


@given(
    st.lists(
        st.tuples(st.sets(st.sampled_from("abcde"), min_size=1), st.sets(st.sampled_from("abcde"))),
        max_size=10,
    )
)
def test_only_what_was_missed_twice_and_not_just_asked_comes_back(
    listed: list[tuple[set[str], set[str]]],
) -> None:
    history = [
        past(number, tuple(sorted(asked)), tuple(sorted(asked & missed)))
        for number, (asked, missed) in enumerate(listed)
    ]
    again = missed_again(history)
    for name in again:
        assert sum(name in each.missed for each in history) >= 2
        assert name not in history[-1].item_ids


def test_a_tag_says_what_an_item_is_good_for(tmp_path: Path) -> None:
    course = memory(tmp_path)
    item = replace(course.items["spacing"][0], tags=("overgeneralization",))
    assert item.kind == "match"
    assert helps_against(item, "overgeneralization")
    assert helps_against(item, "definition_error")
    assert not helps_against(item, "spelling")


@pytest.mark.parametrize(("direction", "helps"), [("to", True), ("from", False)])
def test_spelling_is_practised_by_writing(direction: str, helps: bool, tmp_path: Path) -> None:
    course = malay(tmp_path)
    item = course.item(f"w-maaf.{direction}")
    assert helps_against(item, "spelling") is helps
