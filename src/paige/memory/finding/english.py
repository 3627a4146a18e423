"""What memory search knows about English: words to leave out, irregular forms, months, seasons.

The lists are in `shipped/memory/english.toml`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paige.base.paths import SHIPPED as PACKAGE_DATA

_LISTS = PACKAGE_DATA / "memory" / "english.toml"


@dataclass(frozen=True, slots=True)
class English:
    """The word lists, ready for look-up."""

    stop: frozenset[str]
    forms: Mapping[str, tuple[str, ...]]  # any form of an irregular word: all its forms
    months: Mapping[str, int]
    weekdays: Mapping[str, int]  # Monday is 0
    seasons: Mapping[str, frozenset[int]]


@cache
def english() -> English:
    """Reads the lists once."""
    lists = tomllib.loads(_LISTS.read_text(encoding="utf-8"))
    forms: dict[str, tuple[str, ...]] = {}
    for group in lists["irregular"].split(";"):
        words = tuple(group.split())
        for word in (*words, *_regular_forms(words[0])):
            forms.setdefault(word, words)
    return English(
        stop=frozenset(lists["stop"].split()),
        forms=forms,
        months={name: number for number, name in enumerate(lists["months"], 1)},
        weekdays={name: number for number, name in enumerate(lists["weekdays"])},
        seasons={name: frozenset(months) for name, months in lists["seasons"].items()},
    )


def _regular_forms(word: str) -> tuple[str, ...]:
    """How a plain form may end in a question: runs, goes, making, running."""
    return (f"{word}s", f"{word}es", f"{word}ing", f"{word.rstrip('e')}ing", f"{word}{word[-1]}ing")
