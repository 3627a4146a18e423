"""A session as a value.

The state holds all that is needed to go on in another process: the plan, where it stands, the
exercise that is being done with its ladder, and what came of the earlier ones. `machine.py` says
how it moves on; `session_store.py` writes it down after every step.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.exercise.result import Result
from paige.exercise.values import Bloom, Modality, Rating
from paige.study.selection import Choice, RecentTry
from paige.study.values import (
    Answer,
    Event,
    GaveUp,
    HintWanted,
    ItemType,
    OpenExercise,
    PlanItem,
    SessionKind,
)

Stage = Literal["teach", "check", "ready", "exercise", "over"]
"""Teaching is read, its check is answered, an exercise has to be made, is being done, or it is all
over."""
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedExercise:
    """An exercise of the session that is finished, and what it came to."""

    change_id: str
    exercise_id: str
    concept_id: str
    type: ItemType
    modality: Modality
    bloom: Bloom
    share: float
    rating: Rating
    at: datetime
    seconds: float = 0.0
    minutes: float = 5.0
    hints_used: int = 0
    answer_shown: bool = False
    gradable: bool = True
    errors: tuple[str, ...] = ()
    due: datetime | None = None
    mastered: bool = False
    """Whether the concept became mastered by it."""


@dataclass(frozen=True, slots=True)
class EndNow:
    """The exercise ends as it is, and the session with it; what was answered counts."""


@dataclass(frozen=True, slots=True)
class HandIn:
    """What a learner handed in, written down before it is judged; `kind` says what it is."""

    kind: Literal["answer", "hint", "gave_up", "end"]
    answer: Answer | None
    at: datetime

    @property
    def event(self) -> Event | EndNow:
        """What was done."""
        match self.kind:
            case "answer":
                return self.answer or Answer()
            case "hint":
                return HintWanted()
            case "gave_up":
                return GaveUp()
            case "end":
                return EndNow()


def pending_of(event: Event | EndNow, at: datetime) -> HandIn:
    """An event as it is written down."""
    match event:
        case Answer():
            return HandIn("answer", event, at)
        case HintWanted():
            return HandIn("hint", None, at)
        case GaveUp():
            return HandIn("gave_up", None, at)
        case EndNow():
            return HandIn("end", None, at)


@dataclass(frozen=True, slots=True)
class CheckDone:
    """The answer to the question after teaching."""

    concept_id: str
    correct: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """Where a session stands. `step` grows with every change, so that an answer can name its step.

    `spent` are seconds of work; a pause counts only so far. `said` is what the learner was told
    last, kept so that it is not lost with a terminal. `closed` says that the log was ended too.
    """

    session: str
    course: str
    kind: SessionKind
    started: datetime
    moved: datetime
    minutes: int
    plan: tuple[PlanItem, ...]
    format: int = FORMAT
    step: int = 0
    at: int = 0
    stage: Stage = "ready"
    spent: float = 0.0
    sitting: OpenExercise | None = None
    choice: Choice | None = None
    asked_for: Modality | None = None
    """The kind of exercise the learner wants next."""
    pending: HandIn | None = None
    done: tuple[FinishedExercise, ...] = ()
    checks: tuple[CheckDone, ...] = ()
    taught: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    """Concepts that were planned and for which no time was left."""
    said: tuple[str, ...] = ()
    last: Result | None = None
    prefer: Modality | None = None
    """The kind of exercise the learner wants throughout, where it can be."""
    seed: int = 0
    closed: bool = False

    @property
    def item(self) -> PlanItem | None:
        """What is being done."""
        return self.plan[self.at] if self.stage != "over" and self.at < len(self.plan) else None

    @property
    def is_over(self) -> bool:
        """Whether nothing more is asked."""
        return self.stage == "over"

    @property
    def minutes_left(self) -> float:
        """How much of the session is left."""
        return max(self.minutes - self.spent / 60, 0.0)

    @property
    def change_id(self) -> str:
        """The name of the record that the exercise being done will get: the same at every try."""
        number = len(self.done) + len(self.skipped) + 1
        return f"{self.session}.{number}"

    @property
    def tried(self) -> tuple[RecentTry, ...]:
        """How the exercises of this session went."""
        return tuple(RecentTry(each.modality, each.share) for each in self.done if each.gradable)
