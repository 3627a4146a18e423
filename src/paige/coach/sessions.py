"""Starting, resuming and ending sessions: each is one transaction with its actions and events.

At most one session of a person is active in a project; starting or resuming one ends another, as
abandoned. Events tell every client, whichever process did it:

- start: `session:started`, `coaching:issue_context` when there is an issue, `observer:status`
- resume: `session:resumed`, `observer:status`
- end: `session:ended`, `session:completed` when it was completed, `observer:status`
- a session that made room: `session:ended`, before the others
"""

import os
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import Conflict, NotFound
from paige.coach import queries
from paige.coach.log.queries import insert_actions
from paige.coach.message_parts import IssueContext, RestoredState, SessionSummary
from paige.coach.messages import (
    CoachingIssueContext,
    ObserverStatus,
    SessionCompleted,
    SessionEnded,
    SessionResumed,
    SessionStarted,
)
from paige.coach.model import WrapUp
from paige.coach.records import NO_SESSION, Action, CoachSession, Ids, random_ids
from paige.coach.snapshot import NO_HINT_LEVEL, restored_state
from paige.store.messages import publish

NOTHING_LEARNT = WrapUp()
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, slots=True)
class EndedSession:
    """A session that has ended, what is told about it, and the actions that were written."""

    session: CoachSession
    summary: SessionSummary
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class StartedSession:
    """A new session, those that made room for it, and the actions that were written."""

    session: CoachSession
    abandoned: tuple[CoachSession, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumedSession(StartedSession):
    """A session that goes on, and what it brings back."""

    restored: RestoredState


def project_key(project_dir: Path | str) -> str:
    """How a project is named in the database: its real path, however it was reached."""
    return os.path.realpath(project_dir)


def active(connection: Connection, actor: Actor, project_dir: Path | str) -> CoachSession | None:
    """The session a person works in, if one is active in this project."""
    return queries.active_session(connection, actor, project_key(project_dir))


def need_active(connection: Connection, actor: Actor, project_dir: Path | str) -> CoachSession:
    """The session a person works in. Raises: NotFound with the sentence that clients know."""
    found = active(connection, actor, project_dir)
    if found is None:
        raise NotFound(NO_SESSION, hint="`paige coach start` begins one.")
    return found


def left_last(connection: Connection, actor: Actor, project_dir: Path | str) -> CoachSession:
    """The session of this project that was abandoned last. Raises: NotFound."""
    found = queries.last_abandoned(connection, actor, project_key(project_dir))
    if found is None:
        raise NotFound("There is no session to go on with", hint="`paige coach start` begins one.")
    return found


def start(
    connection: Connection,
    actor: Actor,
    project_dir: Path | str,
    *,
    issue: IssueContext | None = None,
    now: datetime,
    ids: Ids = random_ids,
) -> StartedSession:
    """Begin a session; one that is active in this project is abandoned."""
    session = CoachSession(
        id=ids(now),
        project_dir=project_key(project_dir),
        issue_number=issue.number if issue else None,
        issue_title=issue.title or None if issue else None,
        status="active",
        started_at=now,
    )
    abandoned = _make_room(connection, actor, session.project_dir, now=now, ids=ids)
    queries.insert_session(connection, actor, session)
    data = {"issueNumber": session.issue_number}
    action = _act(connection, actor, Action(ids(now), session.id, "session_started", data, now))
    begun = SessionStarted(session_id=session.id, issue_context=issue, hint_level=NO_HINT_LEVEL)
    publish(connection, actor, begun, now=now)
    if issue is not None:
        context = CoachingIssueContext.model_validate(issue.model_dump())
        publish(connection, actor, context, now=now)
    publish(connection, actor, ObserverStatus(active=True, muted=False), now=now)
    return StartedSession(session, *_told(abandoned, action))


def resume(
    connection: Connection,
    actor: Actor,
    session_id: str,
    *,
    muted: bool = False,
    now: datetime,
    ids: Ids = random_ids,
) -> ResumedSession:
    """Go on with a session; another one that is active in its project is abandoned.

    `muted` is whether the observer was told to be quiet. Raises: NotFound, and Conflict when it was
    completed.
    """
    queries.wait_for_turn(connection, actor)
    session = queries.get_session(connection, actor, session_id, lock=True)
    if session.status == "completed":
        raise Conflict(
            f"Session `{session_id}` is completed and cannot go on",
            hint="Start a new one for the same issue.",
        )
    abandoned: tuple[EndedSession, ...] = ()
    if session.status != "active":
        abandoned = _make_room(connection, actor, session.project_dir, now=now, ids=ids)
        queries.reopen_session(connection, actor, session_id, now=now)
        session = replace(session, status="active", ended_at=None)
    data = {"previousSessionId": session_id}
    action = _act(connection, actor, Action(ids(now), session_id, "session_resumed", data, now))
    restored = restored_state(connection, actor, session)
    publish(connection, actor, SessionResumed(restored_state=restored), now=now)
    publish(connection, actor, ObserverStatus(active=True, muted=muted), now=now)
    return ResumedSession(session, *_told(abandoned, action), restored=restored)


def end(
    connection: Connection,
    actor: Actor,
    session_id: str,
    *,
    learnt: WrapUp = NOTHING_LEARNT,
    now: datetime,
    ids: Ids = random_ids,
) -> EndedSession:
    """Complete a session. Raises: NotFound, and Conflict when it has ended already."""
    queries.wait_for_turn(connection, actor)
    session = queries.get_session(connection, actor, session_id, lock=True)
    if session.status != "active":
        raise Conflict(f"Session `{session_id}` has ended already: it is {session.status}")
    ended = _end(connection, actor, session, "completed", now=now, ids=ids)
    completed = SessionCompleted(session_id=session_id, **asdict(learnt))
    publish(connection, actor, completed, now=now)
    publish(connection, actor, ObserverStatus(active=False, muted=False), now=now)
    return ended


def _make_room(
    connection: Connection, actor: Actor, project_dir: str, *, now: datetime, ids: Ids
) -> tuple[EndedSession, ...]:
    queries.wait_for_turn(connection, actor)
    found = queries.active_session(connection, actor, project_dir)
    if found is None:
        return ()
    return (_end(connection, actor, found, "abandoned", now=now, ids=ids),)


def _end(
    connection: Connection,
    actor: Actor,
    session: CoachSession,
    status: Literal["completed", "abandoned"],
    *,
    now: datetime,
    ids: Ids,
) -> EndedSession:
    queries.end_session(connection, actor, session.id, status, now=now)
    ended = replace(session, status=status, ended_at=now)
    plan = queries.latest_plan(connection, actor, session.id)
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    summary = SessionSummary(
        session_id=session.id,
        status=status,
        issue_number=session.issue_number,
        issue_title=session.issue_title,
        duration_ms=max(0, (now - session.started_at) // _MILLISECOND),
        phases_completed=sum(phase.status == "complete" for phase in phases),
        phases_total=len(phases),
    )
    data = {"status": status, "durationMs": summary.duration_ms}
    action = _act(connection, actor, Action(ids(now), session.id, "session_ended", data, now))
    publish(connection, actor, SessionEnded(summary=summary), now=now)
    return EndedSession(ended, summary, (action,))


def _act(connection: Connection, actor: Actor, action: Action) -> Action:
    insert_actions(connection, actor, [action])
    return action


def _told(
    abandoned: tuple[EndedSession, ...], action: Action
) -> tuple[tuple[CoachSession, ...], tuple[Action, ...]]:
    """What `StartedSession` and `ResumedSession` say about the sessions that made room."""
    before = tuple(each for ended in abandoned for each in ended.actions)
    return tuple(ended.session for ended in abandoned), (*before, action)
