"""Patterns: the same agent doing the same thing for the same reason to the same kind of target.

What was blocked or corrected is counted by agent, action, reason and shape of the target. Often
enough and in several sessions it is a pattern. Every time counts less the longer ago it is, so a
pattern that nobody repeats fades by itself. What is seen in several projects is a matter of the
agent and not of a project: it is one universal pattern instead of one for each. Everything here is
pure; the order in which groups come does not matter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from math import fsum
from typing import Annotated, NamedTuple

from pydantic import Field

from paige.guard.graph.values import Group, Scope
from paige.guard.learning.settings import PatternLimits

# Only what was wrong is a mistake; decisions and approvals are not.
COUNTED = ("violation", "correction")
_DAY = timedelta(days=1)


class Kind(NamedTuple):
    """What has to be the same."""

    agent: str
    action: str
    reason: str
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPattern:
    """Something an agent did again and again; `weight` is its count, the old counting less.

    `overridden` is how often a person let it pass, `project` is empty for what is seen in several,
    `traces` are some of the newest cases.
    """

    key: str
    agent: str
    action: str
    reason: str
    shape: str
    count: int
    sessions: int
    first: datetime
    last: datetime
    weight: float
    scope: Scope
    traces: tuple[str, ...] = ()
    overridden: int = 0
    projects: Annotated[int, Field(exclude=True)]
    project: Annotated[str, Field(exclude=True)] = ""
    corrections: Annotated[int, Field(exclude=True)] = 0

    @property
    def kind(self) -> Kind:
        """What all its cases have in common."""
        return Kind(self.agent, self.action, self.reason, self.shape)


def find_patterns(
    groups: Iterable[Group], limits: PatternLimits, now: datetime
) -> tuple[LearnedPattern, ...]:
    """The patterns in what happened, the strongest first."""
    kinds: dict[Kind, list[Group]] = {}
    for each in groups:
        if each.type in COUNTED and each.count > 0:
            kind = Kind(each.agent, each.action, each.reason, each.shape)
            kinds.setdefault(kind, []).append(each)
    found: list[LearnedPattern] = []
    for kind, members in kinds.items():
        found += _patterns_of(kind, members, limits, now)
    return tuple(sorted(found, key=strength))


def strength(pattern: LearnedPattern) -> tuple[float, int, str]:
    """Sorts the strongest first, and the same patterns always alike."""
    return (-pattern.weight, -pattern.count, pattern.key)


def decayed(count: int, at: datetime, now: datetime, half_life_days: float) -> float:
    """What a count from a moment is worth now; a clock that goes wrong adds nothing."""
    age = max((now - at) / _DAY, 0.0)
    return count * 0.5 ** min(age / half_life_days, 1000.0)


def pattern_key(kind: Kind, project: str) -> str:
    """The same for the same kind in the same place."""
    told = "\x1f".join((*kind, project)).encode(errors="surrogatepass")
    return f"pattern-{blake2b(told, digest_size=8).hexdigest()}"


def pattern_words(pattern: LearnedPattern) -> str:
    """A pattern in one sentence."""
    who = pattern.agent or "An agent"
    what = f"{pattern.action} {pattern.shape}".strip() or "the same"
    where = f" in {pattern.projects} projects" if pattern.scope == "universal" else ""
    sessions = f"{pattern.sessions} session{'s' if pattern.sessions != 1 else ''}"
    why = f" ({pattern.reason})" if pattern.reason else ""
    return f"{who} tried `{what}`{why} {pattern.count} times in {sessions}{where}"


def _patterns_of(
    kind: Kind, members: Sequence[Group], limits: PatternLimits, now: datetime
) -> list[LearnedPattern]:
    projects = {each.project for each in members if each.project}
    if len(projects) >= limits.universal_projects:
        whole = _pattern(kind, "", members, limits, now)
        return [whole] if _is_enough(whole, limits) else []
    made = (
        _pattern(kind, project, [each for each in members if each.project == project], limits, now)
        for project in sorted({each.project for each in members})
    )
    return [each for each in made if _is_enough(each, limits)]


def _is_enough(pattern: LearnedPattern, limits: PatternLimits) -> bool:
    return (
        pattern.count >= limits.least_count
        and pattern.sessions >= limits.least_sessions
        and pattern.weight >= limits.least_weight
    )


def _pattern(
    kind: Kind, project: str, members: Sequence[Group], limits: PatternLimits, now: datetime
) -> LearnedPattern:
    projects = {each.project for each in members}
    universal = len({each for each in projects if each}) >= limits.universal_projects
    return LearnedPattern(
        key=pattern_key(kind, "" if universal else project),
        **kind._asdict(),
        count=sum(each.count for each in members),
        sessions=len({(each.project, each.session) for each in members}),
        projects=len(projects),
        first=min(each.first for each in members),
        last=max(each.last for each in members),
        # `fsum` gives the same for every order, which `sum` does not.
        weight=fsum(decayed(each.count, each.last, now, limits.half_life_days) for each in members),
        scope="universal" if universal else "project",
        project="" if universal else project,
        corrections=sum(each.count for each in members if each.type == "correction"),
        overridden=_overridden(members),
    )


def _overridden(members: Sequence[Group]) -> int:
    """How often people let it pass: every group of a project carries the number of them all."""
    most: dict[str, int] = {}
    for each in members:
        most[each.project] = max(most.get(each.project, 0), each.overridden)
    return sum(most.values())
