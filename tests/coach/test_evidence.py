"""What the phases of all sessions say about a language."""

from datetime import timedelta

from paige.coach.history_queries import PhaseDone
from paige.coach.inquiry.assessment import evidence_in
from paige.learner.stages import SkillEvidence, estimate_stage
from tests.conftest import NOON


def phase(day: int, level: str = "line", *, status: str = "complete", hints: int = 0) -> PhaseDone:
    begun = NOON + timedelta(days=day)
    return PhaseDone(f"session-{day}", status, level, ("shop.py",), begun, hints)


def test_only_what_was_finished_without_asking_counts_as_done_alone() -> None:
    found = evidence_in([phase(0), phase(1, hints=2), phase(2, status="active"), phase(2, "file")])
    assert found == SkillEvidence(
        attempts=4, unaided_successes=2, deep_successes=1, hints_used=2, days=3
    )


def test_whoever_finds_the_places_alone_day_after_day_becomes_proficient() -> None:
    shown = [phase(day, "line") for day in range(5) for _ in range(3)]
    found = [phase(day, "file") for day in range(5) for _ in range(3)]
    assert estimate_stage(evidence_in(shown), "competent").stage == "competent"
    assert estimate_stage(evidence_in(found), "competent").stage == "proficient"
