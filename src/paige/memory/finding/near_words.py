"""Related words from the shipped word vectors: for "pets" also animals, dogs, cats.

A question often uses the general word where the memory has the particular one. The lists were
worked out when the vectors were made, so a look-up costs microseconds. Only words of the shipped
vocabulary have any; for all others the answer is empty.
"""

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from paige.memory.embedding import SHIPPED, read_vocabulary

_NONE = 2**16 - 1


class NearWords:
    """Looks up related words in a folder of static vectors, which it reads when first asked."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        self._folder = folder
        self._near = lru_cache(maxsize=4096)(self._look_up)
        self._load = cache(self._read)

    def near(self, word: str) -> tuple[str, ...]:
        """The words nearest in meaning, nearest first, none of them a form of `word` itself.

        A plural that is not in the vocabulary has those of its singular.
        """
        return next(filter(None, map(self._near, (word, *_singulars(word)))), ())

    def _look_up(self, word: str) -> tuple[str, ...]:
        words, numbers = read_vocabulary(self._folder)
        whole, nearest = self._load()
        number = numbers.get(word, _NONE)
        row = int(np.searchsorted(whole, number))
        if row == len(whole) or whole[row] != number:
            return ()
        return tuple(words[int(other)] for other in nearest[row] if other != _NONE)

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the whole words, in order, and the nearest words of each."""
        nearest = np.load(self._folder / "nearest.npy", mmap_mode="r")
        return np.load(self._folder / "whole.npy"), nearest


def _singulars(word: str) -> tuple[str, ...]:
    """What a plural may be the plural of."""
    if len(word) < 5 or not word.endswith("s"):
        return ()
    return (f"{word[:-3]}y",) if word.endswith("ies") else (word[:-1], word[:-2])
