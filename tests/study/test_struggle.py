"""Noticing that a learner is stuck, and the way out."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from paige.exercise.hints import Ladder
from paige.exercise.values import ExerciseError
from paige.learner.progress import Progress, Thresholds, apply
from paige.study.courses.values import Course
from paige.study.session.state import FinishedExercise, SessionState
from paige.study.struggle import find_struggle, is_struggling, signals_of, stalled
from paige.study.values import Exercise, OpenExercise, PlanItem
from tests.conftest import NOON
from tests.learner.making import done as result_of
from tests.study.small_course import malay

REVIEW = PlanItem(type="review", concept_id="prefix-ber", minutes=3, bloom="apply", reason="due")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return malay(tmp_path_factory.mktemp("teaching"))


def did(concept: str = "prefix-ber", share: float = 0.2, **more: object) -> FinishedExercise:
    made = FinishedExercise(
        change_id="x",
        exercise_id="e",
        concept_id=concept,
        type="review",
        modality="conversation",
        bloom="apply",
        share=share,
        rating=1 if share < 0.5 else 3,
        at=NOON,
    )
    return replace(made, **more)  # type: ignore[arg-type]


def after(*done: FinishedExercise, plan: tuple[PlanItem, ...] = (REVIEW,)) -> SessionState:
    return SessionState(
        session="s",
        course="melayu",
        kind="study",
        started=NOON,
        moved=NOON,
        minutes=25,
        plan=plan,
        done=done,
    )


def known(concept: str, *scores: int, errors: tuple[str, ...] = ()) -> Progress:
    progress = Progress(concept_id=concept)
    for day, correct in enumerate(scores):
        seen = tuple(ExerciseError("1", kind, None, None, "") for kind in errors)
        rating = 3 if correct >= 8 else 1
        made = result_of(rating, day=day, concept=concept, correct=correct, errors=seen)
        progress = apply(progress, made, NOON + timedelta(days=day), Thresholds()).progress
    return progress


def test_one_bad_answer_is_no_struggle(course: Course) -> None:
    assert find_struggle(course, {}, after(did())) is None


def test_two_failures_with_one_concept_bring_the_lesson_again(course: Course) -> None:
    found = find_struggle(course, {}, after(did(), did()))
    assert found is not None
    assert found.signals == ("fails",)
    assert found.way_out == "teach_again"
    taught = replace(REVIEW, teach_again=True)
    again = find_struggle(course, {}, after(did(), did(), plan=(REVIEW, taught)))
    assert again is not None
    assert again.way_out == "another_form"


def test_a_weak_foundation_is_looked_at_first(course: Course) -> None:
    weak = {"greetings": known("greetings", 2)}
    found = find_struggle(course, weak, after(did(), did()))
    assert found is not None
    assert (found.way_out, found.towards) == ("step_back", "greetings")
    assert "Greetings" in found.says
    firm = {"greetings": known("greetings", 10, 10, 10)}
    other = find_struggle(course, firm, after(did(), did()))
    assert other is not None
    assert other.way_out == "teach_again"


def test_when_nothing_works_any_more_a_break_is_offered(course: Course) -> None:
    found = find_struggle(course, {}, after(did("food"), did(), did()))
    assert found is not None
    assert found.way_out == "pause"
    assert "break" in found.says


def test_a_success_ends_it(course: Course) -> None:
    assert find_struggle(course, {}, after(did(), did(), did(share=1.0))) is None


def test_help_at_every_step_is_a_signal() -> None:
    helped = did(share=0.6, rating=2, hints_used=2)
    assert "leans_on_help" in signals_of((helped, helped, helped), None)
    assert signals_of((helped, did(share=1.0), helped), None) == ()


def test_the_same_error_again_and_again_is_a_signal() -> None:
    progress = known("prefix-ber", 3, 3, 3, errors=("affix_error",))
    assert "same_error" in signals_of((did(),), progress)
    assert is_struggling(progress)
    assert not is_struggling(known("prefix-ber", 10, 10))
    assert not is_struggling(None)


def test_taking_very_long_twice_is_a_signal() -> None:
    slow = did(share=0.6, seconds=1000.0, minutes=5.0)
    assert "slow" in signals_of((slow, slow), None)
    assert signals_of((slow,), None) == ()


def test_somebody_who_has_not_moved_for_long_is_told_how_to_go_on(tmp_path: Path) -> None:
    exercise = Exercise(
        id="e",
        course="melayu",
        concept_id="food",
        concept_title="Food",
        modality="conversation",
        bloom="apply",
        domain="language",
        kind="short",
        title="Food",
        prompt="Say it",
        generated=NOON,
        minutes=4.0,
    )
    sitting = OpenExercise(exercise=exercise, started=NOON)
    state = replace(after(), stage="exercise", sitting=sitting)
    assert stalled(state, NOON + timedelta(minutes=5)) is None
    assert "Take your time" in (stalled(state, NOON + timedelta(minutes=7)) or "")
    tried = replace(sitting, ladder=Ladder(attempts=3, level=2))
    assert "several times" in (stalled(replace(state, sitting=tried), NOON) or "")
    assert stalled(after(), NOON + timedelta(days=1)) is None
