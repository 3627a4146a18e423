import pytest

from paige.base.errors import BadInput
from paige.memory.lifecycle.thresholds import read_lifecycle


def test_the_rulings_are_as_shipped() -> None:
    life = read_lifecycle([])
    assert (life.questions.confidence, life.questions.days) == (0.85, 30)
    assert life.patterns.least == 3
    assert life.promotion.least_projects == 2
    weights = life.policy.weights
    assert weights["relevance"] > weights["importance"] > weights["recency"] > weights["access"]


def test_the_nearest_layer_changes_single_values() -> None:
    life = read_lifecycle(
        [
            ("global", "[tiers]\nhot_days = 3\n[policy.k]\nsession = 2"),
            ("project", "[tiers]\nhot_days = 5.5"),
        ]
    )
    assert (life.tiers.hot_days, life.tiers.warm_days) == (5.5, 90.0)
    assert (life.policy.k["session"], life.policy.k["project"]) == (2, 8)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[tiers]\nhot_day = 3", "`hot_day` is not known"),
        ("[tier]\nhot_days = 3", "`tier` is not known"),
        ("[tiers]\nhot_days = -1", "tiers.hot_days is `-1`"),
        ("[tiers]\nhot_days = true", "needs a number"),
        ("[patterns]\nleast = 2.5", "needs a whole number"),
        ("[patterns]\nleast = nan", "needs a whole number"),
        ("tiers = 3", "`tiers` is a section"),
        ("[promotion]\ntypes = [1]", "is a list of words"),
        ("[policy.bounds]\nk = [1]", "needs the least and the most"),
        ("[policy.weights]\nrecency = 0.2", "out of order"),
        ("[tiers", "not TOML"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(text: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_lifecycle([("mine.toml", text)])
    assert why in caught.value.message
    assert "mine.toml" in caught.value.message
