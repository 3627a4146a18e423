"""Notices when a new file gives a code another meaning than the files that are there.

Public texts pair real codes with made-up statements. Two honest wordings of one outcome share
words; when they share none, one of them is probably not what the code says.
"""

from paige.plan.curriculum.finding import telling_words
from paige.plan.curriculum.values import Curriculum, Library, Outcome, Problem


def clashes(curriculum: Curriculum, library: Library) -> tuple[Problem, ...]:
    """A problem for every row that shares no word with the same code elsewhere."""
    return tuple(
        problem
        for outcome in curriculum.outcomes
        for other in library.named(outcome.code)
        if (problem := _clash(outcome, other)) is not None
    )


def _clash(outcome: Outcome, other: Outcome) -> Problem | None:
    known = telling_words(f"{other.about} {' '.join(other.topics)}")
    said = telling_words(outcome.about)
    if not said or said & known:
        return None
    return Problem(
        outcome.path,
        outcome.start,
        f"{outcome.code} says “{outcome.about}” here, but `{other.path}` says “{other.about}”.",
        "Check the official document: one of them may be wrong.",
    )
