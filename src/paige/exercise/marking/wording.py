"""Brings the wording of a short answer to one form, so that only what matters is compared.

Case, punctuation, short forms, articles and American or British spelling do not matter. Accents do,
so a text is kept with and without them.
"""

import re
import unicodedata
from dataclasses import dataclass
from itertools import product

from paige.exercise.marking.closed_lists import ClosedLists
from paige.exercise.marking.lexicon import Lexicon

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "`": "'", "\u02bc": "'", "\u00b4": "'"})
_FULL = (
    (re.compile(r"\bcan't\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b([a-z]+)n't\b"), r"\1 not"),
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b([a-z]+)'re\b"), r"\1 are"),
    (re.compile(r"\b([a-z]+)'ve\b"), r"\1 have"),
    (re.compile(r"\b([a-z]+)'ll\b"), r"\1 will"),
    (re.compile(r"\b(it|he|she|that|what|where|there|who|how|here)'s\b"), r"\1 is"),
    (re.compile(r"\bcannot\b"), "can not"),
)
_BRITISH = (
    (re.compile(r"(?<=\w\w)our\b"), "or"),
    (re.compile(r"(?<=\w\w)is(e|ed|es|ing|ation)\b"), r"iz\1"),
    (re.compile(r"(?<=\w\w)yse\b"), "yze"),
    (re.compile(r"(?<=\w\w)tre\b"), "ter"),
    (re.compile(r"(?<=\w\w)ogue\b"), "og"),
)
_GAP = re.compile(r"[^\w%°$£€+#*/<>=-]+|_+")
_LONE = re.compile(r"(?<!\w)[-*/<>=]+(?!\w)|(?<=\w)-(?=\w)|(?<=\w)[/=<>*]+(?=\s|$)")
_BRACKET = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_MOST_BRACKETS = 4


@dataclass(frozen=True, slots=True)
class Wording:
    """One text in the form it is compared in."""

    text: str  # as written
    words: tuple[str, ...]  # with accents, without a leading article
    article: str = ""

    @property
    def key(self) -> str:
        """The words in one line."""
        return " ".join(self.words)


def folded(text: str) -> str:
    """The text without accents."""
    if text.isascii():
        return text
    spread = unicodedata.normalize("NFD", text)
    return "".join(mark for mark in spread if not unicodedata.combining(mark))


def wording(text: str, lists: ClosedLists, lexicon: Lexicon) -> Wording:
    """The text in the form it is compared in."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES).casefold()
    plain = unicodedata.normalize("NFC", plain.translate(lists.spellings))
    for form, instead in _FULL:
        plain = form.sub(instead, plain)
    known = lexicon.contractions
    plain = " ".join(known.get(word, word) for word in plain.split())
    plain = _LONE.sub(" ", _GAP.sub(" ", plain))
    for form, instead in _BRITISH:
        plain = form.sub(instead, plain)
    words = plain.split()
    article = ""
    # Of letters alone, `a` is one of them and no article.
    lettered = all(len(word) == 1 for word in words)
    if len(words) > 1 and not lettered and (words[0] in lists.articles or words[0] == "to"):
        article, words = words[0], words[1:]
    return Wording(text.strip(), tuple(words), article)


def without_opening(said: Wording, lists: ClosedLists) -> tuple[str, ...]:
    """The words after `the answer is` and the like."""
    for opening in lists.openings:
        parts = tuple(opening.split())
        for start in (parts, parts[1:] if parts[0] in lists.articles else parts):
            if said.words[: len(start)] == start and len(said.words) > len(start):
                rest = said.words[len(start) :]
                return rest[1:] if len(rest) > 1 and rest[0] in lists.articles else rest
    return said.words


def variants(alternative: str) -> list[str]:
    """An accepted answer with and without what stands in brackets: `selamat (pagi)`, `colo(u)r`."""
    brackets = list(_BRACKET.finditer(alternative))[:_MOST_BRACKETS]
    if not brackets or brackets[0].group(0) == alternative.strip():
        return [alternative]
    found = []
    for kept in product((True, False), repeat=len(brackets)):
        text, end = "", 0
        for match, keep in zip(brackets, kept, strict=True):
            text += alternative[end : match.start()]
            text += (match[1] or match[2] or "") if keep else ""
            end = match.end()
        text = (text + alternative[end:]).strip()
        if text:
            found.append(text)
    return list(dict.fromkeys([*found, alternative]))
