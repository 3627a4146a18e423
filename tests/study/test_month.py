"""A simulated learner studies through the CLI: here for some days, `bench.study_month` for thirty.

The learner, the rules it checks from outside and what it measures are tested too: a measure that
cannot fail proves nothing.
"""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import fsrs
import pytest

from bench import study_month
from bench.study_figures import broken_rules, measure, together
from bench.study_learner import Day, Given, Learner, in_this_process
from bench.study_memory import Memory, Nature
from bench.study_plots import picture
from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.values import EASY, GOOD, HARD, AnswerMark, Rating, score_of
from paige.learner.cards import new_card
from paige.learner.progress import Progress
from paige.study.courses.values import ItemKind
from paige.study.delivery.results import credit_of
from paige.study.session.effects import JUST_MET, TOOK_TIME, weighed
from paige.study.values import Exercise, OpenExercise, Question, QuestionResult

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Learner:
    """Somebody who has studied Malay for six days."""
    root = tmp_path_factory.mktemp("month")
    found = Learner(root, "bahasa-melayu", in_this_process(root), Nature(), seed=2)
    assert [day.stage for day in found.study(6)] == ["over"] * 6
    return found


def test_six_days_break_no_rule_and_keep_the_time(learner: Learner) -> None:
    figures = measure(learner, 0.9)
    assert figures["broken"] == []
    assert figures["longest_minutes"] <= figures["minutes_set"]
    assert figures["exercises"] >= 12
    assert len(figures["modalities"]) >= 2
    assert figures["latest_days"] < 1.5


def test_what_is_due_is_asked_while_it_is_remembered_about_as_planned(learner: Learner) -> None:
    figures = measure(learner, 0.9)
    assert figures["reviews"] >= 4
    assert figures["true_recall"] == pytest.approx(0.9, abs=0.05)
    assert together([figures, figures])["true_recall"] == pytest.approx(figures["true_recall"])


def test_the_month_can_be_drawn(learner: Learner) -> None:
    drawn = picture("Six days", learner.days, learner.given, 0.9)
    assert drawn.startswith("<svg")
    assert drawn.count("<circle") > 4
    assert "planned 90%" in drawn


def test_broken_rules_are_found(learner: Learner) -> None:
    given, days = list(learner.given), list(learner.days)

    def rules(changed: list[Given], when: list[Day] | None = None) -> set[str]:
        return {each.rule for each in broken_rules(learner.course, when or days, changed)}

    sheets = [replace(each, modality="worksheet") for each in given[:2]]
    assert "two files in a row" in rules(sheets)
    alike = [replace(each, modality="conversation", instead=["worksheet"]) for each in given[:4]]
    assert "four alike" in rules(alike)
    assert "forced" in rules([replace(given[0], modality="image_review")])
    assert "excluded by the course" in rules([replace(given[0], modality="code")])
    assert "asked before taught" in rules([replace(given[0], concept="small-texts", day=0)])
    late = replace(days[-1], overdue={"greetings": 5.0})
    assert "starved" in rules(given, [*days[:-1], late])
    long = replace(days[-1], minutes=99.0)
    assert "session too long" in rules(given, [*days[:-1], long])
    assert "begun without time" in rules([given[0], replace(given[1], day=0, minutes_left=0.5)])


def test_a_plan_that_is_missed_is_a_failure() -> None:
    fine = {"points_off": -2.9, "broken": []}
    assert study_month.failures({"a": {"usual": fine}}) == []
    assert study_month.failures({"a": {"usual": {**fine, "points_off": -3.1}}})
    assert study_month.failures({"a": {"usual": {**fine, "broken": ["day 1: four alike"]}}})


def test_true_memory_agrees_with_the_reference_library_where_nothing_varies() -> None:
    """The same numbers from another hand: Good at every due day, no chance, no slips."""
    still = random.Random(0)
    still.gauss = lambda mu=0.0, sigma=1.0: 0.0  # type: ignore[method-assign]
    memory = Memory(Nature(), still)
    memory.learn("x", 0.0)
    card, when = fsrs.Card(card_id=1, due=NOON), NOON
    library = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, _ = library.review_card(card, fsrs.Rating.Good, when)
    for day in (2, 13, 59):
        when = NOON + timedelta(days=day)
        assert memory.recall("x", day) == pytest.approx(
            library.get_card_retrievability(card, when), abs=0.003
        )
        memory.practise("x", day, recalled=True)
        card, _ = library.review_card(card, fsrs.Rating.Good, when)
        assert memory.traces["x"].stability == pytest.approx(card.stability, rel=0.03)


