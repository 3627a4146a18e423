"""The success metrics before and after a moment."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given

from paige.guard.guards.values import Example, Guard, LearnedMatcher
from paige.guard.learning.metrics import (
    Attempt,
    Window,
    compare,
    dump_metrics,
    first_production,
    measure,
    repeats,
    split,
)
from paige.guard.learning.settings import shipped_learning
from tests.guard.learning_cases import NOON, group, groups, nothing, record_of

LEARNING = shipped_learning()
CLAIMS = LEARNING.report.claims
DAY = timedelta(days=1)


GUARD = Guard(
    id="no-push",
    event="pre_tool",
    matcher=LearnedMatcher(command=("git", "push")),
    message="no",
    must=(Example(tool="Bash", input={"command": "git push"}),),
)


def test_all_five_metrics_have_a_number_before_and_after() -> None:
    old = Window(
        groups=(
            group(count=3, type="correction"),
            group(count=1, session="s2"),
        ),
        attempts=(Attempt(at=NOON, session="s3"),),
        closed=2,
        prompts={"coding-agent": "word " * 4000},
    )
    new = Window(
        groups=(group(count=4, session="s4"),),
        attempts=(Attempt(at=NOON, session="s5"),),
        closed=4,
        prompts={"coding-agent": "word " * 100},
    )
    found = compare(old, new, NOON, LEARNING.metrics, CLAIMS)
    assert [(each.name, each.before, each.after, each.met) for each in found.metrics] == [
        ("Premature completion", 3.0, 0.0, True),
        ("User prompts needed", 1.5, 0.0, True),
        ("Agent prompt size", 4001, 101, True),
        ("Repeated mistakes", pytest.approx(1 / 3), 0.0, True),
        ("Rule compliance", 0.25, 1.0, True),
    ]
    assert found.premature_blocked == 4
    told = dump_metrics(found)
    assert told["sessions"] == {"before": 3, "after": 2}
    assert [each["met"] for each in told["metrics"]] == [True] * 5


def test_where_nothing_happened_there_is_no_number_and_nothing_is_met() -> None:
    found = compare(Window(), Window(), NOON, LEARNING.metrics, CLAIMS)
    assert [(each.before, each.after, each.met) for each in found.metrics] == [(None,) * 3] * 5


def test_a_target_that_is_missed_is_said_to_be_missed() -> None:
    new = Window(groups=(group(type="correction"), group(session="s2")), closed=0)
    rows = {each.name: each for each in compare(new, new, NOON, LEARNING.metrics, CLAIMS).metrics}
    assert rows["Premature completion"].met is False
    assert rows["Repeated mistakes"].met is False
    assert rows["Rule compliance"].met is False
    assert rows["User prompts needed"].met is None


def test_trying_again_in_the_same_session_is_no_repeated_mistake() -> None:
    assert repeats([group(count=5)]) == 0
    later = group(session="s2", count=2, at=NOON + DAY)
    assert repeats([later, group(count=5)]) == 2
    assert repeats([later, group(count=5), group(action="stop", session="s3")]) == 2


@given(groups())
def test_repeats_are_never_more_than_the_mistakes_and_do_not_depend_on_order(history: list) -> None:
    total = sum(each.count for each in history)
    assert 0 <= repeats(history) <= total
    assert repeats(history) == repeats(history[::-1])
    measured = measure(Window(groups=tuple(history)), CLAIMS)
    assert measured.compliance is None or 0.0 <= measured.compliance <= 1.0


@given(groups())
def test_every_group_is_before_or_after_a_moment(history: list) -> None:
    before, after = split(history, (), NOON - 20 * DAY)
    assert len(before.groups) + len(after.groups) == len(history)
    assert all(each.last < NOON - 20 * DAY for each in before.groups)


def test_the_moment_is_when_the_first_guard_began_to_block() -> None:
    record = record_of(GUARD, "validate", "production", at=NOON + DAY)
    assert first_production([record]) == NOON + DAY
    assert first_production([]) is None
    waiting = replace(record, lineage=nothing())
    assert first_production([waiting]) is None
