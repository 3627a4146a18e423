import random
from datetime import timedelta

import fsrs
import pytest
from fsrs.scheduler import DEFAULT_PARAMETERS

from paige.base.errors import BadInput
from paige.learner.curve_fit import choose, fit_parameters
from paige.learner.schedule import Review, Scheduling
from tests.conftest import NOON


def memory_of(forgetful: float, *, cards: int, seed: int = 7) -> list[Review]:
    """Reviews of somebody who remembers as the model says, at so much of its stability."""
    generator = random.Random(seed)
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    reviews: list[Review] = []
    for number in range(cards):
        card = fsrs.Card(card_id=number, due=NOON)
        at = NOON + timedelta(days=number / 40)
        for _ in range(8):
            likely = scheduler.get_card_retrievability(card, at)
            known = generator.random() < likely ** (1 / forgetful) if card.last_review else True
            rating = 3 if known else 1
            reviews.append(Review(number, rating, at))
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), at)
            at = card.due + timedelta(days=generator.randint(0, 3))
    return reviews


def test_a_forgetful_person_gets_numbers_of_their_own() -> None:
    reviews = memory_of(0.25, cards=250)
    fit = fit_parameters(reviews)
    assert fit.adopted, fit.reason
    assert fit.log_loss_after is not None
    assert fit.log_loss_before is not None
    assert fit.log_loss_after < fit.log_loss_before
    assert "predict better" in fit.reason
    assert Scheduling(parameters=fit.parameters).parameters == fit.parameters
    assert fit.reviews == len(reviews)


def test_the_same_reviews_in_another_order_give_the_same_numbers() -> None:
    reviews = memory_of(0.25, cards=120)
    shuffled = list(reviews)
    random.Random(1).shuffle(shuffled)
    assert fit_parameters(shuffled) == fit_parameters(reviews)


def test_few_reviews_keep_the_numbers_in_use_and_say_so() -> None:
    fit = fit_parameters(memory_of(0.25, cards=30))
    assert (fit.adopted, fit.parameters) == (False, tuple(DEFAULT_PARAMETERS))
    assert fit.reason == "240 reviews are too few; 512 are needed"


def test_reviews_of_one_day_say_nothing() -> None:
    at_once = [Review(n % 50, 3, NOON + timedelta(minutes=n)) for n in range(600)]
    fit = fit_parameters(at_once)
    assert not fit.adopted
    assert "a day or more" in fit.reason


def test_numbers_that_predict_no_better_or_lie_out_of_bounds_are_not_taken() -> None:
    current = tuple(DEFAULT_PARAMETERS)
    assert not choose(current, current, 0.3, 0.3, 600).adopted
    assert not choose(current, current, 0.3, float("nan"), 600).adopted
    assert choose(current, current, 0.4, 0.3, 600).adopted
    wild = (*current[:4], 99.0, *current[5:])
    refused = choose(current, wild, 0.4, 0.3, 600)
    assert (refused.adopted, refused.parameters) == (False, current)
    assert "out of bounds" in refused.reason
    infinite = (float("inf"), *current[1:])
    assert "not a number" in choose(current, infinite, 0.4, 0.3, 600).reason


def test_what_is_no_rating_is_refused() -> None:
    with pytest.raises(BadInput):
        fit_parameters([Review(1, 7, NOON)])  # type: ignore[arg-type]
