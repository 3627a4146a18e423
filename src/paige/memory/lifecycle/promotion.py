"""Which memories outlive their session, and which go from a project to everywhere.

What a session learned is short-term. When the session ends each of its memories is scored by
relevance, importance, recency and how often it was confirmed; what passes becomes long-term: a
memory of the project, or, where there is no project, a lasting one of the same session and owner.
From a project to everywhere the gate is stricter: preferences, policies and patterns only, seen in
several projects, with success. Memories of an agent, a teacher, a class or a learner stay where
they are; only a person may share them.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from paige.memory.event import Scope

PRIVATE: frozenset[Scope] = frozenset({"agent", "teacher", "class", "learner"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionThresholds:
    """Weights of the score, and the gates."""

    relevance: float
    importance: float
    recency: float
    reinforcement: float
    recency_half_life_days: float
    full_reinforcement: int
    long_term: float
    everywhere: float
    least_projects: int
    least_success_ratio: float
    global_types: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What is known about a memory when it is considered."""

    type: str
    scope: Scope
    project: str | None
    age: timedelta
    relevance: float  # how well it fitted what was asked or done, 0 to 1
    importance: float
    reinforced: int = 0  # times it was said, recalled or confirmed again
    # Projects in which the same thing was seen, and how the tasks there ended.
    projects: frozenset[str] = frozenset()
    projects_with_success: frozenset[str] = frozenset()
    successes: int = 0
    failures: int = 0
    long_term: bool = False


class PromotionScore(NamedTuple):
    """The score and its parts, each from 0 to 1."""

    value: float
    relevance: float
    importance: float
    recency: float
    reinforcement: float

    def said(self) -> str:
        """The score in words."""
        return (
            f"score {self.value:.2f} (relevance {self.relevance:.2f}, importance "
            f"{self.importance:.2f}, recency {self.recency:.2f}, "
            f"reinforcement {self.reinforcement:.2f})"
        )


class Decision(NamedTuple):
    """Where a memory goes, and why."""

    to: Scope
    score: float
    reason: str


def promotion_score(candidate: Candidate, thresholds: PromotionThresholds) -> PromotionScore:
    """How much a memory deserves to be kept: the weighted mean of four parts."""
    days = max(timedelta(0), candidate.age) / timedelta(days=1)
    recency = 0.5 ** (days / thresholds.recency_half_life_days)
    reinforcement = min(1.0, max(0, candidate.reinforced) / thresholds.full_reinforcement)
    relevance, importance = _unit(candidate.relevance), _unit(candidate.importance)
    weights = (
        thresholds.relevance,
        thresholds.importance,
        thresholds.recency,
        thresholds.reinforcement,
    )
    parts = (relevance, importance, recency, reinforcement)
    value = sum(w * part for w, part in zip(weights, parts, strict=True)) / sum(weights)
    return PromotionScore(value, *parts)


def decide_promotion(candidate: Candidate, thresholds: PromotionThresholds) -> Decision | None:
    """One step up at most: from the session to the project, or from the project to everywhere.

    `None` when it stays: what is private does, and what is for everyone already.
    """
    score = promotion_score(candidate, thresholds)
    if candidate.scope == "session" and score.value >= thresholds.long_term:
        if candidate.long_term or candidate.type not in thresholds.types:
            return None
        to: Scope = "project" if candidate.project else "session"
        return Decision(to, score.value, f"{score.said()} reaches {thresholds.long_term:.2f}")
    if candidate.scope == "project" and score.value >= thresholds.everywhere:
        if not _proven(candidate, thresholds):
            return None
        projects = len(candidate.projects_with_success)
        reason = f"{score.said()}, seen with success in {projects} projects"
        return Decision("global", score.value, reason)
    return None


def _proven(candidate: Candidate, thresholds: PromotionThresholds) -> bool:
    """Whether it is of a kind that goes everywhere, and did well in several projects."""
    won = len(candidate.projects & candidate.projects_with_success)
    tasks = candidate.successes + candidate.failures
    return (
        candidate.type in thresholds.global_types
        and won >= thresholds.least_projects
        and tasks > 0
        and candidate.successes / tasks >= thresholds.least_success_ratio
    )


def _unit(value: float) -> float:
    return min(1.0, max(0.0, value))
