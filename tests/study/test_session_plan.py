"""What a session holds, and in which order."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.values import Bloom, Rating
from paige.learner.progress import Progress, Thresholds, apply
from paige.learner.schedule import LESSONS
from paige.study.courses.values import Course
from paige.study.session_plan import (
    PlanRequest,
    capacity,
    due_concepts,
    further_item,
    interleave,
    next_level,
    plan_session,
    practice_level,
    preview,
    ready_concepts,
)
from paige.study.values import SessionPlan
from tests.conftest import NOON
from tests.learner.making import done
from tests.study.small_course import malay, python

Known = dict[str, Progress]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return malay(tmp_path_factory.mktemp("teaching"))


def known(*results: tuple[str, float, Rating], bloom: Bloom = "remember") -> Known:
    """Progress after results: concept, day, rating."""
    progress: Known = {}
    for concept, day, rating in results:
        before = progress.get(concept, Progress(concept_id=concept))
        result = done(rating, day=day, concept=concept, bloom_level=bloom)
        progress[concept] = apply(before, result, NOON + timedelta(days=day), Thresholds()).progress
    return progress


def plan(course: Course, progress: Known, *, day: float = 0, minutes: int = 25, **more: object):
    moment = NOON + timedelta(days=day)
    asked = PlanRequest(now=moment, minutes=minutes, scheduling=LESSONS, **more)  # type: ignore[arg-type]
    return plan_session(course, progress, asked)


def shape(made: SessionPlan) -> list[tuple[str, str]]:
    return [(item.type, item.concept_id) for item in made.items]


def test_the_first_session_begins_with_what_needs_nothing(course: Course) -> None:
    made = plan(course, {})
    assert shape(made) == [("new", "greetings")]
    assert made.items[0].minutes == 8
    assert made.items[0].bloom == "remember"


def test_a_session_opens_with_recall_and_then_new_and_known_take_turns(course: Course) -> None:
    progress = known(("greetings", 0, 3), ("numbers", 0, 3))
    made = plan(course, progress, day=4)
    assert [item.type for item in made.items] == ["review", "new", "review", "new"]
    assert [item.opening for item in made.items] == [True, False, False, False]
    assert made.planned == 22
    assert made.new_waiting == 1


def test_without_anything_due_it_opens_with_what_the_new_one_builds_on(course: Course) -> None:
    progress = known(("greetings", 0, 4))
    made = plan(course, progress, day=2)
    assert shape(made)[0] == ("review", "greetings")
    assert made.items[0].opening
    assert "builds on it" in made.items[0].reason
    # On the day it was learned that would be massing, not recall.
    assert [item.type for item in plan(course, progress, day=0.1).items] == ["new", "new"]


def test_while_more_waits_than_fits_nothing_new_is_begun(course: Course) -> None:
    names = ["greetings", "numbers", "food", "prefix-ber"]
    progress = known(*((name, 0, 3) for name in names))
    made = plan(course, progress, day=30, minutes=12)
    assert {item.type for item in made.items} == {"review"}
    assert len(made.items) == 3
    assert made.reviews_waiting == 1


def test_a_review_session_has_nothing_new(course: Course) -> None:
    progress = known(("greetings", 0, 3))
    made = plan(course, progress, day=5, kind="review")
    assert shape(made) == [("review", "greetings")]
    assert shape(plan(course, {}, kind="review")) == []


def test_what_is_firm_is_asked_one_level_higher(course: Course) -> None:
    progress = known(("greetings", 0, 3), ("greetings", 3, 3))
    made = plan(course, progress, day=20)
    assert made.items[0].type == "assess"
    assert made.items[0].bloom == "understand"
    shown = known(("greetings", 0, 3), ("greetings", 3, 3), bloom="understand")
    assert plan(course, shown, day=20).items[0].bloom == "apply"
    highest = known(("greetings", 0, 3), ("greetings", 3, 3), bloom="apply")
    assert plan(course, highest, day=20).items[0].type == "review"


def test_what_was_forgotten_is_reviewed_and_not_assessed(course: Course) -> None:
    progress = known(("greetings", 0, 3), ("greetings", 3, 3), ("greetings", 14, 1))
    made = plan(course, progress, day=15)
    assert (made.items[0].type, made.items[0].reason) == ("review", "It was forgotten")


def test_when_nothing_is_due_and_nothing_new_there_is_nothing_unless_asked(tmp_path: Path) -> None:
    course = python(tmp_path)
    progress = known(("loops", 0, 3), ("lists", 0, 3))
    assert plan(course, progress, day=1).items == ()
    ahead = plan(course, progress, day=1, ahead=True)
    assert {item.concept_id for item in ahead.items} == {"loops", "lists"}


def test_the_first_level_of_practice_is_the_one_the_type_stands_for(tmp_path: Path) -> None:
    course = python(tmp_path)
    assert practice_level(course, course.concept("loops")) == "apply"
    assert practice_level(course, course.concept("lists")) == "remember"


def test_nobody_is_taken_further_than_the_course_goes(course: Course) -> None:
    progress = known(("numbers", 0, 3), bloom="understand")["numbers"]
    assert next_level(course, progress) is None  # there are items to apply it, but not for this


def test_concepts_that_are_mixed_up_come_next_to_each_other(course: Course) -> None:
    progress = known(
        *((name, 0, 3) for name in ("greetings", "prefix-ber", "food", "prefix-me")),
        *((name, 3, 3) for name in ("greetings", "prefix-ber", "food", "prefix-me")),
    )
    order = interleave(["prefix-me", "greetings", "food", "prefix-ber"], course, progress)
    assert order == ["prefix-me", "prefix-ber", "greetings", "food"]


def test_words_stay_together_while_they_are_new(course: Course) -> None:
    fresh = known(*((name, 0, 3) for name in ("greetings", "prefix-ber", "food", "numbers")))
    order = interleave(["greetings", "prefix-ber", "food", "numbers"], course, fresh)
    assert order == ["greetings", "food", "numbers", "prefix-ber"]
    firm = known(
        *(
            (name, day, 3)
            for day in (0, 3)
            for name in ("greetings", "prefix-ber", "food", "numbers")
        )
    )
    order = interleave(["greetings", "prefix-ber", "food", "numbers"], course, firm)
    assert order == ["greetings", "prefix-ber", "food", "numbers"]


def test_a_concept_becomes_ready_when_what_it_needs_was_done_alone(course: Course) -> None:
    assert ready_concepts(course, {}) == ("greetings",)
    helped = {"greetings": known(("greetings", 0, 1))["greetings"]}
    assert ready_concepts(course, helped) == ()
    alone = known(("greetings", 0, 3))
    assert ready_concepts(course, alone) == ("numbers", "food", "prefix-ber", "prefix-me")


def test_who_has_time_left_gets_what_waits_and_then_something_new(course: Course) -> None:
    progress = known(("greetings", 0, 3), ("numbers", 0, 3))
    asked = PlanRequest(now=NOON + timedelta(days=5), minutes=25, scheduling=LESSONS)
    planned = plan(course, progress, day=5).items[:1]  # greetings
    (more,) = further_item(course, progress, asked, planned=planned, left=10)
    assert (more.type, more.concept_id) == ("review", "numbers")
    both = (*planned, more)
    (more,) = further_item(course, progress, asked, planned=both, left=10)
    assert (more.type, more.concept_id) == ("new", "food")
    assert further_item(course, progress, asked, planned=both, left=8) == ()
    reviews = replace(asked, kind="review")
    assert further_item(course, progress, reviews, planned=both, left=10) == ()


def test_the_preview_says_when_to_come_back(course: Course) -> None:
    progress = known(("greetings", 0, 3))
    seen = preview(course, progress, NOON)
    assert seen.next_due is not None
    assert seen.next_due > NOON
    assert seen.due_this_week == 1
    assert seen.next_new == ("numbers", "food", "prefix-ber")
    assert preview(course, {}, NOON).next_due is None


CONCEPTS = ("greetings", "numbers", "food", "prefix-ber", "prefix-me", "letters")
histories = st.lists(
    st.tuples(st.sampled_from(CONCEPTS), st.floats(0, 60), st.sampled_from((1, 2, 3, 4))),
    max_size=25,
).map(lambda rows: sorted(rows, key=lambda row: row[1]))


@given(rows=histories, minutes=st.integers(5, 120), day=st.floats(0, 90), ahead=st.booleans())
def test_a_plan_fits_into_its_time_and_names_each_concept_once(
    course: Course, rows: list[tuple[str, float, Rating]], minutes: int, day: float, ahead: bool
) -> None:
    progress = known(*rows)
    moment = max([day, *(row[1] for row in rows)])
    made = plan(course, progress, day=moment, minutes=minutes, ahead=ahead)
    names = [item.concept_id for item in made.items]
    assert len(set(names)) == len(names)
    assert made.planned <= capacity(minutes) + 1e-6
    assert made.planned < minutes
    assert all(
        item.opening == (place == 0) for place, item in enumerate(made.items) if item.type != "new"
    )
    if any(item.type != "new" for item in made.items):
        assert made.items[0].type != "new"
    begun = {item.concept_id for item in made.items if item.type == "new"}
    assert begun <= set(ready_concepts(course, progress))
    assert made == plan(course, progress, day=moment, minutes=minutes, ahead=ahead)


@given(rows=histories, day=st.floats(0, 90))
def test_interleaving_changes_only_the_order_and_keeps_pairs_together(
    course: Course, rows: list[tuple[str, float, Rating]], day: float
) -> None:
    progress = known(*rows)
    moment: datetime = NOON + timedelta(days=max([day, *(row[1] for row in rows)]))
    due = due_concepts(course, progress, moment, LESSONS)
    order = interleave(due, course, progress)
    assert sorted(order) == sorted(due)
    assert order[:1] == due[:1]
    pair = {"prefix-ber", "prefix-me"}
    if pair <= set(order):
        assert any({one, other} == pair for one, other in pairwise(order))


@given(rows=histories, day=st.floats(0, 90))
def test_new_concepts_wait_when_reviews_fill_the_session(
    course: Course, rows: Iterable[tuple[str, float, Rating]], day: float
) -> None:
    rows = list(rows)
    progress = known(*rows)
    moment = max([day, *(row[1] for row in rows)])
    made = plan(course, progress, day=moment, minutes=10)
    if made.reviews_waiting and made.planned + 3 > capacity(10):
        due = due_concepts(course, progress, NOON + timedelta(days=moment), LESSONS)
        if 3 * len(due) >= capacity(10):
            assert all(item.type != "new" for item in made.items)
