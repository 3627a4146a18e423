from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.learner.cards import Card, dump_card, new_card
from paige.learner.review_plan import (
    columns_of,
    columns_of_rows,
    plan_reviews,
    retrievabilities,
)
from paige.learner.schedule import Scheduling, retrievability, review
from tests.conftest import NOON

RULES = Scheduling(fuzz=False)
NAMES = ("card_id", "state", "stability", "due", "last_review")


def known(name: str, *, stability: float, seen: float, due: float, **more: object) -> Card:
    """A card in review, seen so many days ago, due in so many days."""
    card = replace(
        new_card(name, NOON),
        state="review",
        step=None,
        stability=stability,
        difficulty=5.0,
        last_review=NOON - timedelta(days=seen),
        due=NOON + timedelta(days=due),
        reps=3,
    )
    return replace(card, **more)  # type: ignore[arg-type]


def planned(cards: dict[str, Card], reviews: int = 200, new: int = 20, **more: object) -> list[str]:
    scheduling = replace(RULES, **more)  # type: ignore[arg-type]
    plan = plan_reviews(
        columns_of(cards), NOON, scheduling, reviews_per_day=reviews, new_per_day=new
    )
    return [str(each.id) for each in plan.reviews]


def test_what_was_forgotten_comes_first_then_the_most_forgotten_then_what_is_new() -> None:
    cards = {
        "new": new_card("new", NOON),
        "late": known("late", stability=50, seen=60, due=-10),
        "faded": known("faded", stability=2, seen=30, due=-28),
        "soon": known("soon", stability=50, seen=1, due=20),
        "begun": known("begun", stability=1, seen=0.1, due=0, state="learning", step=0),
        "lapsed": known("lapsed", stability=1, seen=0.1, due=-0.01, state="relearning", step=0),
        "minutes": known("minutes", stability=1, seen=0, due=0.01, state="relearning", step=0),
    }
    assert planned(cards) == ["lapsed", "begun", "faded", "late", "new"]


def test_limits_hold_back_reviews_and_new_cards_but_not_what_was_forgotten() -> None:
    cards = {f"r{n}": known(f"r{n}", stability=10 + n, seen=20, due=-1) for n in range(5)}
    cards |= {f"n{n}": new_card(f"n{n}", NOON) for n in range(3)}
    cards["x"] = known("x", stability=1, seen=0.1, due=-0.01, state="relearning", step=0)
    assert planned(cards, 2, 2) == ["x", "r0", "r1", "n0", "n1"]
    assert planned(cards, 0, 0) == ["x"]


def test_a_review_that_falls_due_later_today_can_be_done_now() -> None:
    cards = {
        "tonight": known("tonight", stability=5, seen=5, due=0.49),
        "tomorrow": known("tomorrow", stability=5, seen=5, due=0.51),
    }
    assert planned(cards) == ["tonight"]
    # At noon in Greenwich it is evening in Kuala Lumpur.
    assert planned(cards, zone=ZoneInfo("Asia/Kuala_Lumpur")) == []


def test_on_the_eve_of_an_exam_everything_comes_once_more() -> None:
    cards = {
        "far": known("far", stability=300, seen=40, due=200),
        "farther": known("farther", stability=900, seen=40, due=400),
        "today": known("today", stability=9, seen=0.1, due=9),
        "due": known("due", stability=30, seen=30, due=0),
        "new": new_card("new", NOON),
    }
    eve = date(2026, 3, 3)
    assert planned(cards, exam=eve) == ["due", "far", "farther", "new"]
    assert planned(cards, exam=eve + timedelta(days=1)) == ["due", "new"]


def test_the_forecast_carries_over_what_does_not_fit() -> None:
    cards = {f"late{n}": known(f"late{n}", stability=5, seen=9, due=-3) for n in range(5)}
    cards |= {f"next{n}": known(f"next{n}", stability=5, seen=1, due=1) for n in range(2)}
    cards["begun"] = known("begun", stability=1, seen=0, due=0.01, state="learning", step=0)
    cards["new"] = new_card("new", NOON)
    plan = plan_reviews(columns_of(cards), NOON, RULES, reviews_per_day=3, horizon=4)
    assert [(day.due, day.expected) for day in plan.forecast] == [(6, 4), (2, 3), (0, 1), (0, 0)]
    assert plan.forecast[0].day == date(2026, 3, 2)


