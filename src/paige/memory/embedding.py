"""Turns texts into vectors by adding up shipped word vectors: no model, no network, no service.

The table in `shipped/vectors` holds one row per wordpiece of all-MiniLM-L6-v2, already weighted so
that common words count for little; `tools/distil_vectors.py` makes it. A text is the sum of its
rows, scaled to length one. A word is cut into wordpieces once and then remembered, so the work for
a text is a dictionary look-up per word and one sum.
"""

import re
import threading
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from paige.base.paths import SHIPPED as PACKAGE_DATA

DIMENSIONS = 256
SHIPPED = PACKAGE_DATA / "vectors"
_REMEMBERED = 2**14  # words; 16 MB of sums at most
_LONGEST = 64  # a longer word is data, not language
_MOST_WORDS = 2048  # the rest of a longer text hardly moves its vector
_ONES = np.ones(_MOST_WORDS, np.float32)
# By byte, for texts of plain letters: lower case, and a space for what is no letter or digit.
WORDS_OF_ASCII = bytes(ord(chr(c).lower()) if chr(c).isalnum() else 32 for c in range(128))
WORDS_OF_ASCII += bytes(128)
# A run of letters or digits; a Chinese or Japanese character is a word of its own.
_WORD = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3400-\u9fff\uf900-\ufaff]+")


def split_words(text: str) -> list[str]:
    """The words of a text as the table spells them: lower case, no accents, no punctuation."""
    if text.isascii():
        return text.encode("ascii").translate(WORDS_OF_ASCII).decode("ascii").split()
    spread = unicodedata.normalize("NFD", text.lower())
    plain = "".join(mark for mark in spread if unicodedata.category(mark) != "Mn")
    return _WORD.findall(plain)


@cache
def read_vocabulary(folder: Path) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """The wordpieces of a table in the order of its rows, and the row of each."""
    packed = (folder / "vocabulary.txt.z").read_bytes()
    words = tuple(zlib.decompress(packed).decode().split("\n"))
    return words, {word: number for number, word in enumerate(words)}


class StaticEmbedder:
    """Embeds texts from a folder of static vectors, which it reads when first asked.

    It may be shared between threads. The same text gives the same bytes whatever was embedded
    before or beside it.
    """

    name = "static-256"
    dimension = DIMENSIONS

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._pieces: Mapping[str, int] = {}
        self._known: dict[str, int] = {}
        self._sums = np.zeros((0, DIMENSIONS), np.float32)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length one per text; a text without any known word is all zeros."""
        return self.embed_words([split_words(text) for text in texts])

    def embed_words(self, texts: Sequence[list[str]]) -> np.ndarray:
        """The same for texts that `split_words` has already cut into words."""
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        with self._lock:
            self._load()
            dot, take = np.dot, self._sums.take
            for words, vector in zip(texts, vectors, strict=True):
                if words:
                    numbers = self._numbers(words[:_MOST_WORDS])
                    dot(_ONES[: len(numbers)], take(numbers, 0), vector)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        vectors /= np.where(lengths > 0, lengths, 1)[:, None]
        return vectors

    def _load(self) -> None:
        if self._pieces:
            return
        self._table = np.load(self.folder / "table.npy", mmap_mode="r")
        self._steps = np.load(self.folder / "steps.npy").astype(np.float32)
        self._sums = np.zeros((_REMEMBERED, DIMENSIONS), np.float32)
        _, self._pieces = read_vocabulary(self.folder)

    def _numbers(self, words: list[str]) -> list[int]:
        """The places of the words' sums, working out those not seen before."""
        try:
            return list(map(self._known.__getitem__, words))
        except KeyError:
            if len(self._known) > _REMEMBERED - len(words):
                self._known.clear()
            return [self._number(word) for word in words]

    def _number(self, word: str) -> int:
        number = self._known.get(word)
        if number is None:
            number = len(self._known)
            pieces = self._cut(word)
            rows = self._table[pieces].astype(np.float32) * self._steps[pieces, None]
            self._sums[number] = rows.sum(0)
            self._known[word] = number
        return number

    def _cut(self, word: str) -> list[int]:
        """Greedy WordPiece: the longest known beginning, again and again; empty if one is not."""
        pieces: list[int] = []
        start, end = 0, len(word)
        while start < len(word) <= _LONGEST:
            piece = self._pieces.get(word[start:end] if start == 0 else f"##{word[start:end]}")
            if piece is not None:
                pieces.append(piece)
                start, end = end, len(word)
            elif end - start > 1:
                end -= 1
            else:
                return []
        return pieces
