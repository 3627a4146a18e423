"""The jobs that keep memory in order and make it better, each bounded and safe to run again.

A job looks at a bounded number of memories, decides with the pure functions of this room, and
writes events through the broker. It keeps no state of its own: where it stopped is in the ledger,
what it did is in the log, and ids that follow from what an event is about keep it from being
written twice. Nobody runs these jobs in the background; events do, see `maintenance.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from paige.base.clock import to_iso
from paige.memory.event import Draft, Event
from paige.memory.lifecycle.held_memory import HeldMemory, derived_id, tier_of
from paige.memory.lifecycle.job_run import JobResult, Run, current, ended_sessions
from paige.memory.lifecycle.patterns import (
    Case,
    Caution,
    Kind,
    again_draft,
    cases_of,
    caution_of,
    derive,
    faded,
    outdated,
    pattern_draft,
    retire_draft,
    revalidate,
)
from paige.memory.lifecycle.policies import PolicyBook, default_policy, fold_policies
from paige.memory.lifecycle.recalibration import Rescoring, Signals, recalibrate_batch
from paige.memory.lifecycle.retention import leaves
from paige.memory.lifecycle.summaries import (
    SUMMARISED,
    Boundary,
    Group,
    SummaryInputs,
    group,
    passages,
    summarise,
    summary_draft,
)
from paige.memory.lifecycle.thresholds import Lifecycle
from paige.memory.lifecycle.trials import TrialEvidence, policy_steps

_HALF_LIFE = timedelta(days=30)


# --- organise ---


def summarise_session(run: Run) -> JobResult:
    """A summary of what ended sessions said since their last one; memories stay where they are."""
    seen = written = 0
    for session in ended_sessions(run):
        if run.expired():
            return JobResult(seen, written, True)
        memories = current(run.reading.of_session(session, run.limit))
        covered = {id for each in memories for id in _sources(each.event)}
        new = [
            each for each in memories if each.event.type in SUMMARISED and each.id not in covered
        ]
        seen += len(memories)
        least = run.lifecycle.summary.most_group if run.paused else None
        reason = "the session grew long" if run.paused else "the session ended"
        written += _summarise(run, new, "session end", reason, least=least)
    return JobResult(seen, written)


def summarise_tiers(run: Run) -> JobResult:
    """Memories that cross a boundary by age get a summary, and go into the next tier."""
    thresholds = run.lifecycle.tiers
    before = run.now - timedelta(days=thresholds.hot_days)
    page = run.reading.aged(before, after=run.ledger.marks.get("tiers", 0), limit=run.limit)
    warm: list[HeldMemory] = []
    cold: list[HeldMemory] = []
    for held in current(page.held):
        if held.event.type in SUMMARISED:
            tier = tier_of(*_ages(held, run.now), held.importance, held.recalls, thresholds)
            if held.tier == "hot" and tier != "hot":
                warm.append(held)
            elif held.tier == "warm" and tier == "cold":
                cold.append(held)
    written = _summarise(run, warm, "hot to warm", f"older than {thresholds.hot_days:.0f} days")
    written += _summarise(run, cold, "warm to cold", f"older than {thresholds.warm_days:.0f} days")
    run.ledger.marks["tiers"] = page.cursor or 0
    return JobResult(len(page.held), written, page.cursor is not None)


def retain(run: Run) -> JobResult:
    """What sessions said and nobody kept leaves the hot index; forgetting is finished."""
    thresholds = run.lifecycle.retention
    before = run.now - timedelta(days=thresholds.session_days)
    page = run.reading.aged(before, after=run.ledger.marks.get("retention", 0), limit=run.limit)
    going = [
        held
        for held in page.held
        if leaves(held, long_term=run.ledger.long_term, now=run.now, thresholds=thresholds)
    ]
    reason = f"said in a session and not kept for {thresholds.session_days:.0f} days"
    written = _summarise(run, going, "retention", reason, least=1)
    run.ledger.marks["retention"] = page.cursor or 0
    if run.erase is not None and run.ledger.erase:
        run.erase(list(run.ledger.erase))  # done before in most cases; then it changes nothing
        run.ledger.erase.clear()
    return JobResult(len(page.held), written, page.cursor is not None)


def derive_patterns(run: Run) -> JobResult:
    """Patterns and warnings from repeated episodes; warnings meet new outcomes."""
    if not run.ledger.episodes:
        return JobResult()
    episodes = [each.event for each in run.reading.newest(("episode",), run.limit)]
    cases = cases_of(episodes)
    known = _known_patterns(run)
    thresholds = run.lifecycle.patterns
    drafts = [pattern_draft(each) for each in derive(cases, known, thresholds)]
    drafts += [
        retire_draft(each.pattern, each.reason) for each in outdated(cases, known, thresholds)
    ]
    drafts += _revalidated(run, cases, known)
    written = run.put(drafts)
    run.ledger.episodes = 0
    return JobResult(len(episodes), written)


def decay(run: Run) -> JobResult:
    """Warnings that nothing confirmed for long are retired."""
    thresholds = run.lifecycle.negative
    cautions = current(run.reading.newest(("anti_pattern",), run.limit))
    drafts = [
        retire_draft(held.event, why)
        for held in cautions
        if (why := faded(caution_of(held.event, thresholds), run.now, thresholds)) is not None
    ]
    return JobResult(len(cautions), run.put(drafts))


# --- improve ---


def recalibrate(run: Run) -> JobResult:
    """Importance follows use: one event for a batch, with what changed."""
    thresholds = run.lifecycle.recalibration
    ids = list(run.ledger.touched)[: run.limit]
    idle = run.now - timedelta(days=thresholds.unused_days)
    page = run.reading.aged(idle, after=run.ledger.marks.get("importance", 0), limit=run.limit)
    memories = {each.id: each for each in [*run.reading.get(ids), *page.held]}
    outcomes = run.ledger.outcomes
    ended = Counter((id, each.success) for each in outcomes for id in each.recalled)
    usual = sum(each.success for each in outcomes) / len(outcomes) if outcomes else 0.5
    signals = {
        id: _signals(held, (ended[id, True], ended[id, False]), usual, run)
        for id, held in memories.items()
        if held.current
    }
    changed = recalibrate_batch(signals, thresholds)
    written = run.put([_importance(changed, run.now)]) if changed else 0
    for id in ids:
        run.ledger.touched.pop(id, None)
    run.ledger.marks["importance"] = page.cursor or 0
    return JobResult(len(memories), written, bool(run.ledger.touched) or page.cursor is not None)


def improve_policies(run: Run) -> JobResult:
    """The next step of every retrieval policy, as outcomes decide."""
    book = policy_book(run.ledger.policies, run.lifecycle)
    learning = TrialEvidence(policy=run.lifecycle.policy, stages=run.lifecycle.stages, now=run.now)
    drafts = policy_steps(book, run.ledger.outcomes, _features(run), learning)
    return JobResult(len(run.ledger.outcomes), run.put(drafts))


def policy_book(events: Iterable[Event], lifecycle: Lifecycle) -> PolicyBook:
    """Every policy and what holds now, from policy records in any order."""
    records = sorted(events, key=lambda each: (each.at, each.seq))
    return fold_policies(records, default_policy(lifecycle.policy), lifecycle.stages)


# --- parts of the jobs ---


def _sources(event: Event) -> list[str]:
    """What a summary is of; nothing for everything else."""
    of = event.payload.get("of")
    return of if event.type == "summary" and isinstance(of, list) else []


def _summarise(
    run: Run,
    memories: Sequence[HeldMemory],
    boundary: Boundary,
    reason: str,
    *,
    least: int | None = None,
) -> int:
    thresholds = run.lifecycle.summary
    groups = group(
        memories,
        boundary,
        least=thresholds.least_group if least is None else least,
        most=thresholds.most_group,
    )
    drafts: list[Draft] = []
    for each in groups:
        if run.expired():
            break
        draft = _summary(run, each, boundary, reason)
        if draft is not None:
            drafts.append(draft)
    return run.put(drafts)


def _summary(run: Run, members: Group, boundary: Boundary, reason: str) -> Draft | None:
    inputs = SummaryInputs(passages(members), run.lifecycle.summary)
    summary = summarise(inputs, run.model)
    return summary_draft(members, boundary, summary, reason) if summary.text else None


def _ages(held: HeldMemory, now: datetime) -> tuple[timedelta, timedelta | None]:
    used = None if held.last_recall is None else now - held.last_recall
    return now - held.since, used


def _known_patterns(run: Run) -> dict[tuple[Kind, str], Event]:
    known: dict[tuple[Kind, str], Event] = {}
    for held in current(run.reading.newest(("pattern", "anti_pattern"), run.limit)):
        event = held.event
        if event.key:
            kind: Kind = "pattern" if event.type == "pattern" else "anti_pattern"
            known[kind, event.key] = event
    return known


def _revalidated(
    run: Run, cases: Iterable[Case], known: dict[tuple[Kind, str], Event]
) -> list[Draft]:
    """Warnings after the episodes that came since they were written."""
    thresholds = run.lifecycle.negative
    drafts: list[Draft] = []
    for case in cases:
        event = known.get(("anti_pattern", case.key))
        if event is None:
            continue
        caution, reasons, retired = caution_of(event, thresholds), [], False
        new = [
            (source, episode)
            for source, episode in sorted(case.episodes, key=lambda pair: pair[0].at)
            if source.id not in event.evidence and source.at > caution.validated_at
        ]
        if not new:
            continue
        for source, episode in new:
            result = revalidate(
                caution, failed=not episode.succeeded, now=source.at, thresholds=thresholds
            )
            caution = Caution(result.confidence, source.at)
            reasons.append(result.reason)
            retired = result.retired
        if retired:
            drafts.append(retire_draft(event, "; ".join(reasons[-3:])))
        else:
            ids = tuple(source.id for source, _ in new)
            drafts.append(again_draft(event, caution, ids, "; ".join(reasons[-3:])))
    return drafts


def _signals(held: HeldMemory, ended: tuple[int, int], usual: float, run: Run) -> Signals:
    event = held.event
    novelty = event.payload.get("novelty")
    conflicts = event.payload.get("conflicts")
    age, used = _ages(held, run.now)
    return Signals(
        first=event.importance,
        now=held.importance,
        age=age,
        recalls=held.recalls,
        since_recall=used,
        successes=ended[0],
        failures=ended[1],
        usual_success=usual,
        reinforced=run.ledger.reinforced(event),
        novelty=float(novelty) if isinstance(novelty, int | float) else None,
        conflicts=len(conflicts) if isinstance(conflicts, list | tuple) else 0,
    )


def _importance(changed: dict[str, Rescoring], now: datetime) -> Draft:
    scores = {id: each.value for id, each in sorted(changed.items())}
    return Draft(
        id=derived_id("importance", to_iso(now), *scores),
        type="importance",
        scope="global",
        payload={
            "scores": scores,
            "reasons": {id: list(changed[id].reasons) for id in scores},
            "reason": f"use and outcomes changed {len(scores)} memories",
        },
    )


def _features(run: Run) -> dict[str, dict[str, float]]:
    """What the memories recalled for each task were like on average."""
    outcomes = [each for each in run.ledger.outcomes if each.recalled][-run.limit :]
    ids = dict.fromkeys(id for each in outcomes for id in each.recalled)
    known = {held.id: held for held in run.reading.get(list(ids))}
    features: dict[str, dict[str, float]] = {}
    for outcome in outcomes:
        found = [known[id] for id in outcome.recalled if id in known]
        if found:
            features[outcome.id] = {
                "importance": _mean(each.event.importance for each in found),
                "recency": _mean(_fresh(outcome.at - each.event.at) for each in found),
                "access": _mean(float(each.recalls) for each in found),
            }
    return features


def _fresh(age: timedelta) -> float:
    return 0.5 ** (max(timedelta(0), age) / _HALF_LIFE)


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known)
