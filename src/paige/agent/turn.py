"""Where a loop is: what travels together through the steps of one turn."""

from dataclasses import dataclass

from paige.agent.context import RunContext
from paige.agent.segment import Segment
from paige.agent.work import Work


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one agent; `at` is the path its steps begin with."""

    segment: Segment
    work: Work
    context: RunContext
    at: str
