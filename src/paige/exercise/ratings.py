"""From what was achieved to one of four ratings: Again, Hard, Good, Easy.

The tables are careful on purpose: the schedule should err towards seeing a thing once more. Work
done with hints is at most Hard, and after a shown answer it is Again, whatever the score: only
unaided work says that someone knows something.
"""

from typing import Literal

from paige.exercise.values import AGAIN, EASY, GOOD, HARD, Rating

Quality = Literal["good", "acceptable", "needs_improvement", "poor"]
Confidence = Literal["confident", "hesitant"]


def worksheet_rating(share: float) -> Rating:
    """The rating of a share of right answers."""
    return _by_threshold(share, 0.95, 0.75, 0.5)


def rubric_rating(score: float) -> Rating:
    """The rating of a weighted rubric score between 1 and 4."""
    # Weights such as 0.3 are not exact, so a sum that should be 3.5 may fall short by a breath.
    return _by_threshold(round(score, 6), 3.5, 2.5, 1.5)


def code_rating(share_passed: float, quality: Quality = "acceptable") -> Rating:
    """The rating of code: tests decide first, then how it is written."""
    if share_passed >= 1.0:
        return EASY if quality == "good" else GOOD if quality == "acceptable" else HARD
    return HARD if share_passed > 0.5 else AGAIN


def conversation_rating(score: float, confidence: Confidence = "hesitant") -> Rating:
    """The rating of a spoken answer: right and sure, right, half right, or not."""
    if score >= 0.85:
        return EASY if confidence == "confident" else GOOD
    return HARD if score >= 0.5 else AGAIN


def image_rating(share: float) -> Rating:
    """The rating of a photo: never Easy, because a photo shows less than it seems to."""
    return min(worksheet_rating(share), GOOD)


def with_help(rating: Rating, *, hints_used: int = 0, answer_shown: bool = False) -> Rating:
    """What is left of a rating when there was help."""
    if answer_shown:
        return AGAIN
    return min(rating, HARD) if hints_used > 0 else rating


def _by_threshold(value: float, easy: float, good: float, hard: float) -> Rating:
    if value >= easy:
        return EASY
    if value >= good:
        return GOOD
    return HARD if value >= hard else AGAIN
