"""What a session needs from others: somebody who makes exercises, gives them and judges them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from paige.exercise.values import Modality
from paige.learner.progress import Evidence, Progress
from paige.study.courses.values import Course
from paige.study.values import Event, Exercise, Presentation, Sitting, Taken, Wanted


class Exercises(Protocol):
    """Everything about exercises that is not about sessions."""

    def possible(self, course: Course, concept_id: str) -> frozenset[Modality]:
        """The modalities in which something can be asked about a concept."""
        ...

    async def make(self, course: Course, wanted: Wanted, *, now: datetime, seed: int) -> Exercise:
        """A new exercise. Raises: NotFound, BadInput when there is nothing to make it from."""
        ...

    async def begin(self, exercise: Exercise, *, now: datetime) -> Sitting:
        """Give an exercise: its files are written, and it is at its first question."""
        ...

    async def show(self, sitting: Sitting) -> Presentation:
        """What the learner sees now."""
        ...

    async def take(self, sitting: Sitting, event: Event, *, now: datetime) -> Taken:
        """What an answer, or a wish for help, leads to."""
        ...

    async def finish(self, sitting: Sitting, *, now: datetime) -> Taken:
        """The end of an exercise as it is: what was answered so far counts."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Practised:
    """What came of an exercise, and what is known of its concept since."""

    course: str
    concept_id: str
    title: str
    modality: Modality
    progress: Progress
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A result of `at` that does not count any more: what was known with it, and what is left."""

    course: str
    concept_id: str
    title: str
    exercise_id: str
    at: datetime
    had: Progress
    left: Progress


class PracticeHeard(Protocol):
    """Is told what came of every exercise, so that others may act on it.

    It may be told of the same one twice: whoever was stopped in between tells it again.
    """

    async def __call__(self, practised: Practised, /) -> None:
        """Note it."""
        ...


class TakingBackHeard(Protocol):
    """Is told which result was taken back, so that others may take back what they made of it."""

    async def __call__(self, taken: TakenBack, /) -> None:
        """Act on it."""
        ...
