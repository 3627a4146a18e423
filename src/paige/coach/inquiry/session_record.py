"""Everything that is known of a session when it ends, read at once."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach import queries
from paige.coach.log.queries import recent_actions
from paige.coach.records import Action, CoachSession, PhaseRow, PlanRow, ProgressEvent
from paige.learner.queries import GapRow, gaps, katas

MOST_ACTIONS = 2_000
MOST_TOLD = 400
MOST_TRANSCRIPT = 50_000
HELP = ("hint_used", "hint_escalated")
# Said about the tools that were called, not about what was learnt.
_NOT_TOLD = ("mcp_tool_call", "dashboard_loaded", "decorations_applied", "file_hints_applied")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session with its plan, what was done in it, and what was known to be missing before."""

    session: CoachSession
    plan: PlanRow | None
    phases: tuple[PhaseRow, ...]
    progress: tuple[ProgressEvent, ...]
    actions: tuple[Action, ...]
    known: tuple[GapRow, ...]
    practised: frozenset[str]
    """Topics that have a kata."""
    transcript: str
    now: datetime

    @property
    def completed(self) -> tuple[PhaseRow, ...]:
        """The phases that were finished."""
        return tuple(phase for phase in self.phases if phase.status == "complete")

    def hints_in(self, phase: PhaseRow) -> int:
        """How often help was asked for in a phase."""
        return sum(
            event.phase_id == phase.id and event.event_type in HELP for event in self.progress
        )

    @property
    def hints_used(self) -> int:
        """How often help was asked for in all."""
        return sum(event.event_type in HELP for event in self.progress)

    @property
    def independent(self) -> int:
        """How many phases were finished without asking for help."""
        return sum(self.hints_in(phase) == 0 for phase in self.completed)

    @property
    def minutes(self) -> float:
        """How long the session took."""
        return round(max(0.0, (self.now - self.session.started_at).total_seconds() / 60), 1)


def read_record(
    connection: Connection, actor: Actor, session: CoachSession, transcript: str, now: datetime
) -> SessionRecord:
    """The record of a session as it is now."""
    plan = queries.latest_plan(connection, actor, session.id)
    phases = queries.phases_of(connection, actor, plan.id) if plan else []
    newest = recent_actions(connection, actor, session.id, limit=MOST_ACTIONS)
    return SessionRecord(
        session=session,
        plan=plan,
        phases=tuple(phases),
        progress=tuple(queries.progress_of(connection, actor, session_id=session.id)),
        actions=tuple(reversed(newest)),
        known=tuple(gaps(connection, actor)),
        practised=frozenset(each.topic for each in katas(connection, actor)),
        transcript=shortened(transcript),
        now=now,
    )


def shortened(transcript: str, most: int = MOST_TRANSCRIPT) -> str:
    """A transcript that fits: of one that is too long the beginning and, mostly, the end."""
    if len(transcript) <= most:
        return transcript
    head = most // 5
    return f"{transcript[:head]}\n[\u2026]\n{transcript[-(most - head) :]}"


def told_actions(record: SessionRecord) -> list[dict[str, Any]]:
    """The newest actions as a model reads them, oldest first."""
    told = [action for action in record.actions if action.action_type not in _NOT_TOLD]
    return [
        {
            "action_type": action.action_type,
            "data": action.data,
            "created_at": to_iso(action.created_at),
        }
        for action in told[-MOST_TOLD:]
    ]


def told_phases(record: SessionRecord) -> list[dict[str, Any]]:
    """The phases as a model reads them."""
    return [
        {
            "number": phase.number,
            "title": phase.title,
            "status": phase.status,
            "hint_level": phase.hint_level,
            "hints_used": record.hints_in(phase),
        }
        for phase in record.phases
    ]


def told_summary(record: SessionRecord) -> dict[str, Any]:
    """The session in numbers."""
    return {
        "phases_completed": len(record.completed),
        "total_time_minutes": record.minutes,
        "hints_used": record.hints_used,
        "independent_completions": record.independent,
    }
