"""SQL of sessions and runs: as lists show them, who works on them, and for research."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pydantic import Field
from sqlalchemy import Connection, and_, func, select

from paige.agent.tables import GATES, RUNS, SESSIONS, RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.wire import wire
from paige.store.fulltext import matching
from paige.store.leases import Holder, Lease
from paige.store.tables import LEASES

DOOR = "plan"
MOST_SESSIONS = 500


@dataclass(frozen=True, slots=True)
class SessionItem:
    """A session without the texts that were said in it."""

    id: str
    title: str | None
    plugin: str | None
    command: str | None
    class_id: str | None
    started_at: datetime
    updated_at: datetime
    forked_from: str | None = None


@wire(kw_only=True)
class PlanSearch:
    """Which sessions: words that were said in them, a class, a plugin."""

    query: str = ""
    class_id: Annotated[str | None, Field(alias="class")] = None
    plugin: str | None = None
    limit: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] = 50


class LastRun(NamedTuple):
    """The last run of a session, without its texts."""

    id: str
    state: str
    status: str | None


class RunPlace(NamedTuple):
    """A run where it stands in its session, without its texts."""

    id: str
    session: str
    number: int
    state: str
    created_at: datetime


_PLACE = (RUNS.c.id, RUNS.c.session_id, RUNS.c.number, RUNS.c.state, RUNS.c.created_at)
_RUN = [RUNS.c[name] for name in RunRow.__dataclass_fields__]
_SESSION = [SESSIONS.c[name] for name in SessionRow.__dataclass_fields__]
_ITEM = [SESSIONS.c[name] for name in SessionItem.__dataclass_fields__]


def find_sessions(connection: Connection, actor: Actor, wanted: PlanSearch) -> list[SessionItem]:
    """A person's sessions of this door, best match first; without words the newest first."""
    query = select(*_ITEM).where(
        SESSIONS.c.tenant == actor.tenant,
        SESSIONS.c.person == actor.person,
        SESSIONS.c.door == DOOR,
    )
    if wanted.class_id is not None:
        query = query.where(func.lower(SESSIONS.c.class_id) == wanted.class_id.lower())
    if wanted.plugin is not None:
        query = query.where(SESSIONS.c.plugin == wanted.plugin)
    if wanted.query.strip():
        found = matching(connection, SESSIONS, actor, wanted.query).subquery()
        query = query.join(found, found.c.id == SESSIONS.c.id).order_by(found.c.score.desc())
    query = query.order_by(SESSIONS.c.updated_at.desc(), SESSIONS.c.id).limit(wanted.limit)
    return [SessionItem(*row) for row in connection.execute(query)]


def last_runs(
    connection: Connection, actor: Actor, sessions: Collection[str]
) -> dict[str, LastRun]:
    """The last run of each session."""
    if not sessions:
        return {}
    last = (
        select(RUNS.c.session_id, func.max(RUNS.c.number).label("number"))
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.session_id.in_(sessions))
        .group_by(RUNS.c.session_id)
        .subquery()
    )
    same = and_(RUNS.c.session_id == last.c.session_id, RUNS.c.number == last.c.number)
    query = (
        select(RUNS.c.session_id, RUNS.c.id, RUNS.c.state, RUNS.c.status)
        .join(last, same)
        .where(RUNS.c.tenant == actor.tenant)
        .order_by(RUNS.c.session_id)
    )
    return {row.session_id: LastRun(*row[1:]) for row in connection.execute(query)}


def runs_that_ask(connection: Connection, actor: Actor, runs: Collection[str]) -> set[str]:
    """Those of some runs that have a gate nobody has answered."""
    query = (
        select(GATES.c.run_id)
        .where(
            GATES.c.tenant == actor.tenant,
            GATES.c.run_id.in_(runs),
            GATES.c.answered_at.is_(None),
        )
        .distinct()
        .order_by(GATES.c.run_id)
    )
    return set(connection.scalars(query)) if runs else set()


def unfinished_runs(connection: Connection, actor: Actor, *, limit: int = 100) -> list[str]:
    """A person's runs of this door that have not ended and say no reason for it, newest first."""
    query = (
        select(RUNS.c.id)
        .join(SESSIONS, and_(SESSIONS.c.id == RUNS.c.session_id, SESSIONS.c.tenant == actor.tenant))
        .where(
            RUNS.c.tenant == actor.tenant,
            RUNS.c.person == actor.person,
            SESSIONS.c.door == DOOR,
            RUNS.c.state != "ended",
            RUNS.c.reason.is_(None),
        )
        .order_by(RUNS.c.updated_at.desc(), RUNS.c.id)
        .limit(limit)
    )
    return list(connection.scalars(query))


