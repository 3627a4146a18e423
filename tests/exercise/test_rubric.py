"""Rubrics: what is a right one, how scores add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.exercise.rubric import default_rubric, parse_rubric, score_rubric

LEVELS = {"1": "bad", "2": "so-so", "3": "good", "4": "very good"}


def test_the_shipped_rubric_is_the_documented_one() -> None:
    rubric = default_rubric()
    assert [(d.name, d.weight) for d in rubric.dimensions] == [
        ("Accuracy", 0.3),
        ("Completeness", 0.25),
        ("Reasoning Depth", 0.25),
        ("Communication", 0.2),
    ]
    assert rubric.remarks == ()


def test_scores_add_up_by_weight_and_name_their_level() -> None:
    scores = {"accuracy": 4, "Completeness": 3, "Reasoning depth": 2, "Communication": 4}
    done = score_rubric(default_rubric(), scores)
    assert done.weighted == pytest.approx(0.3 * 4 + 0.25 * 3 + 0.25 * 2 + 0.2 * 4)
    assert done.rating == 3
    assert done.feedback[1] == "Completeness: 3 of 4. Most points addressed, minor gaps."


@given(st.lists(st.floats(1, 4), min_size=4, max_size=4))
def test_a_weighted_score_lies_between_its_scores(values: list[float]) -> None:
    names = [d.name for d in default_rubric().dimensions]
    done = score_rubric(default_rubric(), dict(zip(names, values, strict=True)))
    assert min(values) - 1e-5 <= done.weighted <= max(values) + 1e-5


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ({"Accuracy": 4}, "Completeness"),
        ({"Style": 4}, "no dimension `style`"),
        (dict.fromkeys(("Accuracy", "Completeness", "Reasoning Depth", "Communication"), 5), "Acc"),
    ],
)
def test_wrong_scores_are_named(scores: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        score_rubric(default_rubric(), scores)


def test_weights_that_do_not_add_up_are_scaled_with_a_remark() -> None:
    rubric = parse_rubric(
        {
            "rubric_template": {
                "dimensions": [
                    {"name": "A", "weight": 1, "levels": LEVELS},
                    {"name": "B", "weight": 3, "levels": LEVELS},
                ]
            }
        }
    )
    assert [d.weight for d in rubric.dimensions] == [0.25, 0.75]
    assert "add up to 4" in rubric.remarks[0]


@pytest.mark.parametrize(
    ("dimension", "said"),
    [
        ({"weight": 1, "levels": LEVELS}, "needs a `name`"),
        ({"name": "A", "weight": -1, "levels": LEVELS}, "not negative"),
        ({"name": "A", "weight": "much", "levels": LEVELS}, "number"),
        ({"name": "A", "weight": 1}, "levels"),
        ({"name": "A", "weight": 1, "levels": {"1": "x", "2": "y"}}, "exactly 1, 2, 3 and 4"),
        ({"name": "A", "weight": 0, "levels": LEVELS}, "add up to nothing"),
    ],
)
def test_a_wrong_rubric_is_refused_with_a_sentence(dimension: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        parse_rubric({"dimensions": [dimension]})


def test_a_rubric_needs_dimensions_of_different_names() -> None:
    twice = {"name": "A", "weight": 0.5, "levels": LEVELS}
    with pytest.raises(BadInput, match="same name"):
        parse_rubric({"dimensions": [twice, twice]})
    with pytest.raises(BadInput, match="dimensions"):
        parse_rubric({})
