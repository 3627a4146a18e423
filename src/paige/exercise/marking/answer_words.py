"""Reads an answer the way marking compares it: words, their stems, and which of them are denied.

A word is denied when a negation stands before it in the same clause: in "the terminals are not
connected" it is `connected`. Two readings of one idea agree when stem and denial agree, or when one
is denied and the other is its opposite.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from paige.exercise.marking.lexicon import Lexicon
from paige.language.english import NUMBERS

_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "^": "'", "`": "'", "\u02bc": "'"})
_NOT = re.compile(r"\b([a-z]+)n['\"]t\b")
_SHORT = re.compile(r"'(?:s|re|ve|ll|d|m)\b")
_PIECE = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*|[.;:!?]")
_OPENINGS = {
    "yes": "yes",
    "no": "no",
    "agree": "yes",
    "disagree": "no",
    "true": "yes",
    "false": "no",
}
_ENDS = frozenset(".;:!?")
_REACH = 5  # words after a negation that it can deny


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text that carries an idea."""

    text: str
    stem: str
    denied: bool = False
    label: bool = False  # a number or a letter that names something
    sentence: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a text that carry ideas, and how often it denies something."""

    words: tuple[Word, ...]
    stems: frozenset[str]
    denials: int
    length: int  # of all words
    every: tuple[str, ...]  # the stems of all words, in order
    plain: str  # all words, without punctuation
    choice: str = ""  # yes, no, or the letter with which it opens


class Reader:
    """Reads texts, and remembers the last few thousand."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self.read = lru_cache(maxsize=8192)(self._read)
        self._stem = lru_cache(maxsize=16384)(lexicon.stem)

    def _read(self, text: str) -> Reading:
        pieces = _PIECE.findall(self._spelled_out(text))
        words: list[Word] = []
        every: list[str] = []
        reach = denials = sentence = 0
        for at, piece in enumerate(pieces):
            if piece in _ENDS:
                reach, sentence = 0, sentence + 1
                continue
            every.append(self._stem(piece))
            if piece in self._lexicon.negators:
                denials, reach = denials + 1, _REACH
                continue
            if piece in self._lexicon.breaks:
                reach = 0
            after = pieces[at + 1] if at + 1 < len(pieces) else ""
            word = self._word(piece, after, reach > 0, sentence)
            if word is not None:
                words.append(word)
                reach = 0 if word.stem in self._lexicon.sides else reach - 1
        stems = frozenset(word.stem for word in words)
        choice = _choice(pieces)
        plain = " ".join(piece for piece in pieces if piece not in _ENDS)
        return Reading(tuple(words), stems, denials, len(every), tuple(every), plain, choice)

    def _spelled_out(self, text: str) -> str:
        text = " ".join(text.translate(_APOSTROPHES).lower().split())
        text = text.replace("can't", "can not").replace("won't", "will not")
        text = text.replace("no longer", "not")
        text = _SHORT.sub("", _NOT.sub(r"\1 not", text))
        known = self._lexicon.contractions
        return " ".join(known.get(word, word) for word in text.split())

    def _word(self, piece: str, after: str, denied: bool, sentence: int) -> Word | None:
        if piece[0].isdigit():
            return Word(piece, piece.rstrip(".,"), denied, True, sentence)
        if piece in NUMBERS:
            return Word(piece, str(NUMBERS[piece]), denied, True, sentence)
        if len(piece) == 1 and piece.isascii():
            article = piece == "a" and after not in self._lexicon.stop and after not in {"", "."}
            if article or piece in "iu":
                return None
            return Word(piece, piece, denied, True, sentence)
        if piece in self._lexicon.stop:
            return None
        return Word(piece, self._stem(piece), denied, False, sentence)


def _choice(pieces: list[str]) -> str:
    """With what a text opens when it takes a side: "Yes, because", "No.", "B. The heavier one"."""
    opening = pieces[0] if pieces else ""
    if opening in _OPENINGS:
        return _OPENINGS[opening]
    ends = len(pieces) < 2 or pieces[1] in {".", ":", "because", "is"}
    return opening if len(opening) == 1 and opening.isalpha() and ends else ""
