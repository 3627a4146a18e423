from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Conflict, NotFound
from paige.exercise.result import Result
from paige.exercise.values import ExerciseError, Modality
from paige.learner.changes import Change, counting, fold, undo, void
from paige.learner.progress import (
    AppliedResult,
    Progress,
    Thresholds,
    apply,
    mastery_score,
    moment_of,
    recurring_errors,
)
from paige.learner.progress_json import dump_progress, load_progress
from paige.learner.schedule import LESSONS
from tests.conftest import NOON
from tests.learner.making import done, results

RULES = Thresholds(scheduling=replace(LESSONS, fuzz=False))
NEW = Progress(concept_id="greetings")


def after(*work: Result, rules: Thresholds = RULES) -> AppliedResult:
    applied = AppliedResult(NEW, None)  # type: ignore[arg-type]
    for result in work:
        applied = apply(applied.progress, result, NOON, rules)
    return applied


def as_changes(work: list[Result]) -> list[Change]:
    return [Change(f"c{n}", moment_of(each, NOON), each) for n, each in enumerate(work)]


def test_three_unaided_successes_on_two_days_are_mastery() -> None:
    assert after(done(day=0), done(day=0.01)).progress.status == "review"
    applied = after(done(day=0), done(day=0.01), done(day=2))
    assert applied.progress.status == "mastered"
    assert applied.evidence.mastered
    assert "From review to mastered" in applied.evidence.reasons


def test_many_successes_on_one_day_are_not_mastery() -> None:
    work = [done(rating=4, correct=10, day=n / 100) for n in range(8)]
    assert after(*work).progress.status == "review"


def test_two_successes_on_two_days_are_not_mastery() -> None:
    assert after(done(day=0), done(day=3)).progress.status == "review"


def test_hinted_work_is_at_most_hard_and_never_counts() -> None:
    work = [done(rating=4, correct=10, day=n, hints=1) for n in range(6)]
    progress, evidence = after(*work)
    assert evidence.rating == 2
    assert (progress.status, progress.unaided_successes) == ("learning", 0)
    assert progress.mastery_score == 0.0
    assert any("does not count" in reason for reason in evidence.reasons)


def test_a_shown_answer_is_not_known_whatever_the_score() -> None:
    applied = after(done(rating=4), done(rating=4, day=9, answer_shown=True))
    assert applied.evidence.rating == 1
    assert applied.progress.status == "relearning"
    assert applied.progress.unaided_successes == 0


def test_forgetting_starts_the_count_again() -> None:
    mastered = [done(day=0), done(day=1), done(day=5)]
    forgotten = after(*mastered, done(rating=1, correct=1, day=30)).progress
    assert (forgotten.status, forgotten.unaided_successes) == ("relearning", 0)
    again = [done(rating=1, day=30), done(day=31), done(day=33)]
    assert after(*mastered, *again).progress.status == "review"
    assert after(*mastered, *again, done(day=40)).progress.status == "mastered"


def test_failing_at_first_does_not_hinder_mastery() -> None:
    work = [done(rating=1, correct=2), done(day=1), done(day=2), done(day=6)]
    assert after(*work).progress.status == "mastered"


def test_which_day_it_was_is_decided_where_the_learner_lives() -> None:
    # Half an hour before and after midnight in Kuala Lumpur, one day in Greenwich.
    work = [done(day=3.9 / 24), done(day=4.1 / 24), done(day=4.2 / 24)]
    assert after(*work).progress.status == "review"
    there = replace(RULES, zone=timezone(timedelta(hours=8)))
    assert after(*work, rules=there).progress.status == "mastered"


def test_what_could_not_be_measured_is_no_attempt() -> None:
    applied = after(done(gradable=False))
    assert applied.progress == NEW
    assert "no attempt" in applied.evidence.reasons[0]


def test_the_level_rises_with_what_was_done_alone() -> None:
    assert after(done(bloom_level="analyze")).progress.bloom_level == "analyze"
    assert after(done(bloom_level="analyze", hints=1)).progress.bloom_level == "remember"
    work = [done(bloom_level="apply"), done(bloom_level="remember", day=1)]
    assert after(*work).progress.bloom_level == "apply"


def test_few_attempts_cannot_score_high_and_recent_ones_weigh_more() -> None:
    assert mastery_score(()) == 0.0
    assert mastery_score((1.0,)) == 0.5
    assert mastery_score((1.0, 1.0)) == 0.8
    assert mastery_score((1.0, 1.0, 1.0)) == 1.0
    assert mastery_score((0.0, 1.0, 1.0)) > mastery_score((1.0, 1.0, 0.0))


def test_modalities_are_averaged_apart_and_unused_ones_are_null() -> None:
    work = [done(correct=8), done(correct=6, day=1), done(correct=10, day=2, modality="repl")]
    record = dump_progress(after(*work).progress)
    performance = record["modality_performance"]
    assert isinstance(performance, dict)
    assert performance["worksheet"] == {
        "attempts": 2,
        "avg_score": 0.7,
        "last_used": "2026-03-03T12:00:00Z",
    }
    assert performance["repl"]["attempts"] == 1
    unused = {"conversation", "code", "long_form", "image_review"}
    assert {name for name, value in performance.items() if value is None} == unused


