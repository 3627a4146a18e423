"""When mistakes are a pattern, how patterns fade, and when they are universal."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.wire import plain
from paige.guard.learning.patterns import (
    find_patterns,
    pattern_words,
)
from paige.guard.learning.settings import shipped_learning
from tests.guard.learning_cases import NOON, group, groups

LIMITS = shipped_learning().patterns
LOOSE = replace(LIMITS, least_weight=0.0)


def test_three_times_in_two_sessions_is_a_pattern() -> None:
    found = find_patterns([group(count=2), group(session="s2")], LIMITS, NOON)
    assert [(each.count, each.sessions, each.scope) for each in found] == [(3, 2, "project")]
    assert pattern_words(found[0]) == (
        "coding-agent tried `mark-tested .claude/progress/feature-list.json` (block-tested-true) "
        "3 times in 2 sessions"
    )


@pytest.mark.parametrize(
    "history",
    [
        [group(count=2)],
        [group(count=9)],
        [group(), group(session="s2")],
        [group(count=2), group(session="s2", agent="tester-agent")],
        [group(count=2), group(session="s2", shape="src/**/*.py")],
        [group(count=2, type="decision"), group(session="s2", type="approval", count=4)],
    ],
    ids=["too few", "one session", "two", "two agents", "two shapes", "nothing wrong"],
)
def test_less_is_no_pattern(history: list) -> None:
    assert find_patterns(history, LIMITS, NOON) == ()


def test_sessions_without_a_name_count_as_one() -> None:
    history = [group(session="", count=5), group(session="", at=NOON - timedelta(days=1), count=5)]
    assert find_patterns(history, LIMITS, NOON) == ()


def test_after_one_half_life_a_mistake_counts_half() -> None:
    history = [group(count=2), group(session="s2", count=2)]
    later = NOON + timedelta(days=LIMITS.half_life_days)
    assert find_patterns(history, LIMITS, NOON)[0].weight == 4.0
    assert find_patterns(history, LIMITS, later)[0].weight == 2.0


def test_a_pattern_nobody_repeats_fades() -> None:
    history = [group(count=2), group(session="s2", count=2)]
    assert find_patterns(history, LIMITS, NOON + timedelta(days=27))
    assert find_patterns(history, LIMITS, NOON + timedelta(days=29)) == ()


def test_seen_in_three_projects_it_is_one_universal_pattern() -> None:
    history = [
        group(project=project, session=session, count=2)
        for project in ("red", "green", "blue")
        for session in ("s1", "s2")
    ]
    assert [each.scope for each in find_patterns(history[:4], LIMITS, NOON)] == ["project"] * 2
    (found,) = find_patterns(history, LIMITS, NOON)
    assert (found.scope, found.project, found.projects, found.count) == ("universal", "", 3, 12)
    assert found.sessions == 6
    assert "in 3 projects" in pattern_words(found)


def test_a_pattern_keeps_its_key() -> None:
    history = [group(count=2, at=NOON - timedelta(days=2)), group(session="s2")]
    (found,) = find_patterns(history, LIMITS, NOON)
    assert find_patterns([*history, group(session="s3")], LIMITS, NOON)[0].key == found.key
    assert plain(found)["last"] == "2026-03-10T12:00:00.000000Z"


@given(groups(), st.randoms(use_true_random=False))
def test_the_order_of_groups_does_not_matter(history: list, random) -> None:
    mixed = list(history)
    random.shuffle(mixed)
    assert find_patterns(mixed, LIMITS, NOON) == find_patterns(history, LIMITS, NOON)


@given(groups(), st.integers(0, 100), st.integers(0, 100))
def test_weight_only_falls_as_time_goes_by(history: list, early: int, more: int) -> None:
    def weights(days: int) -> dict[str, float]:
        found = find_patterns(history, LOOSE, NOON + timedelta(days=days))
        return {each.key: each.weight for each in found}

    before, after = weights(early), weights(early + more)
    assert before.keys() == after.keys()
    assert all(after[key] <= before[key] for key in before)


@given(groups(), groups())
def test_more_mistakes_never_hide_a_pattern(history: list, more: list) -> None:
    before = {each.kind for each in find_patterns(history, LIMITS, NOON)}
    after = {each.kind for each in find_patterns([*history, *more], LIMITS, NOON)}
    assert before <= after


@given(groups())
def test_every_pattern_is_over_all_limits_and_none_is_there_twice(history: list) -> None:
    found = find_patterns(history, LIMITS, NOON)
    assert len({each.key for each in found}) == len(found)
    assert [each.weight for each in found] == sorted((each.weight for each in found), reverse=True)
    for each in found:
        assert each.count >= LIMITS.least_count
        assert each.sessions >= LIMITS.least_sessions
        assert LIMITS.least_weight <= each.weight <= each.count
        assert (each.scope == "universal") is (each.projects >= LIMITS.universal_projects)


@given(groups())
def test_counts_are_those_of_the_groups(history: list) -> None:
    everything = replace(LOOSE, least_count=1, least_sessions=1)
    found = find_patterns(history, everything, NOON)
    wrong = [each for each in history if each.type in ("violation", "correction")]
    assert sum(each.count for each in found) == sum(each.count for each in wrong)


def test_what_people_let_pass_is_counted_once_for_each_project() -> None:
    history = [group(count=2, overridden=2), group(session="s2", overridden=2)]
    (found,) = find_patterns(history, LIMITS, NOON)
    assert found.overridden == 2
