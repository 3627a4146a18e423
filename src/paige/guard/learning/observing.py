"""What the report looks at: attempts, reflections, claims and turns, out of what was noted."""

from collections.abc import Iterable, Sequence

from paige.guard.graph.values import Group
from paige.guard.guards.values import GuardRecord, Past
from paige.guard.learning.calls import STOPS
from paige.guard.learning.learning_queries import Note
from paige.guard.learning.metrics import Attempt
from paige.guard.learning.patterns import COUNTED
from paige.guard.learning.proposing import Known
from paige.guard.learning.reporting import Reflection, Seen
from paige.guard.learning.settings import ReportLimits

ATTEMPT, CLOSED = "attempt", "close-feature"


def seen_in(
    groups: Iterable[Group], notes: Sequence[Note], guards: Known, limits: ReportLimits
) -> Seen:
    """What the report is made of, from groups, notes and what is known. Pure."""
    wrong = [each for each in groups if each.type in COUNTED]
    attempts = [attempt_of(each) for each in notes if each.action == ATTEMPT]
    refused = sum(
        each.count for each in wrong if each.type == "violation" and each.action in limits.claims
    )
    claimed = [each for each in attempts if each.claimed]
    upheld = max(sum(each.verified for each in claimed), guards.tested)
    failed = sum(not each.verified for each in claimed)
    mistakes: dict[tuple[str, str], int] = {}
    for each in wrong:
        key = (each.project, each.session)
        mistakes[key] = mistakes.get(key, 0) + each.count
    turns = [each.idle_turns for each in attempts if each.idle_turns is not None]
    return Seen(
        approaches=(*approaches_of(attempts), *(switches_of(each) for each in guards.records)),
        mistakes=tuple(mistakes.values()),
        reflections=tuple(_reflection(each) for each in notes if each.action != ATTEMPT),
        claims=refused + failed + upheld,
        refuted=refused + failed,
        idle=(*turns, *idle_runs(guards.history)),
    )


def approaches_of(attempts: Iterable[Attempt]) -> list[tuple[str, ...]]:
    """The ways that were tried for each feature, in order."""
    found: dict[str, list[str]] = {}
    for each in sorted(attempts, key=lambda attempt: attempt.at):
        if each.feature and each.approach:
            found.setdefault(each.feature, []).append(each.approach)
    return [tuple(each) for each in found.values()]


def switches_of(record: GuardRecord) -> tuple[str, ...]:
    """When a guard was switched on and off again, in order."""
    steps = sorted(
        (step.at, step.stage)
        for version in record.lineage.versions
        if version.value is not None
        for step in version.history
        if step.stage in ("production", "rolled_back")
    )
    return tuple(stage for _, stage in steps)


def idle_runs(history: Iterable[Past]) -> list[int]:
    """For each session with a refused stop: the longest run of them without a call between."""
    running: dict[str, int] = {}
    longest: dict[str, int] = {}
    for past in history:
        if past.event in STOPS and not past.allowed:
            running[past.session] = running.get(past.session, 0) + 1
            longest[past.session] = max(longest.get(past.session, 0), running[past.session])
        elif past.example.tool:
            running[past.session] = 0
    # The first refusal is the guard's doing; what follows without a call is the agent's.
    return [each - 1 for each in longest.values()]


def attempt_of(note: Note) -> Attempt:
    """An attempt out of what was noted about it; what is missing or odd counts as nothing."""
    meta = note.meta
    approach, idle, prompts = meta.get("approach"), meta.get("idle_turns"), meta.get("prompts")
    return Attempt(
        at=note.at,
        feature=note.feature,
        session=note.session,
        approach=approach if isinstance(approach, str) else "",
        claimed=meta.get("claimed") is True,
        verified=meta.get("verified") is True,
        idle_turns=idle if _is_count(idle) else None,
        prompts=prompts if isinstance(prompts, int) and _is_count(prompts) else 0,
    )


def _reflection(note: Note) -> Reflection:
    text = " ".join((note.what_happened, note.what_was_correct, note.why)).strip()
    return Reflection(text=text, linked=bool(note.files or note.rule))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