def test_days_of_the_forecast_are_days_where_the_learner_lives() -> None:
    zone = ZoneInfo("Europe/London")
    # The clocks go forward in the night to 29 March.
    now = datetime(2026, 3, 28, 12, tzinfo=zone)
    due = datetime(2026, 3, 29, 23, 30, tzinfo=zone)
    cards = {"x": replace(known("x", stability=5, seen=3, due=0), due=due)}
    scheduling = replace(RULES, zone=zone)
    plan = plan_reviews(columns_of(cards), now, scheduling, horizon=3)
    assert [day.due for day in plan.forecast] == [0, 1, 0]


def test_an_empty_course_has_an_empty_plan() -> None:
    plan = plan_reviews(columns_of({}), NOON, RULES, horizon=2)
    assert (plan.reviews, [day.due for day in plan.forecast]) == ((), [0, 0])
    assert len(columns_of_rows([])) == 0


@pytest.mark.parametrize("wrong", ["soon", "2026-03-02T12:00:00", 5])
def test_rows_with_moments_that_cannot_be_read_are_refused(wrong: object) -> None:
    with pytest.raises(BadInput, match="moment"):
        columns_of_rows([(1, 2, 3.0, wrong, None)])


histories = st.lists(
    st.lists(st.tuples(st.sampled_from((1, 2, 3, 4)), st.floats(0, 300)), max_size=6), max_size=8
)


def studied(work: list[list[tuple[int, float]]]) -> dict[str, Card]:
    cards: dict[str, Card] = {}
    for number, history in enumerate(work):
        card, at = new_card(f"c{number}", NOON), NOON - timedelta(days=400)
        for rating, gap in history:
            at += timedelta(days=gap)
            card = review(card, rating, at, RULES).card  # type: ignore[arg-type]
        cards[f"c{number}"] = card
    return cards


@given(histories, st.integers(0, 10**9))
def test_columns_say_what_the_library_says_of_every_card(
    work: list[list[tuple[int, float]]], seconds: int
) -> None:
    cards = studied(work)
    now = NOON - timedelta(days=400) + timedelta(seconds=seconds / 10)
    expected = [retrievability(card, now, RULES) for card in cards.values()]
    likely = retrievabilities(columns_of(cards), now, RULES)
    assert likely.tolist() == pytest.approx(expected, rel=1e-12)
    rows = [[dump_card(card)[name] for name in NAMES] for card in cards.values()]
    again = retrievabilities(columns_of_rows(rows), now, RULES)
    assert again.tolist() == likely.tolist()


@given(histories, st.integers(0, 4), st.integers(0, 4))
def test_a_plan_has_every_card_at_most_once_and_keeps_its_limits(
    work: list[list[tuple[int, float]]], most: int, most_new: int
) -> None:
    cards = studied(work)
    plan = plan_reviews(columns_of(cards), NOON, RULES, reviews_per_day=most, new_per_day=most_new)
    kinds = [each.kind for each in plan.reviews]
    assert len({each.id for each in plan.reviews}) == len(plan.reviews)
    assert kinds.count("review") <= most
    assert kinds.count("new") <= most_new
    assert kinds.count("new") == min(most_new, sum(card.is_new for card in cards.values()))
    likely = [each.retrievability for each in plan.reviews if each.kind == "review"]
    assert likely == sorted(likely)


def test_whole_days_are_exact_to_the_microsecond() -> None:
    card = known("x", stability=5, seen=0, due=5)
    library = fsrs.Scheduler(enable_fuzzing=False)
    theirs = fsrs.Card.from_dict(dump_card(card))  # type: ignore[arg-type]
    for micro in (-1, 0, 1):
        now = NOON + timedelta(days=20_000, microseconds=micro)
        ours = retrievabilities(columns_of({"x": card}), now, RULES)[0]
        assert ours == pytest.approx(library.get_card_retrievability(theirs, now), rel=1e-13)
