"""What the jobs of one maintenance run work with, and what they say they did.

Jobs write through the broker, on the account of whoever owns what they write about.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import RememberResult
from paige.memory.lifecycle.held_memory import HeldMemory
from paige.memory.lifecycle.ledger import Ledger
from paige.memory.lifecycle.queries import HeldMemories
from paige.memory.lifecycle.summaries import Summariser
from paige.memory.lifecycle.thresholds import Lifecycle

Remember = Callable[[Sequence[Draft], Writer], list[RememberResult]]
Write = Callable[[Sequence[Draft]], list[RememberResult]]


@dataclass(slots=True, kw_only=True)
class Run:
    """One maintenance run: what the jobs work with."""

    ledger: Ledger
    reading: HeldMemories
    write: Write
    lifecycle: Lifecycle
    now: datetime
    expired: Callable[[], bool]
    limit: int  # memories a job looks at
    session: str | None = None  # the one that ends, or that paused
    paused: bool = False  # only: what is short may still grow
    failed: frozenset[str] = frozenset()  # jobs that failed earlier in this run
    model: Summariser | None = None
    erase: Callable[[Collection[str]], int] | None = None
    refused: list[str] = field(default_factory=list)

    def put(self, drafts: Sequence[Draft]) -> int:
        """Write what was not written before; returns how many were stored."""
        fresh = [each for each in drafts if each.id is None or each.id not in self.ledger.written]
        stored = 0
        size = self.lifecycle.jobs.most_drafts
        for start in range(0, len(fresh), size):
            batch = fresh[start : start + size]
            for draft, result in zip(batch, self.write(batch), strict=True):
                stored += result.status == "stored"
                if result.status not in ("stored", "duplicate"):
                    self.refused.append(f"{draft.type}: {result.reason}")
                elif draft.id is not None:
                    self.ledger.written[draft.id] = None
        return stored


class JobResult(NamedTuple):
    """What a job did: memories looked at, events written, whether more is waiting."""

    seen: int = 0
    written: int = 0
    more: bool = False


def ended_sessions(run: Run) -> list[str]:
    """The session that ends, and those that nobody ended but that are silent for a day."""
    quiet = run.now - timedelta(days=1)
    silent = [name for name, last in run.ledger.sessions.items() if last < quiet]
    named = [run.session] if run.session is not None else []
    return list(dict.fromkeys([*named, *silent]))[: max(1, run.limit // 20)]


def current(memories: Iterable[HeldMemory]) -> list[HeldMemory]:
    """Those that nothing superseded."""
    return [each for each in memories if each.current and not each.event.forgotten]


def as_owners(remember: Remember, person: str) -> Write:
    """Write each draft as its owner, so that a job never reads or replaces another's memory.

    Drafts without an owner (scores, policies) are `person`'s.
    """

    def write(drafts: Sequence[Draft]) -> list[RememberResult]:
        results: list[RememberResult] = []
        for owner, members in groupby(drafts, key=lambda each: each.owner or person):
            results += remember(list(members), Writer(person=owner))
        return results

    return write
