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
_ONESELF = re.compile(r"\b(?:i|my|me|we|our|us|mine|myself)\b", re.IGNORECASE)


def indexed_text(*, speaker: str | None, at: datetime | None, text: str) -> str:
    """The words to index: the text, and the parts of names like `readQuestion` after it."""
    if not _INSIDE.search(text):
        return text
    joined = [word for word in text.split() if _INSIDE.search(word)]
    return "\n".join((text, *(_INSIDE.sub(" ", word) for word in joined)))


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
        if not sentence.endswith("?") and _ONESELF.search(sentence):
            told += len(sentence.split())
    return min(told, TOLD_MOST)
