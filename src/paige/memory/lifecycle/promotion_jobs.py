"""The jobs that promote: from a session to its project or to long-term, then to everywhere.

Most memories keep their event and only change their scope. A keyed fact is said again where it
goes, as of when it was said first, so that of two sessions that disagree the later word holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from paige.memory.event import Draft, Event, Provenance, draft_of
from paige.memory.intake.fingerprints import FACTS
from paige.memory.lifecycle.held_memory import HeldMemory, derived_id
from paige.memory.lifecycle.job_run import JobResult, Run, current, ended_sessions
from paige.memory.lifecycle.outcomes import Outcome
from paige.memory.lifecycle.promotion import Candidate, Decision, decide_promotion

# How lasting each type is by itself, before anything is known about its use.
_LASTING = {
    "preference": 0.8, "pattern": 0.8, "fact": 0.7, "anti_pattern": 0.7, "qa": 0.6, "summary": 0.6,
}  # fmt: skip


class PromotionCandidate(NamedTuple):
    """A memory that is promoted, and what speaks for it."""

    held: HeldMemory
    decision: Decision
    sources: tuple[str, ...]

    @property
    def copied(self) -> bool:
        """Whether it is said again where it goes: a keyed fact replaces the value there."""
        moves = self.decision.to != self.held.event.scope
        return moves and self.held.event.type in FACTS and bool(self.held.event.key)


def promote_session(run: Run) -> JobResult:
    """What ended sessions leave behind: theirs to the project, or lasting."""
    seen = written = 0
    ended = _by_memory(run.ledger.outcomes)
    for session in ended_sessions(run):
        if run.expired():
            return JobResult(seen, written, True)
        memories = current(run.reading.of_session(session, run.limit))
        seen += len(memories)
        rising = [
            PromotionCandidate(held, decision, (held.id,))
            for held in memories
            if (decision := _consider(held, ended.get(held.id, []), run)) is not None
        ]
        written += _promote(run, rising)
        if "summarise_session" not in run.failed:
            run.ledger.sessions.pop(session, None)  # done; what comes later opens it again
    return JobResult(seen, written)


def promote_project(run: Run) -> JobResult:
    """What proved itself in several projects becomes known everywhere."""
    types = run.lifecycle.promotion.global_types
    memories = current(run.reading.newest(types, run.limit))
    same: dict[tuple[str, str, str], list[HeldMemory]] = {}
    for held in memories:
        key = _sameness(held.event)
        if key is not None:
            same.setdefault((held.event.owner, held.event.type, key), []).append(held)
    rising: list[PromotionCandidate] = []
    ended = _by_memory(run.ledger.outcomes)
    for members in same.values():
        newest = max(members, key=lambda each: (each.event.at, each.id))
        if any(each.event.scope == "global" for each in members):
            continue
        outcomes = {each.id: ended.get(each.id, []) for each in members}
        candidate = _across(newest, members, outcomes, run.now)
        decision = decide_promotion(candidate, run.lifecycle.promotion)
        if decision is not None:
            rising.append(PromotionCandidate(newest, decision, tuple(each.id for each in members)))
    return JobResult(len(memories), _promote(run, rising))


def _by_memory(outcomes: Iterable[Outcome]) -> dict[str, list[Outcome]]:
    """The outcomes of the tasks each memory was recalled for."""
    found: dict[str, list[Outcome]] = {}
    for each in outcomes:
        for id in dict.fromkeys(each.recalled):
            found.setdefault(id, []).append(each)
    return found


def _consider(held: HeldMemory, outcomes: Sequence[Outcome], run: Run) -> Decision | None:
    event = held.event
    candidate = Candidate(
        type=event.type,
        scope=event.scope,
        project=event.project,
        age=run.now - held.since,
        relevance=_relevance(event, outcomes, held.recalls),
        importance=held.importance,
        reinforced=run.ledger.reinforced(event) + held.recalls,
        long_term=event.id in run.ledger.long_term,
    )
    return decide_promotion(candidate, run.lifecycle.promotion)


def _relevance(event: Event, outcomes: Sequence[Outcome], recalls: int) -> float:
    """How well it fitted what was done: its kind, whether it was needed, how that ended."""
    value = _LASTING.get(event.type, 0.5)
    if event.outcome == "success":
        value += 0.2
    if recalls or outcomes:
        value += 0.1
    value += 0.2 * bool([each for each in outcomes if each.success])
    value -= 0.2 * bool([each for each in outcomes if not each.success])
    return min(1.0, max(0.0, value))


def _sameness(event: Event) -> str | None:
    """What makes memories of two projects the same thing."""
    if event.type == "pattern":
        shape = event.payload.get("shape")
        return str(sorted(shape.items())) if isinstance(shape, dict) else None
    return (
        f"{event.key.casefold()}={' '.join(event.text.casefold().split())}" if event.key else None
    )


def _across(
    newest: HeldMemory,
    members: Sequence[HeldMemory],
    ended: dict[str, list[Outcome]],
    now: datetime,
) -> Candidate:
    """A memory with what the same thing did in all its projects."""
    wins: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    for each in members:
        project = each.event.project or ""
        won = sum(outcome.success for outcome in ended[each.id])
        wins[project] += won + _count(each.event, "successes")
        losses[project] += len(ended[each.id]) - won + _count(each.event, "failures")
    outcomes = [outcome for several in ended.values() for outcome in several]
    return Candidate(
        type=newest.event.type,
        scope=newest.event.scope,
        project=newest.event.project,
        age=now - newest.since,
        relevance=_relevance(newest.event, outcomes, sum(each.recalls for each in members)),
        importance=max(each.importance for each in members),
        reinforced=len(members) + sum(each.recalls for each in members),
        projects=frozenset(each.event.project for each in members if each.event.project),
        projects_with_success=frozenset(name for name, number in wins.items() if name and number),
        successes=wins.total(),
        failures=losses.total(),
    )


def _promote(run: Run, rising: Sequence[PromotionCandidate]) -> int:
    drafts: list[Draft] = []
    for each in rising:
        # First the word that it is promoted: a copy alone would hide that this is left to do.
        drafts += [_promoted(each), _copy(each)] if each.copied else [_promoted(each)]
    return run.put(drafts)


def _promoted(rising: PromotionCandidate) -> Draft:
    """The event that says what was promoted, from where, and why."""
    event, decision = rising.held.event, rising.decision
    return Draft(
        id=derived_id("promoted", event.id, event.scope, decision.to),
        type="promoted",
        scope=event.scope,
        owner=event.owner,
        project=event.project,
        session=event.session,
        agent=event.agent,
        payload={
            "of": [_copy_id(rising) if rising.copied else event.id],
            "source": event.id,
            "from": event.scope,
            "to": decision.to,
            "project": event.project if decision.to == "project" else None,
            "score": round(decision.score, 4),
            "reason": decision.reason,
        },
        evidence=rising.sources,
        provenance=_origin(event),
    )


def _copy_id(rising: PromotionCandidate) -> str:
    return derived_id("copy", rising.held.id, rising.decision.to)


def _copy(rising: PromotionCandidate) -> Draft:
    """A keyed fact said again in its new scope, as of when it was said first.

    It belongs to no session any more: there the broker would take it for something recalled.
    """
    event, to = rising.held.event, rising.decision.to
    return replace(
        draft_of(event),
        id=_copy_id(rising),
        scope=to,
        project=event.project if to == "project" else None,
        session=None,
        payload={**event.payload, "promoted_from": event.id},
        importance=rising.held.importance,
        evidence=rising.sources,
        provenance=_origin(event),
        supersedes=event.id,
    )


def _origin(event: Event) -> Provenance:
    return Provenance(event.provenance.session_id or event.session, event.provenance.trace_id)


def _count(event: Event, name: str) -> int:
    value = event.payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
