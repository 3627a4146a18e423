"""In which manner an exercise may be answered: what every door's answers have to keep to.

Who did something rates it only where its answer lies open beside it, or where it was made by hand.
Everything else is marked, at whichever door it comes in.
"""

from paige.base.errors import BadInput
from paige.study.values import Answer, Sitting

COMPARE = "Say how it was: right, partly or wrong."


def check_manner(sitting: Sitting | None, answer: Answer) -> None:
    """Let an answer through that fits the exercise; without one, nothing is rated.

    Raises: BadInput.
    """
    turned = sitting is not None and sitting.turned
    by_hand = sitting is not None and sitting.exercise.modality == "image_review"
    if answer.self_check is not None and not (turned or by_hand):
        raise not_yours()
    if turned and answer.self_check is None:
        raise BadInput("The answer lies open already", hint=COMPARE)


def not_yours() -> BadInput:
    """The error of somebody who rates what is marked."""
    return BadInput(
        "This is not yours to judge: an answer is wanted", hint="Answer it, or ask for a hint."
    )
