"""Watches a change of a prompt: is the mistake it is about rarer since it stands in the file?"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from paige.guard.graph.values import Group
from paige.guard.learning.patterns import COUNTED, Kind, pattern_key
from paige.guard.learning.prompts import PromptRecord, Verdict, judged


class Rates(NamedTuple):
    """Mistakes a session before and after a moment, and how many sessions there were since."""

    before: float
    after: float
    sessions: int


@dataclass(frozen=True, slots=True)
class Watched:
    """A change that stands in a file, how often its mistake comes, and what that says."""

    record: PromptRecord
    rates: Rates
    verdict: Verdict | None


def watch(
    records: Iterable[PromptRecord], groups: Iterable[Group], least_sessions: int
) -> tuple[Watched, ...]:
    """Every change that is being validated, with what was seen of it."""
    listed = tuple(groups)
    found: list[Watched] = []
    for record in records:
        tried = record.lineage.tried
        if tried is None or tried.stage != "validate":
            continue
        rates = rates_around(record.patterns[-1], record.agent, listed, tried.since)
        verdict = judged(rates.before, rates.after, rates.sessions, least_sessions)
        found.append(Watched(record, rates, verdict))
    return tuple(found)


def rates_around(pattern: str, agent: str, groups: Iterable[Group], moment: datetime) -> Rates:
    """How often an agent makes the mistake of a pattern, before a moment and since."""
    mine = [each for each in groups if each.agent == agent]
    before = [each for each in mine if each.last < moment]
    after = [each for each in mine if each.last >= moment]
    return Rates(_rate(pattern, before), _rate(pattern, after), _sessions(after))


def _rate(pattern: str, groups: Iterable[Group]) -> float:
    listed = tuple(groups)
    mistakes = sum(each.count for each in listed if _is_of(each, pattern))
    sessions = _sessions(listed)
    return mistakes / sessions if sessions else 0.0


def _sessions(groups: Iterable[Group]) -> int:
    return len({(each.project, each.session) for each in groups})


def _is_of(group: Group, pattern: str) -> bool:
    kind = Kind(group.agent, group.action, group.reason, group.shape)
    keys = (pattern_key(kind, group.project), pattern_key(kind, ""))
    return group.type in COUNTED and pattern in keys
