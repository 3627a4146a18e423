import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.learner.stages import STAGES, SkillEvidence, Stage, estimate_stage, parse_stage


@st.composite
def evidences(draw: st.DrawFn) -> SkillEvidence:
    attempts = draw(st.integers(0, 120))
    alone = draw(st.integers(0, attempts))
    deep, days = draw(st.integers(0, alone)), draw(st.integers(0, 30))
    return SkillEvidence(attempts=attempts, unaided_successes=alone, deep_successes=deep, days=days)


def test_without_evidence_everybody_is_a_novice() -> None:
    assert estimate_stage(SkillEvidence()) == ("novice", 0.0, "Nothing is known yet")


@pytest.mark.parametrize(
    ("numbers", "stage"),
    [
        ((10, 1, 0, 3), "novice"),
        ((4, 2, 0, 1), "advanced_beginner"),
        ((8, 6, 0, 2), "competent"),
        ((100, 59, 20, 20), "advanced_beginner"),
        ((18, 15, 3, 5), "proficient"),
        ((42, 40, 10, 12), "expert"),
        ((42, 40, 9, 12), "proficient"),
    ],
)
def test_stages_ask_for_more_and_more(numbers: tuple[int, ...], stage: Stage) -> None:
    attempts, alone, deep, days = numbers
    evidence = SkillEvidence(
        attempts=attempts, unaided_successes=alone, deep_successes=deep, days=days
    )
    assert estimate_stage(evidence).stage == stage


@given(evidences(), st.sampled_from(STAGES))
def test_a_stage_moves_one_step_at_a_time_and_says_why(
    evidence: SkillEvidence, previous: Stage
) -> None:
    found = estimate_stage(evidence, previous)
    assert abs(STAGES.index(found.stage) - STAGES.index(previous)) <= 1
    assert 0 <= found.confidence < 1
    assert found.reason


@given(evidences())
def test_one_more_unaided_success_never_lowers_the_stage(evidence: SkillEvidence) -> None:
    more = SkillEvidence(
        attempts=evidence.attempts + 1,
        unaided_successes=evidence.unaided_successes + 1,
        deep_successes=evidence.deep_successes,
        days=evidence.days,
    )
    before, after = estimate_stage(evidence), estimate_stage(more)
    assert STAGES.index(after.stage) >= STAGES.index(before.stage)
    assert after.confidence >= before.confidence


def test_names_of_stages_are_read_kindly_and_others_refused() -> None:
    assert parse_stage("Advanced Beginner") == "advanced_beginner"
    with pytest.raises(BadInput, match="guru"):
        parse_stage("guru")
    with pytest.raises(BadInput):
        SkillEvidence(attempts=1, unaided_successes=2)
