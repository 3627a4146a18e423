"""What of a memory is looked at when it is indexed: its words, what it tells, its priority.

Who said it and when are kept as numbers beside the words, not among them: a name in the text means
that someone is spoken of, and a date in the text that something happened then.

What must not be missed when there is little room comes first: safeguarding, then needs of a class.
A memory says so itself, in `payload.priority` or among `payload.tags`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from paige.memory.embedding import WORDS_OF_ASCII, split_words

PRIORITIES: Mapping[str, int] = {"class_need": 1, "safeguarding": 2}
TOLD_MOST = 15  # words; a sentence or two about oneself is as good as ten
_INSIDE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SENTENCE = re.compile(r"[^.!?\n\[\]]+[.!?]*")
ONESELF = frozenset({"i", "my", "me", "we", "our", "us", "mine", "myself"})
_ONESELF = re.compile(rf"\b(?:{'|'.join(sorted(ONESELF))})\b", re.IGNORECASE)
_ONESELF_PLAIN = frozenset(word.encode("ascii") for word in ONESELF)
# By byte: `a` for what may stand before a capital inside a word, `A` for a capital.
_KINDS = bytes(65 if 65 <= c <= 90 else 97 if chr(c).isalnum() else 32 for c in range(128))
_KINDS += bytes(128)


def indexed_text(text: str) -> str:
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
    names_oneself = _by_words(text) if text.isascii() and "_" not in text else _by_pattern(text)
    for sentence in _SENTENCE.finditer(text):
        start, end = sentence.span()
        if text[end - 1] != "?" and names_oneself(start, end):
            told += len(text[start:end].split())
            if told >= TOLD_MOST:
                return TOLD_MOST
    return told


def _by_words(text: str) -> Callable[[int, int], bool]:
    """Whether a part of a text holds one of the words: the quick way, where it is the same."""
    plain = text.encode("ascii").translate(WORDS_OF_ASCII)
    return lambda start, end: not _ONESELF_PLAIN.isdisjoint(plain[start:end].split())


def _by_pattern(text: str) -> Callable[[int, int], bool]:
    return lambda start, end: _ONESELF.search(text[start:end]) is not None


def priority_of(payload: Mapping[str, Any]) -> int:
    """0 for ordinary memories, more for those that come first."""
    if "priority" not in payload and "tags" not in payload:
        return 0
    tags = payload.get("tags")
    named = [payload.get("priority"), *(tags if isinstance(tags, list | tuple) else ())]
    return max(PRIORITIES.get(each, 0) if isinstance(each, str) else 0 for each in named)
