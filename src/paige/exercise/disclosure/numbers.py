"""Numbers as people write and say them: figures, English words, fractions, percentages."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from paige.language.english import NUMBERS, TENS, UNITS, read_number

_NUMBER = re.compile(
    r"(?<![\w.])-?\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])-?\d+(?:[.,]\d+)?(?:/\d+)?|(?<!\w)\.\d+"
)
_FRACTIONS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "fifth": Fraction(1, 5),
    "sixth": Fraction(1, 6),
    "eighth": Fraction(1, 8),
    "tenth": Fraction(1, 10),
}
_MOST = 10**12
_MOST_SAID = 9999


def parse_number(text: str) -> Fraction | None:
    """The number a short text is: `1,200`, `3/4`, `75%`, `$15`, `12 cm`, `forty-two`."""
    text = text.strip().strip(".!").lstrip("$\u00a3\u20ac").strip()
    share = re.fullmatch(r"(-?[\d.]+) ?(?:%|percent|per cent)", text)
    if share and (found := _fraction(share[1])) is not None:
        return found / 100
    matched = re.fullmatch(
        r"(-?[\d.,]+(?:/\d+)?)(?: ?[a-z\u00b0\u00b5%\u00b2\u00b3/]{0,12})?", text
    )
    if matched and (found := _fraction(matched[1])) is not None:
        return found
    return _from_words(text)


def _fraction(text: str) -> Fraction | None:
    text = re.sub(r",(?=\d{3}\b)", "", text).replace(",", ".")
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return found if abs(found) < _MOST else None


def _from_words(text: str) -> Fraction | None:
    parts = [part for part in re.split(r"[\s-]+", text) if part not in {"and", ""}]
    if not parts:
        return None
    if parts[-1].rstrip("s") in _FRACTIONS and len(parts) <= 2:
        count = 1 if len(parts) == 1 or parts[0] == "a" else NUMBERS.get(parts[0], 0)
        return count * _FRACTIONS[parts[-1].rstrip("s")] if count else None
    value, used = read_number(parts)
    return Fraction(value) if used == len(parts) else None


@lru_cache(maxsize=2048)
def writings(value: Fraction) -> frozenset[str]:
    """The ways to write a number, as folded text with single spaces."""
    found = {_decimal(value)}
    if value.denominator == 1:
        whole = int(value)
        found |= {f"{whole:,}", *({"dozen"} if whole == 12 else ())}
        sign = "minus " if whole < 0 else ""
        found |= {sign + each for each in _spoken(abs(whole))}
    else:
        share = _decimal(value * 100)
        found |= {f"{value.numerator}/{value.denominator}", f"{share}%"}
        found |= {f"{share} percent", f"{share} per cent"}
        found |= _said_fraction(value) | _said_decimal(value)
    return frozenset(each for each in found if each)


def _decimal(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.10g}"


def _spoken(value: int) -> set[str]:
    """The ways to say a whole number in English; years too."""
    if value > _MOST_SAID:
        return set()
    said = _said(value)
    found = {said, said.replace(" and ", " "), said.replace("one hundred", "a hundred")}
    if 100 < value < 2100 and value % 100:
        front = _said(value // 100)
        tail = _said(value % 100) if value % 100 > 9 else f"oh {_said(value % 100)}"
        found |= {f"{front} {tail}", f"{front} hundred {tail}", f"{front} hundred and {tail}"}
    return found


def _said(value: int) -> str:
    if value < 20:
        return UNITS[value]
    if value < 100:
        tens = TENS[value // 10 - 2]
        return f"{tens} {UNITS[value % 10]}" if value % 10 else tens
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    rest = value % size
    joined = "" if not rest else f" {'and ' if rest < 100 else ''}{_said(rest)}"
    return f"{_said(value // size)} {name}{joined}"


def _said_decimal(value: Fraction) -> set[str]:
    whole, _, rest = _decimal(abs(value)).partition(".")
    if not rest or not whole.isdigit() or not rest.isdigit():
        return set()
    digits = " ".join(UNITS[int(digit)] for digit in rest)
    return {f"{front} point {digits}" for front in _spoken(int(whole))}


def _said_fraction(value: Fraction) -> set[str]:
    names = {each.denominator: name for name, each in _FRACTIONS.items()}
    name = names.get(value.denominator)
    if name is None or not 0 < value.numerator < len(UNITS):
        return set()
    if value.numerator == 1:
        return {f"one {name}", f"a {name}"}
    return {f"{UNITS[value.numerator]} {name}s"}


def numbers_in(text: str) -> Iterator[Fraction]:
    """The numbers of a folded text written with figures."""
    for match in _NUMBER.finditer(text):
        found = _fraction(match[0].lstrip("$"))
        if found is not None:
            yield found


def with_figures(text: str) -> str:
    """The folded text with English number words as figures: `six times seven` has 6 and 7."""
    out: list[str] = []
    pieces = re.split(r"(\W+)", text)
    at = 0
    while at < len(pieces):
        word = pieces[at]
        joined = word in TENS and at + 2 < len(pieces) and pieces[at + 1] in {" ", "-"}
        if joined and 0 < NUMBERS.get(pieces[at + 2], 0) < 10:
            out.append(str(NUMBERS[word] + NUMBERS[pieces[at + 2]]))
            at += 3
            continue
        out.append(str(NUMBERS[word]) if word in NUMBERS else word)
        at += 1
    return "".join(out)
