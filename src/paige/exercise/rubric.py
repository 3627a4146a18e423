"""Rubrics: what a written answer is judged by, how scores add up, and an estimate without a model.

A rubric has dimensions with weights, each with four levels in words. Scores are 1 to 4 for each
dimension. `estimate` gives such scores by what can be counted: which of the required points are
there, how long the text is, how its thoughts are joined. It cannot tell whether a claim is true,
and everything it returns says that it is an estimate.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.exercise.ratings import rubric_rating
from paige.exercise.values import Rating

Similarity = Callable[[str, str], float]
_LEVELS = (1, 2, 3, 4)
_CONNECTIVES = re.compile(
    r"\b(?:because|since|therefore|thus|hence|so that|however|although|though|whereas|while|but|"
    r"instead|in contrast|on the other hand|compared|unlike|similarly|for example|for instance|"
    r"such as|if|unless|as a result|consequently|which means|that is why|depends|trade-?off)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "a an the of to in on at for by is are was were be been it its this that these those "
        "and or as with from when which who what how has have had do does can than then there they",
    )
)
_COVERED, _TOUCHED = 0.55, 0.3


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
    estimated: bool = False

    @property
    def feedback(self) -> tuple[str, ...]:
        """One sentence for each dimension."""
        return tuple(_said(each, estimated=self.estimated) for each in self.dimensions)


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
    if set(words) != {"1", "2", "3", "4"} or not all(words.values()):
        raise BadInput(
            f"The levels of `{name}` should be exactly 1, 2, 3 and 4, each with a sentence"
        )
    return Dimension(name, float(weight), {int(level): text for level, text in words.items()})


def score_rubric(
    rubric: Rubric,
    scores: Mapping[str, float],
    *,
    reasons: Mapping[str, str] | None = None,
    estimated: bool = False,
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
    return RubricScore(tuple(made), weighted, rubric_rating(weighted), estimated)


def _said(each: DimensionScore, *, estimated: bool) -> str:
    about = "about " if estimated else ""
    reason = f" {each.reason}" if each.reason else ""
    return f"{each.name}: {about}{each.score:g} of 4. {each.level}.{reason}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """A required point, and how well the text speaks about it, between 0 and 1."""

    point: str
    share: float

    @property
    def covered(self) -> bool:
        """Whether it counts as addressed."""
        return self.share >= _COVERED


@dataclass(frozen=True, slots=True)
class Estimate:
    """Scores by counting, which points were found, and what such an estimate cannot know."""

    score: RubricScore
    coverage: tuple[Coverage, ...]
    caveat: str = (
        "This is an estimate by what can be counted. It does not check whether claims are true."
    )

    @property
    def missing(self) -> tuple[str, ...]:
        """The points that were not found."""
        return tuple(each.point for each in self.coverage if not each.covered)


def estimate(
    response: str,
    rubric: Rubric,
    reference_points: Sequence[str],
    similarity: Similarity | None = None,
) -> Estimate:
    """Scores for a written answer without a model, with reasons."""
    alike = similarity or word_overlap
    sentences = [text.strip() for text in _SENTENCE.findall(response) if _WORD.search(text)]
    coverage = tuple(Coverage(point, _found(point, sentences, alike)) for point in reference_points)
    facts = _Facts(response, sentences, coverage)
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for dimension in rubric.dimensions:
        scores[dimension.name], reasons[dimension.name] = _judge(dimension.name, facts)
    return Estimate(score_rubric(rubric, scores, reasons=reasons, estimated=True), coverage)


def word_overlap(point: str, text: str) -> float:
    """Which share of a point's words a text has, small words left out, endings forgiven."""
    wanted = {_stem(word) for word in _content(point)}
    there = {_stem(word) for word in _content(text)}
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _content(text: str) -> list[str]:
    return [word for word in (w.casefold() for w in _WORD.findall(text)) if word not in _SMALL]


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s|ly|e)$", "", word) if len(word) > 4 else word


