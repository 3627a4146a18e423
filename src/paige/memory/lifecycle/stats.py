"""What the memory did, counted from its events alone: the four phases, outcomes, policies.

The cycle is record, organise, recall, improve. Each event belongs to one phase; that a phase ran is
seen from its events, not from anybody's word. Outcomes add what it was good for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from paige.base.clock import to_iso
from paige.memory.lifecycle.outcomes import EFFORTS, Lift, Outcome, success_lift, tally

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


class Counted(NamedTuple):
    """How many events of a type there are, and when the last one was."""

    number: int
    last: datetime

    def plus(self, at: datetime) -> "Counted":
        """With one more."""
        return Counted(self.number + 1, max(self.last, at))


class PhaseStats(NamedTuple):
    """One phase of the cycle."""

    phase: Phase
    events: int
    last: datetime | None
    types: Mapping[str, int]

    @property
    def ran(self) -> bool:
        """Whether it did anything."""
        return self.events > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The answer of `paige memory stats`."""

    events: int
    types: Mapping[str, int]
    phases: tuple[PhaseStats, ...]
    lift: Lift
    since: datetime
    policies: int  # versions that are in production because outcomes put them there

    @property
    def cycle_complete(self) -> bool:
        """Whether all four phases ran."""
        return all(each.ran for each in self.phases)

    @property
    def missing(self) -> tuple[Phase, ...]:
        """The phases that did not run."""
        return tuple(each.phase for each in self.phases if not each.ran)

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
                for each in self.phases
            },
            "cycle_complete": self.cycle_complete,
            "outcomes": {
                "since": to_iso(self.since),
                "with_memory": self.lift.recalled.as_numbers(),
                "without_memory": self.lift.without.as_numbers(),
                "success_lift": round(self.lift.success, 4),
                "verdict": self.lift.compared.verdict,
                "reason": self.lift.compared.reason,
            },
            "policies_in_production": self.policies,
        }

    def lines(self, *, cycle: bool = False) -> list[str]:
        """For people."""
        shown = [f"{self.events} events"]
        if cycle:
            shown += [_phase_line(each) for each in self.phases]
            whole = "complete" if self.cycle_complete else f"missing: {', '.join(self.missing)}"
            return [*shown, f"cycle {whole}"]
        shown += [f"{name:<14} {count}" for name, count in sorted(self.types.items())]
        for name, each in (("with", self.lift.recalled), ("without", self.lift.without)):
            efforts = ", ".join(f"{e.replace('_', ' ')} {each.mean(e):.2f}" for e in EFFORTS)
            rate = f"{each.success_rate:.0%} of {each.tasks} tasks ended well"
            shown.append(f"{name} memories: {rate}, {efforts}")
        return [*shown, f"success lift {self.lift.success:+.1%} ({self.lift.compared.verdict})"]


def phase_of(type: str) -> Phase:
    """The phase of an event: what does not organise, recall or improve records."""
    return _PHASE.get(type, "record")


def stats_of(
    counts: Mapping[str, Counted],
    outcomes: Iterable[Outcome],
    *,
    since: datetime,
    policies: int = 0,
) -> Stats:
    """The statistics from counts by type and the outcomes of a window."""
    recent = [each for each in outcomes if each.at >= since]
    return Stats(
        events=sum(each.number for each in counts.values()),
        types={name: each.number for name, each in sorted(counts.items())},
        phases=tuple(_phase(phase, counts) for phase in PHASES),
        lift=success_lift(recent),
        since=since,
        policies=policies,
    )


def quality(outcomes: Iterable[Outcome]) -> dict[str, float]:
    """Success rate, retries, corrections and tool calls of some tasks."""
    return tally(outcomes).as_numbers()


def _phase(phase: Phase, counts: Mapping[str, Counted]) -> PhaseStats:
    own = {name: each for name, each in sorted(counts.items()) if phase_of(name) == phase}
    last = max((each.last for each in own.values()), default=None)
    types = {name: each.number for name, each in own.items()}
    return PhaseStats(phase, sum(types.values()), last, types)


def _phase_line(phase: PhaseStats) -> str:
    last = to_iso(phase.last)[:16].replace("T", " ") if phase.last else "never"
    return f"{phase.phase:<9} {phase.events:>8} events, last {last}"
