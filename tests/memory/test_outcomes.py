import random

from hypothesis import given
from hypothesis import strategies as st

from paige.memory.lifecycle.outcomes import (
    Outcome,
    PolicyRef,
    Tally,
    compare,
    dump_tally,
    load_tally,
    outcome_draft,
    outcome_of,
    tally,
)
from tests.memory.life import NOON, SmallMemory, event

outcomes = st.lists(
    st.builds(
        Outcome,
        at=st.just(NOON),
        success=st.booleans(),
        retries=st.integers(0, 9),
        corrections=st.integers(0, 9),
        tool_calls=st.integers(0, 99),
    ),
    max_size=60,
)


def tasks(wins: int, losses: int, **effort: int) -> Tally:
    return tally(
        Outcome(at=NOON, success=number < wins, **effort) for number in range(wins + losses)
    )


def test_an_outcome_survives_being_remembered() -> None:
    memory = SmallMemory()
    known = Outcome(
        at=NOON,
        success=False,
        retries=2,
        corrections=1,
        tool_calls=9,
        recalled=("a", "b"),
        session="s1",
        project="p1",
        role="coder",
        policy_scope="project",
        policy=PolicyRef("coder", "project", 3),
        id="e1",
    )
    memory.write([outcome_draft(known, task="fix the build", trace="t1")])
    assert outcome_of(memory.events[0]) == known
    assert memory.events[0].outcome == "failure"


def test_an_outcome_without_an_ending_is_none() -> None:
    assert outcome_of(event(type="outcome")) is None
    assert outcome_of(event(type="note", payload={"success": True})) is None
    said = outcome_of(event(type="outcome", outcome="success", payload={"retries": -3}))
    assert said is not None
    assert (said.success, said.retries) == (True, 0)


def test_more_successes_are_better_and_fewer_are_worse() -> None:
    assert compare(tasks(50, 50), tasks(75, 25), alpha=0.05).verdict == "better"
    assert compare(tasks(75, 25), tasks(50, 50), alpha=0.05).verdict == "worse"
    assert compare(tasks(50, 50), tasks(52, 48), alpha=0.05).verdict == "unclear"
    assert compare(tasks(1, 0), Tally(), alpha=0.05).verdict == "unclear"


def test_the_same_success_with_less_effort_is_better() -> None:
    mixed = [Outcome(at=NOON, success=n % 2 == 0, retries=3 + n % 3) for n in range(60)]
    easier = [Outcome(at=NOON, success=n % 2 == 0, retries=n % 3) for n in range(60)]
    found = compare(tally(mixed), tally(easier), alpha=0.05)
    assert found.verdict == "better"
    assert "retries 4.00 to 1.00" in found.reason


def test_more_success_bought_with_much_effort_is_unclear() -> None:
    cheap = [Outcome(at=NOON, success=n % 2 == 0, tool_calls=5 + n % 3) for n in range(100)]
    dear = [Outcome(at=NOON, success=n % 4 != 0, tool_calls=50 + n % 3) for n in range(100)]
    assert compare(tally(cheap), tally(dear), alpha=0.05).verdict == "unclear"


def test_equal_groups_are_seldom_called_different() -> None:
    dice = random.Random(7)
    wrong = 0
    for _ in range(400):
        groups = [tasks(sum(dice.random() < 0.6 for _ in range(60)), 0) for _ in range(2)]
        first, second = (tasks(each.successes, 60 - each.successes) for each in groups)
        wrong += compare(first, second, alpha=0.05).verdict != "unclear"
    assert wrong / 400 < 0.14  # five in a hundred on each side, and some for luck


@given(outcomes, outcomes)
def test_tallies_add_up_and_survive_being_written(some: list[Outcome], more: list[Outcome]) -> None:
    assert tally(more, tally(some)) == tally([*some, *more])
    assert load_tally(dump_tally(tally(some))) == tally(some)


@given(outcomes, outcomes)
def test_what_is_better_one_way_is_not_better_the_other_way(
    some: list[Outcome], more: list[Outcome]
) -> None:
    there = compare(tally(some), tally(more), alpha=0.05).verdict
    back = compare(tally(more), tally(some), alpha=0.05).verdict
    assert (there, back) not in {("better", "better")}
    if there == "better":
        assert back == "worse"
