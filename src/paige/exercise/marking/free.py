"""Marks short answers in own words, and says which ideas were there, missing or contradicted.

What was measured is weighed by a logistic model whose weights are data. There are two sets of them
in `weights.json`, for questions with one accepted answer and for those with several;
`tools/fit_marking.py` makes them and says what they were fitted on. A measure that speaks for an
answer never has a negative weight, nor one that speaks against it a positive one, so that a better
answer is not marked down because of an accident in the fitting.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from paige.exercise.marking.answer_words import Reading, Word
from paige.exercise.marking.features import NAMES, AnswerComparison, Comparer
from paige.exercise.marking.feedback import expected, listed, quoted
from paige.exercise.marking.lexicon import SHIPPED, Lexicon
from paige.exercise.values import AnswerMark

Kind = Literal["one", "several"]
_AT = {name: number for number, name in enumerate(NAMES)}
_ACROSS = (
    "soft_cover_new",
    "soft_cover_all",
    "soft_f",
    "meaning",
    "meaning_new",
    "pairs",
    "letters_set",
)
_OPPOSED, _DENIED = _AT["opposed_any"], _AT["denied_words"]
SUMMARY: Mapping[Kind, tuple[str, ...]] = {
    "one": NAMES,
    "several": (
        *NAMES,
        *(f"best_{name}" for name in _ACROSS),
        *(f"mean_{name}" for name in _ACROSS),
        "mean_opposed_any",
        "mean_denied_words",
        "least_opposed_any",
        "best_focus_all",
        "alternatives",
    ),
}


@dataclass(frozen=True, slots=True)
class Weights:
    """One logistic model: how much each measure counts, and where correct and partial begin."""

    each: np.ndarray
    start: float
    correct: float
    partial: float

    def chance(self, values: Sequence[float]) -> float:
        """How likely an answer with these measures is right."""
        total = self.start + float(self.each @ np.asarray(values))
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def closest(compared: Sequence[AnswerComparison]) -> int:
    """Which alternative the answer is closest to."""

    def likeness(at: int) -> tuple[float, int]:
        values = compared[at].values
        near = values[_AT["soft_f"]] + values[_AT["soft_cover_new"]] - values[_AT["opposed"]]
        return near, -at

    return max(range(len(compared)), key=likeness)


def summary(compared: Sequence[AnswerComparison]) -> tuple[float, ...]:
    """The measures of the closest alternative and, if there are several, of all together."""
    best = compared[closest(compared)].values
    if len(compared) == 1:
        return best
    every = np.array([one.values for one in compared])
    across = every[:, [_AT[name] for name in _ACROSS]]
    return (
        *best,
        *across.max(0).tolist(),
        *across.mean(0).tolist(),
        float(every[:, _OPPOSED].mean()),
        float(every[:, _DENIED].mean()),
        float(every[:, _OPPOSED].min()),
        float(every[:, _AT["focus_all"]].max()),
        math.log(len(compared)),
    )


@cache
def weights() -> Mapping[Kind, Weights]:
    """Reads the weights once."""
    data = json.loads((SHIPPED / "weights.json").read_text(encoding="utf-8"))
    kinds: tuple[Kind, ...] = ("one", "several")
    return {kind: _weights(data["models"][kind], SUMMARY[kind]) for kind in kinds}


def _weights(model: Mapping[str, object], names: Sequence[str]) -> Weights:
    each = model["weights"]
    if not isinstance(each, dict):
        raise TypeError("`weights` of a model is a table of numbers by name")
    return Weights(
        each=np.array([float(each.get(name, 0.0)) for name in names]),
        start=float(str(model["start"])),
        correct=float(str(model["correct"])),
        partial=float(str(model["partial"])),
    )


_CONTRADICTED = 0.4  # a contradiction in an answer leaves it at most this
_REPEATED = 0.2
_LONGEST = 4000  # characters; what follows is not read
_COVER = _AT["soft_cover_all"]
_CROSSED = _AT["crossed"]
_OFTEN = 0.3  # of the neighbouring ideas
_FOCUS = _AT["soft_focus_all"]


def reversed_relation(ref: Reading, said: Reading, lexicon: Lexicon) -> str | None:
    """The word around which the answer has swapped what the reference says, or nothing."""
    if ("by" in ref.every) != ("by" in said.every):
        return None  # one of the two is in the passive
    for turn in ref.every:
        if turn not in lexicon.directional or said.every.count(turn) != 1:
            continue
        if ref.every.count(turn) == 1 and _swapped(_sides(ref, turn, ref), _sides(said, turn, ref)):
            return turn
    return None


def _sides(text: Reading, turn: str, ref: Reading) -> tuple[set[str], set[str]]:
    """The ideas before and after a word, of those that the reference has."""
    at = text.every.index(turn)
    known = ref.stems - {turn}
    return set(known.intersection(text.every[:at])), set(known.intersection(text.every[at + 1 :]))


def _swapped(ours: tuple[set[str], set[str]], theirs: tuple[set[str], set[str]]) -> bool:
    before, after = ours[0] - ours[1], ours[1] - ours[0]
    then, later = theirs[0] - theirs[1], theirs[1] - theirs[0]
    return bool(before & later and after & then)


class FreeMarker:
    """Marks explanations by what they share with the accepted ones."""

    def __init__(self, comparer: Comparer, models: Mapping[Kind, Weights]) -> None:
        self._comparer, self._models = comparer, models

    def mark(self, question: str, alternatives: Sequence[str], answer: str) -> AnswerMark:
        """The mark, with the closest accepted answer."""
        answer, question = answer[:_LONGEST], question[:_LONGEST]
        compared = self._comparer.compare(question, alternatives, answer)
        model = self._models["one" if len(compared) == 1 else "several"]
        chance = model.chance(summary(compared))
        at = closest(compared)
        best, alternative = compared[at], alternatives[at]
        reader = self._comparer.reader
        asked, said, meant = (reader.read(text) for text in (question, answer, alternative))
        turned = reversed_relation(meant, said, self._comparer.lexicon)
        if turned or self._contradicted(best):
            chance = min(chance, _CONTRADICTED)
        if said.stems <= asked.stems and not meant.stems <= asked.stems | said.stems:
            chance = min(chance, _REPEATED)
        score = round(chance, 4)
        if score >= model.correct:
            return AnswerMark("correct", score, _praise(best, alternative), None, alternative)
        verdict = "partial" if score >= model.partial else "incorrect"
        text = _criticism(best, asked, said, turned)
        text = f"{text} {expected(alternative)}"
        return AnswerMark(verdict, score, text, _error(best, turned), alternative)

    def _contradicted(self, best: AnswerComparison) -> bool:
        """Whether an answer that is otherwise about the same thing says the opposite."""
        about = best.values[_COVER] >= 0.4 and best.values[_FOCUS] >= 0.4
        crossed = best.values[_CROSSED] >= _OFTEN
        return about and (bool(best.opposed) or crossed)


def _error(best: AnswerComparison, turned: str | None) -> str | None:
    if turned:
        return "causal_error" if turned.startswith("caus") else "relationship_confusion"
    return "misconception" if best.opposed else None


def _praise(best: AnswerComparison, alternative: str) -> str:
    ideas = _texts(best.found)
    if not ideas:
        return f"Correct: it says the same as {quoted(alternative)}."
    missing = _texts(word for word in best.missing if not word.label)
    more = f" A fuller answer would also mention {listed(missing, 3)}." if missing else ""
    return f"Correct: you have {listed(ideas, 4)}.{more}"


def _criticism(best: AnswerComparison, asked: Reading, said: Reading, turned: str | None) -> str:
    parts = []
    if turned:
        parts.append("You have it the wrong way round: what stands first and last is swapped.")
    for ours, theirs in best.opposed[:2]:
        parts.append(f"{_shown(ours)} contradicts {_shown(theirs)}.")
    if best.values[_CROSSED] >= _OFTEN and not best.opposed:
        parts.append("Right words, but some of them go with the wrong ones.")
    new = [word for word in best.missing if word.stem not in asked.stems]
    if said.stems <= asked.stems and new:
        parts.append("This only repeats the question.")
    found = _texts(word for word in best.found if word.stem not in asked.stems)
    if found:
        parts.append(f"You have {listed(found, 4)}.")
    opposed = {theirs.stem for _, theirs in best.opposed}
    missing = _texts(word for word in new if word.stem not in opposed)
    if missing:
        parts.append(f"Not yet there: {listed(missing, 4)}.")
    return " ".join(parts) or "This does not say what is asked for."


def _shown(word: Word) -> str:
    return quoted(f"not {word.text}" if word.denied else word.text)


def _texts(words: Iterable[Word]) -> list[str]:
    return list(dict.fromkeys(word.text for word in words))
