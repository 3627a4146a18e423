"""What the jobs of one maintenance run work with, and what they say they did."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from paige.memory.event import Draft
from paige.memory.lifecycle.held import Held, Reading
from paige.memory.lifecycle.ledger import Ledger
from paige.memory.lifecycle.summarising import Summariser
from paige.memory.lifecycle.thresholds import Lifecycle


class Written(Protocol):
    """What the broker says about one draft."""

    @property
    def status(self) -> str:
        """`stored`, `duplicate`, `recalled` or `refused`."""
        ...

    @property
    def reason(self) -> str | None:
        """Why."""
        ...


Write = Callable[[Sequence[Draft]], Sequence[Written]]


@dataclass(slots=True, kw_only=True)
class Run:
    """One maintenance run: what the jobs work with."""

    ledger: Ledger
    reading: Reading
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


class Did(NamedTuple):
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


def current(memories: Iterable[Held]) -> list[Held]:
    """Those that nothing superseded."""
    return [each for each in memories if each.current and not each.event.forgotten]
