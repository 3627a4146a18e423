"""What is planned, as values: apart from the planning, which takes longer to load."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.exercise.values import Bloom

ItemType = Literal["new", "review", "assess"]
SessionKind = Literal["study", "review", "quiz"]
COMPREHENSIVE = 10.0
"""Minutes of the box of a quiz about a whole unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """One thing to do in a session. `opening` is recall before anything is taught.

    `teach_again` shows the lesson once more, to somebody who struggled.
    """

    type: ItemType
    concept_id: str
    minutes: float
    bloom: Bloom
    reason: str
    opening: bool = False
    teach_again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """What fits into a session; what is due or could be begun and has to wait."""

    items: tuple[PlanItem, ...]
    minutes: int
    reviews_waiting: int = 0
    new_waiting: int = 0

    @property
    def planned(self) -> float:
        """Minutes of all boxes together."""
        return sum(item.minutes for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPreview:
    """What comes after this session: how much is due when, and what could be begun."""

    next_due: datetime | None
    due_tomorrow: int
    due_this_week: int
    next_new: tuple[str, ...]
