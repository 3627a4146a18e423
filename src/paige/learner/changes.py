"""Everything that ever changed what a person knows: a list that only grows, and its fold.

A change is a result, or the taking back of an earlier change. Nothing is deleted: what is known is
worked out again from what still counts, in the order the work was done, so taking back the last
change gives exactly what was there before it. Taking back a taking-back makes it count again.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from paige.base.errors import Conflict, NotFound
from paige.exercise.result import Result
from paige.learner.progress import Evidence, Progress, Thresholds, apply, moment_of
from paige.learner.schedule import day_of


@dataclass(frozen=True, slots=True)
class Change:
    """A result that came in at `at`, or with `undoes` the taking back of an earlier change."""

    id: str
    at: datetime
    result: Result | None = None
    undoes: str | None = None
    reason: str = ""


class FoldedChanges(NamedTuple):
    """What is known by concept, and the evidence by change."""

    progress: dict[str, Progress]
    evidence: dict[str, Evidence]


def undo(
    changes: Sequence[Change], change_id: str, *, now: datetime, new_id: str, reason: str = ""
) -> tuple[Change, ...]:
    """The list with one more change that takes an earlier one back.

    Raises: NotFound, Conflict when it does not count any more.
    """
    if not any(change.id == change_id for change in changes):
        raise NotFound(f"There is no change `{change_id}`")
    if change_id in void(changes):
        raise Conflict(
            f"The change `{change_id}` was taken back already",
            hint="Take back that change to make this one count again.",
        )
    return (*changes, Change(new_id, now, undoes=change_id, reason=reason))


def void(changes: Sequence[Change]) -> frozenset[str]:
    """The changes that do not count: those that a change that counts has taken back."""
    undone_by: dict[str, set[str]] = {}
    for change in changes:
        if change.undoes is not None:
            undone_by.setdefault(change.undoes, set()).add(change.id)
    target = {change.id: change.undoes for change in changes if change.undoes is not None}
    gone: set[str] = set()
    open_undoers = {name: len(undoers) for name, undoers in undone_by.items()}
    decided = [name for name in target if name not in open_undoers]
    while decided:
        name = decided.pop()
        undone = target[name]
        if name not in gone:
            gone.add(undone)
        open_undoers[undone] -= 1
        if open_undoers[undone] == 0 and undone in target:
            decided.append(undone)
    return frozenset(gone)


def counting(changes: Sequence[Change]) -> list[Change]:
    """The results that count, in the order the work was done."""
    gone = void(changes)
    results = [each for each in changes if each.result is not None and each.id not in gone]
    return sorted(results, key=order_of)


def order_of(change: Change) -> tuple[datetime, str]:
    """Where the work of a change stands in time; ids decide between equal moments."""
    at = change.at if change.result is None else moment_of(change.result, change.at)
    return at, change.id


def fold(
    changes: Sequence[Change],
    thresholds: Thresholds,
    start: Mapping[str, Progress] | None = None,
) -> FoldedChanges:
    """What is known after all changes; concepts of changes that do not count are new."""
    progress = dict(start or {})
    evidence: dict[str, Evidence] = {}
    for change in changes:
        if change.result is not None:
            name = change.result.concept_id
            progress.setdefault(name, Progress(concept_id=name))
    load = load_of(progress.values(), thresholds)
    for change in counting(changes):
        assert change.result is not None
        before = progress[change.result.concept_id]
        after, why = apply(before, change.result, change.at, thresholds, load)
        _move(load, before, after, thresholds)
        progress[change.result.concept_id] = after
        evidence[change.id] = why
    return FoldedChanges(progress, evidence)


def load_of(progress: Iterable[Progress], thresholds: Thresholds) -> Counter[date]:
    """How many concepts are due on which day."""
    zone = thresholds.scheduling.zone
    return Counter(day_of(each.card.due, zone) for each in progress if each.card)


def _move(load: Counter[date], before: Progress, after: Progress, thresholds: Thresholds) -> None:
    zone = thresholds.scheduling.zone
    if before.card:
        load[day_of(before.card.due, zone)] -= 1
    if after.card:
        load[day_of(after.card.due, zone)] += 1
