"""The lists for short exact answers, read once from `shipped/exercise/marking/closed.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paige.exercise.marking.lexicon import SHIPPED


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
