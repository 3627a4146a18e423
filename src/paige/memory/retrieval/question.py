"""Reads a question the way memory search needs it: words, people, dates, who is meant.

No model is asked. What is left of the sentence after its small words are the terms; a name of
someone who speaks in these memories is a person, not a term.

A question often uses the general word where the memory has the particular one: for "pets" also
animals, dogs, cats are looked for. Those lists were worked out when the shipped word vectors were
made, so a look-up costs microseconds. Some dates ("in May 2023", "last summer", "two weeks ago")
are a span of days, if it is known what day it is; others come back every year and are kept as parts
that a day must have.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from paige.language.english import NUMBERS, English, english
from paige.language.words import runs
from paige.memory.embedding import SHIPPED, read_vocabulary

MOST_TERMS = 24  # a longer question is a text; its first words say what it is about
_ASKER = frozenset({"i", "my", "me", "mine", "we", "our"})
_ANSWERER = frozenset({"you", "your"})
_NUMBERS = {"a": 1, "an": 1, **NUMBERS}
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_ISO = re.compile(r"\b(\d{4})-(\d\d?)-(\d\d?)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"(\d\d?)(?:st|nd|rd|th)?")
_AGO = re.compile(r"\b(\d{1,3}|[a-z]+) (day|week|month|year)s? ago\b")
_LAST = re.compile(r"\b(?:last|past|previous) (day|week|month|year)\b")
_WORD = re.compile(r"[A-Za-z]+|\d+(?:st|nd|rd|th)?")


@dataclass(frozen=True, slots=True)
class AskedDates:
    """What a day must be to be meant; an empty part asks for nothing."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    spans: tuple[tuple[date, date], ...] = ()  # first and last day

    def __bool__(self) -> bool:
        return bool(self.years or self.months or self.spans)


def read_dates(query: str, today: date | None) -> AskedDates:
    """The dates that a question names; those counted from today only if `today` is given."""
    words = _WORD.findall(query)
    months, days = _months_and_days(words, english())
    years = {int(word) for word in words if _YEAR.fullmatch(word)}
    for year, month, day in _ISO.findall(query):
        years.add(int(year))
        months.add(int(month))
        days.add(int(day))
    return AskedDates(
        years=frozenset(years),
        months=frozenset(months),
        days=frozenset(days),
        spans=tuple(_spans(query.lower(), today)) if today else (),
    )


def _months_and_days(words: list[str], known: English) -> tuple[set[int], set[int]]:
    """The months and seasons named, and the numbers of days that stand beside a month."""
    months: set[int] = set()
    days: set[int] = set()
    for at, word in enumerate(words):
        lower = word.lower()
        months |= known.seasons.get(lower, frozenset()) if lower != "fall" else set()
        # "may" and "march" are verbs unless they are written like a month
        if lower not in known.months or (lower in ("may", "march") and word == lower):
            continue
        months.add(known.months[lower])
        for beside in (*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]):
            day = _DAY.fullmatch(beside)
            if day and 1 <= int(day[1]) <= 31:
                days.add(int(day[1]))
    return months, days


