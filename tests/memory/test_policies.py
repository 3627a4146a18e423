from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import Draft
from paige.memory.lifecycle.outcomes import PolicyRef
from paige.memory.lifecycle.policies import (
    Change,
    Key,
    PolicyBook,
    PolicyWeights,
    Proposal,
    change_of,
    changed,
    default_policy,
    dimensions,
    fold_policies,
    lawful,
    load_policy,
    policy_draft,
)
from paige.memory.lifecycle.staged import Step
from tests.memory.life import LIFE, NOON, SmallMemory

P = LIFE.policy
DEFAULT = default_policy(P)
MORE_RECENCY = Change("recency", 1)


def proposal(change: Change = MORE_RECENCY) -> Proposal:
    policy = changed(DEFAULT, change, P)
    assert policy is not None
    return Proposal(policy, DEFAULT, change)


def steps(key: Key, version: int, *stages: str) -> list[Draft]:
    made: list[Draft] = []
    for stage in stages:
        step = Step(stage, NOON, f"because {stage}")  # type: ignore[arg-type]
        made.append(policy_draft(key, version, step, proposal() if stage == "experiment" else None))
    return made


def fold(*drafts: Draft) -> PolicyBook:
    memory = SmallMemory()
    memory.write(drafts)
    return fold_policies(memory.events, DEFAULT, LIFE.stages)


def test_one_step_changes_one_dimension_by_a_bounded_step() -> None:
    after = changed(DEFAULT, MORE_RECENCY, P)
    assert after == replace(DEFAULT, weights=replace(DEFAULT.weights, recency=0.015))
    assert changed(DEFAULT, Change("k.session", -1), P) == replace(
        DEFAULT, k={**DEFAULT.k, "session": DEFAULT.k["session"] - 1}
    )
    assert changed(DEFAULT, Change("budget.fact", 1), P) == replace(
        DEFAULT, budget={**DEFAULT.budget, "fact": 660}
    )


def test_a_step_that_would_break_the_order_is_not_made() -> None:
    close = replace(DEFAULT, weights=PolicyWeights(1.0, 0.05, 0.04, 0.01))
    assert changed(close, MORE_RECENCY, P) is None
    assert changed(DEFAULT, Change("colour", 1), P) is None
    assert changed(DEFAULT, Change("min_score", -1), P) is None


@given(st.lists(st.tuples(st.sampled_from(dimensions(DEFAULT)), st.sampled_from([1, -1]))))
def test_no_sequence_of_steps_leaves_the_law(changes: list[tuple[str, int]]) -> None:
    policy = DEFAULT
    for dimension, direction in changes:
        policy = changed(policy, Change(dimension, direction), P) or policy
        assert lawful(policy, P)
        weights = policy.weights
        assert weights.relevance > weights.importance > weights.recency > weights.access
        assert load_policy(asdict(policy)) == policy


def test_before_anything_was_learned_the_shipped_policy_holds() -> None:
    applied = fold().current("coder", "project", "s1")
    assert (applied.policy, applied.ref) == (DEFAULT, PolicyRef("*", "*", 0))
    assert (applied.stage, applied.reason) == ("production", "as shipped")


def test_the_most_particular_policy_holds() -> None:
    everyone = steps(Key(), 1, "experiment", "validate", "production")
    coder = steps(Key("coder", "*"), 1, "experiment", "validate", "production")
    book = fold(*everyone, *coder)
    assert book.current("coder", "project", None).ref == PolicyRef("coder", "*", 1)
    assert book.current("reviewer", None, None).ref == PolicyRef("*", "*", 1)


def test_a_share_of_sessions_tries_an_experiment_and_the_rest_do_not() -> None:
    book = fold(*steps(Key(), 1, "experiment"))
    versions = [book.current(None, None, f"s{number}").ref.version for number in range(300)]
    assert 60 < sum(versions) < 120
    assert book.current(None, None, None).ref.version == 0


def test_a_step_written_twice_or_out_of_turn_changes_nothing() -> None:
    drafts = steps(Key(), 1, "experiment", "validate", "production")
    again = [replace(each, id=f"again-{number}") for number, each in enumerate(drafts)]
    book = fold(*drafts, *again)
    assert book.ignored == 3
    assert book.lineages == fold(*drafts).lineages


def test_damaged_records_are_left_out() -> None:
    book = fold(Draft(type="policy", payload={"role": "*"}), Draft(type="policy", payload={}))
    assert (book.ignored, dict(book.lineages)) == (2, {})


def test_the_history_tells_every_step_in_order() -> None:
    book = fold(*steps(Key(), 1, "experiment", "validate", "production", "rolled_back"))
    lines = [(line.version, line.stage, line.reason) for line in book.history()]
    assert lines == [
        (0, "production", "as it was before anything was learned"),
        (0, "retired", "version 1 replaced it"),
        (0, "production", "version 1 was rolled back"),
        (1, "experiment", "because experiment"),
        (1, "validate", "because validate"),
        (1, "production", "because production"),
        (1, "rolled_back", "because rolled_back"),
    ]
    assert change_of(book.lineages[Key()].versions[1]) == MORE_RECENCY


def test_shipped_values_are_lawful_and_an_unlawful_order_is_seen() -> None:
    assert lawful(DEFAULT, P)
    assert not lawful(replace(DEFAULT, weights=PolicyWeights(1.0, 0.02, 0.05, 0.01)), P)
    assert not lawful(replace(DEFAULT, min_score=0.9), P)
    with pytest.raises(KeyError):
        load_policy({"weights": {}})
