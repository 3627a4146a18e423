"""The exercises of a session as its tools make, give and mark them."""

from datetime import datetime

from paige.exercise.values import Modality
from paige.study.courses.values import Course
from paige.study.delivering import sittings
from paige.study.delivering.delivery import place
from paige.study.delivering.presenting import show
from paige.study.exercise_tools import ExerciseTools
from paige.study.generating.by_model import make_exercise
from paige.study.generating.material import possible
from paige.study.values import Event, Exercise, Presentation, Sitting, Taken, Wanted


class ToolExercises:
    """Exercises made and marked with tools."""

    def __init__(self, tools: ExerciseTools) -> None:
        self._desk = tools

    def possible(self, course: Course, concept_id: str) -> frozenset[Modality]:
        """The modalities in which something can be asked about a concept."""
        return possible(course, concept_id)

    async def make(self, course: Course, wanted: Wanted, *, now: datetime, seed: int) -> Exercise:
        """A new exercise. Raises: NotFound when there is nothing to make it from."""
        return await make_exercise(self._desk, course, wanted, seed=seed, now=now)

    async def begin(self, exercise: Exercise, *, now: datetime) -> Sitting:
        """Give an exercise: its files are written, and it is at its first question."""
        return sittings.begin(await place(self._desk, exercise, now), now)

    async def show(self, sitting: Sitting) -> Presentation:
        """What the learner sees now."""
        return show(sitting)

    async def take(self, sitting: Sitting, event: Event, *, now: datetime) -> Taken:
        """What an answer, or a wish for help, leads to."""
        return await sittings.take(self._desk, sitting, event, now)

    async def finish(self, sitting: Sitting, *, now: datetime) -> Taken:
        """The end of an exercise as it is."""
        return await sittings.finish(self._desk, sitting, now)