def test_the_figures_in_the_documentation_are_those_of_the_last_run() -> None:
    figures = json.loads(study_month.FIGURES.read_text(encoding="utf-8"))
    assert set(figures) == set(study_month.COURSES)
    assert study_month.failures(figures) == []
    page = (study_month.PICTURES.parent / "explanation" / "study-month.md").read_text()
    for line in study_month.table(figures):
        assert line in page, line
    for course in study_month.COURSES:
        assert (study_month.PICTURES / f"study-month-{course}.svg").is_file()


# --- what a result says about memory ----------------------------------------------------------


def result_of(rating: Rating, seconds: float | None = None) -> Result:
    return Result(
        exercise_id="x",
        concept_id="loops",
        modality="worksheet",
        score=score_of(10, 10),
        fsrs_rating=rating,
        time_spent_seconds=seconds,
    )


def sitting_of(seconds: float | None, *, sure: bool = False) -> OpenExercise:
    exercise = Exercise(
        id="x", course="c", concept_id="loops", concept_title="Loops", modality="worksheet",
        bloom="remember", domain="technical", kind="short", title="", prompt="", generated=NOON,
        minutes=6.0,
    )  # fmt: skip
    return OpenExercise(exercise=exercise, started=NOON, seconds=seconds, confident=sure)


def met(days: float) -> Progress:
    card = replace(new_card("loops", NOON), last_review=NOON - timedelta(days=days), reps=1)
    return Progress(concept_id="loops", card=card)


@pytest.mark.parametrize(
    ("known", "seconds", "sure", "rating", "why"),
    [
        (None, 60.0, True, GOOD, JUST_MET),
        (met(0.3), 60.0, True, GOOD, JUST_MET),
        (met(3), 60.0, False, EASY, ""),
        (met(3), 350.0, True, EASY, ""),
        (met(3), 350.0, False, GOOD, TOOK_TIME),
        (met(3), None, False, GOOD, TOOK_TIME),
    ],
)
def test_easy_counts_only_where_something_could_have_been_forgotten_and_it_was_quick(
    known: Progress | None, seconds: float | None, sure: bool, rating: Rating, why: str
) -> None:
    made = weighed(result_of(EASY), sitting_of(seconds, sure=sure), known, NOON)
    assert made.fsrs_rating == rating
    assert made.remarks == ((why,) if why else ())


@pytest.mark.parametrize("rating", [1, HARD, GOOD])
def test_no_other_rating_is_touched(rating: Rating) -> None:
    before = result_of(rating)
    assert weighed(before, sitting_of(1.0), None, NOON) == before


def test_a_perfect_sheet_right_after_the_lesson_comes_back_within_days(learner: Learner) -> None:
    first = next(each for each in learner.given if each.modality == "worksheet")
    assert first.share == 1.0 or first.rating is not None
    assert first.rating is not None
    assert first.rating <= GOOD
    again = [each.day for each in learner.given if each.concept == first.concept][1:]
    assert again
    assert again[0] <= first.day + 4


@pytest.mark.parametrize(
    ("kind", "attempts", "hints", "shown", "credit"),
    [
        ("choice", 1, 0, False, 1.0),
        ("choice", 2, 0, False, 0.5),
        ("repl", 2, 0, False, 1.0),
        ("repl", 2, 1, False, 0.5),
        ("short", 3, 2, False, 0.5),
        ("short", 3, 3, True, 0.0),
    ],
)
def test_a_question_counts_whole_only_when_it_was_right_at_once_and_alone(
    kind: ItemKind, attempts: int, hints: int, shown: bool, credit: float
) -> None:
    asked = replace(
        sitting_of(None).exercise, items=(Question(id="1", prompt="True or false?", kind=kind),)
    )
    ladder = Ladder(attempts=attempts, hints_used=hints, solved=True, answer_shown=shown)
    judged = QuestionResult("1", "false", AnswerMark("correct", 1.0, "Right."), ladder)
    assert credit_of(asked, judged) == credit
