"""SQL of coached sessions, plans, phases, hints and progress; actions are in `action_queries`."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from paige.agent import queries as agent_queries
from paige.agent.tables import SESSIONS, SessionRow
from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.coach.records import (
    CoachSession,
    HintType,
    PhaseHint,
    PhaseRow,
    PlanRow,
    ProgressEvent,
    SessionStatus,
)
from paige.coach.tables import PHASE_HINTS, PHASES, PLANS, PROGRESS_EVENTS

DOOR = "coach"


def _columns(table: Table, row: type[Any]) -> list[Column[Any]]:
    return [table.c[name] for name in row.__dataclass_fields__]


_SESSION = _columns(SESSIONS, CoachSession)
_PLAN = _columns(PLANS, PlanRow)
_PHASE = _columns(PHASES, PhaseRow)
_HINT = _columns(PHASE_HINTS, PhaseHint)
_PROGRESS = _columns(PROGRESS_EVENTS, ProgressEvent)


def wait_for_turn(connection: Connection, actor: Actor) -> None:
    """Let nobody else begin or end a session of this person until the end of the transaction.

    On SQLite there is only one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        name = f"coach/{actor.tenant}/{actor.person}"
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))


def insert_session(connection: Connection, actor: Actor, session: CoachSession) -> None:
    """Store a new session."""
    row = SessionRow(
        id=session.id,
        person=actor.person,
        door=DOOR,
        status=session.status,
        title=session.issue_title,
        project_dir=session.project_dir,
        issue_number=session.issue_number,
        issue_title=session.issue_title,
        started_at=session.started_at,
        updated_at=session.ended_at or session.started_at,
        ended_at=session.ended_at,
    )
    agent_queries.insert_session(connection, row, actor)


def get_session(
    connection: Connection, actor: Actor, session_id: str, *, lock: bool = False
) -> CoachSession:
    """One session of a person; `lock` keeps others from changing it meanwhile. Raises: NotFound."""
    query = select(*_SESSION).where(*_own_session(actor), SESSIONS.c.id == session_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no coaching session `{session_id}`",
            hint="`paige coach status` shows the ones there are.",
        )
    return _session(row)


def find_sessions(connection: Connection, actor: Actor, ids: Collection[str]) -> list[CoachSession]:
    """Those of some sessions that are a person's own and still there."""
    query = select(*_SESSION).where(*_own_session(actor), SESSIONS.c.id.in_(ids))
    return [_session(row) for row in connection.execute(query)]


