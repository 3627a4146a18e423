"""Words that are looked for, and texts that hold them: pure functions, no files.

A word matches whatever its case and accents; all words have to be there. A short one has to begin a
word, a longer one may stand anywhere: people type beginnings, and `old` in `hold` helps nobody.
Where words stand decides the rank: a title that is the question comes before one that begins with
it, that before one that holds it, and that before a text that does.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.language.words import runs

MOST_WORDS = 20
MOST_LETTERS = 100
SHORT = 4
WIDTH = 160
MOST_LOOKED_AT = 20_000
_BEFORE = 40
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of a text; `hit` says that it is one of the words."""

    text: str
    hit: bool = False


def terms_of(words: str) -> tuple[str, ...]:
    """The words that are looked for, folded, each once."""
    found = [fold(word)[:MOST_LETTERS] for word in words.split()]
    return tuple(dict.fromkeys(word for word in found if word))[:MOST_WORDS]


def fold(text: str) -> str:
    """A text without case and accents."""
    if text.isascii():
        return text.lower()
    return "".join(map(_letter, text))


def holds(folded: str, terms: Sequence[str]) -> bool:
    """Whether a folded text holds all the words."""
    return all(_find(folded, term) >= 0 for term in terms)


def count_held(folded: str, terms: Sequence[str]) -> int:
    """How many of the words a folded text holds."""
    return sum(_find(folded, term) >= 0 for term in terms)


def rank(title: str, terms: Sequence[str]) -> int:
    """How well a title answers: 4 it is the question, 3 it begins so, 2 words, 1 parts, 0 none."""
    folded = fold(title)
    asked = " ".join(terms)
    if folded == asked:
        return 4
    if folded.startswith(asked):
        return 3
    if not holds(folded, terms):
        return 0
    words = runs(folded)
    return 2 if all(any(word.startswith(term) for word in words) for term in terms) else 1


def marked(text: str, terms: Sequence[str]) -> tuple[TextPart, ...]:
    """A text in pieces, those that are one of the words marked."""
    folded, places = _placed(text)
    spans: list[tuple[int, int]] = []
    for start, end in sorted(_spans(folded, terms)):
        first, last = places[start], places[end - 1] + 1
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    parts: list[TextPart] = []
    done = 0
    for first, last in spans:
        parts += [TextPart(text[done:first]), TextPart(text[first:last], hit=True)]
        done = last
    parts.append(TextPart(text[done:]))
    return tuple(part for part in parts if part.text)


def snippet(text: str, terms: Sequence[str]) -> tuple[TextPart, ...]:
    """The place of a text that the words stand in, on one line, with the words marked."""
    flat = " ".join(text[:MOST_LOOKED_AT].split())
    folded, places = _placed(flat)
    found = [place for term in terms if (place := _find(folded, term)) >= 0]
    start = max(0, places[min(found)] - _BEFORE) if found else 0
    if len(flat) - start < WIDTH:
        start = max(0, len(flat) - WIDTH)
    if start:  # at the beginning of a word, if one is near
        space = flat.find(" ", start, start + _BEFORE)
        start = space + 1 if space >= 0 else start
    cut = flat[start : start + WIDTH]
    if start + WIDTH < len(flat) and " " in cut[-_BEFORE:]:
        cut = cut[: cut.rfind(" ")]
    begins = _ELLIPSIS if start else ""
    ends = _ELLIPSIS if start + len(cut) < len(flat) else ""
    return marked(f"{begins}{cut}{ends}", terms)


def line_of(text: str, terms: Sequence[str]) -> int | None:
    """The first line, counted from 1, that holds most of the words."""
    best, most = None, 0
    for number, line in enumerate(text[:MOST_LOOKED_AT].splitlines(), 1):
        folded = fold(line)
        count = sum(_find(folded, term) >= 0 for term in terms)
        if count > most:
            best, most = number, count
    return best


@lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    plain = letter
    for _ in range(2):  # some signs become capital letters when they are taken apart
        plain = unicodedata.normalize("NFKD", plain.casefold())
    return "".join(each for each in plain.casefold() if not unicodedata.combining(each))


def _placed(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its letters the place of the one it was made of."""
    if text.isascii():
        return text.lower(), range(len(text))
    letters = [_letter(letter) for letter in text]
    places = [place for place, each in enumerate(letters) for _ in each]
    return "".join(letters), places


def _spans(folded: str, terms: Sequence[str]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for term in terms:
        place = _find(folded, term)
        while place >= 0:
            found.append((place, place + len(term)))
            place = _find(folded, term, place + len(term))
    return found


def _find(folded: str, term: str, start: int = 0) -> int:
    """The next place of a word in a folded text, or -1."""
    place = folded.find(term, start)
    # Languages without spaces have no beginnings of words.
    if len(term) >= SHORT or not term.isascii():
        return place
    while place > 0 and folded[place - 1].isalnum():
        place = folded.find(term, place + 1)
    return place
