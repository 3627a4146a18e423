"""SQL of what a person looks for or is waited for: sessions by their words, open questions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, select

from paige.agent.tables import GATES, RUNS, SESSIONS
from paige.base.actor import Actor
from paige.store.fulltext import matching


@dataclass(frozen=True, slots=True)
class WordedSession:
    """A session that holds the words, with what was said in it."""

    id: str
    title: str | None
    messages_text: str
    status: str
    updated_at: datetime
    issue_number: int | None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question of a run that nobody has answered, and the session it was asked in."""

    run: str
    gate: str
    revision: int
    interaction: dict[str, Any]
    opened_at: datetime
    session: str
    title: str | None
    door: str


_WORDED = [SESSIONS.c[name] for name in WordedSession.__dataclass_fields__]


def worded_sessions(
    connection: Connection, actor: Actor, *, door: str, words: str, limit: int
) -> list[WordedSession]:
    """A person's sessions of one door that hold all words, best first."""
    found = matching(connection, SESSIONS, actor, words).subquery()
    query = (
        select(*_WORDED)
        .join(found, found.c.id == SESSIONS.c.id)
        .where(
            SESSIONS.c.tenant == actor.tenant,
            SESSIONS.c.person == actor.person,
            SESSIONS.c.door == door,
        )
        .order_by(found.c.score.desc(), SESSIONS.c.updated_at.desc(), SESSIONS.c.id)
        .limit(limit)
    )
    return [WordedSession(*row) for row in connection.execute(query)]


def open_questions(connection: Connection, actor: Actor, *, limit: int) -> list[OpenQuestion]:
    """Every question that waits for a person, oldest first, with its session."""
    own_run = and_(RUNS.c.tenant == GATES.c.tenant, RUNS.c.id == GATES.c.run_id)
    own_session = and_(SESSIONS.c.tenant == RUNS.c.tenant, SESSIONS.c.id == RUNS.c.session_id)
    query = (
        select(
            GATES.c.run_id,
            GATES.c.gate,
            GATES.c.revision,
            GATES.c.interaction,
            GATES.c.opened_at,
            SESSIONS.c.id,
            SESSIONS.c.title,
            SESSIONS.c.door,
        )
        .join(RUNS, own_run)
        .join(SESSIONS, own_session)
        .where(
            GATES.c.tenant == actor.tenant,
            GATES.c.person == actor.person,
            GATES.c.answered_at.is_(None),
            RUNS.c.state != "ended",
        )
        .order_by(GATES.c.opened_at, GATES.c.gate)
        .limit(limit)
    )
    return [OpenQuestion(*row) for row in connection.execute(query)]
