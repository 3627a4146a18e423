"""What planning is asked for and what it answers, where its room has no value for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from paige.app.class_answers import SeenHandout
from paige.app.plan_proposals import PlanProposal
from paige.base.wire import wire
from paige.memory.documents.captures import Decision
from paige.plan.files import PlanProblem
from paige.plan.handout.counts import FEWEST, HandoutError, HandoutQuestion
from paige.plan.handout.queries import Tally
from paige.plan.handout.values import Handout
from paige.plan.outputs.exports import Format
from paige.plan.sessions import PlanSession

MOST_RUNS = 200
Path = Annotated[str, Field(min_length=1, max_length=1000)]
Line = Annotated[int, Field(ge=1)]
Prompt = Annotated[str, Field(min_length=1, max_length=100_000)]


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class PlanPath:
    """Which file of the workspace."""

    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanWrite(PlanPath):
    """A new text for a file; without `version` the file must not exist yet."""

    text: Annotated[str, Field(max_length=2_000_000)]
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDelete(PlanPath):
    """Which file is to go, of that version if one is given."""

    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanLinesRequest(PlanPath):
    """Which lines of a file."""

    start: Line
    end: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExport(PlanPath):
    """Which lesson in which form."""

    to: Format


@wire(kw_only=True)
class PlanSessionRequest:
    """Which session, and which of its runs: from a place on, or the last ones."""

    id: str
    start: Annotated[int | None, Field(alias="from", ge=0)] = None
    limit: Annotated[int, Field(ge=1, le=MOST_RUNS)] = 40


@wire(kw_only=True)
class PlanAsk:
    """A command to run, in a new session unless one is given."""

    command: Annotated[str, Field(min_length=1, max_length=200)]
    input: Prompt
    class_id: str | None = None
    session: str | None = None
    provider: str | None = None
    model: str | None = None
    memory: bool = True


@wire(kw_only=True)
class PlanRunRequest:
    """Which run."""

    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBranch(PlanRunRequest):
    """What to ask where a run began; without `input` the same again."""

    input: Prompt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer(PlanRunRequest):
    """The answer to a gate; `reply` has the form of the interaction."""

    gate: str
    revision: Annotated[int, Field(ge=0)]
    reply: dict[str, Any]


@wire(kw_only=True)
class PlanDecide:
    """What becomes of a proposal."""

    key: str
    decision: Decision
    text: str | None = None


@wire(kw_only=True)
class ClassRequest:
    """Which class."""

    id: str


@wire(kw_only=True)
class HandoutsRequest:
    """Handouts of every class, or of one."""

    class_id: Annotated[str | None, Field(alias="class", max_length=80)] = None


@wire(kw_only=True)
class HandoutRequest:
    """Which handout."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoutMake(PlanPath):
    """A lesson or worksheet of the workspace to hand out."""

    class_id: Annotated[str, Field(min_length=1, max_length=80)]
    tokens: Annotated[int, Field(ge=1, le=200)]
    days: Annotated[int, Field(ge=1, le=120)] = 7


# --- what comes back -----------------------------------------------------------------------------


@wire
class PlanCommand:
    """A command of a plugin that a teacher may run."""

    name: str
    plugin: str
    full_name: str
    description: str
    local: bool
    """Whether it is answered without a model too."""


@wire
class PlanClass:
    """A class of the workspace, as pickers show it."""

    id: str
    year: str | None
    subject: str | None
    level: str | None
    minutes: int | None


@wire(kw_only=True)
class PlanOverview:
    """What the page needs first."""

    commands: tuple[PlanCommand, ...]
    classes: tuple[PlanClass, ...]
    problems: tuple[PlanProblem, ...]
    provider: str
    local: bool
    """Whether runs are answered without a model."""
    waiting: int
    """Gates that wait for this person."""


@wire
class PlanSessions:
    """Sessions, newest first or best match first."""

    sessions: tuple[PlanSession, ...]


@wire
class PlanStarted:
    """A run that was started."""

    session: str
    run: str


@wire(kw_only=True)
class HandoutItem:
    """A handout as lists show it."""

    id: str
    class_id: str
    title: str
    source: str
    created_at: datetime
    closes_at: datetime
    open: bool
    kept: bool
    """Whether its figures were handed to the memory of the class."""
    tokens: int
    handed_in: int


@wire(kw_only=True)
class HandoutSeen:
    """A handout with what came back; questions are told from `fewest` worksheets on."""

    item: HandoutItem
    codes: tuple[str, ...]
    share: float
    fewest: int
    questions: tuple[HandoutQuestion, ...]
    errors: tuple[HandoutError, ...]


@wire
class HandoutKept:
    """What is proposed for the memory of the class and waits for a decision."""

    item: HandoutItem
    proposals: Sequence[PlanProposal]


def item_of(handout: Handout, tally: Tally, now: datetime) -> HandoutItem:
    """A handout in a list; its worksheet and its salt stay inside."""
    return HandoutItem(
        id=handout.id,
        class_id=handout.class_id,
        title=handout.title,
        source=handout.source,
        created_at=handout.created_at,
        closes_at=handout.closes_at,
        open=handout.is_open(now),
        kept=handout.kept_at is not None,
        tokens=tally.tokens,
        handed_in=tally.handed_in,
    )


def seen_of(seen: SeenHandout, now: datetime) -> HandoutSeen:
    """A handout with what came back."""
    counts = seen.counts
    return HandoutSeen(
        item=item_of(seen.handout, Tally(counts.tokens, counts.handed_in), now),
        codes=seen.tokens,
        share=round(counts.share, 4),
        fewest=FEWEST,
        questions=counts.questions,
        errors=counts.errors,
    )
