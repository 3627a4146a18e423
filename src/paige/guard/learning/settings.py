"""The numbers of learning, read from `learning.toml`: shipped, a person's, a project's.

What decides who may block (`promotion`, `rollback`, `keep`) is a person's: whoever can write into a
project must not make its guards easier to promote or quicker to fall.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, TypeVar

from paige.base.errors import BadInput
from paige.guard.completion.layered import read_layered
from paige.guard.fast.place import Place

FILE = "learning.toml"
PERSONAL = ("promotion", "rollback", "keep")
PROMOTE = ("person", "policy")
NOWHERE = Place("", "", "", "", False)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternLimits:
    """How much repetition makes a pattern, and how fast it fades."""

    least_count: int
    least_sessions: int
    half_life_days: float
    least_weight: float
    universal_projects: int
    days: float
    most_traces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalLimits:
    """How much may be proposed, and what a proposal rests on."""

    most: int
    most_tried: int
    most_must: int
    most_must_not: int
    least_examples: int
    least_words: int
    least_text: int
    most_message: int
    overridden_share: float
    again_days: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionLimits:
    """Who promotes, and how much has to be seen in shadow."""

    promote: Literal["person", "policy"]
    least_shadow_events: int
    least_shadow_hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackLimits:
    """When a guard goes back by itself."""

    least_overrides: int
    share: float
    window: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepLimits:
    """The numbers of the table that says whether to keep or to change."""

    most_changed: int
    least_labels: int
    most_forgotten: int
    most_loosened: int
    degraded_rate: float
    degraded_ratio: float
    shifted: float
    least_uncovered: int
    wasted_calls: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLimits:
    """From which number on the report warns."""

    least_cases: int
    days: float
    grace_hours: float
    never_retrieved: float
    oscillation: float
    generic: float
    overclaimed: float
    idle_turns: int
    claims: tuple[str, ...]
    reflections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricLimits:
    """The targets of the success metrics."""

    days: float
    prompt_tokens: int
    prompts_per_feature: float
    repeats_per_session: float
    compliance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """All numbers of learning."""

    patterns: PatternLimits
    proposals: ProposalLimits
    unless: Mapping[str, tuple[str, ...]]
    promotion: PromotionLimits
    rollback: RollbackLimits
    keep: KeepLimits
    report: ReportLimits
    metrics: MetricLimits


def read_learning(place: Place) -> Learning:
    """The numbers for a place. Raises: BadInput naming the file and the value."""
    tables = read_layered(FILE, place, open_tables=("unless",), personal=PERSONAL)
    made = Learning(
        patterns=_filled(PatternLimits, tables["patterns"]),
        proposals=_filled(ProposalLimits, tables["proposals"]),
        unless={rule: tuple(facts) for rule, facts in tables["unless"].items()},
        promotion=_filled(PromotionLimits, tables["promotion"]),
        rollback=_filled(RollbackLimits, tables["rollback"]),
        keep=_filled(KeepLimits, tables["keep"]),
        report=_filled(ReportLimits, tables["report"]),
        metrics=_filled(MetricLimits, tables["metrics"]),
    )
    _check(made)
    return made


@cache
def shipped_learning() -> Learning:
    """The numbers that hold where neither a person nor a project says anything else."""
    return read_learning(NOWHERE)


def _filled(kind: type[T], table: Mapping[str, Any]) -> T:
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # always a dataclass
    values = {name: table[name] for name in names}
    return kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in values.items()})


def _check(made: Learning) -> None:
    if made.promotion.promote not in PROMOTE:
        raise BadInput(
            f"`promotion.promote` in {FILE} is `{made.promotion.promote}`",
            hint=f"Write one of {', '.join(PROMOTE)}.",
        )
    if made.patterns.half_life_days <= 0:
        raise BadInput(
            f"`patterns.half_life_days` in {FILE} is 0", hint="Write a number of days above 0."
        )
    least = {
        "patterns.least_count": made.patterns.least_count,
        "patterns.least_sessions": made.patterns.least_sessions,
        "patterns.universal_projects": made.patterns.universal_projects,
        "proposals.least_examples": made.proposals.least_examples,
        "rollback.window": made.rollback.window,
    }
    for name, value in least.items():
        if value < 1:
            raise BadInput(f"`{name}` in {FILE} is {value}", hint="Write a whole number from 1.")
