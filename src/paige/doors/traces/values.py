"""What is asked about runs and what is answered, where the room has no value for it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from paige.agent.trace.moments import MomentDetail
from paige.agent.trace.queries import CostRow
from paige.base.wire import wire
from paige.plan.sessions import State

# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class TraceRequest:
    """Which run."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpanRequest(TraceRequest):
    """Which span of a run; without a step the run itself."""

    step: Annotated[str, Field(max_length=2000)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceJournalRequest(TraceRequest):
    """Which lines of a journal: those behind the number `after`."""

    after: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEntryRequest(TraceRequest):
    """Which line of a journal."""

    seq: Annotated[int, Field(ge=1, le=2**53)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMomentsRequest(TraceRequest):
    """Which moments of a run: from the number `first`, counted from 0, or from a step on."""

    first: Annotated[int, Field(ge=0)] = 0
    step: Annotated[str | None, Field(max_length=2000)] = None
    limit: Annotated[int, Field(ge=1, le=100)] = 20


@wire(kw_only=True)
class CostsRequest:
    """How many days up to today, and in which time zone a day begins."""

    days: Annotated[int, Field(ge=1, le=400)] = 30
    zone: Annotated[str, Field(min_length=1, max_length=100)] = "UTC"


# --- what is given -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRun:
    """One run as lists show it; `costUsd` is null where a price is not known."""

    id: str
    session: str
    number: int
    door: str
    title: str
    agent: str
    purpose: str
    source: str
    state: State
    status: str | None
    reason: str | None
    turns: int
    cost_usd: float | None
    created_at: datetime
    updated_at: datetime


@wire
class TraceRuns:
    """Runs, newest first; `next` is the `before` of the next page. `doors` can be chosen from."""

    runs: tuple[TraceRun, ...]
    next: str | None
    doors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSpans:
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


@dataclass(frozen=True, slots=True)
class TraceAnswer:
    """A part of a question, and what a person said to it."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceGate:
    """A question to a person: what could be answered, and what was; `auto` means by nobody."""

    step: str
    title: str
    text: str
    options: tuple[str, ...]
    answers: tuple[TraceAnswer, ...]
    auto: bool
    opened_at: datetime
    answered_at: datetime | None


@wire(kw_only=True)
class TraceDetail:
    """One run with everything in it that took time."""

    run: TraceRun
    prompt: str
    output: str | None
    started_us: int
    spans: TraceSpans
    gates: tuple[TraceGate, ...]


@wire(kw_only=True)
class TraceSpan:
    """One span with everything that is known of it."""

    step: str
    kind: str
    name: str
    failed: bool
    started_at: datetime
    length_us: int
    attributes: dict[str, Any]


@wire
class TraceEntry:
    """One line of a journal; `body` is JSON, `leftOut` characters of it were not sent."""

    seq: int
    step: str
    kind: Literal["intent", "result"]
    body: str
    left_out: int


@wire
class TraceJournal:
    """Some lines of a journal in their order."""

    entries: tuple[TraceEntry, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceMoment(MomentDetail):
    """One thing that happened in a run: what was read, said, called, asked or decided."""

    number: int
    at: datetime | None
    length_us: int | None
    gate: TraceGate | None


@wire
class TraceMoments:
    """Some moments of a run in their order; `first` is the number of the first one."""

    moments: tuple[TraceMoment, ...]
    first: int
    total: int


@wire
class Costs:
    """What models cost; `days` names every day, also those without a call."""

    days: tuple[str, ...]
    rows: tuple[CostRow, ...]
