"""The hook's slow path: everything the fast path cannot decide with built-in modules."""

from paige.base.events import Deny
from paige.guard.fast.place import Place
from paige.guard.hearing import NOTHING, Heard, Outcome

REASON = "Paige has no rules installed, so it cannot judge this call."


def decide_slowly(heard: Heard, place: Place) -> Outcome:
    """What is decided about an event that takes more than the fast path has."""
    return Outcome(Deny(REASON), "no-rules") if heard.event.gate else NOTHING
