"""The thresholds of the life cycle, read from `lifecycle.toml`: shipped, of a person, of a project.

Every number a decision of the life cycle depends on is in that file, with its reason beside it. A
later layer changes single values. A value that cannot be used is refused with its name, so a typing
error never changes what is kept.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar, get_origin, get_type_hints

from paige.base.errors import BadInput
from paige.base.paths import SHIPPED as PACKAGE_DATA
from paige.memory.lifecycle.held_memory import TierThresholds
from paige.memory.lifecycle.patterns import NegativeThresholds, PatternThresholds
from paige.memory.lifecycle.policies import PolicyThresholds, default_policy, lawful
from paige.memory.lifecycle.profile import ProfileThresholds
from paige.memory.lifecycle.promotion import PromotionThresholds
from paige.memory.lifecycle.questions import QuestionThresholds
from paige.memory.lifecycle.recalibration import RecalibrationThresholds
from paige.memory.lifecycle.retention import RetentionThresholds
from paige.memory.lifecycle.staged import StageThresholds
from paige.memory.lifecycle.summaries import SummaryThresholds

SHIPPED = PACKAGE_DATA / "memory" / "lifecycle.toml"
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class JobThresholds:
    """Bounds of one maintenance run."""

    most_events: int
    most_drafts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifecycle:
    """All thresholds."""

    tiers: TierThresholds
    summary: SummaryThresholds
    promotion: PromotionThresholds
    negative: NegativeThresholds
    retention: RetentionThresholds
    recalibration: RecalibrationThresholds
    patterns: PatternThresholds
    questions: QuestionThresholds
    profile: ProfileThresholds
    stages: StageThresholds
    policy: PolicyThresholds
    jobs: JobThresholds


def read_lifecycle(layers: Sequence[tuple[str, str]]) -> Lifecycle:
    """The shipped thresholds with layers over them, each a name and its text, the nearest last.

    Raises: BadInput naming the layer and the value.
    """
    tables = _parse("shipped", SHIPPED.read_text(encoding="utf-8"))
    for name, text in layers:
        tables = _over(tables, _parse(name, text), name)
    where = layers[-1][0] if layers else "shipped"
    hints = get_type_hints(Lifecycle)
    made = {each: _fill(hints[each], tables[each], f"{where}: {each}") for each in hints}
    lifecycle = Lifecycle(**made)
    if not lawful(default_policy(lifecycle.policy), lifecycle.policy):
        raise BadInput(
            f"{where}: the weights of `policy` are outside their bounds or out of order",
            hint="relevance > importance > recency > access has to hold.",
        )
    return lifecycle


def _parse(name: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{name}: not TOML: {error}") from error


def _over(below: dict[str, Any], above: Mapping[str, Any], where: str) -> dict[str, Any]:
    merged = dict(below)
    for name, value in above.items():
        if name not in below:
            known = ", ".join(sorted(below))
            raise BadInput(f"{where}: `{name}` is not known", hint=f"Known here: {known}.")
        if isinstance(below[name], dict):
            if not isinstance(value, dict):
                raise BadInput(f"{where}: `{name}` is a section, not a value")
            value = _over(below[name], value, f"{where}: {name}")
        merged[name] = value
    return merged


def _fill(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # all are dataclasses
    return kind(**{name: _value(hints[name], table[name], f"{where}.{name}") for name in names})


def _value(kind: object, given: object, where: str) -> object:
    if kind in (int, float):
        return _number(kind, given, where)
    if get_origin(kind) is tuple:
        if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
            raise BadInput(f"{where} is a list of words")
        return tuple(given)
    if not isinstance(given, dict):
        raise BadInput(f"{where} is a section, not a value")
    return {name: _entry(each, f"{where}.{name}") for name, each in given.items()}


def _entry(given: object, where: str) -> object:
    if isinstance(given, list):
        if len(given) != 2:
            raise BadInput(f"{where} needs the least and the most")
        low, high = (_number(float, each, where) for each in given)
        return low, high
    return _number(type(given), given, where)


def _number(kind: object, given: object, where: str) -> float:
    whole = kind is int
    fits = isinstance(given, int if whole else int | float) and not isinstance(given, bool)
    if not fits or not isinstance(given, int | float) or not 0 <= given < float("inf"):
        wanted = "a whole number" if whole else "a number"
        raise BadInput(f"{where} is `{given}`, but it needs {wanted} that is not negative")
    return given if whole else float(given)
