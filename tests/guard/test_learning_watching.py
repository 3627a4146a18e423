"""Whether a change of a prompt helps: mistakes a session before and since."""

from datetime import timedelta

from hypothesis import given

from paige.guard.learning.patterns import find_patterns
from paige.guard.learning.prompts import PromptChange, applied, rates_around, record_change, watch
from paige.guard.learning.settings import shipped_learning
from paige.memory.lifecycle.staged import Step
from tests.guard.learning_cases import NOON, group, groups

DAY = timedelta(days=1)
BEFORE = [group(session=f"b{n}", count=2, at=NOON - n * DAY) for n in range(1, 5)]
(PATTERN,) = find_patterns(BEFORE, shipped_learning().patterns, NOON)
CHANGE = PromptChange(
    agent="coding-agent", file="a.md", old="old\n", new="new\n", why="w", pattern=PATTERN.key
)
TRIED = applied(record_change(None, CHANGE, at=NOON), Step("validate", NOON, "try"))


def since(count: int, sessions: int) -> list:
    return [
        group(session=f"a{n}", count=count, at=NOON + n * DAY)
        if count
        else group(session=f"a{n}", type="decision", at=NOON + n * DAY)
        for n in range(1, sessions + 1)
    ]


def test_a_change_after_which_the_mistake_is_gone_is_confirmed() -> None:
    (found,) = watch([TRIED], [*BEFORE, *since(0, 5)], 5)
    assert found.rates == (2.0, 0.0, 5)
    assert found.verdict == "confirmed"


def test_a_change_that_changed_nothing_is_taken_back() -> None:
    (found,) = watch([TRIED], [*BEFORE, *since(2, 5)], 5)
    assert found.verdict == "withdrawn"


def test_after_too_few_sessions_nothing_is_said() -> None:
    (found,) = watch([TRIED], [*BEFORE, *since(0, 4)], 5)
    assert found.verdict is None


def test_what_is_not_in_the_file_is_not_watched() -> None:
    assert watch([record_change(None, CHANGE, at=NOON)], BEFORE, 5) == ()


def test_other_agents_and_other_mistakes_do_not_count() -> None:
    others = [
        group(agent="tester-agent", session="x", count=9, at=NOON + DAY),
        group(action="write", session="a1", count=9, at=NOON + DAY),
    ]
    rates = rates_around(PATTERN.key, "coding-agent", [*BEFORE, *others], NOON)
    assert rates == (2.0, 0.0, 1)


@given(groups())
def test_rates_do_not_depend_on_the_order_of_groups(history: list) -> None:
    moment = NOON - 20 * DAY
    found = rates_around(PATTERN.key, "coding-agent", history, moment)
    assert found == rates_around(PATTERN.key, "coding-agent", history[::-1], moment)
    assert found.before >= 0
    assert found.after >= 0
