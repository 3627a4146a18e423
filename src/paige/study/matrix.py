"""The matrix of modalities: which kind of exercise suits what is to be learned, as data.

The table and the numbers of the rules are in `shipped/study/matrix.toml`; here they become values
that are already right. Who applies the rules is `selection.py`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.exercise.values import (
    BLOOM_LEVELS,
    DOMAINS,
    Bloom,
    Domain,
    Modality,
    bloom_level,
    modality,
)

ANY = "*"


class Row(NamedTuple):
    """The modalities of a concept type at a Bloom level; without a level, at every one."""

    bloom: Bloom | None
    concept_type: str
    primary: Modality
    secondary: Modality


class Also(NamedTuple):
    """A modality that joins the rows of a domain at a level."""

    domain: Domain
    bloom: Bloom
    concept_type: str
    modality: Modality


class QuizRow(NamedTuple):
    """What a quiz about a concept type is asked with."""

    domain: str
    concept_type: str
    modality: Modality


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The numbers of the rules. Shares are from 0 to 1, `near_the_end` are minutes."""

    variety_after: int
    near_the_end: float
    easy_above: float
    easy_attempts: int
    harder_every: int
    hard_below: float
    hard_attempts: int
    struggles_below: float
    struggles_last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The whole table."""

    rows: Mapping[Domain, tuple[Row, ...]]
    also: tuple[Also, ...]
    file_based: frozenset[Modality]
    quick: frozenset[Modality]
    offered: frozenset[Modality]
    wished: frozenset[Modality]
    by_difficulty: tuple[Modality, ...]
    rules: Rules
    instead: Mapping[Modality, Modality]
    quiz_default: Modality
    quiz_unit: Modality
    quiz_rows: tuple[QuizRow, ...]

    def row(self, domain: Domain, bloom: Bloom, concept_type: str) -> tuple[Row, bool]:
        """The row for a concept, and whether it is its own.

        Where there is none, the first row of the nearest level; of two as near, the lower one.
        """
        rows = self.rows[domain]
        for row in rows:
            if row.concept_type == concept_type and row.bloom in (bloom, None):
                return row, True
        levelled = [row for row in rows if row.bloom is not None]
        return min(levelled, key=lambda row: _distance(row.bloom, bloom)), False

    def joins(self, domain: Domain, bloom: Bloom, concept_type: str) -> tuple[Modality, ...]:
        """What else suits such a concept, besides the two of its row."""
        return tuple(
            each.modality
            for each in self.also
            if (each.domain, each.bloom) == (domain, bloom)
            and each.concept_type in (ANY, concept_type)
        )

    def used_at(self, domain: Domain, bloom: Bloom) -> tuple[Modality, ...]:
        """Every modality a domain uses, those of the nearest levels first."""
        rows = sorted(
            (row for row in self.rows[domain] if row.bloom is not None),
            key=lambda row: _distance(row.bloom, bloom),
        )
        found: dict[Modality, None] = {}
        for row in rows:
            found |= {row.primary: None, row.secondary: None}
        return tuple(found)

    def quiz(self, domain: Domain, concept_type: str) -> Modality:
        """What a quiz about such a concept is asked with."""
        for row in self.quiz_rows:
            if row.domain in (ANY, domain) and row.concept_type in (ANY, concept_type):
                return row.modality
        return self.quiz_default


@lru_cache(maxsize=1)
def shipped_matrix() -> Matrix:
    """The matrix that comes with Paige."""
    return read_matrix(shipped("study/matrix.toml").read_text(encoding="utf-8"))


def read_matrix(text: str) -> Matrix:
    """The matrix in a text. Raises: BadInput."""
    try:
        data = tomllib.loads(text)
        return _matrix(data)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(f"The matrix of modalities cannot be read: {error}") from error


def _matrix(data: Mapping[str, Any]) -> Matrix:
    kinds, rules = data["kinds"], data["rules"]
    return Matrix(
        rows={domain: tuple(_row(*each) for each in data["rows"][domain]) for domain in DOMAINS},
        also=tuple(_also(*each) for each in data["also"]["rows"]),
        file_based=frozenset(modality(each) for each in kinds["file_based"]),
        quick=frozenset(modality(each) for each in kinds["quick"]),
        offered=frozenset(modality(each) for each in kinds["offered"]),
        wished=frozenset(modality(each) for each in kinds["wished"]),
        by_difficulty=tuple(modality(each) for each in kinds["by_difficulty"]),
        rules=Rules(
            variety_after=int(rules["variety_after"]),
            near_the_end=float(rules["near_the_end"]),
            easy_above=float(rules["too_easy"]["above"]),
            easy_attempts=int(rules["too_easy"]["attempts"]),
            harder_every=int(rules["too_easy"]["every"]),
            hard_below=float(rules["too_hard"]["below"]),
            hard_attempts=int(rules["too_hard"]["attempts"]),
            struggles_below=float(rules["struggles"]["below"]),
            struggles_last=int(rules["struggles"]["last"]),
        ),
        instead={modality(one): modality(other) for one, other in data["instead"].items()},
        quiz_default=modality(data["quiz"]["default"]),
        quiz_unit=modality(data["quiz"]["unit"]),
        quiz_rows=tuple(
            QuizRow(domain, kind, modality(name)) for domain, kind, name in data["quiz"]["rows"]
        ),
    )


def _row(bloom: str, concept_type: str, primary: str, secondary: str) -> Row:
    level = None if bloom == ANY else bloom_level(bloom)
    return Row(level, concept_type, modality(primary), modality(secondary))


def _also(domain: str, bloom: str, concept_type: str, name: str) -> Also:
    known: dict[str, Domain] = {each: each for each in DOMAINS}
    return Also(known[domain], bloom_level(bloom), concept_type, modality(name))


def _distance(bloom: Bloom | None, wanted: Bloom) -> tuple[int, int]:
    place = BLOOM_LEVELS.index(bloom or wanted)
    return abs(place - BLOOM_LEVELS.index(wanted)), place
