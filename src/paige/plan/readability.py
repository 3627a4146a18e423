"""How old a reader must be for a text, by Coleman and Liau's formula.

It needs letters, words and sentences only, so it works without a dictionary. What is not prose
(code, links, tables, headings) is left out, and every item of a list counts as a sentence. Words
that a lesson explains itself do not make it harder.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from paige.plan.lesson_sections import SectionText

FEWEST_WORDS = 80
"""Below this the formula says nothing."""
_GRADE_TO_AGE = 5.0  # a first grade begins at six
_FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[^\n]*$", re.S | re.M)
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()\n]{0,300}\)")
_CODE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"<[^<>\n]*+>")
_MARKER = re.compile(r"^\s*(?:(?:[-*+>]|\d+[.)]|[a-hA-H][.)]|\[[ xX]?\])\s+)+")
_LABEL = re.compile(r"^\s*\*\*[^*\n]{1,40}\*\*:?\s*|^\s*[A-Z][\w ]{0,30}:\s+")
_SENTENCE = re.compile(r"(?<![.!?])[.!?]++(?=\s|$)")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_NEUTRAL = "thing"
_ENOUGH = 200_000  # signs that say how hard the rest is


@dataclass(frozen=True, slots=True)
class Reading:
    """What was counted in a text, and the age that comes of it."""

    letters: int
    words: int
    sentences: int

    @property
    def age(self) -> float | None:
        """The reading age in years; nothing when there is too little text."""
        if self.words < FEWEST_WORDS:
            return None
        letters = 100 * self.letters / self.words
        sentences = 100 * self.sentences / self.words
        return round(0.0588 * letters - 0.296 * sentences - 15.8 + _GRADE_TO_AGE, 1)


def reading_of(text: str, known: Iterable[str] = ()) -> Reading:
    """Count a text; the `known` words (those a lesson explains) count as an ordinary word."""
    letters = words = sentences = 0
    plain = _neutral(prose(text[:_ENOUGH]), known)
    for line in plain.split("\n"):
        found: list[str] = _WORD.findall(line)
        if not found:
            continue
        words += len(found)
        letters += sum(sum(map(str.isalpha, word)) for word in found)
        ends = [match.start() for match in _SENTENCE.finditer(line)]
        rest = line[ends[-1] :] if ends else line
        sentences += len(ends) + bool(_WORD.search(rest))
    return Reading(letters, words, sentences)


def prose(text: str) -> str:
    """A markdown text without what nobody reads as sentences."""
    text = _FENCE.sub("", text)
    text = _TAG.sub(" ", _CODE.sub(" ", _LINK.sub(r"\1", text)))
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(("|", "#"))]
    return "\n".join(_LABEL.sub("", _MARKER.sub("", line)) for line in lines)


# What pupils hear, read or do; the other sections are for the teacher.
PUPILS = ("learning-outcome", "success-criteria", "starter", "learning-cycle", "exit-", "homework")


def pupils_text(sections: Iterable[SectionText]) -> list[SectionText]:
    """The sections written for pupils; all of them where none is marked so."""
    every = list(sections)
    return [each for each in every if each.id.startswith(PUPILS)] or every


def _neutral(text: str, known: Iterable[str]) -> str:
    words = sorted({word.strip() for word in known if word.strip()}, key=len, reverse=True)
    if not words:
        return text
    pattern = "|".join(re.escape(word) for word in words)
    return re.sub(rf"(?<!\w)(?:{pattern})(?:s|es|ed|ing)?(?!\w)", _NEUTRAL, text, flags=re.I)
