"""What can be measured of a short free answer beside one accepted answer.

Words are aligned one by one: the same stem, a misspelling of it, a listed synonym, or near in
meaning by the shipped word vectors. Words of the question count apart, since repeating a question
says nothing. Denials and opposites are kept as measures of their own: "not connected" agrees with
"separated" and contradicts "connected".
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, LCSseq

from paige.exercise.marking.answer_words import Reader, Reading, Word
from paige.exercise.marking.lexicon import Lexicon
from paige.memory.embedding import SHIPPED as VECTORS
from paige.memory.embedding import StaticEmbedder, read_vocabulary

_FAR, _NEAR = 0.25, 0.75  # cosines that count as nothing and as the same
_HARD = 0.9
_REMEMBERED = 2**14  # words
NAMES = tuple(
    str.split(
        "cover_new soft_cover_new cover_all soft_cover_all focus_all soft_focus_all focus_new"
        " soft_focus_new f_all f_new soft_f weakest_sentence weakest_word meaning meaning_new"
        " question_meaning opposed opposed_any denial_differs denied_words labels_missing"
        " labels_extra length_ratio answer_length reference_length answer_new nothing_new"
        " reference_nothing_new pairs order letters letters_set extra_far choice_same"
        " choice_differs together crossed letters_partial"
    )
)
"""What is measured, in order."""


@dataclass(frozen=True, slots=True)
class AnswerComparison:
    """One answer beside one accepted answer: the measures, and what they were made of."""

    values: tuple[float, ...]
    found: tuple[Word, ...]
    missing: tuple[Word, ...]
    opposed: tuple[tuple[Word, Word], ...]  # a word of the answer, the word it contradicts


@dataclass(slots=True)
class Space:
    """Word vectors and word rarity, looked up once per word."""

    embedder: StaticEmbedder = field(default_factory=StaticEmbedder)
    _vectors: dict[str, np.ndarray] = field(default_factory=dict)
    _ranks: Mapping[str, int] = field(default_factory=dict)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """One row of length one per word."""
        known = self._vectors
        new = [word for word in dict.fromkeys(words) if word not in known]
        if new:
            if len(known) > _REMEMBERED:  # another thread may still read the old ones
                known = self._vectors = {}
                new = list(dict.fromkeys(words))
            known.update(zip(new, self.embedder.embed(new), strict=True))
        return np.array([known[word] for word in words]).reshape(len(words), -1)

    def rank(self, word: str) -> int | None:
        """The place of a word among all, by how common it is."""
        if not self._ranks:
            _, self._ranks = read_vocabulary(VECTORS)
        return self._ranks.get(word)

    def weight(self, word: Word) -> float:
        """How much a word says: rare words more than common ones."""
        if word.label:
            return 0.7
        rank = self.rank(word.text)
        if rank is None:
            return 1.0
        return min(1.0, max(0.25, (math.log(rank + 1) - 4.0) / 5.0))


class Comparer:
    """Measures answers; it keeps what it worked out about words and references."""

    def __init__(self, lexicon: Lexicon, reader: Reader, space: Space) -> None:
        self.lexicon, self.reader, self.space = lexicon, reader, space
        self._likeness = lru_cache(maxsize=65536)(self._alike)

    def compare(
        self, question: str, alternatives: Sequence[str], answer: str
    ) -> list[AnswerComparison]:
        """The answer beside each of the alternatives, in their order."""
        asked, said = self.reader.read(question), self.reader.read(answer)
        return [
            self._one(asked, self.reader.read(alternative), said) for alternative in alternatives
        ]

    def _alike(self, said: str, said_stem: str, word: str, stem: str) -> int:
        """0: not alike, 1: the same word, 2: a synonym, 3 or -3: the same or opposite side."""
        if said_stem == stem:
            return 1
        ours, theirs = self.lexicon.sides.get(said_stem, ()), self.lexicon.sides.get(stem, ())
        for group, side in ours:
            for other, other_side in theirs:
                if group == other:
                    return 3 if side == other_side else -3
        if self.lexicon.same.get(said_stem, frozenset()) & self.lexicon.same.get(stem, frozenset()):
            return 2
        return 1 if self._misspelled(said, word) else 0

    def _misspelled(self, said: str, word: str) -> bool:
        shorter = min(len(said), len(word))
        if shorter < 4 or self.space.rank(said) is not None:
            return False
        return OSA.distance(said, word, score_cutoff=3) <= (1 if shorter < 6 else 2)

    def _one(self, asked: Reading, ref: Reading, said: Reading) -> AnswerComparison:
        table = self._table(said.words, ref.words)
        values = self._values(asked, ref, said, table)
        found, missing, opposed = _explained(ref, said, table)
        return AnswerComparison(values, found, missing, opposed)

    def _table(self, said: Sequence[Word], ref: Sequence[Word]) -> "_Table":
        soft = np.zeros((len(said), len(ref)))
        if said and ref:
            ours = self.space.vectors([word.text for word in said])
            theirs = self.space.vectors([word.text for word in ref])
            soft = np.clip((ours @ theirs.T - _FAR) / (_NEAR - _FAR), 0.0, 0.85).astype(float)
        against = np.zeros(soft.shape, bool)
        differs = np.zeros(soft.shape, bool)
        for row, word in enumerate(said):
            for column, other in enumerate(ref):
                if word.label or other.label:
                    soft[row, column] = float(word.stem == other.stem)
                    continue
                alike = self._likeness(word.text, word.stem, other.text, other.stem)
                turned = word.denied != other.denied
                if abs(alike) == 3:
                    agree = (alike > 0) != turned
                    soft[row, column] = 1.0 if agree else 0.0
                    against[row, column] = not agree
                elif alike:
                    polar = alike == 1 and turned and word.stem in self.lexicon.sides
                    soft[row, column] = 0.0 if polar else (1.0 if alike == 1 else 0.9)
                    against[row, column] = polar
                    differs[row, column] = turned
        # A reference that names both sides of a matter is not contradicted by one of them.
        against &= ~(soft >= _HARD).any(1, keepdims=True)
        return _Table(soft, against, differs)

    def _values(
        self, asked: Reading, ref: Reading, said: Reading, table: "_Table"
    ) -> tuple[float, ...]:
        new_ref = np.array([word.stem not in asked.stems for word in ref.words], bool)
        new_said = np.array([word.stem not in asked.stems for word in said.words], bool)
        weight_ref = np.array([self.space.weight(word) for word in ref.words])
        weight_said = np.array([self.space.weight(word) for word in said.words])
        covered = table.soft.max(0, initial=0.0)
        focused = table.soft.max(1, initial=0.0)
        # A reference that only has words of the question is measured by all of them.
        scored = new_ref if new_ref.any() else np.ones(len(ref.words), bool)
        amount = math.log(int(new_said.sum()) + 1)
        return (
            *_overlap(covered, focused, (weight_ref, scored), (weight_said, new_said)),
            _weakest_sentence(ref, covered, weight_ref),
            float(covered[scored].min(initial=1.0)) if len(covered) else 0.0,
            *self._meaning(asked, ref, said),
            *_denials(ref, said, table, weight_ref),
            *_labels(asked, ref, said),
            math.log((len(said.words) + 1) / (len(ref.words) + 1)),
            math.log(said.length + 1),
            math.log(ref.length + 1),
            amount,
            float(not new_said.any()),
            float(not new_ref.any()),
            _pairs(ref.every, said.every),
            LCSseq.normalized_similarity(ref.every, said.every),
            fuzz.ratio(ref.plain, said.plain) / 100,
            fuzz.token_set_ratio(ref.plain, said.plain) / 100,
            _share(1 - focused, weight_said * new_said) * amount,
            float(bool(ref.choice) and ref.choice == said.choice),
            float(bool(ref.choice and said.choice) and ref.choice != said.choice),
            *_pairing(table),
            fuzz.partial_token_sort_ratio(ref.plain, said.plain) / 100,
        )

    def _meaning(self, asked: Reading, ref: Reading, said: Reading) -> tuple[float, float, float]:
        vector = self._sum
        whole = vector(said.words, frozenset()), vector(ref.words, frozenset())
        new = vector(said.words, asked.stems), vector(ref.words, asked.stems)
        question = vector(asked.words, frozenset())
        return (
            float(whole[0] @ whole[1]),
            float(new[0] @ new[1]),
            float(whole[0] @ question),
        )

    def _sum(self, words: Sequence[Word], without: frozenset[str]) -> np.ndarray:
        kept = [word for word in words if word.stem not in without]
        if not kept:
            return np.zeros(256)
        weights = np.array([self.space.weight(word) for word in kept])
        total = weights @ self.space.vectors([word.text for word in kept])
        length = math.sqrt(float(total @ total))
        return total / length if length else total


@dataclass(frozen=True, slots=True)
class _Table:
    soft: np.ndarray  # answer words by reference words: how much they say the same
    against: np.ndarray  # where they contradict one another
    differs: np.ndarray  # where the same word is denied in only one of the two


def _overlap(
    covered: np.ndarray,
    focused: np.ndarray,
    ref: tuple[np.ndarray, np.ndarray],
    said: tuple[np.ndarray, np.ndarray],
) -> tuple[float, ...]:
    """How much of the reference the answer has, and how much of the answer is in the reference.

    `ref` and `said` are the weights of their words and which of them are not in the question.
    """
    weight_ref, new_ref = ref[0], ref[0] * ref[1]
    weight_said, new_said = said[0], said[0] * said[1]
    cover, focus = covered >= _HARD, focused >= _HARD
    cover_new, cover_all = _share(cover, new_ref), _share(cover, weight_ref)
    focus_new, focus_all = _share(focus, new_said), _share(focus, weight_said)
    soft_cover, soft_focus = _share(covered, weight_ref), _share(focused, weight_said)
    return (
        cover_new,
        _share(covered, new_ref),
        cover_all,
        soft_cover,
        focus_all,
        soft_focus,
        focus_new,
        _share(focused, new_said),
        _harmonic(cover_all, focus_all),
        _harmonic(cover_new, focus_new),
        _harmonic(soft_cover, soft_focus),
    )


def _weakest_sentence(ref: Reading, covered: np.ndarray, weights: np.ndarray) -> float:
    numbers = np.array([word.sentence for word in ref.words])
    parts = (_share(covered, weights * (numbers == number)) for number in set(numbers.tolist()))
    return min(parts, default=0.0)


def _denials(
    ref: Reading, said: Reading, table: _Table, weights: np.ndarray
) -> tuple[float, float, float, float]:
    same = table.soft >= _HARD
    opposed = np.asarray(table.against.any(0) & ~same.any(0))
    differs = np.asarray(table.differs.any(0) & ~(~table.differs & same).any(0))
    return (
        _share(opposed, weights),
        float(opposed.any()),
        float(said.denials % 2 != ref.denials % 2),
        _share(differs, weights),
    )


def _labels(asked: Reading, ref: Reading, said: Reading) -> tuple[float, float]:
    """Numbers and letters that the answer lacks, and those it has and should not."""
    wanted = {word.stem for word in ref.words if word.label} - asked.stems
    given = {word.stem for word in said.words if word.label}
    extra = len(given - ref.stems - asked.stems)
    return len(wanted - given) / max(1, len(wanted)), min(3, extra) / 3


def _explained(
    ref: Reading, said: Reading, table: _Table
) -> tuple[tuple[Word, ...], tuple[Word, ...], tuple[tuple[Word, Word], ...]]:
    covered = table.soft.max(0, initial=0.0)
    found = tuple(w for w, value in zip(ref.words, covered, strict=True) if value >= 0.6)
    missing = tuple(w for w, value in zip(ref.words, covered, strict=True) if value < 0.6)
    opposed = []
    for column, word in enumerate(ref.words):
        rows = np.flatnonzero(table.against[:, column])
        if len(rows) and covered[column] < _HARD:
            opposed.append((said.words[int(rows[0])], word))
    return found, missing, tuple(opposed)


def _share(values: np.ndarray, weights: np.ndarray) -> float:
    total = float(weights.sum())
    return float((values * weights).sum()) / total if total else 0.0


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


def _pairs(ref: Sequence[str], said: Sequence[str]) -> float:
    ours, theirs = set(pairwise(said)), set(pairwise(ref))
    return len(ours & theirs) / len(theirs) if theirs else 0.0


def _pairing(table: _Table) -> tuple[float, float]:
    """Which neighbours of the reference also stand together in the answer, and which are crossed.

    "Long strings sound low" has long and low together; an answer that puts high next to long, and
    low elsewhere, uses the right words the wrong way round.
    """
    columns = table.soft.shape[1]
    together = crossed = counted = 0
    for first in range(columns - 1):
        for second in range(first + 1, min(first + 3, columns)):
            here = np.flatnonzero(table.soft[:, first] >= _HARD)
            if not len(here):
                continue
            counted += 1
            agrees = _nearest(here, np.flatnonzero(table.soft[:, second] >= _HARD))
            opposes = _nearest(here, np.flatnonzero(table.against[:, second]))
            together += agrees <= 3 and agrees <= opposes
            crossed += opposes <= 3 and opposes < agrees
    return (together / counted, crossed / counted) if counted else (0.0, 0.0)


def _nearest(here: np.ndarray, there: np.ndarray) -> int:
    """How far the nearest two of these places are apart; far if there are none."""
    return min((abs(int(a) - int(b)) for a in here for b in there if a != b), default=99)
