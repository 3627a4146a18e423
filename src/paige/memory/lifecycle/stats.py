"""What the memory holds and what it did, counted: the four phases, outcomes, policies.

The cycle is record, organise, recall, improve. Each event belongs to one phase; that a phase ran is
seen from its events, not from anybody's word. Outcomes add what it was good for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from paige.base.clock import to_iso
from paige.base.wire import wire
from paige.memory.lifecycle.outcomes import (
    EFFORTS,
    Better,
    MemoryTasks,
    Outcome,
    compare,
    tally,
)

ALPHA = 0.05
Phase = Literal["record", "organise", "recall", "improve"]
PHASES: tuple[Phase, ...] = ("record", "organise", "recall", "improve")
_PHASE: Mapping[str, Phase] = {
    "summary": "organise",
    "promoted": "organise",
    "rescoped": "organise",
    "retracted": "organise",
    "forgotten": "organise",
    "pattern": "organise",
    "anti_pattern": "organise",
    "recalled": "recall",
    "importance": "improve",
    "policy": "improve",
}


class EventCount(NamedTuple):
    """How many events of a type there are, and when the last one was."""

    number: int
    last: datetime

    def plus(self, at: datetime) -> "EventCount":
        """With one more."""
        return EventCount(self.number + 1, max(self.last, at))


@dataclass(frozen=True, slots=True)
class MemoryPhase:
    """One phase of the cycle: how many events it wrote, and when the last."""

    phase: Phase
    events: int
    last: datetime | None
    types: Mapping[str, int]

    @property
    def ran(self) -> bool:
        """Whether it did anything."""
        return self.events > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryOutcomes:
    """Tasks with memories in the prompt against tasks without, since a moment."""

    since: datetime
    with_memory: MemoryTasks
    without_memory: MemoryTasks
    success_lift: float
    verdict: Better
    reason: str


@wire(kw_only=True)
class MemoryStats:
    """What happened in this memory, and what came of it."""

    events: int
    types: Mapping[str, int]
    cycle: tuple[MemoryPhase, ...]
    cycle_complete: bool
    outcomes: MemoryOutcomes
    policies_in_production: int
    index: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "events": self.events,
            "types": dict(self.types),
            "cycle": {
                each.phase: {
                    "ran": each.ran,
                    "events": each.events,
                    "last": to_iso(each.last) if each.last else None,
                    "types": dict(each.types),
                }
                for each in self.cycle
            },
            "cycle_complete": self.cycle_complete,
            "outcomes": {**asdict(self.outcomes), "since": to_iso(self.outcomes.since)},
            "policies_in_production": self.policies_in_production,
            "index": dict(self.index),
        }

    def lines(self, *, cycle: bool = False) -> list[str]:
        """For people."""
        shown = [f"{self.events} events"]
        if cycle:
            shown += [_phase_line(each) for each in self.cycle]
            missing = ", ".join(each.phase for each in self.cycle if not each.ran)
            return [*shown, f"cycle missing: {missing}" if missing else "cycle complete"]
        shown += [f"{name:<14} {count}" for name, count in sorted(self.types.items())]
        found = self.outcomes
        for name, each in (("with", found.with_memory), ("without", found.without_memory)):
            efforts = ", ".join(f"{e.replace('_', ' ')} {getattr(each, e):.2f}" for e in EFFORTS)
            rate = f"{each.success_rate:.0%} of {each.tasks} tasks ended well"
            shown.append(f"{name} memories: {rate}, {efforts}")
        return [*shown, f"success lift {found.success_lift:+.1%} ({found.verdict})"]


def phase_of(type: str) -> Phase:
    """The phase of an event: what does not organise, recall or improve records."""
    return _PHASE.get(type, "record")


def stats_of(
    counts: Mapping[str, EventCount],
    outcomes: Iterable[Outcome],
    *,
    since: datetime,
    policies: int = 0,
) -> MemoryStats:
    """The statistics from counts by type and the outcomes of a window.

    `policies` is how many are in production because outcomes put them there.
    """
    cycle = tuple(_phase(phase, counts) for phase in PHASES)
    return MemoryStats(
        events=sum(each.number for each in counts.values()),
        types={name: each.number for name, each in sorted(counts.items())},
        cycle=cycle,
        cycle_complete=all(each.ran for each in cycle),
        outcomes=_outcomes([each for each in outcomes if each.at >= since], since),
        policies_in_production=policies,
    )


def _outcomes(recent: Sequence[Outcome], since: datetime) -> MemoryOutcomes:
    recalled = tally(each for each in recent if each.recalled)
    without = tally(each for each in recent if not each.recalled)
    compared = compare(without, recalled, alpha=ALPHA)
    return MemoryOutcomes(
        since=since,
        with_memory=recalled.as_means(),
        without_memory=without.as_means(),
        success_lift=round(compared.lift, 4),
        verdict=compared.verdict,
        reason=compared.reason,
    )


def _phase(phase: Phase, counts: Mapping[str, EventCount]) -> MemoryPhase:
    own = {name: each for name, each in sorted(counts.items()) if phase_of(name) == phase}
    last = max((each.last for each in own.values()), default=None)
    types = {name: each.number for name, each in own.items()}
    return MemoryPhase(phase, sum(types.values()), last, types)


def _phase_line(phase: MemoryPhase) -> str:
    last = to_iso(phase.last)[:16].replace("T", " ") if phase.last else "never"
    return f"{phase.phase:<9} {phase.events:>8} events, last {last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTotals:
    """Numbers of memories that hold now; `superseded` are kept for the history only."""

    memories: int
    superseded: int
    scopes: Mapping[str, int]
    types: Mapping[str, int]
    tiers: Mapping[str, int]
    projects: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MemoryLog:
    """A log, its last number, and how far the index has read it."""

    path: Path
    last_seq: int
    indexed: int


@wire(kw_only=True)
class MemoryOverview:
    """What is there, as far as one reader may see it."""

    totals: MemoryTotals
    logs: tuple[MemoryLog, ...]
    index: Path
    embedder: str | None  # None: only words are compared
    backends: tuple[str, ...]  # where vectors are kept
    cycle: tuple[MemoryPhase, ...]
    outcomes: MemoryOutcomes
