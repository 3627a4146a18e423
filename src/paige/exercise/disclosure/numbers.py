"""Numbers as people write and say them, and sums that only need to be worked out.

A number is recognised as figures, as words in seven languages, as a fraction or a percentage, in
Roman, binary, octal or hexadecimal writing. `sums` finds arithmetic in a text, written with signs
or with words ("six times seven", "double 21"), and works it out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from paige.exercise.disclosure.spoken import ENGLISH, spoken

_NUMBER = re.compile(
    r"(?<![\w.])-?\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.])-?\d+(?:[.,]\d+)?(?:/\d+)?|(?<!\w)\.\d+"
)
_TENS = {word: value for word, value in ENGLISH.items() if 20 <= value < 100}
_FRACTIONS = {
    "half": Fraction(1, 2),
    "third": Fraction(1, 3),
    "quarter": Fraction(1, 4),
    "fifth": Fraction(1, 5),
    "sixth": Fraction(1, 6),
    "eighth": Fraction(1, 8),
    "tenth": Fraction(1, 10),
}
_SAID = (  # said with words: a template of signs
    (r"\bhalf of (#)", r"(\1/2)"),
    (r"\bhalve (#)", r"(\1/2)"),
    (r"\b(?:double|twice|two lots of|the double of) (#)", r"(2*\1)"),
    (r"\b(?:triple|treble|thrice) (#)", r"(3*\1)"),
    (r"\ba third of (#)", r"(\1/3)"),
    (r"\ba quarter of (#)", r"(\1/4)"),
    (r"\b(#) ?(?:%|percent|per cent) of (#)", r"(\1*\2/100)"),
    (r"\b(#) (?:more|greater|bigger|higher) than (#)", r"(\1+\2)"),
    (r"\b(#) (?:less|fewer|smaller|lower) than (#)", r"(\2-\1)"),
    (r"\b(?:the number |comes? |one )?(?:just |right )?after (#)", r"(\1+1)"),
    (r"\b(?:the number |comes? |one )?(?:just |right )before (#)", r"(\1-1)"),
    (r"\b(#) (?:years? |places? |more )?(?:before|earlier than|prior to) (#)", r"(\2-\1)"),
    (r"\b(#) (?:years? |places? )?(?:after|later than) (#)", r"(\2+\1)"),
    (r"\bbetween (#) and (#)", r"((\1+\2)/2)"),
    (r"\bsum of (#) and (#)", r"(\1+\2)"),
    (r"\bproduct of (#) and (#)", r"(\1*\2)"),
    (r"\bdifference (?:between|of) (#) and (#)", r"(\1-\2)"),
    (r"\b(?:add|adding) (#) (?:to|and) (#)", r"(\1+\2)"),
    (r"\b(?:take|taking|subtract|subtracting) (#) (?:away )?from (#)", r"(\2-\1)"),
    (r"\b(?:multiply|multiplying) (#) (?:by|and|with) (#)", r"(\1*\2)"),
    (r"\b(?:divide|dividing) (#) by (#)", r"(\1/\2)"),
    (r"\bsquare root of (#)", r"(\1**0.5)"),
    (r"\b(?:square of|squaring|square) (#)", r"(\1**2)"),
    (r"\b(?:cube of|cubing|cube) (#)", r"(\1**3)"),
    (r"\b(#) squared", r"(\1**2)"),
    (r"\b(#) cubed", r"(\1**3)"),
    (r"\b(#) to the power (?:of )?(#)", r"(\1**\2)"),
    (r"\b(?:a )?dozen\b", "(12)"),
    (r"\b(?:a )?score\b", "(20)"),
)
_THING = r"-?\d+(?:\.\d+)?|\([\d.+*/() -]{1,200}\)"
_PATTERNS = tuple((re.compile(said.replace("#", _THING)), signs) for said, signs in _SAID)
_OPERATORS = (
    (re.compile(r"[,;]? (?:and )?(?:then )?(?:add|adding|plus|and add)(?: on)?(?= [\d(])"), " + "),
    (
        re.compile(
            r"[,;]? (?:and )?(?:then )?(?:minus|less|subtract|take away|take off)(?= [\d(])"
        ),
        " - ",
    ),
    (
        re.compile(
            r"[,;]? (?:and )?(?:then )?(?:times|multiplied by|multiply by|lots of|fois|mal|kali"
            r"|vezes|por)(?= [\d(])"
        ),
        " * ",
    ),
    (re.compile(r"[,;]? (?:and )?(?:then )?(?:divided by|divide by|over)(?= [\d(])"), " / "),
    (re.compile(r"(?<=[\d)]) ?[x] ?(?=[\d(])"), " * "),
    (re.compile(r"\^"), "**"),
)
_SUM = re.compile(r"[\d(.\-][\d\s.+*/()\-]{0,400}[\d)]")
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_MOST = 10**12


@dataclass(frozen=True, slots=True)
class Sum:
    """Arithmetic found in a text: as written without spaces, what it comes to."""

    written: str
    value: Fraction
    numbers: frozenset[str]


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
        count = 1 if len(parts) == 1 or parts[0] == "a" else ENGLISH.get(parts[0], 0)
        return count * _FRACTIONS[parts[-1].rstrip("s")] if count else None
    total = _english(parts)
    return None if total is None else Fraction(total)


def _english(parts: list[str]) -> int | None:
    total = current = 0
    for part in parts:
        if part in ENGLISH:
            current += ENGLISH[part]
        elif part == "hundred":
            current = (current or 1) * 100
        elif part in {"thousand", "million"}:
            total += (current or 1) * (1000 if part == "thousand" else 10**6)
            current = 0
        else:
            return None
    return total + current


@lru_cache(maxsize=2048)
def writings(value: Fraction) -> frozenset[str]:
    """Every way to write a number that is worth looking for, as folded text with single spaces."""
    found = {_decimal(value)}
    if value.denominator == 1:
        found |= _whole_writings(int(value))
    else:
        found |= {f"{value.numerator}/{value.denominator}", f"{_decimal(value * 100)}%"}
        found |= {f"{_decimal(value * 100)} percent", f"{_decimal(value * 100)} per cent"}
        found |= _said_fraction(value) | _said_decimal(value)
    return frozenset(each for each in found if each)


def _decimal(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.10g}"


def _whole_writings(value: int) -> set[str]:
    sign = "minus " if value < 0 else ""
    found = {"dozen"} if value == 12 else set()
    found |= {f"{value:,}", *(sign + each for each in spoken(abs(value)))}
    if value > 12:
        digits = str(value)
        found |= {" ".join(digits), " ".join(_digit_names(digits)), bin(value)[2:], bin(value)}
        found |= {hex(value), oct(value), " ".join(_digit_names(digits)).replace("zero", "oh")}
        if value < 4000:
            found.add(roman(value))
    return found


def _said_decimal(value: Fraction) -> set[str]:
    whole, _, rest = _decimal(abs(value)).partition(".")
    if not rest or not whole.isdigit() or not rest.isdigit():
        return set()
    digits = " ".join(_digit_names(rest))
    return {f"{front} point {digits}" for front in spoken(int(whole))}


def _said_fraction(value: Fraction) -> set[str]:
    names = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}
    name = names.get(value.denominator)
    top = [word for word, number in ENGLISH.items() if number == value.numerator]
    if name is None or not top:
        return set()
    if value.numerator == 1:
        return {f"one {name}", f"a {name}"}
    return {f"{top[0]} {name}s"}


def _digit_names(digits: str) -> list[str]:
    names = {str(value): word for word, value in ENGLISH.items() if value < 10}
    return [names.get(digit, digit) for digit in digits]


def roman(value: int) -> str:
    """A number from 1 in Roman letters."""
    out = ""
    for amount, sign in _ROMAN:
        while value >= amount:
            out, value = out + sign, value - amount
    return out


def numbers_in(text: str) -> Iterator[tuple[Fraction, int, int]]:
    """The numbers of a folded text written with figures, with where they start and end."""
    for match in _NUMBER.finditer(text):
        found = _fraction(match[0].lstrip("$"))
        if found is not None:
            yield found, match.start(), match.end()


def with_figures(text: str) -> str:
    """The folded text with English number words as figures: `six times seven` has 6 and 7."""
    out: list[str] = []
    pieces = re.split(r"(\W+)", text)
    at = 0
    while at < len(pieces):
        word = pieces[at]
        joined = word in _TENS and at + 2 < len(pieces) and pieces[at + 1] in {" ", "-"}
        if joined and 0 < ENGLISH.get(pieces[at + 2], 0) < 10:
            out.append(str(_TENS[word] + ENGLISH[pieces[at + 2]]))
            at += 3
            continue
        out.append(str(ENGLISH[word]) if word in ENGLISH else word)
        at += 1
    return "".join(out)


def sums(text: str) -> list[Sum]:
    """Arithmetic in a folded text, worked out. A lone number is not arithmetic."""
    text = with_figures(text)
    for pattern, signs in _PATTERNS:
        text = pattern.sub(signs, text)
    for pattern, sign in _OPERATORS:
        text = pattern.sub(sign, text)
    found: list[Sum] = []
    for match in _SUM.finditer(text):
        for piece in _operands(match[0]):
            value = evaluate(piece)
            if value is not None:
                numbers = frozenset(re.findall(r"\d+(?:\.\d+)?", piece))
                found.append(Sum(re.sub(r"\s|\(|\)", "", piece), value, numbers))
    return found


def _operands(text: str) -> Iterator[str]:
    piece = " ".join(text.split()).rstrip("+-*/ .(").strip()
    if len(piece) < 60 and re.search(r"[\d)] ?[-+*/]{1,2} ?[\d(]|^\(.*[-+*/].*\)$", piece):
        yield piece
        if piece.count("(") > 1:
            yield from (inner for inner in re.findall(r"\([^()]*\)", piece) if inner != piece)


def evaluate(text: str) -> Fraction | None:
    """What a sum comes to, or nothing if it is not one."""
    return _Parser(re.findall(r"\d+(?:\.\d+)?|\*\*|[-+*/()]", text)).value()


class _Parser:
    """Recursive descent over + - * / ** and brackets."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def value(self) -> Fraction | None:
        try:
            found = self._sum()
        except (ValueError, ZeroDivisionError, IndexError, OverflowError):
            return None
        return found if self._at == len(self._tokens) and abs(found) < _MOST else None

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _sum(self) -> Fraction:
        found = self._product()
        while self._peek() in {"+", "-"}:
            found = found + self._product() if self._next() == "+" else found - self._product()
        return found

    def _product(self) -> Fraction:
        found = self._power()
        while self._peek() in {"*", "/", "("}:
            sign = "*" if self._peek() == "(" else self._next()
            found = found * self._power() if sign == "*" else found / self._power()
        return found

    def _power(self) -> Fraction:
        base = self._atom()
        if self._peek() != "**":
            return base
        self._next()
        exponent = self._power()
        if abs(base) > 10**6 or abs(exponent) > 64:
            raise ValueError
        if exponent.denominator == 1:
            return Fraction(base ** int(exponent))
        return Fraction(float(base) ** float(exponent)).limit_denominator(10**6)

    def _atom(self) -> Fraction:
        token = self._next()
        if token == "-":
            return -self._power()
        if token == "(":
            found = self._sum()
            if self._next() != ")":
                raise ValueError
            return found
        return Fraction(token)
