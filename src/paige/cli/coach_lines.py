"""What `paige coach` says: sessions, phases and the dashboard as lines and as JSON."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from paige.base.clock import to_iso
from paige.coach.message_parts import SessionSummary
from paige.coach.messages import DashboardState
from paige.coach.model import WrapUp
from paige.coach.records import CoachSession, PhaseRow
from paige.coach.snapshot import Overview

MINUTE = timedelta(minutes=1)


def dump_session(session: CoachSession) -> dict[str, Any]:
    """A session for a program."""
    return {
        "session": session.id,
        "project": session.project_dir,
        "issue_number": session.issue_number,
        "issue_title": session.issue_title,
        "status": session.status,
        "started_at": to_iso(session.started_at),
        "ended_at": to_iso(session.ended_at) if session.ended_at else None,
    }


def dump_phase(phase: PhaseRow) -> dict[str, Any]:
    """A phase for a program."""
    return {
        "number": phase.number,
        "title": phase.title,
        "description": phase.description,
        "status": phase.status,
        "hint_level": phase.hint_level,
        "expected_files": list(phase.expected_files),
        "started_at": to_iso(phase.started_at) if phase.started_at else None,
        "completed_at": to_iso(phase.completed_at) if phase.completed_at else None,
    }


def started_line(session: CoachSession, what: str) -> str:
    """What happened to a session, and what it is about."""
    return f"{what} a session in `{session.project_dir}`: {issue_text(session)}."


def ended_line(summary: SessionSummary) -> str:
    """How a session ended."""
    minutes = _minutes(timedelta(milliseconds=summary.duration_ms))
    phases = f", {summary.phases_completed} of {summary.phases_total} phases complete"
    return f"Completed the session after {minutes}{phases if summary.phases_total else ''}."


def learnt_line(learnt: WrapUp) -> str:
    """What a session was worth."""
    counts = (
        (learnt.knowledge_gaps, "gap", "gaps"),
        (learnt.kata_specs, "kata to practise", "katas to practise"),
        (learnt.dreyfus_updates, "stage assessed", "stages assessed"),
        (learnt.memories_stored, "memory kept", "memories kept"),
    )
    said = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    found = f"Found: {', '.join(said)}." if said else "Nothing new was found in it."
    return " ".join(
        part for part in (found if said or not learnt.note else "", learnt.note) if part
    )


def overview_lines(found: Overview, now: datetime) -> Iterator[str]:
    """The session somebody works in with its phases, then the ones before it."""
    if found.session is not None:
        session = found.session
        length = _minutes(now - session.started_at)
        yield f"{session.id}  active for {length}  {issue_text(session)}"
        for phase in found.phases:
            yield f"  {phase_line(phase)}"
    for session in found.earlier:
        started = f"{session.started_at:%Y-%m-%d %H:%M}"
        yield f"{session.id}  {session.status}  {started}  {issue_text(session)}"


def phase_line(phase: PhaseRow) -> str:
    """A phase in one line."""
    return f"{phase.number}  {phase.status:8}  hints: {phase.hint_level:6}  {phase.title}"


def dashboard_lines(state: DashboardState) -> Iterator[str]:
    """The dashboard, one fact a line."""
    stats = state.stats
    yield f"sessions completed  {stats.sessions_completed}"
    yield f"time coached        {_minutes(timedelta(minutes=stats.total_coaching_minutes))}"
    yield f"issues worked on    {stats.issues_worked_on}"
    gaps = f"{stats.knowledge_gaps_identified}, {stats.knowledge_gaps_addressed} of them closed"
    yield f"gaps found          {gaps}"
    yield f"hints used          {stats.hints_used}"
    yield f"model calls         ${stats.api_cost_total:.4f}"
    for row in state.dreyfus:
        stage = row.stage.replace("_", " ")
        yield f"skill     {row.skill_area}: {stage} ({row.confidence:.0%} sure)"
    for session in state.in_progress_sessions:
        yield f"session   {session.id}  {issue_words(session.issue_number, session.issue_title)}"
    for kata in state.katas:
        best = f", best level {kata.best_level}" if kata.best_level is not None else ""
        yield f"kata      {kata.title} ({kata.topic}): {kata.attempts_count} attempts{best}"


def issue_text(session: CoachSession) -> str:
    """The issue of a session in a few words."""
    return issue_words(session.issue_number, session.issue_title)


def issue_words(number: int | None, title: str | None) -> str:
    """An issue in a few words."""
    if number is None:
        return title or "no issue"
    return f"#{number} {title}" if title else f"#{number}"


def _minutes(length: timedelta) -> str:
    minutes = max(0, length // MINUTE)
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
