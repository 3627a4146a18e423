"""Numbers, quantities with units, and dates, however they are written.

`12`, `twelve` and `12.0` are one number; `50 %` is `0.5`; `5 km` is `5000 m`; `5/1/2024` may be
the fifth of January or the first of May.
"""

import math
import re
from dataclasses import dataclass

from paige.exercise.marking.closed_lists import ClosedLists

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
)
_DECADES = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: number for number, word in enumerate(_ONES.split())}
_TENS = {word: number * 10 for number, word in enumerate(_DECADES.split(), start=2)}
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTS = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}
_SIGNS = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_CURRENCY = re.compile(r"^(-?)\s*([$£€]|rm|usd|eur|gbp|myr)\s*(.+)$")
_NUMBER = re.compile(
    r"^(?P<sign>[-+]?)(?P<body>\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
    r"(?:e(?P<e>[-+]?\d+)| ?[x*] ?10 ?\^ ?(?P<ten>[-+]?\d+))?"
)
_FRACTION = re.compile(r"^([-+]?)(?:(\d+) )?(\d+) ?/ ?(\d+)")
_DATE = (
    re.compile(r"^(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})$"),
    re.compile(r"^(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4})$"),
    re.compile(
        r"^(?P<d>\d{1,2})(?:st|nd|rd|th|er|\.)? (?:of |de )?(?P<n>[^\W\d]+)"
        r"(?:,? (?:de )?(?P<y>\d{4}))?$"
    ),
    re.compile(r"^(?P<n>[^\W\d]+) (?P<d>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<y>\d{4}))?$"),
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in the first unit of its kind; `decimals` is how exactly it was written."""

    value: float
    kind: str = ""
    decimals: int = 0
    given: float = 0.0  # the number as written, before its unit

    def equals(self, other: "Quantity") -> bool:
        """Whether both are the same amount, their units apart."""
        return math.isclose(self.value, other.value, rel_tol=1e-9, abs_tol=1e-12)


def quantity(text: str, lists: ClosedLists) -> Quantity | None:
    """The quantity that a text is, or nothing if it is anything else."""
    text = text.strip().lower().rstrip(".!?").strip()
    for sign, written in _SIGNS.items():
        text = text.replace(sign, f" {written}")
    text = " ".join(text.replace("\u2212", "-").replace("\u00d7", "x").split())
    money = _CURRENCY.match(text)
    if money:
        text = f"{money[1]}{money[3]} {money[2]}"
    try:
        found = _fraction(text) or _figure(text) or _words(text)
    except (OverflowError, ValueError):
        return None  # `1e999` is larger than any amount
    if found is None or not math.isfinite(found[0]):
        return None
    value, decimals, rest = found
    return _with_unit(value, decimals, rest.strip(), lists)


def _with_unit(value: float, decimals: int, rest: str, lists: ClosedLists) -> Quantity | None:
    if not rest:
        return Quantity(value, "", decimals, value)
    if rest in {"%", "percent", "per cent"}:
        return Quantity(value / 100, "", decimals + 2, value)
    unit = lists.units.get(rest) or lists.units.get(rest.replace(" per ", "/").replace(" ", "-"))
    if unit is None:
        return None
    return Quantity(value * unit[1], unit[0], decimals, value)


def _fraction(text: str) -> tuple[float, int, str] | None:
    match = _FRACTION.match(text)
    if match is None or not int(match[4]):
        return None
    value = int(match[2] or 0) + int(match[3]) / int(match[4])
    return (-value if match[1] == "-" else value), 9, text[match.end() :]


def _figure(text: str) -> tuple[float, int, str] | None:
    match = _NUMBER.match(text)
    if match is None:
        return None
    body = match["body"]
    if re.fullmatch(r"\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?", body):
        body = body.replace(",", "").replace(" ", "")
    body = body.replace(",", ".")
    value = float(body) * 10.0 ** int(match["e"] or match["ten"] or 0)
    decimals = len(body.partition(".")[2])
    return (-value if match["sign"] == "-" else value), decimals, text[match.end() :]


def _words(text: str) -> tuple[float, int, str] | None:
    """A number in English words, and what follows it."""
    words = text.replace("-", " ").split()
    minus = bool(words) and words[0] in {"minus", "negative"}
    total = current = 0.0
    at = first = int(minus)
    while at < len(words):
        word = words[at]
        if word in _SMALL or word in _TENS:
            current += _SMALL.get(word, 0) or _TENS.get(word, 0)
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0.0
        elif word in _PARTS and at == first:
            current = _PARTS[word]
        elif word != "and" or at == first:
            break
        at += 1
    if at == first:
        return None
    value = total + current
    return (-value if minus else value), 0, " ".join(words[at:])


Date = tuple[int | None, int, int]  # year, month, day


def dates(text: str, lists: ClosedLists) -> frozenset[Date]:
    """The days that a text may mean; empty if it is no date."""
    text = " ".join(text.strip().lower().rstrip(".!?").replace(",", ", ").split()).replace(
        " ,", ","
    )
    for form in _DATE:
        match = form.match(text)
        if match is not None:
            return _read_date(match.groupdict(), lists)
    return frozenset()


def _read_date(parts: dict[str, str | None], lists: ClosedLists) -> frozenset[Date]:
    written = parts.get("y")
    year = int(written) if written else None
    day = int(parts["d"] or 0)
    if parts.get("n"):
        month = lists.months.get((parts["n"] or "").rstrip("."))
        return frozenset({(year, month, day)} if month and 1 <= day <= 31 else ())
    month = int(parts["m"] or 0)
    both = {(year, month, day), (year, day, month)}
    return frozenset((y, m, d) for y, m, d in both if 1 <= m <= 12 and 1 <= d <= 31)
