"""A session as a value, and everything that can happen to it.

The state holds all that is needed to go on in another process: the plan, where it stands, the
exercise that is being done with its ladder, and what came of the earlier ones. `machine.py` says
how an event changes it; `keeping.py` writes it down after every step.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.exercise.result import Result
from paige.exercise.values import Bloom, Modality, Rating
from paige.study.plan_values import ItemType, PlanItem, SessionKind
from paige.study.selection import Choice, Tried
from paige.study.values import Answer, Event, GaveUp, HintWanted, Sitting

Stage = Literal["teach", "check", "ready", "exercise", "over"]
"""Teaching is read, its check is answered, an exercise has to be made, is being done, or it is all
over."""
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
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
class Pending:
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


def pending_of(event: Event | EndNow, at: datetime) -> Pending:
    """An event as it is written down."""
    match event:
        case Answer():
            return Pending("answer", event, at)
        case HintWanted():
            return Pending("hint", None, at)
        case GaveUp():
            return Pending("gave_up", None, at)
        case EndNow():
            return Pending("end", None, at)


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
    sitting: Sitting | None = None
    choice: Choice | None = None
    asked_for: Modality | None = None
    """The kind of exercise the learner wants next."""
    pending: Pending | None = None
    done: tuple[Done, ...] = ()
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
    def tried(self) -> tuple[Tried, ...]:
        """How the exercises of this session went."""
        return tuple(Tried(each.modality, each.share) for each in self.done if each.gradable)


@dataclass(frozen=True, slots=True)
class Read:
    """The teaching was read; `check` says that a question follows."""

    check: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """The question after teaching was answered."""

    correct: bool
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """An exercise was made and is given."""

    sitting: Sitting
    choice: Choice


@dataclass(frozen=True, slots=True)
class HandedIn:
    """The learner did something with an exercise; it is not judged yet."""

    event: Event | EndNow


@dataclass(frozen=True, slots=True)
class Moved:
    """An exercise goes on: a hint, another try, the next question."""

    sitting: Sitting
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """An exercise is over and its result is safe; `more` are things to do because of it."""

    done: Done
    result: Result
    says: tuple[str, ...]
    more: tuple[PlanItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The exercise is put aside for one of another kind, because the learner asked for it."""

    modality: Modality


@dataclass(frozen=True, slots=True)
class Skipped:
    """What is being done is left out; nothing is recorded."""

    says: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stopped:
    """The learner ends the session."""

    says: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Closed:
    """The log was ended and the profile brought up to date."""


ExerciseEvent = Begun | HandedIn | Moved | Finished | Exchanged
SessionEvent = Read | Checked | Skipped | Stopped | Closed | ExerciseEvent


@dataclass(frozen=True, slots=True)
class MakeExercise:
    """An exercise has to be chosen, made and given; of the kind asked for, if one was."""

    item: PlanItem
    asked_for: Modality | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """What was handed in has to be judged, and its result recorded under this name."""

    sitting: Sitting
    event: Event | EndNow
    change_id: str


@dataclass(frozen=True, slots=True)
class CloseLog:
    """The session's log has to be ended."""


Effect = MakeExercise | Judge | CloseLog
