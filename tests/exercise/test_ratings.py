"""Which rating a score becomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.values import (
    code_rating,
    conversation_rating,
    image_rating,
    rubric_rating,
    with_help,
    worksheet_rating,
)


@pytest.mark.parametrize(
    ("share", "rating"),
    [(1.0, 4), (0.95, 4), (0.949, 3), (0.75, 3), (0.749, 2), (0.5, 2), (0.499, 1), (0.0, 1)],
)
def test_a_worksheet_is_rated_by_its_share(share: float, rating: int) -> None:
    assert worksheet_rating(share) == rating


@pytest.mark.parametrize(
    ("score", "rating"), [(4.0, 4), (3.5, 4), (3.49, 3), (2.5, 3), (2.4, 2), (1.5, 2), (1.4, 1)]
)
def test_a_rubric_score_is_rated(score: float, rating: int) -> None:
    assert rubric_rating(score) == rating


def test_inexact_weights_do_not_cost_a_rating() -> None:
    assert rubric_rating(0.3 * 3.5 + 0.25 * 3.5 + 0.25 * 3.5 + 0.2 * 3.5) == 4


def test_code_is_rated_by_tests_first_and_quality_second() -> None:
    assert [code_rating(1.0, q) for q in ("good", "acceptable", "needs_improvement")] == [4, 3, 2]
    assert code_rating(0.6, "good") == 2
    assert code_rating(0.5, "good") == 1
    assert code_rating(0.0) == 1


def test_conversation_and_photos() -> None:
    assert conversation_rating(1.0, "confident") == 4
    assert conversation_rating(0.9) == 3
    assert conversation_rating(0.5) == 2
    assert conversation_rating(0.2, "confident") == 1
    assert image_rating(1.0) == 3


@given(st.sampled_from([1, 2, 3, 4]), st.integers(0, 5), st.booleans())
def test_help_never_raises_a_rating(rating, hints: int, shown: bool) -> None:
    helped = with_help(rating, hints_used=hints, answer_shown=shown)
    assert helped <= rating
    assert helped <= (1 if shown else 2 if hints else 4)
