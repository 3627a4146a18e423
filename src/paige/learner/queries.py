"""Stages, knowledge gaps and katas: their rows as values, and their SQL."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, func, insert, select, update

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound
from paige.learner.gaps import (
    Attempt,
    Constraint,
    Gap,
    Severity,
    dump_attempt,
    dump_constraint,
    find_match,
    joined_concepts,
    joined_evidence,
    load_attempt,
    load_constraint,
    same_topic,
    urgency,
    worse,
)
from paige.learner.stages import Stage
from paige.learner.tables import DREYFUS_ASSESSMENTS, KATA_SPECS, KNOWLEDGE_GAPS
from paige.store.types import engine_insert


@dataclass(frozen=True, slots=True)
class Assessment:
    """The stage of a person in a skill area."""

    id: str
    person: str
    skill_area: str
    stage: Stage
    confidence: float
    evidence: str
    assessed_at: datetime


@dataclass(frozen=True, slots=True)
class GapRow:
    """Something a person lacks; `addressed` once a kata was passed or the concept mastered."""

    id: str
    person: str
    session_id: str | None
    topic: str
    severity: Severity
    evidence: str
    related_concepts: tuple[str, ...]
    frequency: int
    last_encountered_at: datetime
    addressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKata:
    """A kata before it is written down."""

    title: str
    description: str
    scaffolding_code: str = ""
    instructor_notes: str = ""
    test_cases: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class KataRow:
    """A kata for a gap, with every attempt at it."""

    id: str
    person: str
    knowledge_gap_id: str
    title: str
    description: str
    scaffolding_code: str
    instructor_notes: str
    test_cases: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    user_attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class RecordedGap:
    """What became of a gap that was noticed: a new row, or one more encounter of a known one."""

    gap: GapRow
    is_new: bool


@dataclass(frozen=True, slots=True)
class KataOfGap:
    """A kata with the topic it is for."""

    kata: KataRow
    topic: str


def _columns(table: Table, row: type[Any]) -> list[Column[Any]]:
    return [table.c[name] for name in row.__dataclass_fields__]


_ASSESSMENT = _columns(DREYFUS_ASSESSMENTS, Assessment)
_GAP = _columns(KNOWLEDGE_GAPS, GapRow)
_KATA = _columns(KATA_SPECS, KataRow)


def upsert_assessment(connection: Connection, actor: Actor, assessment: Assessment) -> Assessment:
    """Store the stage of a skill area over the one that is there; its id stays."""
    if not 0.0 <= assessment.confidence <= 1.0:
        raise BadInput(f"A confidence is between 0 and 1, not `{assessment.confidence}`")
    row = {**asdict(assessment), "person": actor.person, "tenant": actor.tenant}
    changed = {name: row[name] for name in ("stage", "confidence", "evidence", "assessed_at")}
    connection.execute(
        engine_insert(connection, DREYFUS_ASSESSMENTS)
        .values(row)
        .on_conflict_do_update(index_elements=["tenant", "person", "skill_area"], set_=changed)
    )
    stored = find_assessment(connection, actor, assessment.skill_area)
    assert stored is not None
    return stored


def find_assessment(connection: Connection, actor: Actor, skill_area: str) -> Assessment | None:
    """The stage of a person in a skill area, if it was ever judged."""
    table = DREYFUS_ASSESSMENTS
    query = select(*_ASSESSMENT).where(
        table.c.tenant == actor.tenant,
        table.c.person == actor.person,
        table.c.skill_area == skill_area,
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else Assessment(*row)


def assessments(connection: Connection, actor: Actor) -> list[Assessment]:
    """Every judged skill area of a person, by name."""
    table = DREYFUS_ASSESSMENTS
    query = (
        select(*_ASSESSMENT)
        .where(table.c.tenant == actor.tenant, table.c.person == actor.person)
        .order_by(table.c.skill_area)
    )
    return [Assessment(*row) for row in connection.execute(query)]


def stage_for(connection: Connection, actor: Actor, topic: str) -> Stage:
    """The stage in the skill area that a topic belongs to; novice when nothing is known."""
    known: dict[str, Stage] = {
        each.skill_area: each.stage for each in assessments(connection, actor)
    }
    match = topic if topic in known else find_match(topic, known)
    return "novice" if match is None else known[match]


def record_gap(
    connection: Connection, actor: Actor, gap: Gap, *, gap_id: str, now: datetime
) -> RecordedGap:
    """Store a gap; one that is known under these or other words was met once more.

    A gap that was addressed and shows up again is open again.
    """
    _alone(connection, actor)
    known = {each.topic: each for each in gaps(connection, actor)}
    match = find_match(gap.topic, known)
    if match is None:
        row = GapRow(
            id=gap_id,
            person=actor.person,
            session_id=gap.session_id,
            topic=gap.topic.strip(),
            severity=gap.severity,
            evidence=gap.evidence,
            related_concepts=gap.related_concepts,
            frequency=1,
            last_encountered_at=now,
            addressed=False,
        )
        values = {**asdict(row), "related_concepts": list(gap.related_concepts)}
        connection.execute(insert(KNOWLEDGE_GAPS), {**values, "tenant": actor.tenant})
        return RecordedGap(row, is_new=True)
    met = _met_again(known[match], gap, now)
    values = asdict(replace(met, related_concepts=()))
    values["related_concepts"] = list(met.related_concepts)
    connection.execute(update(KNOWLEDGE_GAPS).where(*_own_gap(actor, met.id)).values(values))
    return RecordedGap(met, is_new=False)


def get_gap(connection: Connection, actor: Actor, gap_id: str) -> GapRow:
    """One gap of a person. Raises: NotFound."""
    row = connection.execute(select(*_GAP).where(*_own_gap(actor, gap_id))).one_or_none()
    if row is None:
        raise NotFound(f"There is no knowledge gap `{gap_id}`")
    return _gap(row)


def gaps(
    connection: Connection,
    actor: Actor,
    *,
    session_id: str | None = None,
    addressed: bool | None = None,
) -> list[GapRow]:
    """Gaps of a person, most urgent first; of one session, or open ones only."""
    table = KNOWLEDGE_GAPS
    query = select(*_GAP).where(table.c.tenant == actor.tenant, table.c.person == actor.person)
    if session_id is not None:
        query = query.where(table.c.session_id == session_id)
    if addressed is not None:
        query = query.where(table.c.addressed == addressed)
    rows = [_gap(row) for row in connection.execute(query.order_by(table.c.id))]
    return sorted(rows, key=lambda row: -urgency(row.severity, row.frequency))


def address_gap(connection: Connection, actor: Actor, gap_id: str) -> None:
    """Note that a gap is closed. Raises: NotFound."""
    statement = update(KNOWLEDGE_GAPS).where(*_own_gap(actor, gap_id)).values(addressed=True)
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no knowledge gap `{gap_id}`")


def reopen_gap(connection: Connection, actor: Actor, gap_id: str) -> None:
    """Note that a gap is not closed after all. Raises: NotFound."""
    statement = update(KNOWLEDGE_GAPS).where(*_own_gap(actor, gap_id)).values(addressed=False)
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no knowledge gap `{gap_id}`")


def gaps_named(
    connection: Connection, actor: Actor, concept_id: str, title: str = "", *, addressed: bool
) -> list[GapRow]:
    """The open or closed gaps that a concept is named in, by topic or relation."""
    names = [name for name in (concept_id, title) if name]
    return [
        gap
        for gap in gaps(connection, actor, addressed=addressed)
        if concept_id in gap.related_concepts or any(same_topic(gap.topic, name) for name in names)
    ]


def address_mastered(
    connection: Connection, actor: Actor, concept_id: str, title: str = ""
) -> list[GapRow]:
    """Close the open gaps that a mastered concept is named in."""
    closed = gaps_named(connection, actor, concept_id, title, addressed=False)
    for gap in closed:
        address_gap(connection, actor, gap.id)
    return [replace(gap, addressed=True) for gap in closed]


def insert_kata(
    connection: Connection, actor: Actor, gap_id: str, kata: NewKata, *, kata_id: str
) -> KataRow:
    """Store a kata for a gap. Raises: NotFound when the gap is not this person's."""
    get_gap(connection, actor, gap_id)
    values = {
        "tenant": actor.tenant,
        "id": kata_id,
        "person": actor.person,
        "knowledge_gap_id": gap_id,
        "title": kata.title,
        "description": kata.description,
        "scaffolding_code": kata.scaffolding_code,
        "instructor_notes": kata.instructor_notes,
        "test_cases": list(kata.test_cases),
        "constraints": [dump_constraint(each) for each in kata.constraints],
        "user_attempts": [],
    }
    connection.execute(insert(KATA_SPECS), values)
    return get_kata(connection, actor, kata_id)


