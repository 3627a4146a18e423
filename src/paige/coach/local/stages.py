"""Stages by evidence: what was done alone moves a skill up, a gap that comes back moves it down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paige.coach.answers import AssessedSkill, DreyfusAnswer
from paige.learner.stages import STAGES, SkillEvidence, Stage, estimate_stage

CHANGED = 0.05
"""A confidence that moved less than this is not worth a new row."""
_PASSED = (4, 6, 8)
"""The level an attempt must have passed at to speak for the stages above novice, in order."""
_OFTEN = (1, 2, 4)
"""How many of such attempts it takes."""
_ADVICE: dict[Stage, str] = {
    "novice": "Point at exact lines, and say what to notice there.",
    "advanced_beginner": "Point at the part where it happens, and leave the line to them.",
    "competent": "Name the file and the aim; let them plan the way.",
    "proficient": "Give the aim and the risk; ask for their judgement.",
    "expert": "Stay out of the way.",
}


@dataclass(frozen=True, slots=True)
class WorkedArea:
    """A language that phases were worked on in."""

    name: str
    evidence: SkillEvidence
    previous: Stage | None
    confidence: float


@dataclass(frozen=True, slots=True)
class PractisedTopic:
    """A gap with the levels of the attempts that passed, and whether this session showed it."""

    name: str
    passed: tuple[int, ...]
    failed: int
    met: int
    shown_now: bool
    previous: Stage | None
    confidence: float
    reviewed: int = 0
    """How many of the attempts were reviews in Study."""


@dataclass(frozen=True, slots=True)
class StageInputs:
    """Everything that speaks for or against a stage."""

    areas: tuple[WorkedArea, ...] = ()
    topics: tuple[PractisedTopic, ...] = ()


class Judged(NamedTuple):
    """A stage, how sure it is, and why."""

    stage: Stage
    confidence: float
    reason: str


def assess(inputs: StageInputs) -> DreyfusAnswer:
    """The stages that should be stored now."""
    found: list[AssessedSkill] = []
    for area in inputs.areas:
        estimate = estimate_stage(area.evidence, area.previous)
        judged = Judged(estimate.stage, estimate.confidence, estimate.reason)
        found += _changed(area.name, judged, area.previous, area.confidence)
    for topic in inputs.topics:
        found += _changed(topic.name, by_practice(topic), topic.previous, topic.confidence)
    return DreyfusAnswer(assessments=found)


def by_practice(topic: PractisedTopic) -> Judged:
    """The stage of a topic, at most one step from the one before."""
    supported = _supported(topic.passed)
    if topic.shown_now and supported > 0:
        supported -= 1  # what was passed once and failed in real work is not that sure
    if topic.previous is None:
        place = min(supported, 1)
    else:
        before = STAGES.index(topic.previous)
        # Practice alone takes nobody down: a stage falls when the gap shows up again.
        step = (supported > before) - (supported < before and topic.shown_now)
        place = before + step
    return _judged(topic, place)


def without_attempt(had: PractisedTopic, left: PractisedTopic) -> Judged | None:
    """The stage of a topic after an attempt was taken back; none where it does not rest on it.

    `had` counts that attempt and `left` does not.
    """
    if left.previous is None:
        return None
    place = STAGES.index(left.previous)
    rests_on_it = _supported(left.passed) < place <= _supported(had.passed)
    return _judged(left, place - 1) if rests_on_it else None


def _judged(topic: PractisedTopic, place: int) -> Judged:
    seen = len(topic.passed) + topic.failed + topic.met
    reason = (
        f"Met {topic.met} time(s) in real work; {len(topic.passed)} of "
        f"{len(topic.passed) + topic.failed} attempts at its kata passed"
    )
    if topic.reviewed:
        reason += f", {topic.reviewed} of them in Study"
    if topic.passed:
        reason += f", the best at level {max(topic.passed)} of 10"
    return Judged(STAGES[place], round(min(0.9, seen / (seen + 3)), 2), f"{reason}.")


def _supported(passed: Sequence[int]) -> int:
    """The highest stage, as its place, that the passed attempts speak for."""
    place = 0
    for number, (level, often) in enumerate(zip(_PASSED, _OFTEN, strict=True), 1):
        if sum(each >= level for each in passed) >= often:
            place = number
    return place


def _changed(
    name: str, judged: Judged, previous: Stage | None, confidence: float
) -> list[AssessedSkill]:
    same = previous == judged.stage and abs(confidence - judged.confidence) < CHANGED
    if same:
        return []
    return [
        AssessedSkill(
            skill_area=name,
            stage=judged.stage,
            previous_stage=previous,
            confidence=judged.confidence,
            evidence=judged.reason,
            recommendation=_ADVICE[judged.stage],
        )
    ]
