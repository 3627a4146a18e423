"""How tasks ended, and whether memory helped: the numbers everything else is judged by.

An outcome says whether a task succeeded, how often it was retried, how often a person corrected it,
how many tool calls it took, and which memories were in the prompt. A tally adds outcomes up, so
that two groups can be compared: with memories and without, with one policy and with another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from math import erfc, sqrt
from typing import Any, Literal, NamedTuple

from paige.memory.event import AgentRef, Draft, Event, Provenance, Scope

Better = Literal["better", "worse", "unclear"]
ANY = "*"
EFFORTS = ("retries", "corrections", "tool_calls")


class PolicyRef(NamedTuple):
    """A version of the policy of a role and a scope."""

    role: str
    scope: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one task ended."""

    at: datetime
    success: bool
    retries: int = 0
    corrections: int = 0
    tool_calls: int = 0
    recalled: tuple[str, ...] = ()
    session: str | None = None
    project: str | None = None
    role: str = ANY
    policy_scope: str = ANY
    policy: PolicyRef | None = None  # which version was used, where the writer knew
    id: str = ""


class Sum(NamedTuple):
    """Enough of many numbers to know their mean and spread."""

    total: float = 0.0
    squares: float = 0.0

    def plus(self, value: float) -> "Sum":
        """With one number more."""
        return Sum(self.total + value, self.squares + value * value)


