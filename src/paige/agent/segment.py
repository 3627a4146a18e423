"""One segment of a run: from its start, or from an answer, to its end or the next question.

A segment replays the journal and goes on from there. It owns what the steps share: the journal, the
gates and their replies, the money spent in the whole tree, and the observers that watch.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paige.agent.interactions import Interaction, Reply, dump_interaction
from paige.agent.journal import MISSING, Gate, Journal, Span
from paige.agent.notes import Note
from paige.agent.runtime import Runtime
from paige.base.actor import Actor
from paige.models.provider import Provider

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
