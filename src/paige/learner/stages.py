"""From novice to expert: how far somebody is in a skill area, by what they did alone.

The stages are labels for choosing how finely to help, not a measurement. Only unaided work moves
them up; a stage is changed by one step at a time, and without evidence everybody is a novice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from paige.base.errors import BadInput
from paige.exercise.values import AGAIN, BLOOM_LEVELS, GOOD, Bloom
from paige.learner.progress import Progress

Stage = Literal["novice", "advanced_beginner", "competent", "proficient", "expert"]
STAGES: tuple[Stage, ...] = get_args(Stage)
_ANALYZE = BLOOM_LEVELS.index("analyze")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEvidence:
    """What somebody did in a skill area.

    `deep_successes` are those unaided successes that took analysis or more.
    """

    attempts: int = 0
    unaided_successes: int = 0
    deep_successes: int = 0
    hints_used: int = 0
    days: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.deep_successes <= self.unaided_successes <= self.attempts:
            raise BadInput("There cannot be more successes than attempts")


class Estimate(NamedTuple):
    """A stage, how sure it is from 0 to 1, and why."""

    stage: Stage
    confidence: float
    reason: str


class _Bar(NamedTuple):
    """What a stage asks for."""

    successes: int
    share: float
    days: int
    deep: int


_BARS: dict[Stage, _Bar] = {
    "advanced_beginner": _Bar(successes=2, share=0.3, days=1, deep=0),
    "competent": _Bar(successes=6, share=0.6, days=2, deep=0),
    "proficient": _Bar(successes=15, share=0.75, days=5, deep=3),
    "expert": _Bar(successes=40, share=0.9, days=10, deep=10),
}


def estimate_stage(evidence: SkillEvidence, previous: Stage | None = None) -> Estimate:
    """The stage that the evidence supports, at most one step from the one known before."""
    reached: Stage = "novice"
    for stage, bar in _BARS.items():
        if not _over(evidence, bar):
            break
        reached = stage
    stage = reached if previous is None else _one_step(previous, reached)
    confidence = _confidence(evidence, agrees=stage == reached)
    return Estimate(stage, confidence, _reason(evidence, stage, reached))


def skill_evidence(progress: Iterable[Progress]) -> SkillEvidence:
    """The evidence in what is kept of the concepts of a skill area."""
    done = [each for concept in progress for each in concept.exercise_history]
    alone = [each for each in done if each.unaided and each.rating >= GOOD]
    return SkillEvidence(
        attempts=len(done),
        unaided_successes=len(alone),
        deep_successes=sum(_is_deep(each.bloom_level) for each in alone),
        hints_used=sum(not each.unaided for each in done),
        days=len({each.at.date() for each in done if each.rating > AGAIN}),
    )


def parse_stage(text: str) -> Stage:
    """The stage of that name. Raises: BadInput."""
    wanted = text.strip().lower().replace(" ", "_").replace("-", "_")
    for stage in STAGES:
        if stage == wanted:
            return stage
    raise BadInput(f"`{text}` is not a stage", hint=f"Use one of: {', '.join(STAGES)}.")


def _over(evidence: SkillEvidence, bar: _Bar) -> bool:
    return (
        evidence.unaided_successes >= bar.successes
        and evidence.unaided_successes >= bar.share * evidence.attempts
        and evidence.days >= bar.days
        and evidence.deep_successes >= bar.deep
    )


def _one_step(previous: Stage, reached: Stage) -> Stage:
    place, wanted = STAGES.index(previous), STAGES.index(reached)
    return STAGES[place + (wanted > place) - (wanted < place)]


def _confidence(evidence: SkillEvidence, *, agrees: bool) -> float:
    """Grows with the number of attempts; a step that was held back is less sure."""
    sure = evidence.attempts / (evidence.attempts + 8)
    return round(sure if agrees else sure / 2, 3)


def _reason(evidence: SkillEvidence, stage: Stage, reached: Stage) -> str:
    if evidence.attempts == 0:
        return "Nothing is known yet"
    said = (
        f"{evidence.unaided_successes} of {evidence.attempts} attempts succeeded without help, "
        f"on {evidence.days} day(s), {evidence.deep_successes} of them at analysis or above"
    )
    if stage != reached:
        return f"{said}; that alone would be {reached}, and a stage moves one step at a time"
    return said


def _is_deep(level: Bloom | None) -> bool:
    return level is not None and BLOOM_LEVELS.index(level) >= _ANALYZE
