"""One segment of a run: from its start, or from an answer, to its end or the next question.

A segment replays the journal and goes on from there. It owns what the steps share: the journal, the
gates and their replies, the money spent in the whole tree, and the observers that watch. `Work` is
what one agent of a run has to do; `Turn` adds where it stands.
"""

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio

from paige.agent.context import RunContext
from paige.agent.hooks import Hook
from paige.agent.interactions import Interaction, Reply, dump_interaction
from paige.agent.journal import MISSING, Gate, Journal, Span
from paige.agent.library.definitions import AgentDefinition, SkillDefinition
from paige.agent.limits import Limits
from paige.agent.memories import NO_REQUEST, MemoryAccess, Request
from paige.agent.tools import Tool
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.models.prices import Prices, shipped_prices
from paige.models.requests import Delta, Provider, ToolSpec
from paige.store.documents import Documents
from paige.store.engine import Database


@dataclass(frozen=True, slots=True)
class AnswerPiece:
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


Note = AnswerPiece | ToolStarted | ToolEnded | TurnTaken


@dataclass(frozen=True, slots=True)
class PreparedAgent:
    """An agent ready to work: its definition, its file's text, and the prompt made for it.

    `files` are the texts the prompt was made from; a run keeps them beside its journal.
    """

    agent: AgentDefinition
    source: str
    system: str
    files: Mapping[str, str] = field(default_factory=dict)


class Library(Protocol):
    """Where agents come from; a door decides what their prompts are made of."""

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """Make an agent ready for what it will be asked. Raises: NotFound."""
        ...

    def describe(self, agent: str) -> str:
        """What an agent is for, in a sentence; empty when nobody says."""
        ...

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """The skills an agent may read."""
        ...


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything a run needs that is not its own."""

    db: Database
    provider: Provider
    library: Library
    documents: Documents
    tools: Mapping[str, Tool[Any]]
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    now: Clock = field(kw_only=True)
    memory: MemoryAccess | None = None  # none: nothing of it in prompts, none of its tools
    local: Provider | None = None  # answers when the provider fails, if the settings say so
    randomness: Callable[[int], bytes] = os.urandom
    sleep: Callable[[float], Any] = anyio.sleep
    spend_limit_day: float | None = None  # of one person, in US dollars
    prices: Prices = field(default_factory=shipped_prices, repr=False)


logger = logging.getLogger(__name__)


class GateOpen(Exception):
    """A person is asked; this part of the run cannot go on."""


class NeedsDecision(Exception):
    """A subagent met a question only a person can answer."""

    def __init__(self, interaction: Interaction) -> None:
        super().__init__(interaction.title)
        self.interaction = interaction


@dataclass(slots=True)
class Spend:
    """Money spent in a run and all its subagents; `known` is false once a price was not."""

    usd: float = 0.0
    known: bool = True

    @property
    def total(self) -> float | None:
        """What was spent, if that is known."""
        return self.usd if self.known else None

    def add(self, cost: float | None, *, times: int = 1) -> None:
        """Count a call; attempts that were lost cost the same."""
        if cost is None:
            self.known = False
        else:
            self.usd += cost * times


@dataclass(slots=True)
class Segment:
    """What all steps of one segment share."""

    runtime: Runtime
    actor: Actor
    run: str
    session: str
    provider: Provider
    journal: Journal
    replies: Mapping[str, Reply]  # by gate
    inputs: Mapping[str, Any]
    observe: Callable[[Note], None] | None = None
    spend: Spend = field(default_factory=Spend)
    opened: list[str] = field(default_factory=list)

    async def step(self, path: str, work: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401 - JSON
        """Do something once: what is recorded is returned, not done again."""
        known = self.journal.result(path)
        if known is not MISSING:
            return known
        value = await work()
        self.journal.record(path, value)
        await self.journal.flush()
        return value

    def ask(self, gate: str, interaction: Interaction) -> Reply:
        """The reply to a question. Raises: GateOpen while there is none."""
        reply = self.replies.get(gate)
        if reply is not None:
            return reply
        self.journal.gate(Gate(gate, 1, dump_interaction(interaction)))
        self.opened.append(gate)
        raise GateOpen(gate)

    def was_asked(self, path: str) -> bool:
        """Whether a person has answered a question below a path; nobody did who said yes to all."""
        answered = (reply for gate, reply in self.replies.items() if gate.startswith(path))
        return any(not reply.auto for reply in answered)

    def now_us(self) -> int:
        """The clock in microseconds, for spans."""
        return int(self.runtime.now().timestamp() * 1_000_000)

    def span(self, span: Span) -> None:
        """Note a span."""
        self.journal.span(span)

    def note(self, note: Note) -> None:
        """Tell observers; one that fails is logged and never breaks a run."""
        if self.observe is None:
            return
        try:
            self.observe(note)
        except Exception:
            logger.exception("An observer failed")


@dataclass(frozen=True, slots=True)
class Work:
    """One agent at work; `path` is the prefix of its steps, `nested` means a subagent."""

    agent: AgentDefinition
    system: str
    tools: Mapping[str, Tool[Any]]
    specs: tuple[ToolSpec, ...]
    hooks: tuple[Hook, ...]
    limits: Limits
    purpose: str
    caller_hooks: tuple[Hook, ...] = ()  # also among `hooks`; they stay when another takes over
    path: str = ""
    nested: bool = False

    def hooks_at(self, point: str) -> tuple[Hook, ...]:
        """The hooks of one point, in their order."""
        return tuple(hook for hook in self.hooks if point in hook.points)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of one agent; `at` is the path its steps begin with."""

    segment: Segment
    work: Work
    context: RunContext
    at: str
