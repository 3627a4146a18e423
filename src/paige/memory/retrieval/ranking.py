"""Orders memories by how well they answer a question: one sum of parts that can be shown.

Full-text search only says which memory holds which word. Everything else happens here, on arrays,
for all candidates at once: rare words weigh more, a word in a neighbouring turn counts in part, a
related word too; then meaning, who speaks, when, and how good the rest of the session is. What a
memory is worth in itself (importance, recency, use) may only decide between near equals.

Nothing here reads a database or a clock. The numbers are in `shipped/memory/ranking.toml`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path

import numpy as np

from paige.base.errors import BadInput
from paige.base.paths import SHIPPED as PACKAGE_DATA
from paige.memory.retrieval.indexed_text import TOLD_MOST
from paige.memory.retrieval.question import AskedDates, Question

SHIPPED = PACKAGE_DATA / "memory" / "ranking.toml"
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Candidates:
    """The memories to order, as columns; `n` rows in any order.

    `previous` and `following` are places in these columns, -1 where there is none; a session or a
    speaker of -1 is none either.
    """

    seq: np.ndarray  # order of the log; decides ties
    session: np.ndarray
    previous: np.ndarray
    following: np.ndarray
    speaker: np.ndarray  # place in `speakers`
    at: np.ndarray  # seconds since 1970
    length: np.ndarray  # words
    told: np.ndarray  # see `told_of`
    importance: np.ndarray  # 0 to 1
    accesses: np.ndarray
    presence: np.ndarray  # terms x n: the memory holds a form of the term
    near: np.ndarray  # terms x n: it holds a related word
    counts: np.ndarray  # per term: memories of the whole scope that hold a form of it
    scope_size: int
    mean_length: float  # words, over the scope
    similarity: np.ndarray | None  # cosines; None when there are no vectors
    speakers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number of the ranking, in the order of the file that explains them."""

    rarity: float
    proper: float
    related: float
    saturation: float
    length: float
    previous: float
    following: float
    two_away: float
    longest: float
    similarity: float
    named: float
    user: float
    month: float
    day: float
    told: float
    best: float
    importance: float
    recency: float
    recency_days: float
    access: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The order, best first, and what every candidate's score is made of."""

    order: np.ndarray  # places in the candidates
    scores: np.ndarray  # 0 to 1, by candidate
    parts: Mapping[str, np.ndarray]  # by candidate; they add up to the score before it is bounded


@cache
def load_weights(path: Path = SHIPPED) -> Weights:
    """Reads the numbers of a ranking.

    Raises:
        BadInput: a number is missing, unknown or not a number.
    """
    sections = tomllib.loads(path.read_text(encoding="utf-8"))
    numbers = {name: value for section in sections.values() for name, value in section.items()}
    wanted = {field.name for field in fields(Weights)}
    wrong = wanted.symmetric_difference(numbers)
    wrong |= {name for name, value in numbers.items() if not isinstance(value, int | float)}
    if wrong:
        raise BadInput(f"The ranking file has missing or unknown numbers: {sorted(wrong)}")
    return Weights(**numbers)


def rank(
    question: Question, candidates: Candidates, weights: Weights, *, most: int | None = None
) -> Ranking:
    """Orders the candidates. The same memories come in the same order however they are given.

    With `most` only so many of the best are put in order, and those that are as good as the last.
    """
    parts = _word_parts(question, candidates, weights)
    if candidates.similarity is not None:
        parts["vector"] = weights.similarity * np.maximum(candidates.similarity, 0.0)
    parts["speaker"] = _speaker_part(question, candidates, weights)
    if question.dates:
        parts["date"] = _date_part(question.dates, candidates.at, weights)
    parts["telling"] = weights.told / TOLD_MOST * candidates.told
    relevance = _sum(parts, len(candidates.seq))
    parts["session"] = weights.best * _best_of_session(relevance, candidates.session)
    parts |= _policy_parts(candidates, weights)
    # Rounded, so that the last bit of a float cannot decide what `seq` should
    total = np.round(_sum(parts, len(candidates.seq)), 9)
    bounded = np.maximum(total, 0.0)
    order = _best_first(total, candidates.seq, most)
    return Ranking(order=order, scores=bounded / (1 + bounded), parts=parts)


def _best_first(total: np.ndarray, seq: np.ndarray, most: int | None) -> np.ndarray:
    if most is None or len(total) <= most:
        return np.lexsort((seq, -total))
    best = np.flatnonzero(total >= np.partition(total, -most)[-most])
    return best[np.lexsort((seq[best], -total[best]))]


def _sum(parts: Mapping[str, np.ndarray], count: int) -> np.ndarray:
    total = np.zeros(count)
    for part in parts.values():
        total += part
    return total


