"""What a conductor is made of: the project, who runs agents, who checks, who thinks, who is told.

What to check is read from the project and not from the worktree: an agent must not choose how its
work is looked at. What a person wants of it and what it reports stand here too.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.guard.completion.project_wishes import read_wishes
from paige.guard.completion.records import Record, Result
from paige.guard.completion.verification import verify
from paige.guard.fast.place import place_of
from paige.guard.graph.values import NewTrace
from paige.memory.event import Draft
from paige.models.calls import Models
from paige.orchestra.running.runners import Runner
from paige.orchestra.values import Tiers

logger = logging.getLogger(__name__)
RUN = "orchestra"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that happened, for whoever watches and for the log."""

    at: str
    kind: str
    text: str
    feature: str = ""
    agent: str = ""
    key: str = ""
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _silent(_: object) -> None:
    return None


def _unchecked(_: Path) -> Result | None:
    return None


def _nothing(agent: str, feature: str, text: str) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orchestra:
    """Everything a conductor needs.

    `instructions` gives the body of an agent's file, `precedents` what is known from earlier work
    (agent, feature, words), `checks` what the project's checks say of a folder. `store` keeps a
    trace and `remember` an episode; the same one twice is kept once by its id. `mark` is called at
    every step that is kept, for tests that kill.
    """

    root: Path
    data: Path
    runner: Runner
    models: Models
    actor: Actor
    now: Clock
    randomness: Callable[[int], bytes]
    instructions: Callable[[str], str]
    checks: Callable[[Path], Result | None] = _unchecked
    precedents: Callable[[str, str, str], str] = _nothing
    store: Callable[[NewTrace], object] = _silent
    remember: Callable[[Draft], object] = _silent
    tell: Callable[[Notice], None] = _silent
    mark: Callable[[str], None] = _silent
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])
    project: str = ""


def project_checks(root: Path, data: Path, now: Clock) -> Callable[[Path], Result | None]:
    """What runs the checks of a project over a folder; nothing comes back where they cannot run."""

    def check(folder: Path) -> Result | None:
        try:
            asked = read_wishes(place_of(str(root), str(data)))
            return verify(str(folder), asked, Record(), run=RUN, now=now).result
        except PaigeError as error:
            logger.warning("The checks of `%s` did not run: %s", folder, error.message)
            return None

    return check


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