NOTHING = Sum()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTasks:
    """How tasks ended: their number, the share that ended well, and means of what they took."""

    tasks: int
    success_rate: float
    retries: float
    corrections: float
    tool_calls: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Many outcomes, added up."""

    tasks: int = 0
    successes: int = 0
    retries: Sum = NOTHING
    corrections: Sum = NOTHING
    tool_calls: Sum = NOTHING

    @property
    def success_rate(self) -> float:
        """The share of tasks that ended well; 0 without tasks."""
        return self.successes / self.tasks if self.tasks else 0.0

    def mean(self, effort: str) -> float:
        """The mean of retries, corrections or tool calls a task."""
        return getattr(self, effort).total / self.tasks if self.tasks else 0.0

    def as_means(self) -> MemoryTasks:
        """For statistics."""
        means = {effort: round(self.mean(effort), 4) for effort in EFFORTS}
        return MemoryTasks(tasks=self.tasks, success_rate=round(self.success_rate, 4), **means)


class Comparison(NamedTuple):
    """Whether the tried is better than the control, how sure, and in words."""

    verdict: Better
    lift: float  # of the success rate
    p_better: float  # one-sided p of the strongest improvement
    p_worse: float
    reason: str


def outcome_of(event: Event) -> Outcome | None:
    """The outcome an event holds; `None` when it is none or says no ending."""
    payload = event.payload
    success = payload.get("success")
    if success is None and event.outcome in ("success", "failure"):
        success = event.outcome == "success"
    if event.type != "outcome" or event.forgotten or not isinstance(success, bool):
        return None
    recalled = payload.get("recalled")
    return Outcome(
        id=event.id,
        at=event.at,
        success=success,
        retries=_count(payload, "retries"),
        corrections=_count(payload, "corrections"),
        tool_calls=_count(payload, "tool_calls"),
        recalled=tuple(map(str, recalled)) if isinstance(recalled, list | tuple) else (),
        session=event.session,
        project=event.project,
        role=event.agent.role or ANY,
        policy_scope=str(payload.get("policy_scope") or ANY),
        policy=read_ref(payload.get("policy")),
    )


def outcome_draft(
    outcome: Outcome, *, task: str, scope: Scope = "session", trace: str | None = None
) -> Draft:
    """What the broker is given to remember how a task ended."""
    return Draft(
        type="outcome",
        text=task,
        task=task,
        scope=scope,
        project=outcome.project,
        session=outcome.session,
        agent=AgentRef(role=None if outcome.role == ANY else outcome.role),
        at=outcome.at,
        outcome="success" if outcome.success else "failure",
        payload={
            "success": outcome.success,
            "retries": outcome.retries,
            "corrections": outcome.corrections,
            "tool_calls": outcome.tool_calls,
            "recalled": list(outcome.recalled),
            "policy": outcome.policy._asdict() if outcome.policy else None,
            "policy_scope": outcome.policy_scope,
        },
        provenance=Provenance(outcome.session, trace),
    )


def tally(outcomes: Iterable[Outcome], start: Tally | None = None) -> Tally:
    """All of them, added up."""
    total = start or Tally()
    for each in outcomes:
        total = Tally(
            tasks=total.tasks + 1,
            successes=total.successes + each.success,
            retries=total.retries.plus(each.retries),
            corrections=total.corrections.plus(each.corrections),
            tool_calls=total.tool_calls.plus(each.tool_calls),
        )
    return total


def compare(control: Tally, tried: Tally, *, alpha: float) -> Comparison:
    """Whether the tried is better: more successes, or the same with less effort.

    Success is tested by two proportions. Retries, corrections and tool calls by the difference of
    means, each with a third of the error: three chances to be lucky are three times as many.
    """
    lift = tried.success_rate - control.success_rate
    if not control.tasks or not tried.tasks:
        return Comparison("unclear", lift, 1.0, 1.0, "one side has no tasks")
    success = _two_proportions(control, tried)
    efforts = {name: _two_means(control, tried, name) for name in EFFORTS}
    p_better = min(_above(success), *(min(1.0, 3 * _above(-z)) for z in efforts.values()))
    p_worse = min(_above(-success), *(min(1.0, 3 * _above(z)) for z in efforts.values()))
    verdict: Better = "unclear"
    if p_better < alpha and p_worse >= alpha:
        verdict = "better"
    elif _above(-success) < alpha or (p_worse < alpha and p_better >= alpha):
        verdict = "worse"
    return Comparison(verdict, lift, p_better, p_worse, _said(control, tried, p_better, p_worse))


def dump_tally(total: Tally) -> dict[str, Any]:
    """As it is written into an event."""
    sums = {name: list(getattr(total, name)) for name in EFFORTS}
    return {"tasks": total.tasks, "successes": total.successes, **sums}


def load_tally(found: Mapping[str, Any]) -> Tally:
    """Read what `dump_tally` wrote; whatever is missing counts as nothing."""
    sums = {name: Sum(*map(float, found.get(name) or (0.0, 0.0))) for name in EFFORTS}
    return Tally(tasks=int(found.get("tasks", 0)), successes=int(found.get("successes", 0)), **sums)


def read_ref(found: object) -> PolicyRef | None:
    """The version of a policy that an event names, `None` when it names none."""
    if not isinstance(found, dict) or not isinstance(found.get("version"), int):
        return None
    return PolicyRef(str(found.get("role", ANY)), str(found.get("scope", ANY)), found["version"])


def _two_proportions(control: Tally, tried: Tally) -> float:
    """The z of the difference of success rates, pooled."""
    pooled = (control.successes + tried.successes) / (control.tasks + tried.tasks)
    spread = sqrt(pooled * (1 - pooled) * (1 / control.tasks + 1 / tried.tasks))
    return (tried.success_rate - control.success_rate) / spread if spread else 0.0


def _two_means(control: Tally, tried: Tally, effort: str) -> float:
    spread = sqrt(_variance(control, effort) + _variance(tried, effort))
    return (tried.mean(effort) - control.mean(effort)) / spread if spread else 0.0


def _variance(total: Tally, effort: str) -> float:
    """The variance of the mean; one task tells nothing about spread, so it counts as unknown."""
    if total.tasks < 2:
        return float("inf")
    known: Sum = getattr(total, effort)
    spread = max(0.0, known.squares - known.total**2 / total.tasks) / (total.tasks - 1)
    return spread / total.tasks


def _above(z: float) -> float:
    """The chance of a larger z when there is no difference."""
    return 0.5 * erfc(z / sqrt(2))


def _said(control: Tally, tried: Tally, p_better: float, p_worse: float) -> str:
    efforts = ", ".join(
        f"{name.replace('_', ' ')} {control.mean(name):.2f} to {tried.mean(name):.2f}"
        for name in EFFORTS
    )
    return (
        f"success {control.success_rate:.0%} of {control.tasks} to {tried.success_rate:.0%} of "
        f"{tried.tasks} (p better {p_better:.3f}, worse {p_worse:.3f}); {efforts}"
    )


def _count(payload: Mapping[str, Any], name: str) -> int:
    value = payload.get(name)
    return max(0, int(value)) if isinstance(value, int | float) else 0
