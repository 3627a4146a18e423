"""What a session showed to be missing, asked for and stored: all rows of an answer, or none.

A gap that is known gains frequency instead of a second row. A kata belongs to the gap it names.
What was stored goes to Study, where it comes back for review.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.answers import GapExtractionAnswer, KataDraft
from paige.coach.inquiry.services import Services, ToPractise
from paige.coach.inquiry.session_record import (
    SessionRecord,
    told_actions,
    told_phases,
    told_summary,
)
from paige.coach.inquiry.topics import topic_named
from paige.coach.prompts import GAP_EXTRACTION, make_call
from paige.coach.records import Ids
from paige.learner.gaps import HIGHEST_LEVEL, LOWEST_LEVEL, Constraint, Gap, find_match
from paige.learner.queries import (
    GapRow,
    KataRow,
    NewKata,
    RecordedGap,
    insert_kata,
    katas,
    record_gap,
)
from paige.models.calls import call_api


@dataclass(frozen=True, slots=True)
class FoundGaps:
    """What was stored: every gap that was met, how many are new, and the new katas."""

    met: tuple[GapRow, ...] = ()
    new: int = 0
    katas: tuple[KataRow, ...] = ()
    to_practise: tuple[ToPractise, ...] = ()


async def extract_gaps(services: Services, actor: Actor, record: SessionRecord) -> FoundGaps:
    """Find and store the gaps of a session. Raises: ModelError, Unavailable; nothing is stored."""
    call = make_call(
        GAP_EXTRACTION,
        {
            "action_log": told_actions(record),
            "phases": told_phases(record),
            "progress": [event.event_type for event in record.progress],
            "existing_gaps": [
                {
                    "topic": gap.topic,
                    "frequency": gap.frequency,
                    "has_kata": gap.topic in record.practised,
                }
                for gap in record.known
            ],
            "session": told_summary(record),
            "transcript": record.transcript,
        },
        session_id=record.session.id,
    )
    answer = (await call_api(services.models, actor, call)).value
    return await services.database.write(
        store_gaps, actor, answer, record.session.id, now=services.now(), ids=services.ids
    )


def store_gaps(
    connection: Connection,
    actor: Actor,
    answer: GapExtractionAnswer,
    session_id: str,
    *,
    now: datetime,
    ids: Ids,
) -> FoundGaps:
    """Store what was found; a topic named twice in one answer counts once."""
    met: dict[str, RecordedGap] = {}
    for found in answer.knowledge_gaps:
        if not found.topic.strip():
            continue
        gap = Gap(
            topic=found.topic,
            severity=found.severity,
            evidence=found.evidence,
            related_concepts=tuple(found.related_concepts),
            session_id=session_id,
        )
        if find_match(gap.topic, [each.gap.topic for each in met.values()]) is None:
            recorded = record_gap(connection, actor, gap, gap_id=ids(now), now=now)
            met[recorded.gap.id] = recorded
    gaps = [each.gap for each in met.values()]
    stored = [
        insert_kata(connection, actor, gap.id, new_kata(draft), kata_id=ids(now))
        for draft, gap in placed_katas(answer.kata_specs, gaps)
        if not _has_kata(connection, actor, gap.id, draft.title)
    ]
    return FoundGaps(
        met=tuple(gaps),
        new=sum(each.is_new for each in met.values()),
        katas=tuple(stored),
        to_practise=tuple(_to_practise(connection, actor, each) for each in met.values()),
    )


def placed_katas(
    drafts: Sequence[KataDraft], gaps: Sequence[GapRow]
) -> list[tuple[KataDraft, GapRow]]:
    """Each kata with the gap it names; one that names none goes to the gap at its own place."""
    if not gaps:
        return []
    by_topic = {gap.topic: gap for gap in gaps}
    placed: list[tuple[KataDraft, GapRow]] = []
    for number, draft in enumerate(drafts):
        match = find_match(draft.knowledge_gap, by_topic) if draft.knowledge_gap.strip() else None
        gap = by_topic[match] if match else gaps[min(number, len(gaps) - 1)]
        placed.append((draft, gap))
    return placed


def new_kata(draft: KataDraft) -> NewKata:
    """A kata as it is stored; constraints without a level become harder one by one."""
    constraints = [
        Constraint(
            each.title,
            each.description,
            min(LOWEST_LEVEL + 2 * number, HIGHEST_LEVEL)
            if each.min_level is None
            else each.min_level,
        )
        for number, each in enumerate(draft.constraints)
    ]
    if draft.follow_up_constraint:
        hardest = max((each.min_level for each in constraints), default=LOWEST_LEVEL)
        text = draft.follow_up_constraint
        level = min(hardest + 2, HIGHEST_LEVEL)
        constraints.append(Constraint(text[:80].rstrip(". "), text, level))
    return NewKata(
        title=draft.title,
        description=draft.description,
        scaffolding_code=draft.scaffolding_code,
        instructor_notes=draft.instructor_notes,
        test_cases=tuple(draft.test_cases),
        constraints=tuple(constraints),
    )


def _has_kata(connection: Connection, actor: Actor, gap_id: str, title: str) -> bool:
    return any(each.kata.title == title for each in katas(connection, actor, gap_id=gap_id))


def _to_practise(connection: Connection, actor: Actor, recorded: RecordedGap) -> ToPractise:
    gap = recorded.gap
    own = katas(connection, actor, gap_id=gap.id)
    kata = own[-1].kata if own else None
    topic = topic_named(gap.topic)
    ours = topic is not None and kata is not None and topic.kata.title == kata.title
    return ToPractise(
        gap_id=gap.id,
        topic=gap.topic,
        evidence=gap.evidence,
        kata=kata,
        solution=topic.kata.solution if topic and ours else "",
        imports=topic.kata.imports if topic and ours else (),
        again=not recorded.is_new,
    )