def active_session(connection: Connection, actor: Actor, project_dir: str) -> CoachSession | None:
    """The session a person works in, if one is active in this project."""
    query = select(*_SESSION).where(
        *_own_session(actor),
        SESSIONS.c.status == "active",
        SESSIONS.c.project_dir == project_dir,
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _session(row)


def recent_sessions(
    connection: Connection,
    actor: Actor,
    *,
    project_dir: str | None = None,
    status: SessionStatus | None = None,
    limit: int = 20,
) -> list[CoachSession]:
    """Sessions of a person, newest first; of one project, or of one status."""
    wanted = _own_session(actor)
    if project_dir is not None:
        wanted.append(SESSIONS.c.project_dir == project_dir)
    if status is not None:
        wanted.append(SESSIONS.c.status == status)
    newest = (SESSIONS.c.started_at.desc(), SESSIONS.c.id.desc())
    query = select(*_SESSION).where(*wanted).order_by(*newest).limit(limit)
    return [_session(row) for row in connection.execute(query)]


def last_abandoned(connection: Connection, actor: Actor, project_dir: str) -> CoachSession | None:
    """The session of a project that was left last without being completed."""
    query = (
        select(*_SESSION)
        .where(
            *_own_session(actor),
            SESSIONS.c.project_dir == project_dir,
            SESSIONS.c.status == "abandoned",
        )
        .order_by(SESSIONS.c.ended_at.desc(), SESSIONS.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _session(row)


def end_session(
    connection: Connection, actor: Actor, session_id: str, status: SessionStatus, *, now: datetime
) -> None:
    """Note that a session has ended, and how. Raises: NotFound."""
    _set_session(connection, actor, session_id, status=status, ended_at=now, updated_at=now)


def reopen_session(connection: Connection, actor: Actor, session_id: str, *, now: datetime) -> None:
    """Note that a session is active again. Raises: NotFound."""
    _set_session(connection, actor, session_id, status="active", ended_at=None, updated_at=now)


def delete_session(connection: Connection, actor: Actor, session_id: str) -> None:
    """Remove a session with its plans and actions. Raises: NotFound."""
    statement = delete(SESSIONS).where(*_own_session(actor), SESSIONS.c.id == session_id)
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no coaching session `{session_id}`")


def insert_plan(connection: Connection, actor: Actor, plan: PlanRow) -> None:
    """Store a plan. Raises: NotFound when the session is not this person's."""
    get_session(connection, actor, plan.session_id)
    connection.execute(insert(PLANS), {**asdict(plan), **_owner(actor)})


def latest_plan(connection: Connection, actor: Actor, session_id: str) -> PlanRow | None:
    """The plan a session follows: the last one that was made for it."""
    query = (
        select(*_PLAN)
        .where(*_own(PLANS, actor), PLANS.c.session_id == session_id)
        .order_by(PLANS.c.created_at.desc(), PLANS.c.id.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else PlanRow(*row)


def delete_plan(connection: Connection, actor: Actor, plan_id: str) -> None:
    """Remove a plan with its phases. Raises: NotFound."""
    statement = delete(PLANS).where(*_own(PLANS, actor), PLANS.c.id == plan_id)
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no plan `{plan_id}`")


def insert_phases(connection: Connection, actor: Actor, phases: Iterable[PhaseRow]) -> None:
    """Store phases. Raises: NotFound when a plan is not this person's."""
    rows = [
        {**asdict(phase), "expected_files": list(phase.expected_files), **_owner(actor)}
        for phase in phases
    ]
    _must_exist(connection, actor, PLANS, {row["plan_id"] for row in rows})
    if rows:
        connection.execute(insert(PHASES), rows)


def phases_of(connection: Connection, actor: Actor, plan_id: str) -> list[PhaseRow]:
    """The phases of a plan, in order."""
    query = (
        select(*_PHASE)
        .where(*_own(PHASES, actor), PHASES.c.plan_id == plan_id)
        .order_by(PHASES.c.number)
    )
    return [_phase(row) for row in connection.execute(query)]


def find_phase(
    connection: Connection, actor: Actor, plan_id: str, number: int, *, lock: bool = False
) -> PhaseRow | None:
    """One phase of a plan by its number; `lock` keeps others from changing it meanwhile."""
    query = select(*_PHASE).where(
        *_own(PHASES, actor), PHASES.c.plan_id == plan_id, PHASES.c.number == number
    )
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else _phase(row)


def active_phase(connection: Connection, actor: Actor, session_id: str) -> PhaseRow | None:
    """The phase a session is in: of the active ones of its latest plan, the last one begun."""
    plan = latest_plan(connection, actor, session_id)
    if plan is None:
        return None
    query = (
        select(*_PHASE)
        .where(*_own(PHASES, actor), PHASES.c.plan_id == plan.id, PHASES.c.status == "active")
        .order_by(PHASES.c.started_at.desc(), PHASES.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _phase(row)


def set_phase_status(connection: Connection, actor: Actor, phase: PhaseRow) -> None:
    """Store the status of a phase and its times. Raises: NotFound."""
    statement = (
        update(PHASES)
        .where(*_own(PHASES, actor), PHASES.c.id == phase.id)
        .values(status=phase.status, started_at=phase.started_at, completed_at=phase.completed_at)
    )
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no phase `{phase.id}`")


def set_hint_level(connection: Connection, actor: Actor, phase_id: str, level: str) -> None:
    """Store how much a phase gives away. Raises: NotFound."""
    statement = (
        update(PHASES).where(*_own(PHASES, actor), PHASES.c.id == phase_id).values(hint_level=level)
    )
    if connection.execute(statement).rowcount != 1:
        raise NotFound(f"There is no phase `{phase_id}`")


def insert_hints(connection: Connection, actor: Actor, hints: Iterable[PhaseHint]) -> None:
    """Store hints. Raises: NotFound when a phase is not this person's."""
    rows = [{**asdict(hint), **_owner(actor)} for hint in hints]
    _must_exist(connection, actor, PHASES, {row["phase_id"] for row in rows})
    if rows:
        connection.execute(insert(PHASE_HINTS), rows)


def hints_of(
    connection: Connection, actor: Actor, phase_id: str, *, type: HintType | None = None
) -> list[PhaseHint]:
    """The hints of a phase in the order of files and lines; of one type, if given."""
    wanted = [*_own(PHASE_HINTS, actor), PHASE_HINTS.c.phase_id == phase_id]
    if type is not None:
        wanted.append(PHASE_HINTS.c.type == type)
    order = (PHASE_HINTS.c.path, PHASE_HINTS.c.start_line, PHASE_HINTS.c.id)
    query = select(*_HINT).where(*wanted).order_by(*order)
    return [PhaseHint(*row) for row in connection.execute(query)]


def insert_progress(connection: Connection, actor: Actor, event: ProgressEvent) -> None:
    """Store something that happened in a phase. Raises: NotFound."""
    _must_exist(connection, actor, PHASES, {event.phase_id})
    connection.execute(insert(PROGRESS_EVENTS), {**asdict(event), **_owner(actor)})


def progress_of(
    connection: Connection,
    actor: Actor,
    *,
    phase_id: str | None = None,
    session_id: str | None = None,
) -> list[ProgressEvent]:
    """What happened in a phase, or in all phases of a session, in order."""
    query = select(*_PROGRESS).where(*_own(PROGRESS_EVENTS, actor))
    if phase_id is not None:
        query = query.where(PROGRESS_EVENTS.c.phase_id == phase_id)
    if session_id is not None:
        query = (
            query.join(PHASES, PHASES.c.id == PROGRESS_EVENTS.c.phase_id)
            .join(PLANS, PLANS.c.id == PHASES.c.plan_id)
            .where(PLANS.c.session_id == session_id)
        )
    order = (PROGRESS_EVENTS.c.created_at, PROGRESS_EVENTS.c.id)
    return [ProgressEvent(*row) for row in connection.execute(query.order_by(*order))]


def _must_exist(connection: Connection, actor: Actor, table: Table, ids: set[str]) -> None:
    query = select(table.c.id).where(*_own(table, actor), table.c.id.in_(ids))
    missing = sorted(ids.difference(connection.scalars(query)))
    if missing:
        raise NotFound(f"There is no row `{missing[0]}` in `{table.name}`")


def _set_session(connection: Connection, actor: Actor, session_id: str, **values: object) -> None:
    own = (*_own_session(actor), SESSIONS.c.id == session_id)
    if connection.execute(update(SESSIONS).where(*own).values(values)).rowcount != 1:
        raise NotFound(f"There is no coaching session `{session_id}`")


def _own(table: Table, actor: Actor) -> Sequence[ColumnElement[bool]]:
    return table.c.tenant == actor.tenant, table.c.person == actor.person


def _own_session(actor: Actor) -> list[ColumnElement[bool]]:
    return [*_own(SESSIONS, actor), SESSIONS.c.door == DOOR]


def _owner(actor: Actor) -> dict[str, str]:
    return {"tenant": actor.tenant, "person": actor.person}


def _session(row: Row[Any]) -> CoachSession:
    found = CoachSession(*row)
    return found if found.project_dir is not None else replace(found, project_dir="")


def _phase(row: Row[Any]) -> PhaseRow:
    found = PhaseRow(*row)
    return replace(found, expected_files=tuple(found.expected_files))