def _found(point: str, sentences: list[str], alike: Similarity) -> float:
    pairs = [" ".join(two) for two in pairwise(sentences)]
    return max((min(1.0, max(0.0, alike(point, text))) for text in (*sentences, *pairs)), default=0)


@dataclass(frozen=True, slots=True)
class _Facts:
    response: str
    sentences: list[str]
    coverage: tuple[Coverage, ...]

    @property
    def words(self) -> int:
        return len(_WORD.findall(self.response))

    @property
    def covered(self) -> float:
        """The share of points that are there, half for one that is touched on."""
        if not self.coverage:
            return min(1.0, self.words / 150)
        points = (
            1.0 if each.covered else 0.5 if each.share >= _TOUCHED else 0.0
            for each in self.coverage
        )
        return sum(points) / len(self.coverage)

    @property
    def connectives(self) -> int:
        return len(_CONNECTIVES.findall(self.response))


def _judge(name: str, facts: _Facts) -> tuple[float, str]:
    if facts.words == 0:
        return 1.0, "Nothing was written."
    plain = name.casefold()
    if re.search(r"accura|correct|fact", plain):
        return _accuracy(facts)
    if re.search(r"reason|depth|analy|understand|argument|evidence|critical", plain):
        return _depth(facts)
    if re.search(r"communicat|clar|organi|structure|style|language|writing", plain):
        return _communication(facts)
    return _completeness(facts)


def _completeness(facts: _Facts) -> tuple[float, str]:
    score = _rounded(1 + 3 * facts.covered)
    if not facts.coverage:
        return score, f"Judged by length alone: {facts.words} words."
    found = sum(each.covered for each in facts.coverage)
    missing = [each.point for each in facts.coverage if not each.covered]
    reason = f"{found} of {len(facts.coverage)} required points were found."
    return score, reason + (f" Not found: {missing[0]}." if missing else "")


def _accuracy(facts: _Facts) -> tuple[float, str]:
    """How close the points that are there come to the reference; never the highest level."""
    there = [each.share for each in facts.coverage if each.share >= _TOUCHED]
    if not facts.coverage:
        return 2.5, "There is nothing to compare with, so this is the middle."
    if not there:
        return 1.5, "Nothing in the text is close to the reference."
    close = sum(there) / len(there)
    capped = min(3.5, 1.5 + 2 * close, 2 + 2 * facts.covered)
    return _rounded(capped), f"What is there agrees with the reference to {close:.0%}."


def _depth(facts: _Facts) -> tuple[float, str]:
    per_hundred = 100 * facts.connectives / max(facts.words, 60)
    score = 1 + min(1.5, per_hundred / 2) + min(1.0, facts.words / 150) + 0.5 * facts.covered
    found = facts.connectives
    joined = "one joint" if found == 1 else f"{found} joints"
    return _rounded(
        min(4.0, score)
    ), f"{joined} such as \u201cbecause\u201d in {facts.words} words."


def _communication(facts: _Facts) -> tuple[float, str]:
    lengths = [len(_WORD.findall(text)) for text in facts.sentences] or [0]
    mean = sum(lengths) / len(lengths)
    paragraphs = len([p for p in re.split(r"\n\s*\n", facts.response) if _WORD.search(p)])
    score = 3.0 if 6 <= mean <= 28 else 2.0
    score += 0.5 if paragraphs > 1 or facts.words < 80 else 0.0
    score -= 1.0 if facts.words < 25 else 0.0
    score -= 0.5 if facts.response.isupper() else 0.0
    said = f"{len(lengths)} sentences of {mean:.0f} words on average, {paragraphs} paragraphs."
    return _rounded(min(4.0, max(1.0, score))), said


def _rounded(score: float) -> float:
    """To halves: an estimate is no finer than that."""
    return min(4.0, max(1.0, round(score * 2) / 2))
