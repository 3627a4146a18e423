"""What a word and a sentence are, and when two texts say the same: one definition for all rooms.

A word is a run of letters and digits; an apostrophe or a hyphen between two of them belongs to it.
A sentence ends at a sign that ends sentences, if a space or nothing follows, and at the end of a
line; the number of an entry (`1.`) goes with what it counts.
"""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")
_CLOSING = r"[\"')\]*\u201d\u2019]"
_EAST = "\u3002\uff01\uff1f"  # full stop, exclamation and question mark of East Asian texts
_SENTENCE = re.compile(
    rf"(?=\S)(?:(?:\d{{1,3}}|[^\W\d_])[.)][^\S\n]++)?"
    rf"(?:[^.!?{_EAST}\n]++|[.!?]++{_CLOSING}*+(?!\s|$))*+(?:[.!?{_EAST}]++{_CLOSING}*+)?"
)
_PLAIN_LETTERS = str.maketrans({"\u2019": "'", "ł": "l", "ø": "o", "đ": "d", "\u0131": "i"})


def words(text: str) -> list[str]:
    """The words of a text, as they are written."""
    return _WORD.findall(text)


def word_count(text: str) -> int:
    """The number of words in a text."""
    return len(_WORD.findall(text))


def runs(text: str) -> list[str]:
    """The runs of letters and digits: words, divided at apostrophes and hyphens."""
    return _RUN.findall(text)


def plain(text: str) -> str:
    """A text as two of them are compared: small letters and digits, single spaces."""
    return " ".join(_RUN.findall(text.casefold()))


def fold(text: str) -> str:
    """A text without case and accents."""
    if text.isascii():
        return text.lower()
    spread = unicodedata.normalize("NFKD", text)
    bare = "".join(sign for sign in spread if not unicodedata.combining(sign))
    return bare.casefold().translate(_PLAIN_LETTERS)


def sentences(text: str) -> list[str]:
    """The sentences of a text, as they are written, without the space around them."""
    return [found.rstrip() for found in _SENTENCE.findall(text)]
