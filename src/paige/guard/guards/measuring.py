"""Answers, for one guard, what the table asks that says whether to keep things or change them.

Everything is counted from what was replayed and seen; nothing is guessed. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from paige.guard.fast.guards import concerns, meets
from paige.guard.guards.matching import compiled, matches
from paige.guard.guards.replaying import Acted
from paige.guard.guards.values import Guard, GuardRecord, Past, Replay, Shadowed
from paige.guard.learning.keeping import Facts, shift_between
from paige.guard.tools import kind_of


def measure(record: GuardRecord, past: Replay, seen: Shadowed, actions: Sequence[Acted]) -> Facts:
    """The numbers behind a promotion."""
    guard = record.guard
    made = compiled(guard)
    # Sessions in which it could not have happened say nothing about how often it does.
    before, after = _halves([each for each in actions if concerns(made, each[1])])
    right = len(past.already) + len(past.corrected)
    return Facts(
        changed=len(past.harmless) + seen.harmless,
        looked_at=past.actions + seen.events,
        labels=right + seen.harmless + seen.overridden,
        forgotten=_forgotten(record.blocking, guard),
        loosened=_loosened(record.blocking, guard, actions),
        rate=_rate(guard, after),
        rate_before=_rate(guard, before),
        shift=shift_between(_mix(before), _mix(after)),
        uncovered=len(past.corrected),
        wasted=_wasted(guard, actions),
    )


def _forgotten(blocking: Guard | None, guard: Guard) -> int:
    """Examples of the version that blocks now which the new one would not meet."""
    if blocking is None or blocking is guard:
        return 0
    return sum(not matches(guard, example) for example in blocking.must)


def _loosened(blocking: Guard | None, guard: Guard, actions: Iterable[Acted]) -> int:
    """Actions the version that blocks now refused and the new one would let pass."""
    if blocking is None or blocking is guard:
        return 0
    made = compiled(guard)
    return sum(
        past.rule == blocking.rule and not past.allowed and not meets(made, action)
        for past, action in actions
    )


def _rate(guard: Guard, actions: Sequence[Acted]) -> float:
    """Mistakes a session."""
    sessions = _sessions(past for past, _ in actions)
    return sum(_mistakes(guard, actions)) / len(sessions) if sessions else 0.0


def _wasted(guard: Guard, actions: Sequence[Acted]) -> float:
    """Refused calls in each session that had one: calls the agent could have saved."""
    made = compiled(guard)
    refused = [past for past, action in actions if not past.allowed and meets(made, action)]
    sessions = _sessions(refused)
    return len(refused) / len(sessions) if sessions else 0.0


def _mistakes(guard: Guard, actions: Iterable[Acted]) -> Iterable[bool]:
    made = compiled(guard)
    return (
        (not past.allowed or past.corrected) and meets(made, action) for past, action in actions
    )


def _halves(actions: Sequence[Acted]) -> tuple[Sequence[Acted], Sequence[Acted]]:
    """The sessions of the first half and of the second, by when they began."""
    order = list(dict.fromkeys(past.session for past, _ in actions))
    first = frozenset(order[: len(order) // 2])
    before = [each for each in actions if each[0].session in first]
    return before, [each for each in actions if each[0].session not in first]


def _mix(actions: Iterable[Acted]) -> dict[str, int]:
    return dict(Counter(kind_of(past.example.tool) for past, _ in actions))


def _sessions(pasts: Iterable[Past]) -> frozenset[str]:
    return frozenset(past.session for past in pasts)
