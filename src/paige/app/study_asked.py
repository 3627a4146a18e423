"""What doors are asked for in Study, as plain values: importing them costs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from paige.exercise.values import Modality, Rating

ActName = Literal["answer", "hint", "give_up", "skip", "stop", "instead"]


@dataclass(frozen=True, slots=True)
class Where:
    """A learner in a course; without a name the usual learner, or the last course."""

    course: str | None
    learner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionAsked:
    """A session to begin; `concepts`, `unit` and `count` are for a quiz."""

    kind: Literal["study", "review", "quiz"] = "study"
    minutes: int | None = None
    ahead: bool = False
    prefer: Modality | None = None
    anew: bool = False
    concepts: tuple[str, ...] = ()
    unit: str = ""
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActAsked:
    """Something done in a session. `step` is the step that was seen.

    `file_text` is written to the exercise's file first, over `file_version` if one is given.
    """

    step: int
    act: ActName = "answer"
    text: str = ""
    question: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    file_text: str | None = None
    file_version: str | None = None
    rating: Rating | None = None
    final: bool = False
    sure: bool = False
    seconds: float | None = None
    modality: Modality | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileChange:
    """What should be otherwise; nothing means that it stays. `exams` are days by course."""

    session_minutes: int | None = None
    explanation_style: str | None = None
    preferred: tuple[Modality, ...] | None = None
    avoided: tuple[Modality, ...] | None = None
    retention: float | None = None
    easy_days: tuple[float, ...] | None = None
    balance: bool | None = None
    zone: str | None = None
    class_id: str | None = None  # empty for no class
    exams: Mapping[str, date | None] | None = None
