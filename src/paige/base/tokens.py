"""An upper bound for the number of tokens of a text, without anybody's tokenizer.

A byte-pair tokenizer never leaves two neighbours apart whose joined text is one of its tokens. So a
word has at most as many tokens as the finest cut in which no two neighbours join to a token that
all known tokenizers share (`vocabulary.txt`). Everything else is counted at its worst case: a digit
and an ASCII sign are one token each, any other character as many as it has bytes. English comes out
at about one and a half times the true count. It holds for tokenizers that have the shared tokens;
the vocabulary of the newer Claude models is not published, so for them it is an estimate.
"""

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

_VOCABULARY = Path(__file__).with_name("vocabulary.txt")
_LONGEST = 16  # no shared token is longer
_LONG_WORD = 64  # such a word is data, not language, and is counted by its letters
# The space before a word or a sign belongs to it; further spaces are a token of their own.
_PIECE = re.compile(
    r"(?P<open>(?:^|(?<=\n)| )[A-Za-z]+)"  # a word with nothing but space before it
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<rule> ?(?P<sign>[-=*#_.~])(?P=sign){2,})"  # one sign repeated, as in a table
    r"|(?P<one> ?[!-/:-@\[-`{-~])"
    r"|(?P<indent> +(?= [!-/:-@\[-`{-~A-Za-z]))"
    r"|(?P<spaces> +|\n+|\t+)"
    r"|(?P<digit>[\x00-\x7f])"
    r"|(?P<other>[^\x00-\x7f]+)"
)


def count_tokens_bound(text: str) -> int:
    """A number of tokens that the text does not exceed in any common tokenizer."""
    total = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        match match.lastgroup:
            case "open":
                total += 1 if piece in _vocabulary() else _finest_cut(piece)
            case "word":
                total += _finest_cut(piece)
            case "indent":
                total += 1 + len(piece) // 8
            case "spaces":  # the last one may be split off
                total += 1 + (len(piece) > 1) + len(piece) // 8
            case "rule":
                total += 1 + len(piece) // 2
            case "other":
                total += sum(map(_character, piece))
            case _:
                total += 1
    return total


@lru_cache(maxsize=2**16)
def _finest_cut(word: str) -> int:
    """The most pieces that `word` falls into when no two neighbours join to a shared token."""
    if len(word) > _LONG_WORD:
        return len(word)
    shared = _vocabulary()
    # most[end][size]: the most pieces of word[:end] when the last of them has that size
    most: list[dict[int, int]] = [{} for _ in range(len(word) + 1)]
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - _LONGEST), end):
            before = [
                count
                for size, count in most[start].items()
                if word[start - size : end] not in shared
            ]
            if before or start == 0:
                most[end][end - start] = max(before, default=0) + 1
    return max(most[-1].values(), default=len(word))


@lru_cache(maxsize=2**12)
def _character(character: str) -> int:
    if character in _vocabulary():
        return 1
    written = (character, unicodedata.normalize("NFKC", character))  # some normalise first
    return max(len(form.encode(errors="surrogatepass")) for form in written)


@cache
def _vocabulary() -> frozenset[str]:
    lines = _VOCABULARY.read_text(encoding="utf-8").split("\n")
    return frozenset(line for line in lines if line and not line.startswith("#"))
