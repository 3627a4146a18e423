"""A model as judge: the rubric as a prompt, the answer checked, and whether it is to be believed.

A score counts only with words of the lesson behind it: a quote that is not in the lesson is a score
for another lesson. Before a judge is believed about lessons it judges extracts that a person has
judged, and its agreement with that person is measured.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pydantic import BaseModel, Field

from paige.language.words import plain
from paige.models.prompts import render, untrusted
from paige.plan.evals.cases import Dimension, Label

LOWEST, HIGHEST = 1, 5
Pair = tuple[int, int]
"""What the person gave, and what the judge gave."""
JUDGE = "eval:judge"
FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over some pairs; `kappa` counts a miss by its square and takes chance away."""

    pairs: int
    exact: float
    within_one: float
    kappa: float
    bias: float  # how much higher the judge is on average


@dataclass(frozen=True, slots=True)
class Demand:
    """What a judge must reach to be believed."""

    pairs: int = 30
    kappa: float = 0.6
    within_one: float = 0.85

    def met(self, found: Agreement) -> bool:
        """Whether an agreement is enough."""
        return (
            found.pairs >= self.pairs
            and found.kappa >= self.kappa
            and found.within_one >= self.within_one
        )


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """The agreement over some pairs; over none there is none."""
    count = len(pairs)
    if not count:
        return Agreement(0, 0.0, 0.0, 0.0, 0.0)
    return Agreement(
        pairs=count,
        exact=sum(one == two for one, two in pairs) / count,
        within_one=sum(abs(one - two) <= 1 for one, two in pairs) / count,
        kappa=quadratic_kappa(pairs),
        bias=sum(two - one for one, two in pairs) / count,
    )


def quadratic_kappa(pairs: Sequence[Pair]) -> float:
    """Cohen's kappa with quadratic weights; where nothing varies, agreement is all or nothing."""
    count = len(pairs)
    ones, twos = [one for one, _ in pairs], [two for _, two in pairs]
    seen = sum((one - two) ** 2 for one, two in pairs) / count
    chance = sum(
        (one - two) ** 2 * ones.count(one) * twos.count(two)
        for one in range(LOWEST, HIGHEST + 1)
        for two in range(LOWEST, HIGHEST + 1)
    ) / (count * count)
    if chance == 0:
        return 1.0 if seen == 0 else 0.0
    return 1 - seen / chance


class Score(BaseModel):
    """One dimension as a judge sees it."""

    dimension: str
    score: int = Field(ge=1, le=5)
    quote: str
    reason: str


class Verdict(BaseModel):
    """What a judge answers."""

    scores: list[Score]


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores that hold, and why the others do not."""

    scores: Mapping[str, int]
    quotes: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def mean(self) -> float | None:
        """The mean of the scores, if there are any."""
        return fmean(self.scores.values()) if self.scores else None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a judge did on extracts with known scores."""

    overall: Agreement
    dimensions: Mapping[str, Agreement]
    trusted: bool
    unsupported: int


def judge_prompt(rubric: Sequence[Dimension]) -> str:
    """What a judge is told."""
    told = "\n\n".join(
        f"### {each.name}\n{each.question}\n- 1: {each.one}\n- 3: {each.three}\n- 5: {each.five}"
        for each in rubric
    )
    return render("plan/judge", rubric=told, names=", ".join(each.name for each in rubric))


def judge_question(lesson: str, about: str) -> str:
    """The lesson to judge, fenced: it may say anything."""
    return render("plan/judge-lesson", about=about, lesson=untrusted("lesson plan", lesson))


def check_verdict(verdict: Verdict, rubric: Sequence[Dimension], text: str) -> Scores:
    """The scores that have words of the text behind them, one for each dimension."""
    known = {each.name for each in rubric}
    scores: dict[str, int] = {}
    quotes: dict[str, str] = {}
    problems: list[str] = []
    for each in verdict.scores:
        if each.dimension not in known:
            problems.append(f"there is no dimension `{each.dimension}`")
        elif each.dimension in scores:
            problems.append(f"`{each.dimension}` was judged twice")
        elif not is_quoted(each.quote, text):
            problems.append(f"`{each.dimension}`: its quote is not in the lesson")
        else:
            scores[each.dimension] = each.score
            quotes[each.dimension] = each.quote
    named = {each.dimension for each in verdict.scores}
    problems += [f"`{name}` was not judged" for name in sorted(known - named)]
    return Scores(scores, quotes, tuple(problems))


def is_quoted(quote: str, text: str) -> bool:
    """Whether a quote stands in a text, spaces, capitals and quotation marks aside."""
    words = plain(quote)
    return len(words.split()) >= FEWEST_WORDS and words in plain(text)


def calibrate(judged: Sequence[tuple[Label, Scores]], demand: Demand | None = None) -> Calibration:
    """Compare a judge with the people who labelled; too little agreement is no trust."""
    pairs: dict[str, list[tuple[int, int]]] = {}
    unsupported = 0
    for label, found in judged:
        for name, given in label.scores.items():
            if name in found.scores:
                pairs.setdefault(name, []).append((given, found.scores[name]))
            else:
                unsupported += 1
    overall = agreement([pair for each in pairs.values() for pair in each])
    trusted = (demand or Demand()).met(overall)
    each = {name: agreement(found) for name, found in pairs.items()}
    return Calibration(overall, each, trusted, unsupported)
