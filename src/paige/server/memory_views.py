"""From the memory's inside values to what the REST API sends."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from paige.memory.access import Reader, may_read
from paige.memory.documents.excerpts import MEMORY_LINES, line_count
from paige.memory.documents.records import FileRow, read_path
from paige.memory.event import Event
from paige.memory.lifecycle.outcomes import Lift, Tally
from paige.memory.lifecycle.policies import Applied, HistoryLine, Key, PolicyBook, RetrievalPolicy
from paige.memory.lifecycle.retention import ForgetPlan
from paige.memory.lifecycle.stats import Stats
from paige.memory.search_values import Found
from paige.server import memory_wire as wire

if TYPE_CHECKING:
    from paige.memory.documents.documents import Written
    from paige.memory.memory import Shown
    from paige.memory.overview import Overview


def item_of(event: Event, later: str | None = None) -> wire.MemoryItem:
    """One memory in a list; `later` is what replaced it."""
    return wire.MemoryItem.model_validate(_fields(event, later))


def found_of(found: Found, later: Mapping[str, str]) -> wire.MemoryFound:
    """The answer to a search."""
    results = [
        wire.MemoryResult(
            **_fields(each.event, later.get(each.id)),
            score=each.score,
            why=dict(each.why),
            tokens=each.tokens,
        )
        for each in found.results
    ]
    return wire.MemoryFound(
        results=results,
        took_ms=round(found.took_ms, 3),
        left_out=found.left_out,
        vectors=found.vectors,
    )


def shown_of(shown: "Shown", reader: Reader) -> wire.MemoryShown:
    """One memory with its history."""
    event = shown.event
    later = shown.later[-1].id if shown.later else None
    line = shown.line
    return wire.MemoryShown(
        **_fields(event, later),
        key=event.key,
        task=event.task,
        outcome=event.outcome,
        acl=list(event.acl),
        evidence=list(event.evidence),
        agent=wire.MemoryAgent(**event.agent._asdict()),
        session_id=event.provenance.session_id,
        trace_id=event.provenance.trace_id,
        payload=dict(event.payload),
        line=wire.MemoryLine(
            seq=line.get("seq", event.seq), hash=line.get("hash"), prev=line.get("prev")
        ),
        earlier=[_version(each) for each in shown.earlier],
        later=[_version(each) for each in shown.later],
        recalls=[_recall(each) for each in shown.recalls if may_read(reader, each)],
        mine=event.owner == reader.person,
    )


def overview_of(overview: "Overview", stats: Stats) -> wire.MemoryOverview:
    """The memory at a glance."""
    totals = overview.totals
    return wire.MemoryOverview(
        totals=wire.MemoryTotals(
            memories=totals.memories,
            superseded=totals.superseded,
            scopes=dict(totals.scopes),
            types=dict(totals.types),
            tiers=dict(totals.tiers),
            projects=dict(totals.projects),
        ),
        logs=[
            wire.MemoryLog(path=str(log.path), last_seq=log.last_seq, indexed=log.indexed)
            for log in overview.logs
        ],
        index=str(overview.index),
        embedder=overview.embedder,
        backends=list(overview.backends),
        cycle=cycle_of(stats),
        outcomes=outcomes_of(stats),
    )


def stats_of(stats: Stats, counts: Mapping[str, int]) -> wire.MemoryStats:
    """The statistics."""
    return wire.MemoryStats(
        events=stats.events,
        types=dict(stats.types),
        cycle=cycle_of(stats),
        cycle_complete=stats.cycle_complete,
        outcomes=outcomes_of(stats),
        policies_in_production=stats.policies,
        index=dict(counts),
    )


def cycle_of(stats: Stats) -> list[wire.MemoryPhase]:
    """The four phases."""
    return [
        wire.MemoryPhase(
            phase=each.phase, events=each.events, last=each.last, types=dict(each.types)
        )
        for each in stats.phases
    ]


def outcomes_of(stats: Stats) -> wire.MemoryOutcomes:
    """Whether memory helps."""
    lift: Lift = stats.lift
    return wire.MemoryOutcomes(
        since=stats.since,
        with_memory=_tasks(lift.recalled),
        without_memory=_tasks(lift.without),
        success_lift=round(lift.success, 4),
        verdict=lift.compared.verdict,
        reason=lift.compared.reason,
    )


def forgotten_of(
    plan: ForgetPlan, asked: Collection[str], lines: int, remains: Sequence[str] = ()
) -> wire.MemoryForgotten:
    """What goes. Of what belongs to others only ids that were asked for are named."""
    return wire.MemoryForgotten(
        going=[wire.MemoryGoing(**each._asdict()) for each in plan.going],
        refused=[each.id for each in plan.refused if each.id in asked],
        missing=list(plan.missing),
        lines=lines,
        remains=list(remains),
    )


def file_of(row: FileRow) -> wire.MemoryFile:
    """A document in a list."""
    return wire.MemoryFile(**_file(row))


def document_of(row: FileRow) -> wire.MemoryDocument:
    """A document with its text."""
    return wire.MemoryDocument(**_file(row), text=row.content)


def written_of(written: "Written") -> wire.MemoryWritten:
    """A document after a save."""
    return wire.MemoryWritten(
        **_file(written.document),
        text=written.document.content,
        changed=written.changed,
        merged=written.merged,
        conflicts=written.conflicts,
    )


def policies_of(book: PolicyBook) -> wire.MemoryPolicies:
    """What holds now, for any role and scope and for those that have their own, and why."""
    keys = [Key(), *(key for key in sorted(book.lineages) if key != Key())]
    return wire.MemoryPolicies(
        current=[_applied(book.current(*key, None)) for key in keys],
        history=[_step(each) for each in book.history()],
    )


def _fields(event: Event, later: str | None) -> dict[str, Any]:
    speaker = event.speaker
    return {
        "id": event.id,
        "text": event.text,
        "type": event.type,
        "scope": event.scope,
        "owner": event.owner,
        "project": event.project,
        "session": event.session,
        "speaker": speaker if isinstance(speaker, str) else None,
        "at": event.at,
        "importance": event.importance,
        "meta": event.payload.get("meta"),
        "superseded_by": later,
    }


def _version(event: Event) -> wire.MemoryVersion:
    return wire.MemoryVersion(id=event.id, text=event.text, at=event.at)


def _recall(event: Event) -> wire.MemoryRecall:
    payload = event.payload
    reader = payload.get("reader")
    return wire.MemoryRecall(
        at=event.at,
        query=str(payload.get("query", "")),
        reader=None if reader is None else str(reader),
        session=event.session,
    )


def _tasks(tally: Tally) -> wire.MemoryTasks:
    return wire.MemoryTasks.model_validate(tally.as_numbers())


def _file(row: FileRow) -> dict[str, Any]:
    lines = line_count(row.content)
    return {
        "path": row.path,
        "scope": row.scope,
        "class_id": row.class_id or None,
        "version": row.version,
        "lines": lines,
        "prompt_lines": min(lines, MEMORY_LINES) if read_path(row.path).is_entry else 0,
        "written_by": row.written_by,
        "updated_at": row.updated_at,
    }


def _policy(policy: RetrievalPolicy) -> wire.MemoryPolicy:
    return wire.MemoryPolicy(
        weights=wire.MemoryWeights(**policy.weights._asdict()),
        min_score=policy.min_score,
        budget=dict(policy.budget),
        k=dict(policy.k),
    )


def _applied(applied: Applied) -> wire.MemoryPolicyNow:
    return wire.MemoryPolicyNow(
        **applied.ref._asdict(),
        stage=applied.stage,
        reason=applied.reason,
        policy=_policy(applied.policy),
    )


def _step(step: HistoryLine) -> wire.MemoryPolicyStep:
    return wire.MemoryPolicyStep(
        **{**step._asdict(), "policy": _policy(step.policy), "metrics": dict(step.metrics)}
    )
