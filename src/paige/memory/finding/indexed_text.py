"""What of a memory is looked at when it is indexed: its words, how many, and what it tells.

Who said it and when are kept as numbers beside the words, not among them: a name in the text means
that someone is spoken of, and a date in the text that something happened then.
"""

import re
from datetime import datetime

from paige.memory.embedding import split_words

TOLD_MOST = 15  # words; a sentence or two about oneself is as good as ten
_INSIDE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE = re.compile(r"[^.!?\n\[\]]+[.!?]*")
ONESELF = frozenset({"i", "my", "me", "we", "our", "us", "mine", "myself"})
_ONESELF = re.compile(rf"\b(?:{'|'.join(sorted(ONESELF))})\b", re.IGNORECASE)
# By byte: `a` for what may stand before a capital inside a word, `A` for a capital.
_KINDS = bytes(65 if c < 91 and c > 64 else 97 if chr(c).isalnum() else 32 for c in range(128))
_KINDS += bytes(128)


def indexed_text(*, speaker: str | None, at: datetime | None, text: str) -> str:
    """The words to index: the text, and the parts of names like `readQuestion` after it."""
    if not _has_joined(text):
        return text
    joined = [word for word in text.split() if _INSIDE.search(word)]
    return "\n".join((text, *(_INSIDE.sub(" ", word) for word in joined)))


def _has_joined(text: str) -> bool:
    if text.isascii():  # several times quicker than the pattern, and asked of every text
        return b"aA" in text.encode("ascii").translate(_KINDS)
    return _INSIDE.search(text) is not None


def length_of(text: str) -> int:
    """The number of words of a text."""
    return len(split_words(text))


def told_of(text: str, speaker: str | None) -> int:
    """How many words, at most 15, are in sentences where the speaker tells of themself.

    Such sentences are what people ask for later; greetings, praise and questions hardly ever. A
    memory that nobody speaks (a note, a fact) is nothing but telling.
    """
    if not speaker:
        return TOLD_MOST
    told = 0
    for sentence in _SENTENCE.findall(text):
        if told >= TOLD_MOST:
            break
        if not sentence.endswith("?") and _names_oneself(sentence):
            told += len(sentence.split())
    return min(told, TOLD_MOST)


def _names_oneself(sentence: str) -> bool:
    if sentence.isascii() and "_" not in sentence:  # the same words, found more quickly
        return not ONESELF.isdisjoint(split_words(sentence))
    return _ONESELF.search(sentence) is not None
