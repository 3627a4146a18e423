from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import SCOPES
from paige.memory.lifecycle.promotion import PRIVATE, Candidate, decide_promotion, promotion_score
from tests.memory.life import DAY, LIFE

P = LIFE.promotion
GOOD = Candidate(
    type="preference", scope="session", project="p1", age=DAY, relevance=0.9, importance=0.8
)
PROVEN = replace(
    GOOD,
    scope="project",
    reinforced=5,
    projects=frozenset({"p1", "p2"}),
    projects_with_success=frozenset({"p1", "p2"}),
    successes=6,
    failures=1,
)
units = st.floats(0, 1)
candidates = st.builds(
    Candidate,
    type=st.sampled_from(["note", "fact", "preference", "pattern", "policy", "turn", "episode"]),
    scope=st.sampled_from(SCOPES),
    project=st.sampled_from([None, "p1"]),
    age=st.floats(0, 1000).map(lambda days: timedelta(days=days)),
    relevance=units,
    importance=units,
    reinforced=st.integers(0, 20),
    projects=st.frozensets(st.sampled_from(["p1", "p2", "p3"])),
    projects_with_success=st.frozensets(st.sampled_from(["p1", "p2", "p3"])),
    successes=st.integers(0, 20),
    failures=st.integers(0, 20),
    long_term=st.booleans(),
)


def test_a_good_memory_goes_from_its_session_to_its_project() -> None:
    decision = decide_promotion(GOOD, P)
    assert decision is not None
    assert decision.to == "project"
    assert "relevance 0.90" in decision.reason


def test_without_a_project_it_becomes_a_lasting_one_of_its_session() -> None:
    decision = decide_promotion(replace(GOOD, project=None), P)
    assert decision is not None
    assert decision.to == "session"


def test_what_is_long_term_is_not_promoted_again() -> None:
    assert decide_promotion(replace(GOOD, project=None, long_term=True), P) is None


def test_a_weak_memory_stays() -> None:
    weak = replace(GOOD, relevance=0.2, importance=0.1, age=90 * DAY)
    assert decide_promotion(weak, P) is None


def test_turns_of_a_talk_are_not_kept_by_themselves() -> None:
    assert decide_promotion(replace(GOOD, type="turn", relevance=1, importance=1), P) is None


def test_what_worked_in_two_projects_goes_everywhere() -> None:
    decision = decide_promotion(PROVEN, P)
    assert decision is not None
    assert decision.to == "global"


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "fact"},
        {"projects_with_success": frozenset({"p1"})},
        {"projects": frozenset({"p1"})},
        {"successes": 1, "failures": 6},
        {"relevance": 0.1, "importance": 0.1},
    ],
)
def test_the_gate_to_everywhere_is_strict(changes: dict[str, object]) -> None:
    assert decide_promotion(replace(PROVEN, **changes), P) is None  # type: ignore[arg-type]


@given(candidates)
def test_private_memories_are_never_promoted(candidate: Candidate) -> None:
    decision = decide_promotion(candidate, P)
    if candidate.scope in PRIVATE:
        assert decision is None
    if decision is not None and decision.to == "global":
        assert candidate.type in P.global_types
        assert len(candidate.projects & candidate.projects_with_success) >= 2
        assert candidate.scope == "project"


@given(candidates, units)
def test_more_of_anything_never_lowers_the_score(candidate: Candidate, more: float) -> None:
    score = promotion_score(candidate, P)
    assert 0 <= score.value <= 1
    for better in (
        replace(candidate, relevance=min(1.0, candidate.relevance + more)),
        replace(candidate, importance=min(1.0, candidate.importance + more)),
        replace(candidate, reinforced=candidate.reinforced + 1),
        replace(candidate, age=candidate.age * more),
    ):
        assert promotion_score(better, P).value >= score.value - 1e-9
