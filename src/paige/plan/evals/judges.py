"""A model as judge: the rubric as a prompt, the answer checked, and whether it is to be believed.

A score counts only with words of the lesson behind it: a quote that is not in the lesson is a score
for another lesson. Before a judge is believed about lessons it judges extracts that a person has
judged.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from pydantic import BaseModel, Field

from paige.models.prompts import render, untrusted
from paige.plan.evals.agreement import Agreement, Demand, agreement, by_dimension
from paige.plan.evals.cases import Dimension, Label

JUDGE = "eval:judge"
FEWEST_WORDS = 3


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
class Judged:
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


def check_verdict(verdict: Verdict, rubric: Sequence[Dimension], text: str) -> Judged:
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
    return Judged(scores, quotes, tuple(problems))


def is_quoted(quote: str, text: str) -> bool:
    """Whether a quote stands in a text, spaces, capitals and quotation marks aside."""
    words = _plain(quote)
    return len(words.split()) >= FEWEST_WORDS and words in _plain(text)


def calibrate(judged: Sequence[tuple[Label, Judged]], demand: Demand | None = None) -> Calibration:
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
    return Calibration(overall, by_dimension(pairs), trusted, unsupported)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w]+", " ", text.casefold()).split())