def get_kata(connection: Connection, actor: Actor, kata_id: str, *, lock: bool = False) -> KataRow:
    """One kata of a person; `lock` keeps others from changing it meanwhile. Raises: NotFound."""
    query = select(*_KATA).where(*_own_kata(actor, kata_id))
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(f"There is no kata `{kata_id}`")
    return _kata(row)


def katas(connection: Connection, actor: Actor, *, gap_id: str | None = None) -> list[KataOfGap]:
    """Katas of a person with their topics, oldest first."""
    query = (
        select(*_KATA, KNOWLEDGE_GAPS.c.topic)
        .join(KNOWLEDGE_GAPS, KNOWLEDGE_GAPS.c.id == KATA_SPECS.c.knowledge_gap_id)
        .where(KATA_SPECS.c.tenant == actor.tenant, KATA_SPECS.c.person == actor.person)
    )
    if gap_id is not None:
        query = query.where(KATA_SPECS.c.knowledge_gap_id == gap_id)
    rows = connection.execute(query.order_by(KATA_SPECS.c.id))
    return [KataOfGap(_kata(row[:-1]), row[-1]) for row in rows]


def add_attempt(connection: Connection, actor: Actor, kata_id: str, attempt: Attempt) -> KataRow:
    """Add an attempt after all others; a passed one closes the gap. Raises: NotFound."""
    kata = get_kata(connection, actor, kata_id, lock=True)
    attempts = (*kata.user_attempts, attempt)
    connection.execute(
        update(KATA_SPECS)
        .where(*_own_kata(actor, kata_id))
        .values(user_attempts=[dump_attempt(each) for each in attempts])
    )
    if attempt.passed:
        address_gap(connection, actor, kata.knowledge_gap_id)
    return replace(kata, user_attempts=attempts)


