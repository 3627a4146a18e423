"""Reads a question the way memory search needs it: words, people, dates, who is meant.

No model is asked. What is left of the sentence after its small words are the terms; a name of
someone who speaks in these memories is a person, not a term.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date

from paige.memory.finding.asked_dates import AskedDates, read_dates
from paige.memory.finding.english import english

MOST_TERMS = 24  # a longer question is a text; its first words say what it is about
_WORD = re.compile(r"[^\W_]+")
_ASKER = frozenset({"i", "my", "me", "mine", "we", "our"})
_ANSWERER = frozenset({"you", "your"})


@dataclass(frozen=True, slots=True)
class Term:
    """One word to look for."""

    word: str
    forms: tuple[str, ...]  # the word itself and those the stemmer does not bring together with it
    near: tuple[str, ...]  # other words that may have been used for it
    proper: bool = False  # written like the name of someone or something


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read."""

    text: str
    terms: tuple[Term, ...]
    dropped: tuple[str, ...]  # words that say nothing about what is looked for
    named: frozenset[str]  # speakers, spelled as they are known
    dates: AskedDates
    of_asker: bool  # about the one who asks ("my")
    of_answerer: bool  # about the one who is asked ("did you recommend")

    @property
    def meaning(self) -> str:
        """The words to compare by meaning."""
        return " ".join(term.word for term in self.terms) or self.text


def read_question(
    query: str,
    speakers: Collection[str],
    *,
    near: Callable[[str], Sequence[str]] | None = None,
    today: date | None = None,
) -> Question:
    """Reads a question about memories in which `speakers` speak.

    `near` gives related words; without it only the question's own words are looked for. `today` is
    what "last week" counts from.
    """
    stop = english().stop
    words = _WORD.findall(query)
    lower = [word.lower() for word in words]
    # The first word of a sentence has a capital whatever it is
    proper = {word.lower() for word in words[1:] if word[0].isupper()}
    named, names = _named(words, speakers)
    kept = list(dict.fromkeys(w for w in lower if w not in stop and w not in names))
    if not kept and not named:
        kept = list(dict.fromkeys(lower))
    return Question(
        text=query,
        terms=tuple(
            _term(word, near, proper=word in proper) for word in _without_plurals(kept)[:MOST_TERMS]
        ),
        dropped=tuple(dict.fromkeys(w for w in lower if w in stop and w not in kept)),
        named=named,
        dates=read_dates(query, today),
        of_asker=not _ASKER.isdisjoint(lower),
        of_answerer=not _ANSWERER.isdisjoint(lower),
    )


def match_any(words: Sequence[str]) -> str:
    """The full-text expression for "any of these words"; FTS5 stems them itself."""
    quoted = (f'"{word.replace(chr(34), chr(34) * 2)}"' for word in words)
    return f"body : ({' OR '.join(quoted)})"


def _term(word: str, near: Callable[[str], Sequence[str]] | None, *, proper: bool) -> Term:
    known = english()
    forms = tuple(dict.fromkeys((word, *known.forms.get(word, ()))))
    others = () if near is None or word.isdigit() else near(word)
    others = tuple(other for other in others if other not in known.stop and other not in forms)
    return Term(word, forms, others, proper)


def _named(words: Sequence[str], speakers: Collection[str]) -> tuple[frozenset[str], set[str]]:
    """The speakers that are named, and the words that name them.

    A speaker is named by any word of the name, or by a capitalised beginning of it ("Mel").
    """
    stop = english().stop
    named: set[str] = set()
    by: set[str] = set()
    for word in dict.fromkeys(words):
        lower = word.lower()
        if lower in stop or len(lower) < 2:
            continue
        for speaker in speakers:
            for part in _WORD.findall(speaker.lower()):
                short = len(lower) >= 3 and word[0].isupper() and part.startswith(lower)
                if part == lower or (short and len(part) - len(lower) <= 5):
                    named.add(speaker)
                    by.add(lower)
    return frozenset(named), by


def _without_plurals(words: Sequence[str]) -> list[str]:
    """The words without those that differ only by a plural's s: the stemmer takes them as one."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(word[:-1] if len(word) > 3 and word.endswith("s") else word, word)
    return list(first.values())
