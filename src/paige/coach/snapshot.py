"""What the database knows about a session, in the shapes that clients read."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, get_args

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.wire import wire
from paige.coach import queries
from paige.coach.log.queries import actions_since
from paige.coach.message_parts import (
    FileHint,
    IssueContext,
    LineHint,
    PhaseHints,
    PhaseInfo,
    RestoredState,
)
from paige.coach.records import (
    Action,
    CoachSession,
    PhaseHint,
    PhaseRow,
    PlanRow,
)
from paige.learner.queries import assessments, gaps


@wire
class PlanState:
    """The plan of a session with its phases."""

    id: str
    phases: tuple[PhaseRow, ...]


@dataclass(frozen=True, slots=True)
class FileState:
    """A file that the active phase points at."""

    path: str
    style: str


@dataclass(frozen=True, slots=True)
class LineState(FileState):
    """Lines that the active phase points at."""

    start: int
    end: int
    hover_text: str | None


@wire
class HintState:
    """What the active phase points at."""

    file_hints: tuple[FileState, ...]
    line_hints: tuple[LineState, ...]


@wire
class SkillState:
    """How well the person knows something."""

    skill_area: str
    stage: str
    confidence: float


StateItem = Literal["phase", "plan", "progress", "hints", "session", "dreyfus"]
STATE_ITEMS: tuple[StateItem, ...] = get_args(StateItem)
NO_HINT_LEVEL = "none"
"""The level before any phase says another one."""


@dataclass(frozen=True, slots=True)
class Overview:
    """Where a person stands in a project: the active session and its phases, and earlier ones."""

    session: CoachSession | None = None
    plan: PlanRow | None = None
    phases: tuple[PhaseRow, ...] = ()
    earlier: tuple[CoachSession, ...] = ()


def overview(connection: Connection, actor: Actor, project_dir: str, *, limit: int = 5) -> Overview:
    """The active session of a project and the newest others."""
    recent = queries.recent_sessions(connection, actor, project_dir=project_dir, limit=limit)
    session = queries.active_session(connection, actor, project_dir)
    plan = queries.latest_plan(connection, actor, session.id) if session else None
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    earlier = tuple(each for each in recent if each.status != "active")
    return Overview(session, plan, tuple(phases), earlier)


@wire
class CoachSessionSeen:
    """One session, open or over: its phases, and the topics of the gaps that it showed last."""

    session: CoachSession
    phases: tuple[PhaseRow, ...]
    gaps: tuple[str, ...]


def session_to_review(connection: Connection, actor: Actor, session_id: str) -> CoachSessionSeen:
    """A session of a person to look back at. Raises: NotFound."""
    session = queries.get_session(connection, actor, session_id)
    plan = queries.latest_plan(connection, actor, session.id)
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    found = gaps(connection, actor, session_id=session.id)
    return CoachSessionSeen(session, tuple(phases), tuple(gap.topic for gap in found))


def session_state(
    connection: Connection,
    actor: Actor,
    session: CoachSession,
    include: Collection[str] = STATE_ITEMS,
) -> dict[str, Any]:
    """The items of a session that are asked for, by name; others than these are left out."""
    read = partial(_item, connection, actor, session)
    return {name: read(name) for name in STATE_ITEMS if name in include}


def _item(connection: Connection, actor: Actor, session: CoachSession, name: StateItem) -> object:
    match name:
        case "session":
            return session
        case "phase":
            return queries.active_phase(connection, actor, session.id)
        case "plan":
            plan = queries.latest_plan(connection, actor, session.id)
            phases = queries.phases_of(connection, actor, plan.id) if plan else ()
            return PlanState(plan.id, tuple(phases)) if plan else None
        case "progress":
            return queries.progress_of(connection, actor, session_id=session.id)
        case "hints":
            return _hints(connection, actor, session)
        case "dreyfus":
            found = assessments(connection, actor)
            return [SkillState(each.skill_area, each.stage, each.confidence) for each in found]


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


def _hints(connection: Connection, actor: Actor, session: CoachSession) -> HintState:
    phase = queries.active_phase(connection, actor, session.id)
    found = phase_hints(queries.hints_of(connection, actor, phase.id) if phase else [])
    return HintState(
        tuple(FileState(each.path, each.style) for each in found.file_hints),
        tuple(
            LineState(each.path, each.style, each.start, each.end, each.hover_text)
            for each in found.line_hints
        ),
    )
