"""Rubrics: what a written answer is judged by, and how the scores of its dimensions add up.

A rubric has dimensions with weights, each with four levels in words. Scores are 1 to 4 for each
dimension. They come from somebody who understood the text, never from counting in it.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.exercise.values import Rating, rubric_rating

_LEVELS = ("1", "2", "3", "4")


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing that is judged, how much it counts, and what each level looks like."""

    name: str
    weight: float
    levels: Mapping[int, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Rubric:
    """The dimensions, their weights adding up to 1. `remarks` say what had to be put right."""

    dimensions: tuple[Dimension, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """A dimension with its score, the level in words, and why."""

    name: str
    weight: float
    score: float
    level: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RubricScore:
    """All scores and their weighted sum, between 1 and 4."""

    dimensions: tuple[DimensionScore, ...]
    weighted: float
    rating: Rating

    @property
    def feedback(self) -> tuple[str, ...]:
        """One sentence for each dimension."""
        return tuple(_said(each) for each in self.dimensions)


@cache
def default_rubric() -> Rubric:
    """The rubric for courses that have none."""
    return parse_rubric(tomllib.loads(shipped("exercise/rubric.toml").read_text(encoding="utf-8")))


def parse_rubric(data: Mapping[str, object]) -> Rubric:
    """A rubric from a course's configuration. Raises: BadInput, saying which dimension."""
    inner = data.get("rubric_template", data)
    listed = inner.get("dimensions") if isinstance(inner, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise BadInput("A rubric needs a list of `dimensions`")
    dimensions = [_dimension(each, at) for at, each in enumerate(listed, 1)]
    names = [each.name.casefold() for each in dimensions]
    if len(set(names)) < len(names):
        raise BadInput("Two dimensions of the rubric have the same name")
    total = sum(each.weight for each in dimensions)
    if total <= 0:
        raise BadInput("The weights of the rubric add up to nothing")
    if abs(total - 1.0) < 1e-6:
        return Rubric(tuple(dimensions))
    scaled = tuple(Dimension(d.name, d.weight / total, d.levels) for d in dimensions)
    remark = f"The weights of the rubric add up to {total:g}, not 1, so they were scaled."
    return Rubric(scaled, (remark,))


def _dimension(data: object, at: int) -> Dimension:
    if not isinstance(data, Mapping) or not str(data.get("name") or "").strip():
        raise BadInput(f"Dimension {at} of the rubric needs a `name`")
    name = str(data["name"]).strip()
    weight = data.get("weight")
    if not isinstance(weight, int | float) or isinstance(weight, bool) or weight < 0:
        raise BadInput(f"The weight of `{name}` should be a number that is not negative")
    levels = data.get("levels")
    if not isinstance(levels, Mapping):
        raise BadInput(f"`{name}` needs `levels` from 1 to 4")
    words = {str(level): str(text).strip() for level, text in levels.items()}
    if set(words) != set(_LEVELS) or not all(words.values()):
        raise BadInput(
            f"The levels of `{name}` should be exactly 1, 2, 3 and 4, each with a sentence"
        )
    return Dimension(name, float(weight), {int(level): text for level, text in words.items()})


def score_rubric(
    rubric: Rubric,
    scores: Mapping[str, float],
    *,
    reasons: Mapping[str, str] | None = None,
) -> RubricScore:
    """The weighted score. Raises: BadInput when a dimension has no score between 1 and 4."""
    given = {name.strip().casefold(): score for name, score in scores.items()}
    why = {name.strip().casefold(): reason for name, reason in (reasons or {}).items()}
    known = {each.name.casefold() for each in rubric.dimensions}
    if unknown := sorted(set(given) - known):
        raise BadInput(f"The rubric has no dimension `{unknown[0]}`")
    made = []
    for dimension in rubric.dimensions:
        score = given.get(dimension.name.casefold())
        if score is None or not 1.0 <= score <= 4.0:
            raise BadInput(f"`{dimension.name}` needs a score between 1 and 4, not `{score}`")
        level = dimension.levels[min(4, max(1, int(score + 0.5)))]
        reason = why.get(dimension.name.casefold(), "")
        made.append(DimensionScore(dimension.name, dimension.weight, float(score), level, reason))
    weighted = round(sum(each.score * each.weight for each in made), 6)
    return RubricScore(tuple(made), weighted, rubric_rating(weighted))


def _said(each: DimensionScore) -> str:
    reason = f" {each.reason}" if each.reason else ""
    return f"{each.name}: {each.score:g} of 4. {each.level}.{reason}"
