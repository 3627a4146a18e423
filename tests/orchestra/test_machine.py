"""The machine of the orchestra: complete, always ending, and closing nothing without evidence."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.guard.state.next_step import next_step
from paige.orchestra.machine import (
    AGENTS,
    CHECKS,
    STAGES,
    TABLE,
    Transition,
    actions_of,
    key_of,
    measure,
    step,
)
from paige.orchestra.running.project_files import (
    dump_state,
    fault_in,
    features_from,
    items_from,
    load_state,
    session_from,
)
from paige.orchestra.values import (
    MOST_RETRIES,
    AgentFailed,
    AgentReturned,
    AgentTimedOut,
    BaseMoved,
    Blocked,
    Closed,
    EndSession,
    Event,
    Ignore,
    Judge,
    Merge,
    MergeConflict,
    Merged,
    NotVetoed,
    Open,
    Phase,
    Proof,
    Reflect,
    Refused,
    Return,
    RunAgent,
    SessionStarted,
    State,
    TellPerson,
    TestsFailed,
    TestsPassed,
    Verified,
    Verify,
    Vetoed,
    WriteFeatures,
)
from tests.depth import examples
from tests.orchestra.machine_events import answers, anything, fitting, late, opened, proof_for

NEW = State(run="r1")
PERSONS = (SessionStarted,)
DONE = Return(agent="coding-agent")


def started(*ids: str, tiers: int = 2, group: str = "") -> Transition:
    return step(NEW, SessionStarted(items=opened(*ids, group=group), tiers=3 if tiers == 3 else 2))


def answered(state: State, event: type, *values: object) -> State:
    """The state after an answer to what is under way."""
    after, actions = step(state, event(key_of(state), *values))
    assert not any(isinstance(each, Ignore) for each in actions), (state.phase, event)
    return after


def coded(state: State) -> State:
    """Up to the tester."""
    state = answered(state, AgentReturned, DONE)
    return answered(answered(state, Verified), NotVetoed)


def to_merge(state: State) -> State:
    """Up to the merge."""
    state = answered(state, AgentReturned, DONE)
    return answered(state, TestsPassed, proof_for(state.feature or ""))


def reached(data: st.DataObject, most: int = 40) -> State:
    """A state that some events lead to."""
    state = NEW
    for _ in range(data.draw(st.integers(0, most))):
        state = step(state, data.draw(st.sampled_from(anything(state)))).state
    return state


# --- properties -----------------------------------------------------------------------------------


@settings(max_examples=examples(150))
@given(st.data())
def test_every_event_from_every_reachable_state_is_defined(data: st.DataObject) -> None:
    state = reached(data)
    after, actions = step(state, data.draw(st.sampled_from(anything(state))))
    assert fault_in(after) == ""
    ignored = [each for each in actions if isinstance(each, Ignore)]
    if ignored:
        assert after == state
        assert len(actions) == 1


@settings(max_examples=examples(150))
@given(st.data())
def test_every_answer_to_an_action_makes_the_measure_smaller(data: st.DataObject) -> None:
    state = reached(data)
    after, actions = step(state, data.draw(st.sampled_from(answers(state))))
    if not any(isinstance(each, Ignore) for each in actions):
        assert measure(after) < measure(state)


@settings(max_examples=examples(100))
@given(st.data(), st.sampled_from((2, 3)))
def test_the_work_always_ends_whatever_agents_answer(data: st.DataObject, tiers: int) -> None:
    state, _ = started("A", "B", "C", tiers=tiers)
    bound = sum(measure(state))
    taken = 0
    while not state.ended:
        assert actions_of(state), f"{state.phase} asks for nothing"
        event = data.draw(st.sampled_from(fitting(state)))
        state = step(state, event).state
        taken += 1
        assert taken <= bound
    assert not state.open


@settings(max_examples=examples(150))
@given(st.data())
def test_no_feature_closes_without_the_testers_evidence_for_the_merged_files(
    data: st.DataObject,
) -> None:
    state = NEW
    shown: set[Proof] = set()
    for _ in range(data.draw(st.integers(1, 60))):
        event = data.draw(st.sampled_from(anything(state)))
        before, was = state, closed(state)
        state = step(before, event).state
        if isinstance(event, TestsPassed):
            shown.add(event.proof)
        for each in closed(state).keys() - was.keys():
            assert isinstance(event, Merged)
            assert closed(state)[each] in shown
            assert closed(state)[each].tree == event.tree
            assert closed(state)[each].feature == each


def closed(state: State) -> dict[str, Proof]:
    return {each.id: each.proof for each in state.items if isinstance(each, Closed)}


@settings(max_examples=examples(100))
@given(st.data())
def test_a_feature_is_begun_at_most_three_times_by_the_coder(data: st.DataObject) -> None:
    state, actions = started("A", "B")
    begun: dict[str, set[int]] = {}
    while not state.ended:
        for each in actions:
            if isinstance(each, RunAgent) and each.feature:
                begun.setdefault(each.feature, set()).add(each.attempt)
        state, actions = step(state, data.draw(st.sampled_from(fitting(state))))
    assert all(max(each) <= MOST_RETRIES + 1 for each in begun.values())
    assert all(each.retries <= MOST_RETRIES for each in state.items)


@settings(max_examples=examples(100))
@given(st.data())
def test_a_late_answer_changes_nothing(data: st.DataObject) -> None:
    state = reached(data)
    after, actions = step(state, data.draw(st.sampled_from(late(state))))
    assert after == state
    assert isinstance(actions[0], Ignore)


@settings(max_examples=examples(100))
@given(st.data())
def test_a_state_that_was_written_down_is_the_same_and_asks_for_the_same(
    data: st.DataObject,
) -> None:
    state = reached(data)
    again = load_state(dump_state(state))
    assert again == state
    assert actions_of(again) == actions_of(state)


@settings(max_examples=examples(100))
@given(st.data())
def test_a_session_that_starts_again_goes_on_with_what_was_under_way(data: st.DataObject) -> None:
    state = reached(data)
    if state.ended or state.phase == "session_start":
        return
    listed = items_from(features_from(state), closed(state))
    after, actions = step(state, SessionStarted(items=listed))
    assert after == state
    assert actions == (WriteFeatures(), *actions_of(state))


@settings(max_examples=examples(100))
@given(st.data())
def test_the_list_of_features_says_the_same_as_the_machine(data: st.DataObject) -> None:
    state = reached(data)
    if state.tiers == 3 or state.phase not in ("initializing", "coding", "testing", "all_complete"):
        return
    said = next_step(features_from(state), session_from(state))
    if state.phase == "all_complete":
        assert said.action == "end_session"
    elif state.phase != "initializing" or not state.items:
        assert (said.agent, said.feature) == (AGENTS[state.phase], state.feature)


@pytest.mark.parametrize("tiers", [2, 3])
def test_all_states_two_features_can_be_in_keep_the_promises(tiers: int) -> None:
    first = started("A", "B", tiers=tiers).state
    waiting, seen = [first], {plain(first)}
    while waiting:
        state = waiting.pop()
        for event in answers(state):
            after, actions = step(state, event)
            ignored = isinstance(actions[0], Ignore) if actions else False
            assert fault_in(after) == ""
            assert after == state or not ignored
            if not ignored:
                assert measure(after) < measure(state)
            for each in closed(after).keys() - closed(state).keys():
                assert isinstance(event, Merged)
                assert closed(after)[each].tree == event.tree
            if plain(after) not in seen:
                seen.add(plain(after))
                waiting.append(after)
    assert {each.phase for each in seen} >= {*STAGES, "all_complete"}


def plain(state: State) -> State:
    """A state without what nothing depends on."""
    items = tuple(
        replace(each, why=()) if isinstance(each, Blocked) else each for each in state.items
    )
    return replace(state, turn=0, missing=(), why="", items=items)


def test_each_kind_of_event_is_in_the_table_or_starts_the_session() -> None:
    known = {each for row in TABLE.values() for each in row} | set(PERSONS)
    assert known == set(get_args(Event))


def test_each_phase_that_works_has_a_row() -> None:
    quiet = {"session_start", "stopped", "all_complete"}
    assert set(TABLE) == set(get_args(Phase)) - quiet
    assert set(STAGES) | set(AGENTS) | set(CHECKS.values()) == set(TABLE)


# --- the rows of the table ------------------------------------------------------------------------


def only(actions: Iterable[object], kind: type) -> object:
    found = [each for each in actions if isinstance(each, kind)]
    assert len(found) == 1, actions
    return found[0]


@pytest.mark.parametrize("items", [None, ()])
def test_without_features_the_initializer_begins(items: tuple[()] | None) -> None:
    state, actions = step(NEW, SessionStarted(items=items, goal="a shop"))
    assert state.phase == "initializing"
    run = only(actions, RunAgent)
    assert isinstance(run, RunAgent)
    assert (run.agent, run.feature, run.attempt) == ("initializer-agent", None, 1)


def test_a_pending_feature_goes_to_the_coder() -> None:
    state, actions = started("A", "B")
    run = only(actions, RunAgent)
    assert isinstance(run, RunAgent)
    assert (run.agent, run.feature, run.attempt) == ("coding-agent", "A", 1)
    assert state.phase == "coding"


def test_code_is_verified_and_judged_before_the_tester_sees_it() -> None:
    state = answered(started("A").state, AgentReturned, DONE)
    assert actions_of(state) == (Verify(key=key_of(state), phase="verifying", feature="A"),)
    state = answered(state, Verified)
    assert actions_of(state) == (Judge(key=key_of(state), feature="A"),)
    state = answered(state, NotVetoed)
    assert [each.agent for each in actions_of(state) if isinstance(each, RunAgent)] == [
        "tester-agent"
    ]


def test_a_tested_feature_is_merged_closed_and_followed_by_the_next() -> None:
    state = to_merge(coded(started("A", "B").state))
    assert isinstance(actions_of(state)[0], Merge)
    state = answered(state, Merged, "tree-1")
    assert isinstance(state.item("A"), Closed)
    assert (state.phase, state.feature) == ("coding", "B")


def test_a_failed_test_resumes_the_coder_twice_and_then_blocks_the_feature() -> None:
    state = started("A", "B").state
    for attempt in (1, 2, 3):
        assert (state.feature, state.attempt) == ("A", attempt)
        state = answered(coded(state), AgentReturned, DONE)
        before = state
        state, actions = step(before, TestsFailed(key_of(before)))
        assert Reflect("A", attempt, ("tests",)) in actions
    assert isinstance(state.item("A"), Blocked)
    assert state.feature == "B"


def test_when_nothing_is_left_the_session_ends_with_a_report() -> None:
    state = to_merge(coded(started("A").state))
    after, actions = step(state, Merged(key_of(state), "tree-1"))
    assert after.phase == "all_complete"
    assert only(actions, EndSession) == EndSession(closed=("A",))


@pytest.mark.parametrize("event", [AgentFailed, AgentTimedOut])
def test_a_coder_that_is_lost_begins_again_with_one_retry_less(event: type) -> None:
    state = answered(started("A").state, event)
    assert (state.phase, state.attempt, state.missing) == ("coding", 2, ("answer",))


@pytest.mark.parametrize("event", [AgentFailed, AgentTimedOut])
def test_a_tester_that_is_lost_is_started_again_not_the_coder(event: type) -> None:
    state = answered(coded(started("A").state), event)
    assert (state.phase, state.attempt) == ("testing", 2)


def test_a_tester_without_evidence_tests_again() -> None:
    state = answered(coded(started("A").state), AgentReturned, DONE)
    state = answered(state, Refused, ("evidence",))
    assert (state.phase, state.missing) == ("testing", ("evidence",))


def test_a_veto_and_a_refused_check_go_back_to_the_coder() -> None:
    state = answered(started("A").state, AgentReturned, DONE)
    refused = answered(state, Refused, ("checks",))
    assert (refused.phase, refused.missing) == ("coding", ("checks",))
    vetoed = answered(answered(state, Verified), Vetoed)
    assert (vetoed.phase, vetoed.missing) == ("coding", ("agreement",))


@pytest.mark.parametrize("event", [AgentFailed, AgentTimedOut])
def test_a_judge_that_is_lost_has_said_nothing(event: type) -> None:
    state = answered(answered(started("A").state, AgentReturned, DONE), Verified)
    assert answered(state, event).phase == "testing"


def test_a_proof_for_another_feature_closes_nothing() -> None:
    state = answered(coded(started("A", "B").state), AgentReturned, DONE)
    state = answered(state, TestsPassed, proof_for("B"))
    assert (state.phase, state.feature, state.attempt) == ("testing", "A", 2)


def test_a_conflict_is_a_failed_attempt_of_the_coder() -> None:
    state = answered(to_merge(coded(started("A").state)), MergeConflict, ("a.py",))
    assert (state.phase, state.attempt, state.missing) == ("coding", 2, ("merge",))


def test_a_base_that_moved_is_tested_again_and_costs_a_retry_the_third_time() -> None:
    state = to_merge(coded(started("A").state))
    for _ in range(2):
        state = answered(state, BaseMoved)
        assert (state.phase, state.attempt, state.proof) == ("testing", 1, None)
        state = to_merge(state)
    assert answered(state, BaseMoved).attempt == 2


def test_merged_files_that_were_not_the_tested_ones_close_nothing() -> None:
    state = answered(to_merge(coded(started("A").state)), Merged, "tree-2")
    assert (state.phase, isinstance(state.item("A"), Open)) == ("testing", True)


def test_the_initializer_has_two_retries_and_then_the_person_is_told() -> None:
    state = step(NEW, SessionStarted(items=None, goal="?")).state
    for _ in range(MOST_RETRIES):
        state = answered(state, AgentFailed)
    after, actions = step(state, AgentFailed(key_of(state)))
    assert after.phase == "stopped"
    assert only(actions, TellPerson)


def test_a_plan_without_features_is_none() -> None:
    state = answered(step(NEW, SessionStarted(items=None)).state, AgentReturned, DONE)
    state = answered(state, Verified, ())
    assert (state.phase, state.missing) == ("initializing", ("features",))
    state = answered(answered(state, AgentReturned, DONE), Verified, opened("A"))
    assert (state.phase, state.feature) == ("coding", "A")


def test_a_feature_that_is_called_tested_without_a_proof_goes_to_the_tester() -> None:
    features = features_from(one_closed())
    assert features[0].tested
    _, actions = step(NEW, SessionStarted(items=items_from(features, {})))
    run = only(actions, RunAgent)
    assert isinstance(run, RunAgent)
    assert (run.agent, run.feature) == ("tester-agent", "A")
    kept = step(NEW, SessionStarted(items=items_from(features, {"A": proof_for("A")}))).state
    assert kept.phase == "all_complete"


def one_closed() -> State:
    return answered(to_merge(coded(started("A").state)), Merged, "tree-1")


def test_with_three_tiers_a_section_leader_comes_before_its_features() -> None:
    items = (*opened("A", "B", group="left"), *opened("C", group="right"))
    state, actions = step(NEW, SessionStarted(items=items, tiers=3))
    run = only(actions, RunAgent)
    assert isinstance(run, RunAgent)
    assert (run.agent, run.group, run.feature) == ("section-leader", "left", None)
    state = answered(answered(state, AgentReturned, DONE), Verified)
    assert (state.phase, state.feature) == ("coding", "A")
    for feature in ("A", "B"):
        assert state.feature == feature
        state = answered(to_merge(coded(state)), Merged, "tree-1")
    assert (state.phase, state.group) == ("leading", "right")


def test_a_section_goes_on_without_a_leader_that_failed_three_times() -> None:
    state = started("A", tiers=3, group="left").state
    for _ in range(MOST_RETRIES + 1):
        assert state.phase == "leading"
        state = answered(state, AgentTimedOut)
    assert (state.phase, state.feature, state.attempt) == ("coding", "A", 1)


def test_a_person_may_open_a_closed_feature_again_in_the_list() -> None:
    done = one_closed()
    listed = (Open(id="A"),)
    assert step(done, SessionStarted(items=listed)).state.feature == "A"
    same = items_from(features_from(done), {})  # its evidence is old and was forgotten
    assert step(done, SessionStarted(items=same)).state.phase == "all_complete"


# --- values that cannot be ------------------------------------------------------------------------


def test_a_proof_without_tests_or_seal_cannot_be_made() -> None:
    good = {"feature": "A", "tree": "t", "tests": 1, "argv": ("pytest",), "at": "", "seal": "s"}
    assert Proof(**good)  # pyright: ignore[reportArgumentType]
    for change in ({"tests": 0}, {"seal": ""}, {"tree": ""}, {"argv": ()}, {"feature": ""}):
        with pytest.raises(BadInput):
            Proof(**{**good, **change})  # pyright: ignore[reportArgumentType]


def test_a_closed_feature_has_the_proof_of_its_own() -> None:
    with pytest.raises(BadInput):
        Closed(id="A", proof=proof_for("B"))


@pytest.mark.parametrize(
    "change",
    [
        {"phase": "merging"},
        {"phase": "flying"},
        {"feature": "nobody"},
        {"tries": 9},
        {"items": [{"kind": "closed", "id": "A"}]},
        {"items": [{"kind": "gone", "id": "A"}]},
        {"items": 3},
        {"turn": "many"},
    ],
)
def test_a_state_that_cannot_be_is_refused(change: dict[str, object]) -> None:
    written = {**dump_state(started("A").state), **change}
    with pytest.raises(BadInput, match="cannot be used"):
        load_state(written)


def test_what_others_keep_with_a_feature_stays_in_the_list() -> None:
    state = started("A").state
    (before,) = features_from(state)
    before.extra["colour"] = "red"
    (after,) = features_from(state, (before,))
    assert (after.status, after.extra["colour"]) == ("in_progress", "red")


def test_the_page_about_the_orchestra_has_every_phase() -> None:
    page = (Path(__file__).parents[2] / "docs/explanation/orchestra.md").read_text("utf-8")
    rows = [line.split("|")[1].strip().strip("`") for line in page.splitlines() if "| `" in line]
    assert set(get_args(Phase)) <= set(rows)
