"""The skills chart: assessed stages as scores, and one stage for the whole."""

from collections.abc import Sequence

from paige.coach.message_parts import DreyfusRow, SkillArea
from paige.coach.messages import DashboardDreyfus
from paige.learner.stages import STAGES


def chart(rows: Sequence[DreyfusRow]) -> DashboardDreyfus:
    """The chart of some assessments; without any there is no stage for the whole."""
    areas = [
        SkillArea(name=row.skill_area, stage=row.stage, score=score_of(row.stage)) for row in rows
    ]
    return DashboardDreyfus(skill_areas=areas, overall_stage=overall_stage(rows))


def score_of(stage: str) -> float:
    """A stage from 0.2 for a novice to 1 for an expert; 0 for a name nobody knows."""
    names = [str(name) for name in STAGES]
    return (names.index(stage) + 1) / len(names) if stage in names else 0.0


def overall_stage(rows: Sequence[DreyfusRow]) -> str | None:
    """The stage of the whole; none without assessments."""
    return stage_of_whole([(row.stage, row.confidence) for row in rows])


def stage_of_whole(judged: Sequence[tuple[str, float]]) -> str | None:
    """The mean of stages with their confidence, each as heavy as it is sure."""
    known = [(score_of(stage), confidence) for stage, confidence in judged if score_of(stage)]
    if not known:
        return None
    weight = sum(confidence for _, confidence in known)
    if weight == 0:
        mean = sum(score for score, _ in known) / len(known)
    else:
        mean = sum(score * confidence for score, confidence in known) / weight
    return STAGES[max(0, min(len(STAGES) - 1, round(mean * len(STAGES)) - 1))]
