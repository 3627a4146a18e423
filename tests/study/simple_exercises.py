"""Exercises of the plainest kind, for tests that are about sessions: one item, marked by its words.

A wrong answer may be tried once more; then it is over.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from paige.base.errors import NotFound
from paige.exercise.hints import Ladder, next_level
from paige.exercise.ids import exercise_id
from paige.exercise.result import Result
from paige.exercise.values import AGAIN, GOOD, AnswerMark, Modality, score_of
from paige.store.documents import NEW, Documents
from paige.study.courses.values import Course
from paige.study.generation.material import possible
from paige.study.remediation import asked_by
from paige.study.session.context import Exercises
from paige.study.values import (
    Answer,
    AnsweredBy,
    Evaluation,
    Event,
    Exercise,
    ExerciseRequest,
    GaveUp,
    HintWanted,
    OpenExercise,
    Question,
    StepOutcome,
    StudyExercise,
    StudyQuestion,
)

FILES: tuple[Modality, ...] = ("worksheet", "code", "long_form")
RIGHT, WRONG = "right", "wrong"


def mark(question: str, reference: str, answer: str) -> AnswerMark:
    """Whether the answer is one of those accepted, or the word `right`."""
    accepted = [each.strip().lower() for each in reference.split(" / ")]
    if answer.strip().lower() in (*accepted, RIGHT):
        return AnswerMark("correct", 1.0, "Right.")
    return AnswerMark("incorrect", 0.0, f"Expected {accepted[0]}.")


class SimpleExercises(Exercises):
    """Makes, gives and judges; `made` are what was asked for, in order."""

    def __init__(self, documents: Documents, only: frozenset[Modality] | None = None) -> None:
        self._documents = documents
        self._only = only
        self.made: list[ExerciseRequest] = []

    def possible(self, course: Course, concept_id: str) -> frozenset[Modality]:
        """What the course has material for."""
        found = possible(course, concept_id)
        return found if self._only is None else found & self._only

    async def make(
        self, course: Course, wanted: ExerciseRequest, *, now: datetime, seed: int
    ) -> Exercise:
        """One item that was not asked before, if there is one."""
        self.made.append(wanted)
        had = {item for past in wanted.history for item in past.item_ids}
        items = course.items_of(wanted.concept_id)
        if not items:
            raise NotFound(f"There is nothing to ask about `{wanted.concept_id}`")
        item = next((each for each in items if each.id not in had), items[seed % len(items)])
        concept = course.concept(wanted.concept_id)
        name = exercise_id(now, wanted.concept_id, wanted.modality)
        return Exercise(
            id=name,
            course=course.name,
            concept_id=wanted.concept_id,
            concept_title=concept.title,
            modality=wanted.modality,
            bloom=wanted.bloom,
            domain=course.domain,
            kind=item.kind,
            title=concept.title,
            prompt=item.prompt,
            generated=now,
            items=(
                Question(
                    id="1",
                    prompt=item.prompt,
                    kind=item.kind,
                    item_id=item.id,
                    answers=item.answers or ("text",),
                ),
            ),
            item_ids=(item.id,),
            minutes=3.0,
            folder=f"learner/{course.name}/work",
        )

    async def begin(self, exercise: Exercise, *, now: datetime) -> OpenExercise:
        """With a file, for those that have one."""
        if exercise.modality in FILES:
            path = f"{exercise.folder}/{exercise.id}.md"
            try:
                base = self._documents.read(path).version
            except NotFound:
                base = NEW
            self._documents.write(path, f"{exercise.prompt}\n", base=base)
            exercise = replace(exercise, file_path=path)
        return OpenExercise(exercise=exercise, started=now)

    async def show(self, sitting: OpenExercise) -> StudyExercise:
        """The prompt."""
        exercise = sitting.exercise
        by: AnsweredBy = "file" if exercise.modality in FILES else "text"
        return StudyExercise(
            id=exercise.id,
            modality=exercise.modality,
            title=exercise.title,
            body=exercise.prompt,
            answered_by=by,
            questions=tuple(
                StudyQuestion(id=each.id, prompt=each.prompt, kind=each.kind)
                for each in exercise.items
            ),
            open=(exercise.file_path,) if exercise.file_path else (),
            pauses=by == "file",
        )

    async def take(self, sitting: OpenExercise, event: Event, *, now: datetime) -> StepOutcome:
        """Right is over; wrong may be tried once more."""
        if isinstance(event, HintWanted):
            return StepOutcome(
                sitting=_moved(sitting, next_level(sitting.ladder, "hint_requested", now)),
                says=("A hint.",),
            )
        if isinstance(event, GaveUp):
            ladder = replace(sitting.ladder, answer_shown=True)
            return self._over(_moved(sitting, ladder), right=False, now=now)
        assert isinstance(event, Answer)
        if event.path:
            self._documents.read(event.path)
        question = sitting.exercise.items[0]
        right = mark(question.prompt, " / ".join(question.answers), event.text).score == 1.0
        ladder = next_level(sitting.ladder, "attempt_correct" if right else "attempt_failed", now)
        after = _moved(sitting, ladder)
        if right or ladder.attempts > 1:
            return self._over(after, right=right, now=now)
        return StepOutcome(sitting=after, says=("Not yet; try again.",), correct=False)

    async def finish(self, sitting: OpenExercise, *, now: datetime) -> StepOutcome:
        """As it is."""
        return self._over(sitting, right=False, now=now)

    def _over(self, sitting: OpenExercise, *, right: bool, now: datetime) -> StepOutcome:
        exercise, ladder = sitting.exercise, sitting.ladder
        result = Result(
            exercise_id=exercise.id,
            concept_id=exercise.concept_id,
            course=exercise.course,
            modality=exercise.modality,
            bloom_level=exercise.bloom,
            started=sitting.started,
            completed=max(now, sitting.started + timedelta(seconds=1)),
            score=score_of(int(right), 1),
            fsrs_rating=GOOD if right else AGAIN,
            hints_used=ladder.hints_used,
            answer_shown=ladder.answer_shown,
            message="Right." if right else "Wrong.",
            extra=asked_by(exercise),
        )
        says = ("Right, because it is so.",) if right else ("Wrong; it is otherwise.",)
        over = replace(sitting, over=True)
        return StepOutcome(
            sitting=over, says=says, evaluated=Evaluation(result=result, feedback=says)
        )


def _moved(sitting: OpenExercise, ladder: Ladder) -> OpenExercise:
    return replace(sitting, ladder=ladder)
