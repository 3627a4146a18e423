"""From novice to expert: how far somebody is in a skill area, by what they did alone.

The stages are labels for choosing how finely to help, not a measurement. Only unaided work moves
them up; a stage is changed by one step at a time, and without evidence everybody is a novice.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from paige.base.errors import BadInput

Stage = Literal["novice", "advanced_beginner", "competent", "proficient", "expert"]
STAGES: tuple[Stage, ...] = get_args(Stage)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillEvidence:
    """What somebody did in a skill area.

    `deep_successes` are those unaided successes in which the place and the way were found alone.
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
        f"on {evidence.days} day(s), {evidence.deep_successes} without being shown where"
    )
    if stage != reached:
        return f"{said}; that alone would be {reached}, and a stage moves one step at a time"
    return said
