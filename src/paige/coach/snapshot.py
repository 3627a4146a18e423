"""What the database knows about a session, in the shapes that clients read."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach import queries
from paige.coach.action_queries import actions_since
from paige.coach.message_parts import (
    FileHint,
    IssueContext,
    LineHint,
    PhaseHints,
    PhaseInfo,
    RestoredState,
)
from paige.coach.records import Action, CoachSession, PhaseHint, PhaseRow, PlanRow
from paige.learner.queries import assessments, gaps

StateItem = Literal["phase", "plan", "progress", "hints", "session", "dreyfus"]
STATE_ITEMS: tuple[StateItem, ...] = (
    "phase",
    "plan",
    "progress",
    "hints",
    "session",
    "dreyfus",
)
NO_HINT_LEVEL = "none"
"""The level before any phase says another one."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Where a person stands in a project: the active session and its phases, and earlier ones."""

    session: CoachSession | None = None
    plan: PlanRow | None = None
    phases: tuple[PhaseRow, ...] = ()
    earlier: tuple[CoachSession, ...] = ()


NOTHING = Overview()


def overview(connection: Connection, actor: Actor, project_dir: str, *, limit: int = 5) -> Overview:
    """The active session of a project and the newest others."""
    recent = queries.recent_sessions(connection, actor, project_dir=project_dir, limit=limit)
    session = queries.active_session(connection, actor, project_dir)
    plan = queries.latest_plan(connection, actor, session.id) if session else None
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    earlier = tuple(each for each in recent if each.status != "active")
    return Overview(session, plan, tuple(phases), earlier)


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """One session, open or over: its phases, and the topics of the gaps that it showed last."""

    session: CoachSession
    phases: tuple[PhaseRow, ...]
    gaps: tuple[str, ...]


def session_seen(connection: Connection, actor: Actor, session_id: str) -> SessionSeen:
    """A session of a person to look back at. Raises: NotFound."""
    session = queries.get_session(connection, actor, session_id)
    plan = queries.latest_plan(connection, actor, session.id)
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    found = gaps(connection, actor, session_id=session.id)
    return SessionSeen(session, tuple(phases), tuple(gap.topic for gap in found))


def session_state(
    connection: Connection,
    actor: Actor,
    session: CoachSession,
    include: Collection[str] = STATE_ITEMS,
) -> dict[str, Any]:
    """The items of a session that are asked for, by name; others than these are left out."""
    return {
        name: READERS[name](connection, actor, session) for name in STATE_ITEMS if name in include
    }


def restored_state(connection: Connection, actor: Actor, session: CoachSession) -> RestoredState:
    """What a session brings back when it goes on."""
    plan = queries.latest_plan(connection, actor, session.id)
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    phase = queries.active_phase(connection, actor, session.id)
    hints = queries.hints_of(connection, actor, phase.id) if phase else []
    files = actions_since(connection, actor, session.id, types=("file_open", "file_close"))
    return RestoredState(
        session_id=session.id,
        issue_context=issue_of(session),
        phases=[PhaseInfo.model_validate(each) for each in phases],
        hints=phase_hints(hints),
        open_files=open_files(files),
        hint_level=phase.hint_level if phase else NO_HINT_LEVEL,
    )


def issue_of(session: CoachSession) -> IssueContext | None:
    """The issue of a session as far as its row knows it."""
    if session.issue_number is None and session.issue_title is None:
        return None
    return IssueContext(number=session.issue_number, title=session.issue_title or "")


def phase_hints(hints: Iterable[PhaseHint]) -> PhaseHints:
    """Stored hints as clients read them."""
    files: list[FileHint] = []
    lines: list[LineHint] = []
    for hint in hints:
        if hint.type == "file":
            files.append(FileHint(path=hint.path, style=hint.style))
            continue
        first = hint.start_line or 1
        lines.append(
            LineHint(
                path=hint.path,
                start=first,
                end=hint.end_line or first,
                style=hint.style,
                hover_text=hint.hover_text,
            )
        )
    return PhaseHints(file_hints=files, line_hints=lines)


def open_files(actions: Iterable[Action]) -> list[str]:
    """The files that are open after some actions, in the order they were opened."""
    files: dict[str, None] = {}
    for action in actions:
        path = str((action.data or {}).get("path", ""))
        if action.action_type == "file_open" and path:
            files.setdefault(path)
        elif action.action_type == "file_close":
            files.pop(path, None)
    return list(files)


def _phase(connection: Connection, actor: Actor, session: CoachSession) -> dict[str, Any] | None:
    phase = queries.active_phase(connection, actor, session.id)
    if phase is None:
        return None
    return {
        "id": phase.id,
        "number": phase.number,
        "title": phase.title,
        "status": phase.status,
        "hintLevel": phase.hint_level,
    }


def _plan(connection: Connection, actor: Actor, session: CoachSession) -> dict[str, Any] | None:
    plan = queries.latest_plan(connection, actor, session.id)
    if plan is None:
        return None
    phases = queries.phases_of(connection, actor, plan.id)
    listed = [{"number": p.number, "title": p.title, "status": p.status} for p in phases]
    return {"id": plan.id, "phases": listed}


def _progress(connection: Connection, actor: Actor, session: CoachSession) -> list[Any]:
    return [
        {"eventType": each.event_type, "data": each.data, "createdAt": to_iso(each.created_at)}
        for each in queries.progress_of(connection, actor, session_id=session.id)
    ]


def _hints(connection: Connection, actor: Actor, session: CoachSession) -> dict[str, Any]:
    phase = queries.active_phase(connection, actor, session.id)
    found = queries.hints_of(connection, actor, phase.id) if phase else []
    return phase_hints(found).model_dump(by_alias=True)


def _session(_: Connection, __: Actor, session: CoachSession) -> dict[str, Any]:
    return {
        "id": session.id,
        "projectDir": session.project_dir,
        "issueNumber": session.issue_number,
        "issueTitle": session.issue_title,
        "startedAt": to_iso(session.started_at),
    }


def _dreyfus(connection: Connection, actor: Actor, _: CoachSession) -> list[dict[str, Any]]:
    return [
        {"skillArea": each.skill_area, "stage": each.stage, "confidence": each.confidence}
        for each in assessments(connection, actor)
    ]


READERS: dict[StateItem, Callable[[Connection, Actor, CoachSession], Any]] = {
    "phase": _phase,
    "plan": _plan,
    "progress": _progress,
    "hints": _hints,
    "session": _session,
    "dreyfus": _dreyfus,
}
