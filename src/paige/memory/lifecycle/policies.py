"""Retrieval policies that improve by their outcomes: what is weighed how, per role and scope.

A policy says how much relevance, importance, recency and use count when memories are ranked, how
good a memory has to be at least, and how much of each class and scope may go into a prompt. It is
changed one dimension and one small step at a time, as a staged version: tried on a share of the
sessions, validated against the others by how their tasks ended, put into production, and rolled
back when things worsen. Every step is a `policy` event; what holds now is a fold over them, so a
step written twice or out of turn changes nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from paige.base.errors import Conflict
from paige.memory.event import Draft, Event
from paige.memory.lifecycle.held_memory import derived_id
from paige.memory.lifecycle.outcomes import ANY, PolicyRef
from paige.memory.lifecycle.staged import (
    STAGES,
    Lineage,
    Stage,
    StagedVersion,
    StageThresholds,
    Step,
    assigned,
    begin,
    move,
    propose,
)

WEIGHTS = ("relevance", "importance", "recency", "access")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyThresholds:
    """Where policies start, how far they may go, and how fast."""

    gap: float
    step: float
    least_step: float
    min_score_step: float
    budget_step: float
    least_outcomes: int
    window_days: float
    weights: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]]
    retrieval: Mapping[str, float]
    budget: Mapping[str, int]
    k: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PolicyWeights:
    """How much each signal counts; always in this order, the first most."""

    relevance: float
    importance: float
    recency: float
    access: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalPolicy:
    """What retrieval is told."""

    weights: PolicyWeights
    min_score: float
    budget: Mapping[str, int]  # tokens by class of memory
    k: Mapping[str, int]  # memories by scope


class Key(NamedTuple):
    """Whose policy: of a role and a scope, `*` for any."""

    role: str = ANY
    scope: str = ANY


class Change(NamedTuple):
    """One dimension, up or down."""

    dimension: str
    direction: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPolicyNow:
    """The policy that holds for a role and a scope, `*` for any."""

    role: str
    scope: str
    version: int
    stage: str
    reason: str
    policy: RetrievalPolicy

    @property
    def ref(self) -> PolicyRef:
        """Which version it is."""
        return PolicyRef(self.role, self.scope, self.version)


@dataclass(frozen=True, slots=True)
class MemoryPolicyStep:
    """One step of one version of a policy, with the numbers it was decided by."""

    at: datetime
    role: str
    scope: str
    version: int
    stage: Stage
    reason: str
    policy: RetrievalPolicy
    metrics: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyBook:
    """Every policy that was ever tried, and what holds now."""

    default: RetrievalPolicy
    stages: StageThresholds
    lineages: Mapping[Key, Lineage[RetrievalPolicy]] = field(default_factory=dict)
    ignored: int = 0  # steps that were not possible when they came

    def key_of(self, role: str | None, scope: str | None) -> Key:
        """The most particular policy there is for a role and a scope."""
        role, scope = role or ANY, scope or ANY
        for key in (Key(role, scope), Key(role, ANY), Key(ANY, scope)):
            if key in self.lineages:
                return key
        return Key()

    def current(self, role: str | None, scope: str | None, session: str | None) -> MemoryPolicyNow:
        """The policy a session works with; without a session the one in production."""
        key = self.key_of(role, scope)
        lineage = self.lineages.get(key)
        if lineage is None:
            lineage = begin(self.default, at=EPOCH, reason="as shipped")
        staged = assigned(lineage, session, self.stages) if session else lineage.production
        return MemoryPolicyNow(
            role=key.role,
            scope=key.scope,
            version=staged.version,
            stage=staged.stage,
            reason=staged.reason,
            policy=staged.value,
        )

    def history(self) -> list[MemoryPolicyStep]:
        """Every step of every version, in order of time."""
        lines = [
            MemoryPolicyStep(
                step.at, *key, each.version, step.stage, step.reason, each.value, step[3]
            )
            for key, lineage in self.lineages.items()
            for each in lineage.versions
            for step in each.history
        ]
        return sorted(lines, key=lambda line: (line.at, line.role, line.scope, line.version))


def default_policy(thresholds: PolicyThresholds) -> RetrievalPolicy:
    """The policy before anything was learned."""
    return RetrievalPolicy(
        weights=PolicyWeights(**{name: float(thresholds.weights[name]) for name in WEIGHTS}),
        min_score=float(thresholds.retrieval["min_score"]),
        budget=dict(thresholds.budget),
        k=dict(thresholds.k),
    )


def dimensions(policy: RetrievalPolicy) -> list[str]:
    """Everything that can be changed by itself."""
    budgets = [f"budget.{name}" for name in policy.budget]
    limits = [f"k.{name}" for name in policy.k]
    return ["importance", "recency", "access", "relevance", "min_score", *budgets, *limits]


def changed(
    policy: RetrievalPolicy, change: Change, thresholds: PolicyThresholds
) -> RetrievalPolicy | None:
    """The policy one step further; `None` where a bound or the order of weights is in the way."""
    group, _, name = change.dimension.partition(".")
    after: RetrievalPolicy | None = None
    if group in WEIGHTS:
        before = getattr(policy.weights, group)
        # Down is the way back of up, so that two trials can end where they began.
        share = thresholds.step if change.direction > 0 else 1 - 1 / (1 + thresholds.step)
        step = max(thresholds.least_step, before * share)
        value = _stepped(before, change, step, thresholds, group)
        after = replace(policy, weights=replace(policy.weights, **{group: value}))
    elif group == "min_score":
        value = _stepped(policy.min_score, change, thresholds.min_score_step, thresholds, group)
        after = replace(policy, min_score=value)
    elif group == "budget" and name in policy.budget:
        step = max(1.0, policy.budget[name] * thresholds.budget_step)
        value = round(_stepped(policy.budget[name], change, step, thresholds, group))
        after = replace(policy, budget={**policy.budget, name: value})
    elif group == "k" and name in policy.k:
        value = round(_stepped(policy.k[name], change, 1, thresholds, group))
        after = replace(policy, k={**policy.k, name: value})
    return after if after is not None and after != policy and lawful(after, thresholds) else None


def lawful(policy: RetrievalPolicy, thresholds: PolicyThresholds) -> bool:
    """Whether a policy keeps the bounds, and relevance > importance > recency > access."""
    weights = astuple(policy.weights)
    ordered = all(first - second >= thresholds.gap - 1e-9 for first, second in pairwise(weights))
    values = [
        *zip(WEIGHTS, weights, strict=True),
        ("min_score", policy.min_score),
        *(("budget", value) for value in policy.budget.values()),
        *(("k", value) for value in policy.k.values()),
    ]
    return ordered and all(_inside(name, value, thresholds) for name, value in values)


def fold_policies(
    events: Iterable[Event], default: RetrievalPolicy, stages: StageThresholds
) -> PolicyBook:
    """What the `policy` events, in the order of the log, add up to."""
    book = PolicyBook(default=default, stages=stages)
    for event in events:
        book = apply_policy(book, event)
    return book


def apply_policy(book: PolicyBook, event: Event) -> PolicyBook:
    """The book after one more event; a step that is not possible is counted and left out."""
    if event.type != "policy" or event.forgotten:
        return book
    try:
        key, lineage = _applied(book, event)
    except (Conflict, KeyError, TypeError, ValueError):
        return replace(book, ignored=book.ignored + 1)
    return replace(book, lineages={**book.lineages, key: lineage})


def policy_draft(key: Key, version: int, step: Step, proposal: "Proposal | None" = None) -> Draft:
    """What the broker is given to write one step of one version."""
    payload: dict[str, Any] = {
        "role": key.role,
        "scope": key.scope,
        "version": version,
        "stage": step.stage,
        "reason": step.reason,
        "metrics": dict(step.metrics),
    }
    if proposal is not None:
        payload |= {
            "value": asdict(proposal.policy),
            "base": asdict(proposal.base),
            "change": proposal.change._asdict(),
        }
    name = f"Retrieval policy {version} of role {key.role}, scope {key.scope}"
    return Draft(
        id=derived_id("policy", *key, str(version), step.stage),
        type="policy",
        text=f"{name}: {step.stage.replace('_', ' ')}. {step.reason}",
        scope="global",
        payload=payload,
        at=step.at,
    )


class Proposal(NamedTuple):
    """A new version, what it was made from, and how."""

    policy: RetrievalPolicy
    base: RetrievalPolicy
    change: Change


def change_of(staged: StagedVersion[RetrievalPolicy]) -> Change | None:
    """What a version changed; `None` for the first."""
    found = staged.history[0].metrics.get("change")
    if not isinstance(found, Mapping):
        return None
    return Change(str(found["dimension"]), int(found["direction"]))


def load_policy(found: Mapping[str, Any]) -> RetrievalPolicy:
    """Read a policy from an event. Raises: KeyError, TypeError, ValueError."""
    return RetrievalPolicy(
        weights=PolicyWeights(*(float(found["weights"][name]) for name in WEIGHTS)),
        min_score=float(found["min_score"]),
        budget={str(name): int(value) for name, value in found["budget"].items()},
        k={str(name): int(value) for name, value in found["k"].items()},
    )


def _applied(book: PolicyBook, event: Event) -> tuple[Key, Lineage[RetrievalPolicy]]:
    payload = event.payload
    key = Key(str(payload["role"]), str(payload["scope"]))
    version, stage = payload["version"], payload["stage"]
    if stage not in STAGES or not isinstance(version, int):
        raise ValueError(f"`{stage}` is not a stage")
    metrics = dict(payload.get("metrics") or {})
    lineage = book.lineages.get(key)
    if stage == "experiment":
        base = load_policy(payload["base"])
        if lineage is None:
            lineage = begin(base, at=event.at, reason="as it was before anything was learned")
        if version != len(lineage.versions) or base != lineage.production.value:
            raise Conflict("someone else proposed first")
        after = propose(lineage, load_policy(payload["value"]), at=event.at, reason=_why(payload))
        first = Step("experiment", event.at, _why(payload), {"change": payload.get("change")})
        newest = replace(after.versions[-1], history=(first,))
        return key, replace(after, versions=(*after.versions[:-1], newest))
    if lineage is None:
        raise Conflict("nothing was proposed")
    return key, move(lineage, version, Step(stage, event.at, _why(payload), metrics))


def _why(payload: Mapping[str, Any]) -> str:
    return str(payload.get("reason") or "no reason was written")


def _stepped(
    value: float, change: Change, step: float, thresholds: PolicyThresholds, name: str
) -> float:
    low, high = thresholds.bounds[name]
    return round(min(high, max(low, value + (step if change.direction > 0 else -step))), 6)


def _inside(name: str, value: float, thresholds: PolicyThresholds) -> bool:
    low, high = thresholds.bounds[name]
    return low <= value <= high


def tried_changes(lineage: Lineage[RetrievalPolicy], since: datetime) -> set[Change]:
    """Changes that lost or were rolled back since a moment."""
    lost: Sequence[StagedVersion[RetrievalPolicy]] = [
        each
        for each in lineage.versions
        if each.stage in ("retired", "rolled_back")
        and each.since >= since
        and not (each.stage == "retired" and _was_in_production(each))
    ]
    return {change for each in lost if (change := change_of(each)) is not None}


def _was_in_production(staged: StagedVersion[RetrievalPolicy]) -> bool:
    return any(step.stage == "production" for step in staged.history)
