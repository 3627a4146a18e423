"""The word lists behind the anonymisation gate, read once when they are first needed.

All entries are folded: lower case, without accents. `also_words` are the names that are ordinary
words or places too; `figures` are people and characters who are taught about; `terms` are other
things that look like names. Phrases of several words are kept by their first word.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from paige.base.paths import shipped

Phrases = dict[str, tuple[tuple[str, ...], ...]]


class Lists(NamedTuple):
    """What the gate knows about words."""

    given: frozenset[str]
    surnames: frozenset[str]
    also_words: frozenset[str]
    words: frozenset[str]
    terms: frozenset[str]
    figures: frozenset[str]  # single words that stand for a person who is taught
    phrases: Phrases


def fold(text: str) -> str:
    """A word as the lists spell it."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
    folded = "".join(each for each in plain if not unicodedata.combining(each)).casefold()
    return folded.replace("ł", "l").replace("ø", "o").replace("đ", "d").replace("\u0131", "i")


@lru_cache(maxsize=1)
def lists() -> Lists:
    """All lists."""
    folder = shipped("memory/names")
    terms = [fold(line) for line in _lines(folder / "terms.txt")]
    people = list(_lines(folder / "figures.txt"))
    alone = {fold(word[1:]) for line in people for word in line.split() if word.startswith("*")} | {
        fold(line) for line in people if " " not in line and "*" not in line
    }
    phrases = [each for each in terms if " " in each]
    phrases += [fold(line.replace("*", "")) for line in people if " " in line]
    return Lists(
        given=frozenset(_lines(folder / "given.txt")),
        surnames=frozenset(_lines(folder / "surnames.txt")),
        also_words=frozenset(_lines(folder / "also_words.txt")),
        words=frozenset(_lines(folder / "words.txt")),
        terms=frozenset(each for each in terms if " " not in each),
        figures=frozenset(alone),
        phrases=_by_first_word(phrases),
    )


def _by_first_word(phrases: list[str]) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        words = tuple(word.strip(".()!,") for word in phrase.split())
        words = tuple(word for word in words if word)
        found.setdefault(words[0], []).append(words)
    # The longest first, so that a part never hides the whole.
    return {first: tuple(sorted(each, key=len, reverse=True)) for first, each in found.items()}


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.strip()
