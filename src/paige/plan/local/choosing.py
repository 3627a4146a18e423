"""The curriculum rows of a lesson: those of its topic at the level of the class, word for word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paige.exercise.marking.stems import stem
from paige.memory.finding.english import english
from paige.plan.curriculum.finding import find, same_level
from paige.plan.curriculum.values import Library, Outcome
from paige.plan.lesson import Claim
from paige.plan.local.topics import Topic

MOST_CLAIMS = 2
_WORD = re.compile(r"[a-z0-9]+")
_ORDER = ("early", "first", "second", "third", "fourth", "national 5")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of a lesson, and what a teacher should know about the choice."""

    outcomes: tuple[Outcome, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The rows as a lesson claims them."""
        return tuple(claim_of(each) for each in self.outcomes)

    @property
    def level(self) -> str:
        """The level of the first row."""
        return self.outcomes[0].level if self.outcomes else ""


def claim_of(outcome: Outcome) -> Claim:
    """A row as a claim: its own words at its own lines."""
    return Claim(
        outcome.code,
        outcome.quote,
        outcome.path,
        outcome.start,
        outcome.about_end,
        outcome.edition,
    )


def rows_for(topic: Topic, library: Library, level: str, asked: Sequence[str] = ()) -> Chosen:
    """The rows a topic belongs to; where the level has none, those of the nearest one.

    Rows that are `asked` for by their codes come first, if the topic belongs to them.
    """
    wanted = [row for code in asked for row in library.named(code)[:1]]
    own = [row for row in wanted if row.code in topic.outcomes]
    if own:
        return _with_remarks(own[:MOST_CLAIMS], level)
    rows = [row for code in topic.outcomes for row in library.named(code)[:1]]
    if not rows:
        found = find(library, f"{topic.title} {topic.names[0]}", level or None, topic.subject)
        return _with_remarks(found[:1], level, nearest=True)
    if not level:
        return _with_remarks(_of_level(rows, rows[0].level), "")
    own = _of_level(rows, level)
    if own:
        return _with_remarks(own, level)
    nearest = min(rows, key=lambda row: abs(_rank(row.level) - _rank(level)))
    return _with_remarks(_of_level(rows, nearest.level), level)


def rows_for_words(
    words: str,
    library: Library,
    level: str,
    subjects: Sequence[str],
    asked: Sequence[str] = (),
) -> tuple[Chosen, bool]:
    """The row that fits some words best, and whether it really speaks of them.

    A row that is asked for by its code is that row. The class's own files come before any others.
    Words that only name a subject prove nothing.
    """
    named = [row for code in asked for row in library.named(code)[:1]]
    if named:
        return _with_remarks(named[:MOST_CLAIMS], level), True
    telling = _telling(words, library)
    for name in (*subjects, None) if telling else ():
        for row in find(library, " ".join(telling), level or None, name)[:3]:
            if _speaks_of(row, telling):
                return _with_remarks([row], level), True
    for name in (*subjects, None):
        found = find(library, "", level or None, name)
        if found:
            return _with_remarks(found[:1], level, nearest=True), False
    return Chosen((), ("No curriculum file has a row for this: the lesson makes no claim.",)), False


def _telling(words: str, library: Library) -> list[str]:
    """The words of a request that do not only name a subject."""
    names = " ".join(f"{file.subject} {' '.join(file.also)}" for file in library.curricula)
    common = {stem(word) for word in _WORD.findall(names.casefold())}
    found = [word for word in _WORD.findall(words.casefold()) if len(word) > 2]
    return [word for word in found if stem(word) not in common and word not in english().stop]


def _speaks_of(row: Outcome, telling: Sequence[str]) -> bool:
    """Whether at least half of the words stand in what a row is about."""
    text = f"{row.about} {' '.join(row.topics)} {row.organiser}".casefold()
    have = {stem(word) for word in _WORD.findall(text)}
    return 2 * sum(stem(word) in have for word in telling) >= len(telling)


def _of_level(rows: Sequence[Outcome], level: str) -> list[Outcome]:
    """Verified rows first: a row that nobody has checked stands in only when there is no other."""
    own = [row for row in rows if same_level(row.level, level)]
    verified = [row for row in own if row.verified]
    return (verified or own)[:MOST_CLAIMS]


def _with_remarks(rows: Sequence[Outcome], level: str, *, nearest: bool = False) -> Chosen:
    remarks: list[str] = []
    if nearest and rows:
        remarks.append(
            "No curriculum row names this topic. The row quoted is the nearest one: check whether "
            "it is the one you mean."
        )
    if rows and level and not same_level(rows[0].level, level):
        remarks.append(
            f"The quoted row is of {rows[0].level} level; the class works at {level} level."
        )
    if any(not row.verified for row in rows):
        remarks.append(
            "A quoted row is unverified: compare it with the official document before you rely on "
            "it."
        )
    return Chosen(tuple(rows), tuple(remarks))


def _rank(level: str) -> int:
    name = level.casefold()
    return next((at for at, each in enumerate(_ORDER) if name.startswith(each)), len(_ORDER))
