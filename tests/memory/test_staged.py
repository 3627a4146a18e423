import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Conflict
from paige.memory.lifecycle.staged import (
    STAGES,
    TRIED,
    Lineage,
    Step,
    assigned,
    begin,
    look_at,
    looks,
    move,
    propose,
)
from tests.memory.life import LIFE, NOON

S = LIFE.stages


def steps(lineage: Lineage[str], version: int, *stages: str) -> Lineage[str]:
    for stage in stages:
        lineage = move(lineage, version, Step(stage, NOON, f"because {stage}"))  # type: ignore[arg-type]
    return lineage


def started() -> Lineage[str]:
    return propose(begin("old", at=NOON, reason="first"), "new", at=NOON, reason="an idea")


def test_a_version_goes_through_trial_and_validation_to_production() -> None:
    lineage = steps(started(), 1, "validate", "production")
    assert lineage.production.value == "new"
    assert lineage.versions[0].stage == "retired"
    assert lineage.versions[0].reason == "version 1 replaced it"
    assert [step.stage for step in lineage.production.history] == [
        "experiment",
        "validate",
        "production",
    ]


def test_a_rollback_restores_the_version_before() -> None:
    lineage = steps(started(), 1, "validate", "production", "rolled_back")
    assert lineage.production.value == "old"
    assert lineage.production.reason == "version 1 was rolled back"
    assert lineage.versions[1].stage == "rolled_back"


def test_a_lost_trial_leaves_production_alone() -> None:
    lineage = steps(started(), 1, "retired")
    assert lineage.production.value == "old"
    assert lineage.tried is None


@pytest.mark.parametrize("stage", ["production", "rolled_back", "experiment"])
def test_no_stage_can_be_skipped(stage: str) -> None:
    with pytest.raises(Conflict):
        steps(started(), 1, stage)


def test_two_versions_are_never_tried_at_once() -> None:
    with pytest.raises(Conflict, match="still being tried"):
        propose(started(), "other", at=NOON, reason="impatience")


def test_the_first_version_cannot_be_rolled_back_and_an_unknown_one_not_moved() -> None:
    with pytest.raises(Conflict, match="first version"):
        steps(begin("old", at=NOON, reason="first"), 0, "rolled_back")
    with pytest.raises(Conflict, match="no version 7"):
        steps(started(), 7, "validate")


def test_a_fixed_share_of_cases_tries_the_new_version() -> None:
    lineage = started()
    cases = [f"session-{number}" for number in range(4000)]
    tried = [case for case in cases if assigned(lineage, case, S).version == 1]
    assert len(tried) / len(cases) == pytest.approx(S.experiment_share, abs=0.03)
    assert [case for case in cases if assigned(lineage, case, S).version == 1] == tried
    ended = steps(lineage, 1, "retired")
    assert {assigned(ended, case, S).version for case in cases} == {0}


def test_trials_are_looked_at_when_the_samples_doubled() -> None:
    assert looks(20, 100) == (20, 40, 80)
    assert [look_at(count, 20, 100) for count in (19, 20, 79, 80, 500)] == [None, 0, 1, 2, 2]


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(STAGES)), max_size=40))
def test_exactly_one_version_is_in_production_whatever_is_asked_for(
    asked: list[tuple[int, str]],
) -> None:
    lineage = begin("v0", at=NOON, reason="first")
    for version, stage in asked:
        before = lineage
        try:
            if stage == "experiment":
                name = f"v{len(lineage.versions)}"
                lineage = propose(lineage, name, at=NOON, reason="an idea")
            else:
                lineage = steps(lineage, version, stage)
        except Conflict:
            continue
        live = [each for each in lineage.versions if each.stage == "production"]
        assert live == [lineage.production]
        assert sum(each.stage in TRIED for each in lineage.versions) <= 1
        if stage == "rolled_back":
            assert before.before is not None
            assert lineage.production.value == before.before.value
