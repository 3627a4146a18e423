"""How much help somebody is offered: much for what is new, less with every bit of mastery.

Beginners learn more with worked examples and hints, people who know a thing learn less with them.
In languages and humanities that turn comes later, so help fades more gently there. This says how
much is offered; the rungs of the ladder are made elsewhere.
"""

from dataclasses import dataclass
from typing import Literal

from paige.base.errors import BadInput
from paige.exercise.values import Domain

Support = Literal["worked_examples", "guided", "hints", "hints_on_request", "none"]
SUPPORTS: tuple[Support, ...] = ("worked_examples", "guided", "hints", "hints_on_request", "none")
_GENTLE: frozenset[Domain] = frozenset({"language", "conceptual"})
_EXAMPLES: dict[Support, int] = {"worked_examples": 2, "guided": 1}
_HINTS: dict[Support, int] = {
    "worked_examples": 4,
    "guided": 4,
    "hints": 3,
    "hints_on_request": 2,
    "none": 1,
}
_SAYS: dict[Support, str] = {
    "worked_examples": "This is new: worked examples come first",
    "guided": "Little is sure yet: an example, then hints at every step",
    "hints": "Some of it is known: hints after an attempt",
    "hints_on_request": "Most of it is known: hints only when asked for",
    "none": "It is known: help would be in the way",
}


@dataclass(frozen=True, slots=True)
class HelpOffer:
    """What is offered: worked examples before the task, rungs of the hint ladder after a try."""

    support: Support
    worked_examples: int
    hints: int
    reason: str


def help_level(mastery: float, domain: Domain, is_new: bool) -> HelpOffer:
    """How much help to offer at this mastery, from 0 to 1. Raises: BadInput."""
    if not 0.0 <= mastery <= 1.0:
        raise BadInput(f"Mastery is between 0 and 1, not `{mastery}`")
    # Squared, so that in gentle domains the same help lasts until more is known.
    faded = mastery**2 if domain in _GENTLE else mastery
    bounds = (0.15, 0.4, 0.65, 0.85)
    support = SUPPORTS[0 if is_new else sum(faded >= bound for bound in bounds)]
    return HelpOffer(support, _EXAMPLES.get(support, 0), _HINTS[support], _SAYS[support])
