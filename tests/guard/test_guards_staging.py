"""The stages of a guard: what it has to pass, what can be forced, what never, and the way back."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, PaigeError, Refused
from paige.guard.guards.stages import (
    POLICY,
    Case,
    promote,
    propose_again,
    roll_back,
    to_shadow,
    too_often,
    with_override,
)
from paige.guard.guards.trials import harmless, probe
from paige.guard.guards.values import (
    EVENTS,
    Guard,
    GuardEvent,
    GuardRecord,
    LearnedMatcher,
    Override,
    PastAction,
    Replay,
    ShadowHistory,
)
from paige.guard.learning.keep_or_change import Facts, judge
from paige.guard.learning.settings import shipped_learning
from tests.depth import examples
from tests.guard.guard_values import (
    ENOUGH,
    GOOD,
    NOON,
    NOTHING,
    bash,
    force_push,
    in_production,
    in_shadow,
    let_block,
    matchers,
    met_by,
    proposed,
)

FINE = PastAction(id="l1", event="pre_tool", example=bash("git push --force-if-includes"))
DIRTY = Replay(actions=9, harmless=(FINE,))
LIMITS = shipped_learning()


def promoted(record: GuardRecord, **parts: Any) -> GuardRecord:
    given: dict[str, Any] = {
        "past": NOTHING,
        "seen": ENOUGH,
        "judged": judge(GOOD, LIMITS.keep),
        **parts,
    }
    case = Case(given.pop("past"), given.pop("seen"), given.pop("judged"), LIMITS.promotion)
    return promote(record, case, at=NOON, by="p", **{"why": "Yes.", **given})


# --- the whole way --------------------------------------------------------------------------------


def test_a_guard_goes_the_whole_way_and_back() -> None:
    record = proposed(force_push())
    assert (record.standing, record.blocking, record.shadowing) == ("proposed", None, None)
    record = to_shadow(record, NOTHING, at=NOON, by="p", why="Watch.")
    assert (record.standing, record.blocking) == ("shadow", None)
    assert record.shadowing == force_push()
    record = promoted(record)
    assert (record.standing, record.blocking) == ("production", force_push())
    record = roll_back(record, at=NOON, by="p", why="No longer.")
    assert (record.standing, record.blocking) == ("rolled_back", None)
    record = propose_again(record, force_push(message="Better."), at=NOON, by="p", why="Again.")
    assert (record.standing, record.current.version) == ("proposed", 2)


def test_a_step_keeps_who_why_and_the_numbers() -> None:
    step = in_production(force_push()).current.history[-1]
    assert step.metrics["by"] == "test"
    assert step.reason == "It is right."
    assert step.metrics["probed"] == len(harmless())
    assert step.metrics["hits"] == ENOUGH.hits
    assert len(step.metrics["answers"]) == 8  # type: ignore[arg-type]
    assert "forced" not in step.metrics


def test_what_is_tried_is_dropped_before_what_blocks() -> None:
    record = in_production(force_push())
    record = propose_again(record, force_push(message="Two."), at=NOON, by="p", why="Again.")
    record = roll_back(record, at=NOON, by="p", why="No.")
    assert record.blocking == force_push()
    assert record.current.stage == "retired"


# --- what has to be passed ------------------------------------------------------------------------


def test_history_stops_a_guard_unless_it_is_forced_and_that_is_recorded() -> None:
    with pytest.raises(Refused, match="force-if-includes"):
        to_shadow(proposed(force_push()), DIRTY, at=NOON, by="p", why="Watch.")
    forced = to_shadow(
        proposed(force_push()), DIRTY, at=NOON, by="p", why="It was wrong.", force=True
    )
    assert forced.current.metrics["forced"] is True
    assert forced.current.metrics["harmless"] == 1
    with pytest.raises(Refused):
        promoted(in_shadow(force_push()), past=DIRTY)


def test_a_proposal_cannot_jump_over_shadow_unless_it_is_forced() -> None:
    with pytest.raises(Refused, match="shadow"):
        promoted(proposed(force_push()))
    record = promoted(proposed(force_push()), force=True, why="In a hurry.")
    assert [each.stage for each in record.current.history] == [
        "experiment",
        "validate",
        "production",
    ]
    assert all(each.metrics["forced"] for each in record.current.history[1:])


@pytest.mark.parametrize(
    "seen",
    [
        ShadowHistory(events=1, hits=9),
        ShadowHistory(events=500, hits=1),
        ShadowHistory(events=500, hits=9, harmless=1),
    ],
)
def test_shadow_has_to_have_seen_enough_and_nothing_that_was_fine(seen: ShadowHistory) -> None:
    with pytest.raises(Refused):
        promoted(in_shadow(force_push()), seen=seen)
    assert promoted(in_shadow(force_push()), seen=seen, force=True).standing == "production"


def test_a_reason_to_keep_things_stops_everybody_and_a_policy_needs_one_to_change() -> None:
    unsure = judge(replace(GOOD, labels=0), LIMITS.keep)
    with pytest.raises(Refused):
        promoted(in_shadow(force_push()), judged=unsure)
    indifferent = judge(Facts(labels=9), LIMITS.keep)
    assert promoted(in_shadow(force_push()), judged=indifferent).standing == "production"
    case = Case(NOTHING, ENOUGH, indifferent, LIMITS.promotion)
    with pytest.raises(Refused):
        promote(in_shadow(force_push()), case, at=NOON, by=POLICY, why="Policy.")


def test_examples_that_do_not_hold_cannot_be_forced() -> None:
    wrong = force_push(must=(bash("git status"),))
    for force in (False, True):
        with pytest.raises(Refused, match="examples"):
            to_shadow(proposed(wrong), NOTHING, at=NOON, by="p", why="x", force=force)
        with pytest.raises(Refused, match="examples"):
            promoted(proposed(force_push(must=())), force=force)


def test_a_step_needs_a_reason_and_the_right_stage() -> None:
    with pytest.raises(BadInput):
        to_shadow(proposed(force_push()), NOTHING, at=NOON, by="p", why=" ")
    with pytest.raises(Conflict):
        to_shadow(in_shadow(force_push()), NOTHING, at=NOON, by="p", why="x")
    with pytest.raises(Conflict):
        promoted(in_production(force_push()))
    with pytest.raises(Conflict):
        roll_back(
            roll_back(proposed(force_push()), at=NOON, by="p", why="x"), at=NOON, by="p", why="x"
        )
    with pytest.raises(Conflict):
        propose_again(in_shadow(force_push()), force_push(), at=NOON, by="p", why="x")


# --- harmless actions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "matcher",
    [
        LearnedMatcher(command=("git", "push")),
        LearnedMatcher(command=("git",)),
        LearnedMatcher(paths=("src/**",)),
        LearnedMatcher(contains=("def ",)),
        LearnedMatcher(tools=("read",), agents=("coding-agent",)),
        LearnedMatcher(fields={"subagent_type": "coding-agent"}),
    ],
)
def test_a_guard_that_stops_harmless_actions_is_never_promoted(matcher: LearnedMatcher) -> None:
    stopped = probe(force_push(matcher=matcher))
    assert stopped
    example = replace(stopped[0].example, agent=next(iter(matcher.agents), ""))
    guard = force_push(matcher=matcher, must=(example,), must_not=())
    for force in (False, True):
        with pytest.raises(Refused, match="harmless"):
            promoted(proposed(guard), force=force)
        with pytest.raises(Refused, match="harmless"):
            to_shadow(proposed(guard), NOTHING, at=NOON, by="p", why="x", force=force)


def test_whatever_is_promoted_stops_no_harmless_action() -> None:
    came_to = Counter[str]()

    @settings(
        max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(matchers, st.sampled_from(EVENTS), st.booleans())
    @example(force_push().matcher, "pre_tool", True)
    @example(force_push().matcher, "pre_tool", False)
    @example(LearnedMatcher(command=("git", "push")), "pre_tool", True)
    @example(LearnedMatcher(paths=("src/**",)), "pre_tool", False)
    def never(matcher: LearnedMatcher, event: GuardEvent, force: bool) -> None:
        guard = force_push(matcher=matcher, event=event, must_not=())
        example = met_by(guard)
        if example is None:
            return
        guard = replace(guard, must=(example,))
        stops = bool(probe(guard))
        try:
            record = proposed(guard)
            record = promoted(record if force else _watching(record), force=force)
        except Refused as error:
            came_to["refused"] += "harmless" in error.message
            assert stops
            return
        except BadInput:
            return  # it is about everything
        came_to["promoted"] += 1
        assert record.blocking == guard
        assert not stops

    never()
    assert came_to["promoted"] >= 2
    assert came_to["refused"] >= 2


@settings(max_examples=examples(100), deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_guard_made_of_a_harmless_action_is_never_promoted(number: int, force: bool) -> None:
    listed = harmless()
    chosen = listed[number % len(listed)]
    guard = _exactly(chosen.past)
    if guard is None:
        return
    with pytest.raises(PaigeError):
        promoted(proposed(guard), force=force)


def _watching(record: GuardRecord) -> GuardRecord:
    return to_shadow(record, NOTHING, at=NOON, by="p", why="Watch.")


def _exactly(past: PastAction) -> Guard | None:
    """The narrowest guard about an action: the values of its whole input."""
    example = past.example
    if not example.input:
        return None
    agents = (example.agent,) if example.agent else ()
    matcher = LearnedMatcher(tools=(example.tool,), fields=dict(example.input), agents=agents)
    return force_push(matcher=matcher, must=(example,), must_not=())


# --- the way back by itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "goes"),
    [
        ([], False),
        ([True, True], False),
        ([True, True, True], True),
        ([True] * 3 + [False] * 9, True),
        ([True] * 3 + [False] * 10, False),
        ([True] * 9 + [False] * 20, False),
        ([False] * 50 + [True] * 5 + [False] * 15, True),
    ],
)
def test_a_guard_goes_when_its_last_refusals_are_let_pass_too_often(
    last: list[bool], goes: bool
) -> None:
    assert too_often(ShadowHistory(last=tuple(last)), LIMITS.rollback) is goes


def test_the_same_override_counts_once() -> None:
    override = Override(decision="l1", at=NOON, by="p", why="ok")
    record = with_override(in_production(force_push()), override)
    again = with_override(record, replace(override, at=NOON + timedelta(minutes=1)))
    assert again == record
    assert len(record.overrides) == 1


def test_a_forced_promotion_by_hand_is_seen_in_the_steps() -> None:
    record = let_block(proposed(force_push()), force=True)
    assert record.current.history[-1].metrics["forced"] is True