def ended_among(connection: Connection, actor: Actor, runs: Collection[str]) -> set[str]:
    """Those of some runs that have ended."""
    query = (
        select(RUNS.c.id)
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.id.in_(runs), RUNS.c.state == "ended")
        .order_by(RUNS.c.id)
    )
    return set(connection.scalars(query)) if runs else set()


def leases_of(connection: Connection, actor: Actor, names: Iterable[str]) -> list[Lease]:
    """The leases of these names, looked at and not taken."""
    wanted = list(names)
    query = (
        select(
            LEASES.c.name,
            LEASES.c.host,
            LEASES.c.pid,
            LEASES.c.started,
            LEASES.c.fence,
            LEASES.c.until,
        )
        .where(LEASES.c.tenant == actor.tenant, LEASES.c.name.in_(wanted))
        .order_by(LEASES.c.name)
    )
    rows = connection.execute(query) if wanted else ()
    return [
        Lease(row.name, Holder(row.host, row.pid, row.started), row.fence, row.until)
        for row in rows
    ]


def places_of(connection: Connection, actor: Actor, session: str) -> list[RunPlace]:
    """The runs of one session, in order."""
    query = (
        select(*_PLACE)
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.session_id == session)
        .order_by(RUNS.c.number)
    )
    return [RunPlace(*row) for row in connection.execute(query)]


def places_at(
    connection: Connection, actor: Actor, sessions: Collection[str], number: int
) -> list[RunPlace]:
    """The runs with this number in some sessions."""
    query = (
        select(*_PLACE)
        .where(
            RUNS.c.tenant == actor.tenant,
            RUNS.c.session_id.in_(sessions),
            RUNS.c.number == number,
        )
        .order_by(RUNS.c.id)
    )
    return [RunPlace(*row) for row in connection.execute(query)]


def origin_of(connection: Connection, actor: Actor, session: str) -> str | None:
    """What a session branched off from."""
    query = select(SESSIONS.c.forked_from).where(
        SESSIONS.c.tenant == actor.tenant, SESSIONS.c.id == session
    )
    return connection.scalar(query)


def forks_of(connection: Connection, actor: Actor, points: Collection[str]) -> dict[str, str]:
    """The sessions of a person that branched off at some points, each with its point."""
    query = (
        select(SESSIONS.c.id, SESSIONS.c.forked_from)
        .where(
            SESSIONS.c.tenant == actor.tenant,
            SESSIONS.c.forked_from.in_(points),
            SESSIONS.c.person == actor.person,
        )
        .order_by(SESSIONS.c.id)
    )
    return {row.id: row.forked_from for row in connection.execute(query)}


def titles_of(
    connection: Connection, actor: Actor, sessions: Collection[str]
) -> dict[str, str | None]:
    """What some sessions are called."""
    query = (
        select(SESSIONS.c.id, SESSIONS.c.title)
        .where(SESSIONS.c.tenant == actor.tenant, SESSIONS.c.id.in_(sessions))
        .order_by(SESSIONS.c.id)
    )
    return {row.id: row.title for row in connection.execute(query)}


def runs_between(
    connection: Connection,
    actor: Actor,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[RunRow]:
    """The runs of all persons of a tenant that began in a span of time, oldest first."""
    query = (
        select(*_RUN)
        .join(SESSIONS, (SESSIONS.c.tenant == RUNS.c.tenant) & (SESSIONS.c.id == RUNS.c.session_id))
        .where(RUNS.c.tenant == actor.tenant, SESSIONS.c.door == DOOR)
    )
    if since is not None:
        query = query.where(RUNS.c.created_at >= since)
    if until is not None:
        query = query.where(RUNS.c.created_at < until)
    rows = connection.execute(query.order_by(RUNS.c.created_at, RUNS.c.id))
    return [RunRow(*row) for row in rows]


def session_of(connection: Connection, actor: Actor, session: str) -> SessionRow:
    """The session of a run, whoever it belongs to."""
    query = select(*_SESSION).where(SESSIONS.c.tenant == actor.tenant, SESSIONS.c.id == session)
    return SessionRow(*connection.execute(query).one())
