"""The numbers of learning, read from `learning.toml`: shipped, a person's, a project's.

What decides who may block (`promotion`, `rollback`, `keep`) is a person's: whoever can write into a
project must not make its guards easier to promote or quicker to fall.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter, ValidationError

from paige.base.errors import BadInput
from paige.guard.completion.layered import read_layered
from paige.guard.fast.place import Place

FILE = "learning.toml"
PERSONAL = ("promotion", "rollback", "keep")
NOWHERE = Place("", "", "", "", False)
Positive = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternLimits:
    """How much repetition makes a pattern, and how fast it fades."""

    least_count: Positive
    least_sessions: Positive
    half_life_days: Annotated[float, Field(gt=0)]
    least_weight: float
    universal_projects: Positive
    days: float
    most_traces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalLimits:
    """How much may be proposed, and what a proposal rests on."""

    most: int
    most_tried: int
    most_must: int
    most_must_not: int
    least_examples: Positive
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
    window: Positive


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
    try:
        return _LEARNING.validate_python(tables)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = ".".join(map(str, fault["loc"]))
        raise BadInput(
            f"`{name}` in {FILE} is `{fault['input']}`", hint=f"{fault['msg']}."
        ) from error


@cache
def shipped_learning() -> Learning:
    """The numbers that hold where neither a person nor a project says anything else."""
    return read_learning(NOWHERE)


_LEARNING = TypeAdapter(Learning)
