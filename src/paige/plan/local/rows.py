"""The curriculum rows of a lesson, word for word: those of a shipped lesson, or found by search."""

from collections.abc import Sequence
from dataclasses import dataclass

from paige.language.english import english, stem
from paige.language.words import runs
from paige.plan.curriculum.search import find, same_level
from paige.plan.curriculum.values import Library, Outcome
from paige.plan.lessons.lesson import Claim
from paige.plan.local.brief import Brief
from paige.plan.local.topics import Topic

MOST_CLAIMS = 2
UNVERIFIED = (
    "A quoted row is unverified: compare it with the official document before you rely on it."
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a lesson, and what a teacher should know about them."""

    outcomes: tuple[Outcome, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The rows as a lesson claims them."""
        return tuple(claim_of(each) for each in self.outcomes)


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


def rows_of(topic: Topic, library: Library, level: str, asked: Sequence[str] = ()) -> Rows:
    """The rows of a shipped lesson at a level; nothing where the workspace has none.

    Rows that are `asked` for by their codes come first, if the lesson belongs to them. Without a
    level it is that of the lesson's first row.
    """
    rows = [row for code in topic.outcomes for row in library.named(code)[:1]]
    if not rows:
        return Rows()
    named = [row for row in rows if row.code in asked]
    level = level or (named or rows)[0].level
    own = [row for row in named or rows if same_level(row.level, level)]
    verified = [row for row in own if row.verified]
    return _remarked((verified or own)[:MOST_CLAIMS])


def rows_for(brief: Brief) -> Rows:
    """The rows that a request names by their codes, or that speak of what it is about.

    Where the class has curriculum files, no others are searched. Words that only name a subject
    prove nothing.
    """
    library = brief.library
    named = [row for code in brief.codes for row in library.named(code)[:1]]
    if named:
        return _remarked(named[:MOST_CLAIMS])
    telling = _telling(brief.words, library)
    for name in (brief.curricula or (None,)) if telling else ():
        found = find(library, " ".join(telling), brief.level or None, name)[:3]
        if own := [row for row in found if _speaks_of(row, telling)]:
            return _remarked(own[:MOST_CLAIMS], found=True)
    return Rows()


def _telling(words: str, library: Library) -> list[str]:
    """The words of a request that do not only name a subject."""
    names = " ".join(f"{file.subject} {' '.join(file.also)}" for file in library.curricula)
    common = {stem(word) for word in runs(names.casefold())}
    found = [word for word in runs(words.casefold()) if len(word) > 2]
    return [word for word in found if stem(word) not in common and word not in english().unsearched]


def _speaks_of(row: Outcome, telling: Sequence[str]) -> bool:
    """Whether most of the words stand in what a row is about."""
    text = f"{row.about} {' '.join(row.topics)} {row.organiser}".casefold()
    have = {stem(word) for word in runs(text)}
    return 2 * sum(stem(word) in have for word in telling) > len(telling)


def _remarked(rows: Sequence[Outcome], *, found: bool = False) -> Rows:
    remarks = ["The curriculum was searched for your words: check the rows."] if found else []
    remarks += [UNVERIFIED] if any(not row.verified for row in rows) else []
    return Rows(tuple(rows), tuple(remarks))