def _word_parts(
    question: Question, candidates: Candidates, weights: Weights
) -> dict[str, np.ndarray]:
    """The share of the question's words that a memory holds, and what its neighbours add to it."""
    n = len(candidates.seq)
    worth = _worth(question, candidates, weights)
    if not len(worth) or not n:
        return {"lexical": np.zeros(n), "neighbour": np.zeros(n)}
    # One column more than there are memories: a missing neighbour is found there, and holds nothing
    padded = np.zeros((len(worth), n + 1), np.float32)
    held = padded[:, :n]
    np.multiply(candidates.near, np.float32(weights.related), out=held)
    np.maximum(held, candidates.presence, out=held)
    held *= worth.astype(np.float32)[:, None]
    held *= _brevity(candidates, weights).astype(np.float32)
    around = _around(padded, candidates, weights)[:, :n]
    gained = np.maximum(around - held, 0).sum(0)
    return {
        "lexical": held.sum(0),
        "neighbour": np.where(candidates.length <= weights.longest, gained, 0.0),
    }


def _around(padded: np.ndarray, candidates: Candidates, weights: Weights) -> np.ndarray:
    """What the neighbours of each memory hold: a word counts once, from where it counts most."""
    n = len(candidates.seq)
    before, after = (
        np.append(np.where(beside < 0, n, beside), n)
        for beside in (candidates.previous, candidates.following)
    )
    # `take` is three times as fast as an index here
    one_before, one_after = padded.take(before, axis=1), padded.take(after, axis=1)
    around = np.maximum(one_before.take(before, axis=1), one_after.take(after, axis=1))
    around *= np.float32(weights.two_away)
    np.maximum(around, one_before * np.float32(weights.previous), out=around)
    return np.maximum(around, one_after * np.float32(weights.following), out=around)


def _worth(question: Question, candidates: Candidates, weights: Weights) -> np.ndarray:
    """What finding each term is worth, by its rarity in the scope; all terms together are 1."""
    rest = np.maximum(candidates.scope_size - candidates.counts, 0)
    rarity = np.log1p((rest + 0.5) / (candidates.counts + 0.5)) ** weights.rarity
    rarity *= [1 + weights.proper * term.proper for term in question.terms]
    return rarity / max(rarity.sum(), 1e-9)


def _brevity(candidates: Candidates, weights: Weights) -> np.ndarray:
    """How much one found word counts in a text of this length (the length part of BM25)."""
    share = candidates.length / max(candidates.mean_length, 1.0)
    penalty = 1 - weights.length + weights.length * share
    return (weights.saturation + 1) / (1 + weights.saturation * penalty)


def _speaker_part(question: Question, candidates: Candidates, weights: Weights) -> np.ndarray:
    """Whom the question names, and the person before the assistant."""
    value = [
        weights.named * (name in question.named)
        + weights.user * (name == "user" and not question.of_answerer)
        for name in candidates.speakers
    ]
    return np.append(value, 0.0)[candidates.speaker]


def _date_part(dates: AskedDates, at: np.ndarray, weights: Weights) -> np.ndarray:
    """Memories of the days that the question means."""
    day = at.astype("datetime64[s]").astype("datetime64[D]")
    month = day.astype("datetime64[M]")
    year = month.astype("datetime64[Y]")
    meant = np.full(len(at), bool(dates.years or dates.months))
    if dates.years:
        meant &= np.isin(year.astype(int) + 1970, list(dates.years))
    if dates.months:
        meant &= np.isin((month - year).astype(int) + 1, list(dates.months))
    part = weights.month * meant
    if dates.days:
        part += weights.day * (meant & np.isin((day - month).astype(int) + 1, list(dates.days)))
    for first, last in dates.spans:
        part = np.maximum(part, weights.month * ((day >= first) & (day <= last)))
    return part


def _best_of_session(relevance: np.ndarray, session: np.ndarray) -> np.ndarray:
    """The best score in the session of each memory; a memory without a session is its own."""
    numbers, place = np.unique(session, return_inverse=True)
    best = np.full(len(numbers), -np.inf)
    np.maximum.at(best, place, relevance)
    return np.where(session >= 0, best[place], relevance)


def _policy_parts(candidates: Candidates, weights: Weights) -> dict[str, np.ndarray]:
    """What a memory is worth whatever is asked: each part within its cap, in this order."""
    age = (candidates.at.max(initial=0) - candidates.at) / (_DAY * weights.recency_days)
    used = candidates.accesses / (candidates.accesses + 3.0)
    return {
        "importance": weights.importance * (2.0 * candidates.importance - 1.0),
        "recency": weights.recency * 0.5**age,
        "access": weights.access * used,
    }
