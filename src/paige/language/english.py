"""What Paige knows about English: words that say nothing, irregular forms, stems, months, seasons,
and numbers in words: `twelve`, `forty-two`, `two thousand and five`.

The lists are in `shipped/language/english.toml`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from paige.base.paths import SHIPPED

_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_MEASURE = re.compile(r"(?:[aeiouy]+[^aeiouy]+)")
_LISTS = SHIPPED / "language" / "english.toml"
_OTHERS = SHIPPED / "language" / "stop.toml"
UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS = {word: number for number, word in enumerate(UNITS)}
NUMBERS |= {word: number * 10 for number, word in enumerate(TENS, start=2)}
"""What a single word counts."""
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}


@dataclass(frozen=True, slots=True)
class English:
    """The word lists, ready for look-up."""

    stop: frozenset[str]  # words that say nothing by themselves
    unsearched: frozenset[str]  # these, and what else a search leaves out
    plain: Mapping[str, str]  # an irregular form: its plain form
    forms: Mapping[str, tuple[str, ...]]  # any form of an irregular word: all its forms
    months: Mapping[str, int]
    seasons: Mapping[str, frozenset[int]]
    suffixes: tuple[tuple[str, str], ...]  # an ending, and what stands for it; the longest first


@cache
def english() -> English:
    """Reads the lists once."""
    lists = tomllib.loads(_LISTS.read_text(encoding="utf-8"))
    forms: dict[str, tuple[str, ...]] = {}
    plain: dict[str, str] = {}
    for group in lists["irregular"].split(";"):
        words = tuple(group.split())
        for word in (*words, *_regular_forms(words[0])):
            forms.setdefault(word, words)
        for word in words:
            plain.setdefault(word, words[0])
    stop = frozenset(lists["stop"].split())
    return English(
        stop=stop,
        # May is a month too, and somebody may ask for it.
        unsearched=(stop | frozenset(lists["unsearched"].split())) - set(lists["months"]),
        plain=plain,
        forms=forms,
        months={name: number for number, name in enumerate(lists["months"], 1)},
        seasons={name: frozenset(months) for name, months in lists["seasons"].items()},
        suffixes=tuple(_pair(pair) for pair in lists["suffixes"].split()),
    )


def _pair(text: str) -> tuple[str, str]:
    """`ness>` and `ation>ate`."""
    ending, _, instead = text.partition(">")
    return ending, instead


@cache
def stop_words(*languages: str) -> frozenset[str]:
    """Words of some languages that say nothing by themselves, such as those of `fr`."""
    others = tomllib.loads(_OTHERS.read_text(encoding="utf-8"))
    found = (english().stop if each == "en" else others[each].split() for each in languages)
    return frozenset().union(*found)


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """What a word is compared by: its plain form, if it is irregular, without its endings.

    The rules are Porter's (1980), without his last two steps for very long words: it matters that
    two forms meet, not what the stem looks like. Short words stay as they are.
    """
    return _without_endings(english().plain.get(word, word))


def _regular_forms(word: str) -> tuple[str, ...]:
    """How a plain form may end in a question: runs, goes, making, running."""
    return (f"{word}s", f"{word}es", f"{word}ing", f"{word.rstrip('e')}ing", f"{word}{word[-1]}ing")


def _without_endings(word: str) -> str:
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _without_y(_without_past(_without_plural(word)))
    for _ in range(2):
        word = _without_suffix(word)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _measure(word: str) -> int:
    return len(_MEASURE.findall(word))


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return f"{word[:-3]}i" if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        start = word.removesuffix(ending)
        if start != word and len(start) > 1 and _VOWEL.search(start):
            return _repaired(start)
    return word


def _repaired(start: str) -> str:
    """The plain form behind `hopp(ing)`, `creat(ed)`, `us(ed)`."""
    if start.endswith(("at", "bl", "iz")):
        return f"{start}e"
    if len(start) > 2 and start[-1] == start[-2] and start[-1] not in "lsz":
        return start[:-1]
    return start


def _without_y(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and _VOWEL.search(word[:-1]) else word


def _without_suffix(word: str) -> str:
    for suffix, instead in english().suffixes:
        if word.endswith(suffix):
            start = word[: -len(suffix)]
            enough = 0 if instead else 1
            return start + instead if len(start) > 2 and _measure(start) > enough else word
    return word


def read_number(words: list[str]) -> tuple[int, int]:
    """The number that words begin with, and how many of them say it; none of them is (0, 0)."""
    total = current = used = 0
    for at, word in enumerate(words, 1):
        if word in NUMBERS:
            current += NUMBERS[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in SCALES:
            total, current = total + (current or 1) * SCALES[word], 0
        elif word != "and" or not used:
            break
        else:
            continue
        used = at
    return total + current, used
