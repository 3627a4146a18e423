"""The word lists of marking, read once from `words.toml` and `closed.toml` when they are needed."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paige.base.paths import shipped
from paige.language.english import english
from paige.language.english import stem as stem_of

SHIPPED = shipped("exercise/marking")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists, ready for look-up."""

    stop: frozenset[str]
    negators: frozenset[str]
    breaks: frozenset[str]
    contractions: Mapping[str, str]
    related: Mapping[str, str]  # a word: the related one of its family
    sides: Mapping[str, tuple[tuple[int, int], ...]]  # a stem: its groups, with its side (1, -1)
    same: Mapping[str, frozenset[int]]  # a stem: the groups of synonyms it is in
    directional: frozenset[str]  # stems
    unknown: frozenset[str]

    def stem(self, word: str) -> str:
        """What a word is compared by."""
        return _stem(word, self.related)


@cache
def lexicon() -> Lexicon:
    """Reads the lists once."""
    lists = tomllib.loads((SHIPPED / "words.toml").read_text(encoding="utf-8"))
    related: dict[str, str] = {}
    for group in lists["related"].split(";"):
        for word in group.split():
            related.setdefault(word, group.split()[0])
    return Lexicon(
        stop=english().stop,
        negators=frozenset(lists["negators"].split()),
        breaks=frozenset(lists["breaks"].split()),
        contractions=_pairs(lists["contractions"]),
        related=related,
        sides=_sides(lists["opposites"], related),
        same=_groups(lists["synonyms"], related),
        directional=frozenset(_stem(word, related) for word in lists["directional"].split()),
        unknown=frozenset(" ".join(lists["unknown"].split()).split(" | ")),
    )


def _pairs(text: str) -> dict[str, str]:
    pairs = (pair.split("=", 1) for pair in text.split(";") if "=" in pair)
    return {short.strip(): long.strip() for short, long in pairs}


def _stem(word: str, related: Mapping[str, str]) -> str:
    return stem_of(related.get(word, word))


def _sides(text: str, related: Mapping[str, str]) -> dict[str, tuple[tuple[int, int], ...]]:
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(filter(None, text.splitlines())):
        for words, sign in zip(line.split("|"), (1, -1), strict=True):
            for word in words.split():
                sides.setdefault(_stem(word, related), set()).add((number, sign))
    return {word: tuple(sorted(found)) for word, found in sides.items()}


def _groups(text: str, related: Mapping[str, str]) -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(filter(None, text.splitlines())):
        for word in line.split():
            groups.setdefault(_stem(word, related), set()).add(number)
    return {word: frozenset(found) for word, found in groups.items()}


@dataclass(frozen=True, slots=True)
class ClosedLists:
    """The lists, ready for look-up."""

    articles: Mapping[str, frozenset[str]]  # an article: the languages it is one in
    openings: tuple[str, ...]  # the longest first
    spellings: Mapping[int, str]
    truth: Mapping[str, bool]
    ordered: re.Pattern[str]
    negations: frozenset[str]
    explain: re.Pattern[str]
    exact: re.Pattern[str]
    code: re.Pattern[str]
    units: Mapping[str, tuple[str, float]]  # a name: what it measures, and its size
    months: Mapping[str, int]


@cache
def closed_lists() -> ClosedLists:
    """Reads the lists once."""
    data = tomllib.loads((SHIPPED / "closed.toml").read_text(encoding="utf-8"))
    words, questions = data["words"], data["questions"]
    articles: dict[str, set[str]] = {}
    for language, names in data["articles"].items():
        for name in names.split():
            articles.setdefault(name, set()).add(language)
    truth = dict.fromkeys(words["true"].split(), True)
    truth |= dict.fromkeys(words["false"].split(), False)
    return ClosedLists(
        articles={name: frozenset(languages) for name, languages in articles.items()},
        openings=tuple(sorted(words["openings"].split("|"), key=len, reverse=True)),
        spellings={ord(pair[0]): pair[2:] for pair in words["spellings"].split()},
        truth=truth,
        ordered=re.compile(rf"\b({'|'.join(words['ordered'].split())})\b", re.IGNORECASE),
        negations=frozenset(words["negations"].split()),
        explain=re.compile(questions["explain"], re.IGNORECASE),
        exact=re.compile(questions["exact"], re.IGNORECASE),
        code=re.compile(questions["code"], re.IGNORECASE),
        units=_units(data["units"]),
        months=_months(data["months"]),
    )


def _units(kinds: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, float]]:
    return {
        name: (kind, size)
        for kind, sizes in kinds.items()
        for names, size in sizes.items()
        for name in names.split()
    }


def _months(languages: Mapping[str, str]) -> dict[str, int]:
    months: dict[str, int] = {}
    for names in languages.values():
        for number, name in enumerate(names.split(), 1):
            months[name] = number
            months.setdefault(name[:3], number)
            months.setdefault(name[:4], number)
    return months