def _met_again(known: GapRow, gap: Gap, now: datetime) -> GapRow:
    return replace(
        known,
        session_id=gap.session_id or known.session_id,
        severity=worse(known.severity, gap.severity),
        evidence=joined_evidence(known.evidence, gap.evidence),
        related_concepts=tuple(joined_concepts(known.related_concepts, gap.related_concepts)),
        frequency=known.frequency + 1,
        last_encountered_at=max(now, known.last_encountered_at),
        addressed=False,
    )


def _alone(connection: Connection, actor: Actor) -> None:
    """Let nobody else look for a gap of this person until the end of the transaction.

    On SQLite there is only one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        name = f"gaps/{actor.tenant}/{actor.person}"
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def _own_gap(actor: Actor, gap_id: str) -> Iterable[Any]:
    table = KNOWLEDGE_GAPS
    return table.c.tenant == actor.tenant, table.c.person == actor.person, table.c.id == gap_id


def _own_kata(actor: Actor, kata_id: str) -> Iterable[Any]:
    table = KATA_SPECS
    return table.c.tenant == actor.tenant, table.c.person == actor.person, table.c.id == kata_id


def _gap(row: Row[Any]) -> GapRow:
    found = GapRow(*row)
    return replace(found, related_concepts=tuple(found.related_concepts))


def _kata(row: Any) -> KataRow:  # noqa: ANN401 - a row, or a part of one
    found = KataRow(*row)
    return replace(
        found,
        test_cases=tuple(found.test_cases),
        constraints=tuple(load_constraint(_record(each)) for each in found.constraints),
        user_attempts=tuple(load_attempt(_record(each)) for each in found.user_attempts),
    )


def _record(value: Any) -> dict[str, object]:  # noqa: ANN401 - JSON
    return value
