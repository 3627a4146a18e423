"""Keep or update: all eight rows of the table, each by a measured number."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.guard.learning.keep_or_change import Facts, judge, shift_between
from paige.guard.learning.settings import shipped_learning

LIMITS = shipped_learning().keep
# A guard that nothing speaks against, about a mistake that goes on.
SOUND = Facts(looked_at=100, labels=5, rate=1.0, rate_before=0.5)


def test_a_sound_guard_about_a_mistake_that_goes_on_is_an_update() -> None:
    found = judge(SOUND, LIMITS)
    assert found.verdict == "update"
    assert found.reasons == ("1.00 mistakes a session, 0.50 before.",)


@pytest.mark.parametrize(
    ("row", "facts"),
    [
        ("Predictability critical", replace(SOUND, changed=1)),
        ("Limited labeled feedback", replace(SOUND, labels=2)),
        ("Preventing catastrophic forgetting", replace(SOUND, forgotten=1)),
        ("Regulatory/safety requirements", replace(SOUND, loosened=1)),
    ],
)
def test_one_reason_to_keep_is_enough(row: str, facts: Facts) -> None:
    found = judge(facts, LIMITS)
    assert found.verdict == "keep"
    assert [each.row for each in found.answers if each.holds and each.side == "keep"] == [row]
    assert len(found.reasons) == 1


@pytest.mark.parametrize(
    ("row", "facts"),
    [
        ("Performance degradation detected", Facts(labels=5, rate=0.6, rate_before=0.5)),
        ("Data distribution shifts", Facts(labels=5, shift=0.3)),
        ("New capabilities needed", Facts(labels=5, uncovered=1)),
        ("Tool use optimization needed", Facts(labels=5, wasted=1.5)),
    ],
)
def test_one_reason_for_a_change_is_enough_when_none_speaks_against(row: str, facts: Facts) -> None:
    found = judge(facts, LIMITS)
    assert found.verdict == "update"
    assert [each.row for each in found.answers if each.holds] == [row]


@pytest.mark.parametrize(
    "facts",
    [
        Facts(labels=5),
        Facts(labels=5, rate=0.1),
        Facts(labels=5, rate=0.5, rate_before=0.6),
        Facts(labels=5, shift=0.29, wasted=1.4),
    ],
    ids=["nothing", "rare", "rarer than before", "just below"],
)
def test_without_a_reason_for_a_change_things_stay(facts: Facts) -> None:
    found = judge(facts, LIMITS)
    assert found.verdict == "keep"
    assert found.reasons == ("Nothing measured asks for a change.",)


def test_all_eight_rows_are_answered_with_their_numbers() -> None:
    answers = judge(SOUND, LIMITS).answers
    assert [(each.row, each.side) for each in answers] == [
        ("Predictability critical", "keep"),
        ("Limited labeled feedback", "keep"),
        ("Preventing catastrophic forgetting", "keep"),
        ("Regulatory/safety requirements", "keep"),
        ("Performance degradation detected", "update"),
        ("Data distribution shifts", "update"),
        ("New capabilities needed", "update"),
        ("Tool use optimization needed", "update"),
    ]
    assert answers[1].why == "Of 5 hits it is known whether they were right."


FACTS = st.builds(
    Facts,
    changed=st.integers(0, 2),
    labels=st.integers(0, 5),
    forgotten=st.integers(0, 2),
    loosened=st.integers(0, 2),
    rate=st.floats(0, 3),
    rate_before=st.floats(0, 3),
    shift=st.floats(0, 1),
    uncovered=st.integers(0, 2),
    wasted=st.floats(0, 3),
)


@given(FACTS)
def test_an_update_never_stops_what_was_fine_and_never_loosens(facts: Facts) -> None:
    found = judge(facts, LIMITS)
    assert len(found.answers) == 8
    if found.verdict == "update":
        assert (facts.changed, facts.forgotten, facts.loosened) == (0, 0, 0)
        assert facts.labels >= LIMITS.least_labels


@given(FACTS, st.sampled_from(("changed", "forgotten", "loosened")))
def test_worse_numbers_never_turn_keep_into_update(facts: Facts, name: str) -> None:
    worse = replace(facts, **{name: getattr(facts, name) + 1})
    if judge(facts, LIMITS).verdict == "keep":
        assert judge(worse, LIMITS).verdict == "keep"


@given(*[st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9))] * 2)
def test_a_shift_lies_between_none_and_everything(before: dict, after: dict) -> None:
    moved = shift_between(before, after)
    assert 0.0 <= moved <= 1.0
    assert moved == pytest.approx(shift_between(after, before))
    assert shift_between(before, before) == 0.0


def test_a_mix_with_nothing_in_common_has_moved_wholly() -> None:
    assert shift_between({"read": 3}, {"write": 5}) == 1.0
    assert shift_between({}, {"write": 5}) == 0.0
