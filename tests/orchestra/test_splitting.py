"""A list is taken as it is without a model; for anything else the person is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.orchestra.running.goal import is_list, split_goal
from paige.orchestra.verification import read_plan

NESTED = """# Shop

## Prices
- Parse a price
  - `3,50` is 3.5
  - a word is refused
- Show a price

## Basket
1. Add to the basket
2. PT-7: Remove from the basket
"""


def titles(goal: str) -> list[str]:
    return [each.title for each in split_goal(goal)]


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        ("- one thing\n- another thing", ["one thing", "another thing"]),
        ("* [ ] one thing\n* [x] another thing", ["one thing", "another thing"]),
        ("1) one thing\n2) another thing", ["one thing", "another thing"]),
        ("one thing here\nanother thing there", ["one thing here", "another thing there"]),
        ("価格を読む。\n価格を表示する。", ["価格を読む", "価格を表示する"]),
        ("Parse prices. It should be fast!", []),
        ("Shop: parse prices, show prices and sum", []),
        ("Build a shop", []),
        ("A shop", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_person_wrote_apart_becomes_features(goal: str, found: list[str]) -> None:
    assert titles(goal) == found


def test_headings_are_groups_and_what_is_indented_is_accepted_by() -> None:
    first, second, third, fourth = split_goal(NESTED)
    assert (first.group, first.acceptance) == ("Prices", ("`3,50` is 3.5", "a word is refused"))
    assert (second.group, third.group) == ("Prices", "Basket")
    assert (fourth.id, fourth.title) == ("PT-7", "Remove from the basket")


def test_ids_that_are_taken_are_not_given_again() -> None:
    assert [each.id for each in split_goal("- one thing\n- two things", ["F1", "f3"])] == [
        "F2",
        "F4",
    ]


@given(st.text(max_size=400))
def test_any_text_gives_a_plan_the_orchestra_takes_or_none(goal: str) -> None:
    found = split_goal(goal)
    ids = [each.id.casefold() for each in found]
    assert len(ids) == len(set(ids))
    if found:
        plan = [{"id": each.id, "title": each.title or "x"} for each in found]
        assert len(read_plan(plan)) == len(found)
    elif is_list(goal):
        raise AssertionError("a list has features")
