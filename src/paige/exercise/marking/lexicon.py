"""The word lists of marking, read once from `shipped/exercise/marking/words.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from paige.exercise.marking.stems import stem

SHIPPED = Path(__file__).parents[2] / "shipped" / "exercise" / "marking"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists, ready for look-up."""

    stop: frozenset[str]
    negators: frozenset[str]
    breaks: frozenset[str]
    contractions: Mapping[str, str]
    plain: Mapping[str, str]  # an irregular form: its plain form
    sides: Mapping[str, tuple[tuple[int, int], ...]]  # a stem: its groups, with its side (1, -1)
    same: Mapping[str, frozenset[int]]  # a stem: the groups of synonyms it is in
    directional: frozenset[str]  # stems
    unknown: frozenset[str]

    def stem(self, word: str) -> str:
        """What a word is compared by."""
        return stem(self.plain.get(word, word))


@cache
def lexicon() -> Lexicon:
    """Reads the lists once."""
    lists = tomllib.loads((SHIPPED / "words.toml").read_text(encoding="utf-8"))
    plain: dict[str, str] = {}
    for group in lists["irregular"].split(";"):
        for word in group.split():
            plain.setdefault(word, group.split()[0])
    return Lexicon(
        stop=frozenset(lists["stop"].split()),
        negators=frozenset(lists["negators"].split()),
        breaks=frozenset(lists["breaks"].split()),
        contractions=_pairs(lists["contractions"]),
        plain=plain,
        sides=_sides(lists["opposites"], plain),
        same=_groups(lists["synonyms"], plain),
        directional=frozenset(_stem(word, plain) for word in lists["directional"].split()),
        unknown=frozenset(" ".join(lists["unknown"].split()).split(" | ")),
    )


def _pairs(text: str) -> dict[str, str]:
    pairs = (pair.split("=", 1) for pair in text.split(";") if "=" in pair)
    return {short.strip(): long.strip() for short, long in pairs}


def _stem(word: str, plain: Mapping[str, str]) -> str:
    return stem(plain.get(word, word))


def _sides(text: str, plain: Mapping[str, str]) -> dict[str, tuple[tuple[int, int], ...]]:
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(filter(None, text.splitlines())):
        for words, sign in zip(line.split("|"), (1, -1), strict=True):
            for word in words.split():
                sides.setdefault(_stem(word, plain), set()).add((number, sign))
    return {word: tuple(sorted(found)) for word, found in sides.items()}


def _groups(text: str, plain: Mapping[str, str]) -> dict[str, frozenset[int]]:
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(filter(None, text.splitlines())):
        for word in line.split():
            groups.setdefault(_stem(word, plain), set()).add(number)
    return {word: frozenset(found) for word, found in groups.items()}
