"""Rows of this room's tables as values."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A conversation that may go on over days."""

    id: str
    person: str
    door: str
    status: str
    started_at: datetime
    updated_at: datetime
    title: str | None = None
    plugin: str | None = None
    command: str | None = None
    agent: str | None = None
    class_id: str | None = None
    tasks: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    messages_text: str = ""
    project_dir: str | None = None
    issue_number: int | None = None
    issue_title: str | None = None
    forked_from: str | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionSearch:
    """What is looked for among sessions: words that must all be there, a class, days."""

    words: str = ""
    class_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the loop in a session."""

    id: str
    person: str
    session_id: str
    number: int
    format: int
    header: dict[str, Any]
    prompt: str
    state: str
    source: str
    created_at: datetime
    updated_at: datetime
    status: str | None = None
    reason: str | None = None
    output: str | None = None
    turns: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class GateRow:
    """A question to a person, and the answer if there is one."""

    run_id: str
    gate: str
    revision: int
    interaction: dict[str, Any]
    reply: dict[str, Any] | None
    opened_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class SpanRow:
    """One thing that took time."""

    trace: str
    step: str
    parent: str
    kind: str
    name: str
    failed: bool
    started_us: int
    ended_us: int
    attributes: str
