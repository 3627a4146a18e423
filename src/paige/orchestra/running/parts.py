"""What a conductor is made of: the project, who runs agents, who thinks, and who is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.guard.completion.values import Result
from paige.guard.graph.values import NewTrace
from paige.memory.event import Draft
from paige.models.calls import Models
from paige.orchestra.running.runners import Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
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
    tell: Callable[[Told], None] = _silent
    mark: Callable[[str], None] = _silent
    timeouts: Mapping[str, float] = field(default_factory=dict[str, float])
    project: str = ""
