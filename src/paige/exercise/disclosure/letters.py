"""The text as it looks: accents, case and signs that cannot be seen make no difference.

Both sides of a comparison are folded, so nothing is lost when an answer itself has accents.
"""

import re
import unicodedata
from functools import lru_cache

_UNSEEN = frozenset({"Cf", "Mn", "Me", "Co", "Cn", "Cs"})
_TYPOGRAPHY = {
    **dict.fromkeys((0x2018, 0x2019, 0x02BC, 0x2032, 0x00B4), "'"),
    **dict.fromkeys((0x201C, 0x201D, 0x201E, 0x00AB, 0x00BB), '"'),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212), "-"),
    **dict.fromkeys((0x00D7, 0x22C5, 0x00B7), "*"),
    **dict.fromkeys((0x00F7, 0x2044), "/"),
    0x00DF: "ss",
}
_WORD = re.compile(r"[^\W_]+")


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


def words(text: str) -> list[str]:
    """The words of a folded text."""
    return _WORD.findall(text)


def squeeze(text: str) -> str:
    """Letters and digits of a folded text, nothing between them."""
    return "".join(_WORD.findall(text))
