"""Rows of this room's tables as values."""

from dataclasses import dataclass
from datetime import datetime

from paige.learner.gaps import Severity
from paige.learner.katas import Attempt, Constraint
from paige.learner.stages import Stage


@dataclass(frozen=True, slots=True)
class Assessment:
    """The stage of a person in a skill area."""

    id: str
    person: str
    skill_area: str
    stage: Stage
    confidence: float
    evidence: str
    assessed_at: datetime


@dataclass(frozen=True, slots=True)
class GapRow:
    """Something a person lacks; `addressed` once a kata was passed or the concept mastered."""

    id: str
    person: str
    session_id: str | None
    topic: str
    severity: Severity
    evidence: str
    related_concepts: tuple[str, ...]
    frequency: int
    last_encountered_at: datetime
    addressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKata:
    """A kata before it is written down."""

    title: str
    description: str
    scaffolding_code: str = ""
    instructor_notes: str = ""
    test_cases: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class KataRow:
    """A kata for a gap, with every attempt at it."""

    id: str
    person: str
    knowledge_gap_id: str
    title: str
    description: str
    scaffolding_code: str
    instructor_notes: str
    test_cases: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    user_attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class RecordedGap:
    """What became of a gap that was noticed: a new row, or one more encounter of a known one."""

    gap: GapRow
    is_new: bool


@dataclass(frozen=True, slots=True)
class KataOfGap:
    """A kata with the topic it is for."""

    kata: KataRow
    topic: str
