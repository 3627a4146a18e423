"""What the Plan door tells everyone who watches a run."""

from typing import ClassVar, Literal

from paige.store.messages import Message


class PlanRunChanged(Message):
    """A run goes on, waits for a person, was interrupted (`reason` says why), or has ended."""

    topic: ClassVar[str] = "plan:run"
    session: str
    run: str
    state: Literal["running", "waiting", "ended", "interrupted"]
    status: str | None = None
    reason: str | None = None


class PlanFileChanged(Message):
    """A file of the workspace was written or removed."""

    topic: ClassVar[str] = "plan:file"
    path: str
    action: Literal["written", "deleted"]


class PlanDelta(Message):
    """A piece of an answer while it is written; a later attempt of the same step starts over.

    `start` is how much of the step's text came before, as JavaScript counts characters.
    """

    topic: ClassVar[str] = "plan:delta"
    run: str
    step: str
    attempt: int
    start: int
    text: str


class PlanStep(Message):
    """A tool or a check of a run started or ended."""

    topic: ClassVar[str] = "plan:step"
    run: str
    step: str
    name: str
    state: Literal["started", "ended", "failed"]


OUTBOUND: tuple[type[Message], ...] = (PlanRunChanged, PlanFileChanged, PlanDelta, PlanStep)