def _spans(query: str, today: date) -> list[tuple[date, date]]:
    """The days meant by words that count from today, with some slack for round numbers."""
    spans: list[tuple[date, date]] = []
    if "yesterday" in query:
        spans.append((today - timedelta(1), today - timedelta(1)))
    for unit in _LAST.findall(query):
        spans.append((today - timedelta(2 * _DAYS[unit]), today))
    for number, unit in _AGO.findall(query):
        count = int(number) if number.isdigit() else _NUMBERS.get(number)
        if count is not None:
            middle = today - timedelta(count * _DAYS[unit])
            slack = timedelta(_DAYS[unit] // 2)
            spans.append((middle - slack, middle + slack))
    return spans


@dataclass(frozen=True, slots=True)
class Term:
    """One word to look for."""

    word: str
    forms: tuple[str, ...]  # the word itself and those the stemmer does not bring together with it
    near: tuple[str, ...]  # other words that may have been used for it
    proper: bool = False  # written like the name of someone or something


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read."""

    text: str
    terms: tuple[Term, ...]
    named: frozenset[str]  # speakers, spelled as they are known
    dates: AskedDates
    of_asker: bool  # about the one who asks ("my")
    of_answerer: bool  # about the one who is asked ("did you recommend")

    @property
    def meaning(self) -> str:
        """The words to compare by meaning."""
        return " ".join(term.word for term in self.terms) or self.text


def read_question(
    query: str,
    speakers: Collection[str],
    *,
    near: Callable[[str], Sequence[str]] | None = None,
    today: date | None = None,
) -> Question:
    """Reads a question about memories in which `speakers` speak.

    `near` gives related words; without it only the question's own words are looked for. `today` is
    what "last week" counts from.
    """
    stop = english().unsearched
    words = runs(query)
    lower = [word.lower() for word in words]
    # The first word of a sentence has a capital whatever it is
    proper = {word.lower() for word in words[1:] if word[0].isupper()}
    named, names = _named(words, speakers)
    kept = list(dict.fromkeys(w for w in lower if w not in stop and w not in names))
    if not kept and not named:
        kept = list(dict.fromkeys(lower))
    return Question(
        text=query,
        terms=tuple(
            _term(word, near, proper=word in proper) for word in _without_plurals(kept)[:MOST_TERMS]
        ),
        named=named,
        dates=read_dates(query, today),
        of_asker=not _ASKER.isdisjoint(lower),
        of_answerer=not _ANSWERER.isdisjoint(lower),
    )


def match_any(words: Sequence[str]) -> str:
    """The full-text expression for "any of these words"; FTS5 stems them itself."""
    quoted = (f'"{word.replace(chr(34), chr(34) * 2)}"' for word in words)
    return f"body : ({' OR '.join(quoted)})"


def _term(word: str, near: Callable[[str], Sequence[str]] | None, *, proper: bool) -> Term:
    known = english()
    forms = tuple(dict.fromkeys((word, *known.forms.get(word, ()))))
    others = () if near is None or word.isdigit() else near(word)
    others = tuple(
        other for other in others if other not in known.unsearched and other not in forms
    )
    return Term(word, forms, others, proper)


def _named(words: Sequence[str], speakers: Collection[str]) -> tuple[frozenset[str], set[str]]:
    """The speakers that are named, and the words that name them.

    A speaker is named by any word of the name, or by a capitalised beginning of it ("Mel").
    """
    stop = english().unsearched
    named: set[str] = set()
    by: set[str] = set()
    for word in dict.fromkeys(words):
        lower = word.lower()
        if lower in stop or len(lower) < 2:
            continue
        for speaker in speakers:
            for part in runs(speaker.lower()):
                short = len(lower) >= 3 and word[0].isupper() and part.startswith(lower)
                if part == lower or (short and len(part) - len(lower) <= 5):
                    named.add(speaker)
                    by.add(lower)
    return frozenset(named), by


def _without_plurals(words: Sequence[str]) -> list[str]:
    """The words without those that differ only by a plural's s: the stemmer takes them as one."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word[:-1] if len(word) > 3 and word.endswith("s") else word, word)
    return list(first.values())


_NONE = 2**16 - 1


class NearWords:
    """Looks up related words in a folder of static vectors, which it reads when first asked."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self._folder = folder
        self._near = lru_cache(maxsize=4096)(self._look_up)
        self._load = cache(self._read)

    def near(self, word: str) -> tuple[str, ...]:
        """The words nearest in meaning, nearest first, none of them a form of `word` itself.

        A plural that is not in the vocabulary has those of its singular.
        """
        return next(filter(None, map(self._near, (word, *_singulars(word)))), ())

    def _look_up(self, word: str) -> tuple[str, ...]:
        words, numbers = read_vocabulary(self._folder)
        whole, nearest = self._load()
        number = numbers.get(word, _NONE)
        row = int(np.searchsorted(whole, number))
        if row == len(whole) or whole[row] != number:
            return ()
        return tuple(words[int(other)] for other in nearest[row] if other != _NONE)

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the whole words, in order, and the nearest words of each."""
        nearest = np.load(self._folder / "nearest.npy", mmap_mode="r")
        return np.load(self._folder / "whole.npy"), nearest


def _singulars(word: str) -> tuple[str, ...]:
    """What a plural may be the plural of."""
    if len(word) < 5 or not word.endswith("s"):
        return ()
    return (f"{word[:-3]}y",) if word.endswith("ies") else (word[:-1], word[:-2])
