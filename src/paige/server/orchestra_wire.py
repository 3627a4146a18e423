"""Shapes of the orchestra's part of the REST API: the board, its handoffs, its runs."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from paige.server.wire import Asked, Wire

MOST_HANDOFFS = 500
HandoffEvent = Literal["sent", "received", "refused", "returned", "failed"]
FeatureState = Literal["pending", "coding", "testing", "closed", "blocked"]


class OrchestraFeature(Wire):
    """A feature and how far it is; `step` says what happens with it now."""

    id: str
    title: str
    state: FeatureState
    attempts: int
    step: str
    agent: str
    since: datetime | None
    reason: str


class OrchestraNext(Wire):
    """What the table of the orchestra says comes next."""

    state: str
    action: str
    agent: str
    feature: str
    sentence: str


class OrchestraRun(Wire):
    """One run of an agent; `returned` is what it told, shortened as the conductor reads it."""

    id: str
    feature: str
    agent: str
    runner: str
    attempt: int
    started: datetime | None
    ended: datetime | None
    outcome: str
    returned: str
    vetoed: bool


class OrchestraVetoes(Wire):
    """How often the judge looked at a change, and said no."""

    judged: int
    vetoed: int


class OrchestraBoard(Wire):
    """The whole orchestra at a glance."""

    project: str
    goal: str
    begun: bool
    running: bool
    phase: str
    waits: str  # why nothing happens now, for the person
    features: list[OrchestraFeature]
    next: OrchestraNext | None
    runs: list[OrchestraRun]
    vetoes: OrchestraVetoes


class OrchestraHandoff(Wire):
    """One line of the log: who was asked for what, what has to hold, and what became of it."""

    key: str
    at: datetime
    event: HandoffEvent
    agent: str
    task: str
    feature: str
    previous_state: str
    next_agent: str
    files: list[str]
    artifacts: list[str]
    precondition: str
    postcondition: str
    rollback: str
    criteria: dict[str, Any]
    timeout_s: int | None
    said: str


class OrchestraHandoffs(Wire):
    """Handoffs, the newest first."""

    handoffs: list[OrchestraHandoff]
    total: int


class OrchestraHandoffsAsked(Asked):
    """Which handoffs."""

    feature: str | None = Field(default=None, max_length=200)
    limit: int = Field(default=50, ge=1, le=MOST_HANDOFFS)


OUT = (OrchestraBoard, OrchestraHandoffs)
