"""Looks through the dress of letters: what a reader sees is compared, not which code points it is.

`see` drops what cannot be seen and turns look-alikes, circled, squared and flag letters into plain
ones; `fold` also forgets case. Both sides of a comparison are folded, so nothing is lost when an
answer itself is written in another alphabet.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from paige.base.paths import shipped

_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u180e\u034f")
_UNSEEN = frozenset({"Cf", "Mn", "Me", "Co", "Cn", "Cs"})
_TYPOGRAPHY = {
    **dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x2032, 0x00B4), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB), '"'),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-"),
    **dict.fromkeys((0x00D7, 0x22C5, 0x00B7), "*"),
    **dict.fromkeys((0x00F7, 0x2044), "/"),
}
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Letters:
    """The tables of `letters.toml`."""

    lookalikes: Mapping[int, str]
    leet: tuple[Mapping[int, str], Mapping[int, str]]
    morse: Mapping[str, str]
    braille: Mapping[int, str]
    upside_down: Mapping[int, str]
    radio: Mapping[str, str]


@cache
def letters() -> Letters:
    """Reads the tables once."""
    text = shipped("exercise/disclosure/letters.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    latin = tables["latin"]
    leet = _pairs(tables["leet"])
    lookalikes = _pairs(tables["lookalikes"])
    lookalikes |= dict(zip(map(ord, tables["small_capitals"]), latin, strict=True))
    lookalikes |= {code: sign.upper() for code, sign in _capitals(lookalikes).items()}
    return Letters(
        lookalikes=lookalikes,
        leet=(leet, leet | _pairs(tables["leet_second"])),
        morse={pair[2:]: pair[0] for pair in tables["morse"].split()},
        braille=dict(zip(map(ord, tables["braille"]), latin, strict=True)),
        upside_down=dict(zip(map(ord, tables["upside_down"]), latin, strict=True)),
        radio={word: word[0] for word in tables["radio"].split()},
    )


def _pairs(text: str) -> dict[int, str]:
    return {ord(pair[0]): pair[2:] for pair in text.split()}


def _capitals(small: Mapping[int, str]) -> dict[int, str]:
    pairs = ((chr(code).upper(), sign) for code, sign in small.items())
    return {ord(sign): latin for sign, latin in pairs if len(sign) == 1 and ord(sign) not in small}


@lru_cache(maxsize=4096)
def see(text: str) -> str:
    """The text as it looks, case kept: nothing invisible, no accents, plain letters."""
    if text.isascii():
        return _without_controls(text)
    text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    text = "".join(_plain(sign) for sign in unicodedata.normalize("NFD", text))
    return _without_controls(text.translate(letters().lookalikes).replace("\u00df", "ss"))


def fold(text: str) -> str:
    """The text as it looks, without case."""
    return see(text).casefold()


def words(text: str) -> list[str]:
    """The words of a folded text."""
    return _WORD.findall(text)


def squeeze(text: str) -> str:
    """Letters and digits of a folded text, nothing between them."""
    return "".join(_WORD.findall(text))


def _without_controls(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(sign for sign in text if (sign >= " " and sign != "\x7f") or sign in "\n\t")


def _plain(sign: str) -> str:
    if sign.isascii():
        return sign
    code = ord(sign)
    if 0x1F1E6 <= code <= 0x1F1FF:  # the letters that flags are made of
        return chr(code - 0x1F1E6 + 65)
    for start in (0x1F150, 0x1F170):  # white letters on black discs and squares
        if start <= code < start + 26:
            return chr(code - start + 65)
    if sign in _FILLERS or unicodedata.category(sign) in _UNSEEN:
        return ""
    return sign
