"""Compares the quoted words of a pointer with the row it points at.

Case, spaces, emphasis and the shape of quotation marks and dashes do not matter; every word does,
in its order and without gaps. Only the statement of an outcome can be quoted for it: a
misconception or a note in the same row says something else.
"""

import re
import unicodedata
from functools import lru_cache

from paige.plan.curriculum.values import Curriculum, Library, Outcome
from paige.plan.evidence_values import Pointer

LEAST_WORDS = 3
_SAME = str.maketrans(
    {
        **dict.fromkeys('\u201c\u201d\u2018\u2019\u00b4"', "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("*_`\u200b\u200c\u200d\u2060\ufeff\u00ad"),
    }
)
_EDGES = " .,;:!?'-"
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """The text as it is compared: case, spaces and the shape of marks do not matter."""
    plain = unicodedata.normalize("NFKC", text).translate(_SAME).casefold()
    return " ".join(plain.split())


def says(text: str, quote: str) -> bool:
    """Whether a text has the words of a quote, whole and in order; both as `plain_words` gives."""
    # A word may hold a hyphen or an apostrophe: a quote must not begin or end inside one.
    whole = rf"(?<![^\W_])(?<![^\W_]['-]){re.escape(quote)}(?!['-]?[^\W_])"
    return bool(quote) and re.search(whole, text) is not None


def words_fault(pointer: Pointer, file: Curriculum, outcome: Outcome, library: Library) -> str:
    """What is wrong with the quoted words, as a sentence; empty when they are the outcome's."""
    right = f"It says: “{outcome.about}”"
    if not pointer.quote.strip():
        return f"The pointer to {outcome.code} quotes no words. {right}"
    about = plain_words(outcome.about)
    quote = _without_head(plain_words(pointer.quote), outcome).strip(_EDGES)
    if not says(about, quote):
        return f"{_whose(quote, pointer, outcome, library)} {right}"
    least = min(LEAST_WORDS, len(_WORD.findall(about)))
    if len(_WORD.findall(quote)) < least:
        return f"“{pointer.quote}” is too short to be checked: quote {least} words or more. {right}"
    # Of the lines that are pointed at, only those of the statement count.
    start = max(pointer.start or 1, outcome.start)
    end = min(pointer.end or 1, outcome.about_end)
    if not says(plain_words(" ".join(file.lines[start - 1 : end])), quote):
        return (
            f"“{pointer.quote}” is not in lines {pointer.lines} of `{file.path}`, "
            f"but in lines {outcome.lines}."
        )
    return ""


def _whose(quote: str, pointer: Pointer, outcome: Outcome, library: Library) -> str:
    """Where words come from that are not the outcome's."""
    shown = f"“{pointer.quote}”"
    details = (*outcome.misconceptions, *outcome.assessment, *outcome.topics, *outcome.notes)
    if any(says(plain_words(each), quote) for each in details):
        return f"{shown} is a note in the row of {outcome.code}, not the outcome itself."
    owner = next((each for each in library.outcomes if says(plain_words(each.about), quote)), None)
    if owner is None:
        return f"{outcome.code} does not say {shown}."
    if owner.code == outcome.code:
        return f"{shown} stands in `{owner.path}`, edition {owner.edition}, not in this file."
    return f"{shown} are the words of {owner.code}, not of {outcome.code}."


def _without_head(quote: str, outcome: Outcome) -> str:
    """The quote without the code and grade that stand before the words in the file."""
    rest = quote.removeprefix("- ").removeprefix(plain_words(outcome.code)).lstrip(" :")
    return rest.removeprefix(f"(grade {outcome.grade.casefold()})").strip()
