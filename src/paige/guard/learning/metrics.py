"""Whether it helped: the success metrics, before and after a moment.

Five numbers: work called done that was not, prompts a person had to give, the size of the agents'
prompts, mistakes made again, and how many mistakes were blocked instead of noticed afterwards. All
are counted from groups of traces and from the notes of attempts; a number that nothing stands
behind is empty and no zero.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from paige.base.tokens import count_tokens_bound
from paige.base.wire import plain, wire
from paige.guard.graph.values import Group
from paige.guard.guards.values import GuardRecord
from paige.guard.learning.patterns import COUNTED, Kind
from paige.guard.learning.settings import MetricLimits

Better = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One finished attempt at a feature, as the orchestra noted it."""

    at: datetime
    feature: str = ""
    session: str = ""
    approach: str = ""
    claimed: bool = False
    verified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What happened in one stretch of time."""

    groups: tuple[Group, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    closed: int = 0  # features that were closed
    prompts: Mapping[str, str] | None = None  # the text of every agent's prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowFigures:
    """The numbers of one window."""

    sessions: int
    premature_blocked: int
    premature_through: int
    prompts_per_feature: float | None
    prompt_tokens: int | None
    repeats_per_session: float | None
    compliance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedMetric:
    """A success metric before and after; `better` says which way it should go."""

    name: str
    how: str
    unit: Literal["", "share", "tokens"]
    before: float | None
    after: float | None
    target: float
    better: Better
    met: bool | None


@wire(kw_only=True)
class LearnedMetrics:
    """Whether work goes better since the first guard blocked; `since` is empty before that."""

    since: datetime | None
    sessions_before: int
    sessions_after: int
    metrics: tuple[LearnedMetric, ...]
    premature_blocked: Annotated[int, Field(exclude=True)]


def measure(window: Window, claims: Sequence[str]) -> WindowFigures:
    """The numbers of a window."""
    wrong = [each for each in window.groups if each.type in COUNTED]
    sessions = {each.session for each in window.groups} | {each.session for each in window.attempts}
    blocked = sum(each.count for each in wrong if each.type == "violation")
    noticed = sum(each.count for each in wrong if each.type == "correction")
    claimed = [each for each in wrong if each.action in claims]
    return WindowFigures(
        sessions=len(sessions),
        premature_blocked=sum(each.count for each in claimed if each.type == "violation"),
        premature_through=sum(each.count for each in claimed if each.type == "correction"),
        prompts_per_feature=noticed / window.closed if window.closed else None,
        prompt_tokens=prompt_size(window.prompts) if window.prompts else None,
        repeats_per_session=repeats(wrong) / len(sessions) if sessions else None,
        compliance=blocked / (blocked + noticed) if wrong else None,
    )


def repeats(groups: Iterable[Group]) -> int:
    """Mistakes that were made again in another session than the first one."""
    kinds: dict[Kind, list[Group]] = {}
    for each in groups:
        kind = Kind(each.agent, each.action, each.reason, each.shape)
        kinds.setdefault(kind, []).append(each)
    return sum(_later(members) for members in kinds.values())


def prompt_size(prompts: Mapping[str, str]) -> int:
    """The size of the largest prompt, in tokens."""
    return max((count_tokens_bound(text) for text in prompts.values()), default=0)


def compare(
    before: Window, after: Window, moment: datetime, limits: MetricLimits, claims: Sequence[str]
) -> LearnedMetrics:
    """The metrics before and after a moment, with their targets."""
    old, new = measure(before, claims), measure(after, claims)
    rows = (
        _metric("Premature completion", "Called done, and a person had to say that it is not.",
                (_known(old, old.premature_through), _known(new, new.premature_through)), 0.0),
        _metric("User prompts needed", "Corrections for each closed feature.",
                (old.prompts_per_feature, new.prompts_per_feature), limits.prompts_per_feature),
        _metric("Agent prompt size", "Tokens of the largest prompt of an agent.",
                (old.prompt_tokens, new.prompt_tokens), limits.prompt_tokens, unit="tokens"),
        _metric("Repeated mistakes", "Mistakes of an earlier session made again, a session.",
                (old.repeats_per_session, new.repeats_per_session), limits.repeats_per_session),
        _metric("Rule compliance", "Share of mistakes that were blocked, not noticed afterwards.",
                (old.compliance, new.compliance), limits.compliance, "higher", "share"),
    )  # fmt: skip
    return LearnedMetrics(
        since=moment,
        metrics=rows,
        sessions_before=old.sessions,
        sessions_after=new.sessions,
        premature_blocked=new.premature_blocked,
    )


def split(
    groups: Iterable[Group], attempts: Iterable[Attempt], moment: datetime
) -> tuple[Window, Window]:
    """What happened before a moment and after it; a group belongs where it ended."""
    listed, tried = tuple(groups), tuple(attempts)
    return (
        Window(
            groups=tuple(each for each in listed if each.last < moment),
            attempts=tuple(each for each in tried if each.at < moment),
        ),
        Window(
            groups=tuple(each for each in listed if each.last >= moment),
            attempts=tuple(each for each in tried if each.at >= moment),
        ),
    )


def first_production(records: Iterable[GuardRecord]) -> datetime | None:
    """When the first guard began to block: what everything is compared at."""
    moments = [
        step.at
        for record in records
        for version in record.lineage.versions
        if version.value is not None
        for step in version.history
        if step.stage == "production"
    ]
    return min(moments, default=None)


def dump_metrics(found: LearnedMetrics) -> dict[str, Any]:
    """The metrics as JSON."""
    return {
        "moment": plain(found.since),
        "sessions": {"before": found.sessions_before, "after": found.sessions_after},
        "premature_blocked": found.premature_blocked,
        "metrics": plain(found.metrics),
    }


def _later(members: Sequence[Group]) -> int:
    first = min(members, key=lambda each: (each.first, each.project, each.session))
    return sum(
        each.count
        for each in members
        if (each.project, each.session) != (first.project, first.session)
    )


def _known(measured: WindowFigures, number: int) -> float | None:
    return float(number) if measured.sessions else None


def _metric(
    name: str,
    how: str,
    numbers: tuple[float | None, float | None],
    target: float,
    better: Better = "lower",
    unit: Literal["", "share", "tokens"] = "",
) -> LearnedMetric:
    before, after = numbers
    met = None if after is None else after <= target if better == "lower" else after >= target
    return LearnedMetric(
        name=name,
        how=how,
        unit=unit,
        before=before,
        after=after,
        target=float(target),
        better=better,
        met=met,
    )
