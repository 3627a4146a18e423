"""Reads the dates out of a question: "in May 2023", "last summer", "two weeks ago".

Some are a span of days, if it is known what day it is; others come back every year and are kept as
parts that a day must have.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from paige.memory.finding.english import English, english

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
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
