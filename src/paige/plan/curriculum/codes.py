"""How the codes of outcomes are written, compared, and found in a text.

A code of Curriculum for Excellence is an area, a level, an organiser and a letter: `TCH 3-15a`.
Other frameworks have other forms; their codes are compared as words. People and models write codes
loosely (`tch3-15A`, with odd dashes and spaces), so they are compared in one normal form.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_AREAS = "ENG|EXA|GAI|HWB|LGL|LIT|MLAN|MNU|MTH|RERC|RME|SCN|SOC|TCH"
LEVELS = {"0": "Early", "1": "First", "2": "Second", "3": "Third", "4": "Fourth"}
CODE_IN_TEXT = rf"(?:{_AREAS})[\s-]*+\d\s?[-.]\s?\d\d\s?[a-z]?"
"""A code of Curriculum for Excellence inside a cleaned text, for patterns that ignore case."""

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
_UNSEEN = dict.fromkeys([*range(0x200B, 0x2010), 0x2060, 0xFEFF, 0xAD])
# Letters of other alphabets that look like those of a code: they must not hide one.
_FOREIGN = "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406"
_GREEK = "\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7"
_ALIKE = str.maketrans(_FOREIGN + _GREEK, "ABEKMHOPCTXIABEHIKMNOPTX")
_EMPHASIS = str.maketrans("", "", "*_`\\")

_CFE = re.compile(
    r"(?P<area>[A-Z]{2,4})[\s-]*+(?P<level>\d)\s?[-.]\s?(?P<row>\d\d)\s?(?P<letter>[a-z]?)$", re.I
)
_FORMS = (
    rf"(?<![A-Za-z0-9])(?i:{CODE_IN_TEXT}|(?:{_AREAS})[\s-]*+\d-xx)(?![A-Za-z0-9])",
    r"(?<![A-Za-z0-9])[A-Z]{3,4}\s?\d-\d\d[a-f](?![A-Za-z0-9])",  # of no known area
    r"(?<![\w-])[0-4]-(?i:\d\d[a-f]|xx)(?![\w-])",  # without an area
)
_CLAIMED = re.compile("|".join(_FORMS))


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A code in a text, in its normal form, and the line it stands in."""

    code: str
    line: int


def clean(text: str) -> str:
    """The text as it is read: plain letters and dashes, no emphasis; its lines stay its lines."""
    return "\n".join(_clean_line(line) for line in text.split("\n"))


@lru_cache(maxsize=4096)
def normal_code(code: str) -> str:
    """The one way to write a code: `tch3-15A` is `TCH 3-15a`."""
    match = _CFE.match(" ".join(clean(code).split()))
    if match is None:
        return " ".join(code.split())
    return f"{match['area'].upper()} {match['level']}-{match['row']}{match['letter'].lower()}"


def same_code(one: str, other: str) -> bool:
    """Whether two spellings are one code."""
    return one == other or _key(one) == _key(other)


@lru_cache(maxsize=4096)
def _key(code: str) -> str:
    return clean(normal_code(code)).casefold()


def is_cfe_code(code: str) -> bool:
    """Whether it has the form of a Curriculum for Excellence code with its letter."""
    match = _CFE.match(normal_code(code))
    return match is not None and bool(match["letter"])


def level_of(code: str) -> str | None:
    """The level that a code of Curriculum for Excellence names, `None` for other codes."""
    match = _CFE.match(normal_code(code))
    return LEVELS.get(match["level"]) if match and match["letter"] else None


def find_codes(text: str, known: Iterable[str] = ()) -> list[FoundCode]:
    """Every code in a text, by line: of the known form, of no known area, or known by name."""
    plain = clean(text)
    found: list[FoundCode] = []
    line, counted = 1, 0
    for match in _pattern(frozenset(known)).finditer(plain):
        line += plain.count("\n", counted, match.start())
        counted = match.start()
        found.append(FoundCode(normal_code(match[0]), line))
    return found


@lru_cache(maxsize=64)
def _pattern(known: frozenset[str]) -> re.Pattern[str]:
    # A code such as `1.2` stands in any text; only one with letters and digits is recognisable.
    telling = {
        clean(code)
        for code in known
        if len(code) > 3 and re.search(r"[A-Za-z]", code) and re.search(r"\d", code)
        if not is_cfe_code(code)
    }
    if not telling:
        return _CLAIMED
    longest_first = sorted(telling, key=lambda code: (-len(code), code))
    either = "|".join(re.escape(code) for code in longest_first)
    return re.compile(rf"(?<![\w-])(?i:{either})(?![\w-])|{_CLAIMED.pattern}")


def _clean_line(line: str) -> str:
    plain = unicodedata.normalize("NFKC", html.unescape(line) if "&" in line else line)
    plain = plain.translate(_DASHES).translate(_UNSEEN).translate(_ALIKE).translate(_EMPHASIS)
    return plain.replace("\n", " ").replace("\r", " ")
