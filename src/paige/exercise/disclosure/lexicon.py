"""The lists of the disclosure gate, read once, and the text as it looks.

Accents, case and signs that cannot be seen make no difference. Both sides of a comparison are
folded, so nothing is lost when an answer itself has accents.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from paige.base.paths import shipped
from paige.exercise.marking.lexicon import lexicon as marking_lexicon
from paige.language.words import runs
from paige.memory.embedding import SHIPPED as VECTORS
from paige.memory.embedding import read_vocabulary

_UNSEEN = frozenset({"Cf", "Mn", "Me", "Co", "Cn", "Cs"})
_TYPOGRAPHY = {
    **dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x2032, 0x00B4), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB), '"'),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-"),
    **dict.fromkeys((0x00D7, 0x22C5, 0x00B7), "*"),
    **dict.fromkeys((0x00F7, 0x2044), "/"),
    0x00DF: "ss",
}
_LISTS = ("pointing", "following", "ruling_out", "hinting", "inviting")


@lru_cache(maxsize=4096)
def see(text: str) -> str:
    """The text as it looks, case kept: nothing invisible, no accents."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
        seen = unicodedata.normalize("NFD", text)
        text = "".join(sign for sign in seen if unicodedata.category(sign) not in _UNSEEN)
    if text.isprintable():
        return text
    return "".join(sign for sign in text if (sign >= " " and sign != "\x7f") or sign in "\n\t")


def fold(text: str) -> str:
    """The text as it looks, without case."""
    return see(text).casefold()


def squeeze(text: str) -> str:
    """Letters and digits of a folded text, nothing between them."""
    return "".join(runs(text))


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words and phrases, ready for look-up; each phrase list is one pattern."""

    common: frozenset[str]
    stop: frozenset[str]
    phrases: Mapping[str, re.Pattern[str]]
    rows: tuple[tuple[frozenset[str], ...], ...]  # a meaning: its words, by language
    meanings: Mapping[str, tuple[int, ...]]  # a word: the rows it is in

    def means(self, word: str) -> tuple[int, ...]:
        """The rows a word is in."""
        return self.meanings.get(word, ())


@cache
def lexicon() -> Lexicon:
    """Reads the lists once."""
    text = shipped("exercise/disclosure/phrases.toml").read_text(encoding="utf-8")
    lists = tomllib.loads(text)
    stop = frozenset(fold(word) for word in marking_lexicon().stop)
    rows = _rows(shipped("exercise/disclosure/concepts.tsv").read_text(encoding="utf-8"))
    meanings: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for word in frozenset().union(*row):
            meanings.setdefault(word, []).append(number)
    return Lexicon(
        common=stop | frozenset(lists["common"].split()),
        stop=stop,
        phrases={name: _pattern(lists[name]) for name in _LISTS},
        rows=rows,
        meanings={word: tuple(found) for word, found in meanings.items()},
    )


@cache
def english_words() -> frozenset[str]:
    """Words met often enough that seeing one of them proves nothing."""
    words, _ = read_vocabulary(VECTORS)
    return frozenset(word for word in words if word.isalpha() and word.isascii() and len(word) > 1)


def _rows(text: str) -> tuple[tuple[frozenset[str], ...], ...]:
    lines = [line.split("\t") for line in text.splitlines()[1:] if line]
    return tuple(tuple(frozenset(fold(cell).split(",")) for cell in line) for line in lines)


def _pattern(text: str) -> re.Pattern[str]:
    """One pattern for a list of phrases, the longest first so that it wins."""
    phrases = sorted({" ".join(each.split()) for each in text.split("|")} - {""}, key=len)
    joined = "|".join(re.escape(phrase).replace("'", "['\u2019]") for phrase in reversed(phrases))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)")