def test_errors_are_kept_and_those_that_come_back_are_told() -> None:
    slip = ExerciseError("1.3", "spelling", "petang", "petnag", "Two letters swapped")
    other = ExerciseError("1.4", "word_order", None, None, "")
    progress = after(done(errors=(slip, other)), done(day=1, errors=(slip,))).progress
    assert recurring_errors(progress) == (("spelling", 2),)
    assert [error.question for error in progress.error_history] == ["1.3", "1.4", "1.3"]


def test_histories_are_bounded() -> None:
    rules = replace(RULES, exercises_kept=3, errors_kept=2)
    slip = ExerciseError("1", "spelling", None, None, "")
    progress = after(*[done(day=n, errors=(slip,)) for n in range(9)], rules=rules).progress
    assert (len(progress.exercise_history), len(progress.error_history)) == (3, 2)


@given(st.lists(results(), max_size=8))
def test_progress_survives_json(work: list[Result]) -> None:
    for name, progress in fold(as_changes(work), RULES).progress.items():
        assert load_progress(name, dump_progress(progress)) == progress


@given(st.lists(results(), max_size=12))
def test_no_schedule_lies_in_the_past_and_every_change_has_evidence(work: list[Result]) -> None:
    changes = as_changes(work)
    folded = fold(changes, Thresholds())
    assert folded.evidence.keys() == {change.id for change in changes}
    for progress in folded.progress.values():
        assert progress.status == "new" or progress.card is not None
        if progress.card and progress.card.last_review:
            assert progress.card.due > progress.card.last_review


@given(st.lists(results(), max_size=12), st.data())
def test_mastery_always_has_enough_unaided_successes_on_enough_days(
    work: list[Result], data: st.DataObject
) -> None:
    for name, progress in fold(as_changes(work), RULES).progress.items():
        if progress.status != "mastered":
            continue
        alone = [
            each
            for each in work
            if each.concept_id == name
            and each.gradable
            and each.fsrs_rating >= 3
            and not each.hints_used
            and not each.answer_shown
        ]
        assert len(alone) >= 3
        assert len({moment_of(each, NOON).date() for each in alone}) >= 2


@given(st.lists(results(), max_size=10), results(), st.booleans())
def test_applying_and_taking_back_gives_what_was_there(
    work: list[Result], newest: Result, balance: bool
) -> None:
    rules = Thresholds(scheduling=replace(LESSONS, balance=balance))
    before = as_changes(work)
    later = [*before, Change("newest", moment_of(newest, NOON), newest)]
    back = undo(later, "newest", now=NOON, new_id="u1")
    known = fold(before, rules)
    found = fold(back, rules)
    fresh = Progress(concept_id=newest.concept_id)
    assert found.progress == {newest.concept_id: fresh, **known.progress}
    assert found.evidence == known.evidence
    again = undo(back, "u1", now=NOON, new_id="u2")
    assert fold(again, rules) == fold(later, rules)


@given(st.lists(results(), max_size=10), st.integers(0, 10))
def test_folding_from_a_snapshot_equals_folding_from_the_start(
    work: list[Result], place: int
) -> None:
    changes = counting(as_changes(work))
    first = fold(changes[:place], RULES)
    assert fold(changes[place:], RULES, first.progress).progress == fold(changes, RULES).progress


@given(st.lists(results(), max_size=10), st.randoms())
def test_the_order_in_which_results_arrive_does_not_matter(
    work: list[Result], generator: object
) -> None:
    changes = as_changes(work)
    shuffled = list(changes)
    generator.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fold(shuffled, RULES).progress == fold(changes, RULES).progress


def test_taking_back_is_refused_for_what_is_unknown_or_gone() -> None:
    changes = as_changes([done()])
    with pytest.raises(NotFound, match="nothing"):
        undo(changes, "nothing", now=NOON, new_id="u")
    once = undo(changes, "c0", now=NOON, new_id="u")
    with pytest.raises(Conflict, match="already"):
        undo(once, "c0", now=NOON, new_id="u2")
    assert void(once) == {"c0"}


def test_changes_that_take_each_other_back_by_hand_do_no_harm() -> None:
    circle = [Change("a", NOON, undoes="b"), Change("b", NOON, undoes="a")]
    assert void(circle) == frozenset()


@pytest.mark.parametrize("modality", ["worksheet", "flashcard"])
def test_a_modality_of_others_is_kept(modality: Modality) -> None:
    record = dump_progress(after(done(modality=modality)).progress)
    performance = record["modality_performance"]
    assert isinstance(performance, dict)
    performance["theatre"] = {"attempts": 2}
    assert dump_progress(load_progress("greetings", record)) == record
