"""Shapes of the part of the REST API that shows runs: traces, journals, moments and costs."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from paige.server.wire import Asked, Wire

MOST_RUNS = 200
MOST_ENTRIES = 500
MOST_MOMENTS = 100
RunState = Literal["running", "waiting", "ended", "interrupted"]
RunFilter = Literal["running", "waiting", "success", "failed"]
MomentKind = Literal[
    "model", "tool", "hook", "gate", "subagent", "handoff", "failed", "fallback", "end"
]
Who = Literal["system", "person", "model", "history", "tool", "hook", "loop"]


class TraceRun(Wire):
    """One run as lists show it; `costUsd` is null where a price is not known."""

    id: str
    session: str
    number: int
    door: str
    title: str
    agent: str
    purpose: str
    source: str
    state: RunState
    status: str | None
    reason: str | None
    turns: int
    cost_usd: float | None
    created_at: datetime
    updated_at: datetime


class TraceRuns(Wire):
    """Runs, newest first; `next` is the `before` of the next page. `doors` can be chosen from."""

    runs: list[TraceRun]
    next: str | None
    doors: list[str]


class TraceSpans(Wire):
    """Every span of a run as columns of equal length, the run itself first.

    `parents` has the place of the span above, -1 for the run. Times are microseconds: `starts`
    since `TraceDetail.startedUs`, `lengths` each span's own. Tokens are 0 and costs null for
    everything but a model; `notes` say how a hook decided or how a run or subagent ended.
    """

    steps: list[str]
    parents: list[int]
    kinds: list[str]
    names: list[str]
    failed: list[bool]
    starts: list[int]
    lengths: list[int]
    tokens_in: list[int]
    tokens_out: list[int]
    costs: list[float | None]
    notes: list[str]


class TraceAnswer(Wire):
    """A part of a question, and what a person said to it."""

    question: str
    answer: str


class TraceGate(Wire):
    """A question to a person: what could be answered, and what was; `auto` means by nobody."""

    step: str
    title: str
    text: str
    options: list[str]
    answers: list[TraceAnswer]
    auto: bool
    opened_at: datetime
    answered_at: datetime | None


class TraceDetail(Wire):
    """One run with everything in it that took time."""

    run: TraceRun
    prompt: str
    output: str | None
    started_us: int
    spans: TraceSpans
    gates: list[TraceGate]


class TraceSpan(Wire):
    """One span with everything that is known of it."""

    step: str
    kind: str
    name: str
    failed: bool
    started_at: datetime
    length_us: int
    attributes: dict[str, Any]


class TraceEntry(Wire):
    """One line of a journal; `body` is JSON, `leftOut` characters of it were not sent."""

    seq: int
    step: str
    kind: Literal["intent", "result"]
    body: str
    left_out: int


class TraceJournal(Wire):
    """Some lines of a journal in their order."""

    entries: list[TraceEntry]
    total: int


class TracePassage(Wire):
    """Something that was read or said, and who it is from; `leftOut` characters were not sent."""

    who: Who
    name: str
    text: str
    failed: bool
    left_out: int


class TraceToolAsked(Wire):
    """A tool that a model asked for, with its input as JSON."""

    call: str
    name: str
    input: str


class TraceDecided(Wire):
    """What one hook said."""

    hook: str
    outcome: str
    text: str


class TraceMoment(Wire):
    """One thing that happened in a run: what was read, said, called, asked or decided."""

    number: int
    kind: MomentKind
    step: str
    name: str
    pending: bool
    failed: bool
    at: datetime | None
    length_us: int | None
    read: list[TracePassage]
    thought: str
    said: TracePassage | None
    called: list[TraceToolAsked]
    decided: list[TraceDecided]
    gate: TraceGate | None
    stop_reason: str
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None


class TraceMoments(Wire):
    """Some moments of a run in their order; `first` is the number of the first one."""

    moments: list[TraceMoment]
    first: int
    total: int


class CostRow(Wire):
    """What one model was asked for on one day; `unpriced` calls have no known price."""

    day: str
    provider: str
    model: str
    door: str
    purpose: str
    calls: int
    failed: int
    unpriced: int
    cost_usd: float
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


class Costs(Wire):
    """What models cost; `days` names every day, also those without a call."""

    days: list[str]
    rows: list[CostRow]


class TracesAsked(Asked):
    """Which runs, and from where."""

    query: str = Field(default="", max_length=500)
    door: str | None = Field(default=None, max_length=100)
    status: RunFilter | None = None
    before: str | None = Field(default=None, max_length=100)
    limit: int = Field(default=50, ge=1, le=MOST_RUNS)


class JournalAsked(Asked):
    """Which lines of a journal: those behind the number `after`."""

    after: int = Field(default=0, ge=0)
    limit: int = Field(default=100, ge=1, le=MOST_ENTRIES)


class MomentsAsked(Asked):
    """Which moments of a run: from the number `first`, counted from 0, or from a step on."""

    first: int = Field(default=0, ge=0)
    step: str | None = Field(default=None, max_length=2000)
    limit: int = Field(default=20, ge=1, le=MOST_MOMENTS)


class CostsAsked(Asked):
    """How many days up to today, and in which time zone a day begins."""

    days: int = Field(default=30, ge=1, le=400)
    zone: str = Field(default="UTC", min_length=1, max_length=100)


OUT = (TraceRuns, TraceDetail, TraceSpan, TraceEntry, TraceJournal, TraceMoments, Costs)
