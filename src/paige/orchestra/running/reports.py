"""What a person wants of a conductor, and what it reports."""

from dataclasses import dataclass
from typing import Any

from paige.orchestra.values import Tiers


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Where the work stands when a conductor stops."""

    phase: str
    why: str = ""
    closed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    finished: tuple[str, ...] = ()  # closed or blocked by this conductor
    vetoes: int = 0
    judged: int = 0

    @property
    def complete(self) -> bool:
        """Whether every feature is done."""
        return self.phase == "all_complete" and not self.blocked

    def dump(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "state": self.phase,
            "why": self.why,
            "closed": list(self.closed),
            "blocked": list(self.blocked),
            "open": list(self.open),
            "finished": list(self.finished),
            "judged": self.judged,
            "vetoed": self.vetoes,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a person wants of this run of the conductor.

    `most` features are finished at the most; `plan` stops when the features are planned.
    """

    goal: str = ""
    tiers: Tiers | None = None
    most: int | None = None
    plan: bool = False
