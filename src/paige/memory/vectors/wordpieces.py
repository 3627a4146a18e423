"""Cuts texts into wordpieces exactly as BERT's uncased tokenizer does."""

import unicodedata
from collections.abc import Mapping

LONGEST_WORD = 100
_CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPieces:
    """A vocabulary; words that were cut before are remembered."""

    def __init__(self, vocabulary: Mapping[str, int], *, remembered: int = 2**15) -> None:
        self._vocabulary = vocabulary
        self._unknown = vocabulary["[UNK]"]
        self._first, self._last = vocabulary["[CLS]"], vocabulary["[SEP]"]
        self._remembered = remembered
        self._cuts: dict[str, list[int]] = {}

    def encode(self, text: str, most: int) -> list[int]:
        """The numbers of a text between the two special ones, at most `most` of them."""
        numbers = [self._first]
        for word in words_of(text):
            numbers += self._cut(word)
            if len(numbers) >= most - 1:
                break
        return [*numbers[: most - 1], self._last]

    def _cut(self, word: str) -> list[int]:
        pieces = self._cuts.get(word)
        if pieces is None:
            pieces = self._longest_first(word)
            if len(self._cuts) >= self._remembered:
                self._cuts.clear()
            self._cuts[word] = pieces
        return pieces

    def _longest_first(self, word: str) -> list[int]:
        """The longest known beginning, again and again; a word with an unknown rest is unknown."""
        pieces: list[int] = []
        start, end = 0, len(word)
        if end > LONGEST_WORD:
            return [self._unknown]
        while start < len(word):
            found = self._vocabulary.get(word[start:end] if not start else f"##{word[start:end]}")
            if found is not None:
                pieces.append(found)
                start, end = end, len(word)
            elif end - start > 1:
                end -= 1
            else:
                return [self._unknown]
        return pieces


def words_of(text: str) -> list[str]:
    """Lower case, no accents; punctuation and Chinese characters are words of their own."""
    # Character by character: of a whole word Python would also choose the final sigma.
    cleaned = "".join(_clean(each).lower() for each in text)
    plain = unicodedata.normalize("NFD", cleaned)
    spaced = (
        "" if unicodedata.category(each) == "Mn" else f" {each} " if _stands_alone(each) else each
        for each in plain
    )
    return "".join(spaced).split()


def _clean(character: str) -> str:
    if character in "\t\n\r" or unicodedata.category(character) == "Zs":
        return " "
    if character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    return f" {character} " if _is_chinese(character) else character


def _is_chinese(character: str) -> bool:
    code = ord(character)
    return code >= 0x3400 and any(low <= code <= high for low, high in _CHINESE)


def _stands_alone(character: str) -> bool:
    code = ord(character)
    if code < 128:  # also signs that Unicode does not count as punctuation, such as $ and +
        return code > 32 and not character.isalnum() and code != 127
    return unicodedata.category(character).startswith("P")
