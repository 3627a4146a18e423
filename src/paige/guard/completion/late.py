"""The rows of completion and memory in the table of gates, loaded when their event comes.

Gates before tools run far more often than these, and should not wait for what they never use.
"""

from paige.guard.gating import Situation
from paige.guard.hearing import Outcome


def completion(situation: Situation) -> Outcome | None:
    """What the checks say about an event."""
    from paige.guard.completion.gate import gate  # noqa: PLC0415 - see above

    return gate(situation)


def memory(situation: Situation) -> Outcome | None:
    """What memory says at an event."""
    from paige.guard.remembering import gate  # noqa: PLC0415 - see above

    return gate(situation)
