"""What observers of a run are told while it goes on; nothing of it is journaled."""

from dataclasses import dataclass

from paige.models.requests import Delta


@dataclass(frozen=True, slots=True)
class Streamed:
    """A piece of an answer; a later attempt of the same step starts over."""

    step: str
    attempt: int
    delta: Delta


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool runs."""

    step: str
    tool: str


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A tool has answered."""

    step: str
    tool: str
    failed: bool


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """The model has answered once more."""

    step: str
    turn: int
    cost_usd: float | None


Note = Streamed | ToolStarted | ToolEnded | TurnTaken
