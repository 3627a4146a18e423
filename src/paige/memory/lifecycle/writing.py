"""How jobs write: through the broker, on the account of whoever owns what they write about."""

from collections.abc import Callable, Sequence
from itertools import groupby

from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Remembered

Remember = Callable[[Sequence[Draft], Writer], list[Remembered]]


def as_owners(remember: Remember, person: str) -> Callable[[Sequence[Draft]], list[Remembered]]:
    """Write each draft as its owner, so that a job never reads or replaces another's memory.

    Drafts without an owner (scores, policies) are `person`'s.
    """

    def write(drafts: Sequence[Draft]) -> list[Remembered]:
        results: list[Remembered] = []
        for owner, members in groupby(drafts, key=lambda each: each.owner or person):
            results += remember(list(members), Writer(person=owner))
        return results

    return write
