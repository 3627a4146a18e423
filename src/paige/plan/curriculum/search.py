"""Finds outcomes by what a teacher says: words, level, subject. No model, no index to keep.

Words that few outcomes have count more. The topics and the words of an outcome count before its
organiser, its assessment and its misconceptions.
"""

import math
from collections import Counter
from dataclasses import dataclass

from paige.language.english import english, stem
from paige.language.words import runs
from paige.plan.curriculum.codes import find_codes, same_code
from paige.plan.curriculum.values import Curriculum, Library, Outcome

WEIGHTS = (("topics", 3.0), ("about", 2.0), ("organiser", 1.0), ("rest", 0.5))
_STRONG = 2.0  # topics and statement
# What every request and every outcome may say: it tells nothing apart.
_EMPTY = frozenset({"lesson", "class", "pupil", "pupils", "level", "create", "plan", "teach"})


@dataclass(frozen=True, slots=True)
class RankedOutcome:
    """An outcome and how well it fits."""

    outcome: Outcome
    score: float
    shared: int = 0  # how many of the words stand in its topics or its statement


def find(
    library: Library,
    words: str,
    level: str | None = None,
    subject: str | None = None,
    *,
    limit: int = 10,
) -> list[Outcome]:
    """The outcomes that fit the words best; without words, all of that level and subject."""
    return [each.outcome for each in rank(library, words, level, subject)[:limit]]


def rank(
    library: Library, words: str, level: str | None = None, subject: str | None = None
) -> list[RankedOutcome]:
    """Every outcome that has one of the words, best first; a code that is named comes first."""
    outcomes = [
        each
        for file in library.curricula
        if subject is None or is_about(file, subject)
        for each in file.outcomes
        if level is None or same_level(each.level, level)
    ]
    named = [each.code for each in find_codes(words, [each.code for each in outcomes])]
    asked = telling_words(words)
    if not asked and not named:
        return [RankedOutcome(each, 0.0) for each in outcomes]
    texts = [_weighted(each) for each in outcomes]
    spread = Counter(word for text in texts for word in text)
    found = [
        RankedOutcome(
            outcome,
            _score(asked, text, spread, len(outcomes)) + _named(outcome, named),
            sum(text.get(word, 0) >= _STRONG for word in asked),
        )
        for outcome, text in zip(outcomes, texts, strict=True)
    ]
    return sorted((each for each in found if each.score > 0), key=lambda each: -each.score)


def is_about(file: Curriculum, subject: str) -> bool:
    """Whether a file is about a subject: by its name, its subject, or another name of it."""
    asked = subject.strip().casefold()
    names = (file.subject, file.name, *file.also)
    return any(asked == name.casefold() for name in names)


def same_level(one: str, other: str) -> bool:
    """Whether two names mean one level: `Third`, `third level`."""
    return _level(one) == _level(other)


def _level(name: str) -> str:
    return name.casefold().removesuffix("level").strip()


def _named(outcome: Outcome, codes: list[str]) -> float:
    return 100.0 if any(same_code(outcome.code, code) for code in codes) else 0.0


def _score(asked: set[str], text: dict[str, float], spread: Counter[str], number: int) -> float:
    return sum(text[word] * math.log(1 + number / spread[word]) for word in asked if word in text)


def _weighted(outcome: Outcome) -> dict[str, float]:
    texts = {
        "topics": " ".join(outcome.topics),
        "about": outcome.about,
        "organiser": outcome.organiser,
        "rest": " ".join((*outcome.assessment, *outcome.misconceptions)),
    }
    weighted: dict[str, float] = {}
    for name, weight in WEIGHTS:
        for word in telling_words(texts[name]):
            weighted.setdefault(word, weight)
    return weighted


def telling_words(text: str) -> set[str]:
    """The stems of the words that tell texts apart."""
    words = set(runs(text.lower())) - _EMPTY - english().unsearched
    return {stem(word) for word in words}
