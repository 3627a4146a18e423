"""The dashboard as far as the database knows it: skills, counts, open sessions, katas."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.coach import dashboard_queries
from paige.coach.message_parts import (
    DashboardStats,
    DreyfusRow,
    InProgressSession,
    KataSummary,
    Period,
)
from paige.coach.messages import DashboardState
from paige.coach.queries import recent_sessions
from paige.learner.katas import best_level
from paige.learner.queries import assessments, katas
from paige.learner.records import Assessment, KataOfGap

PERIODS: Mapping[Period, timedelta | None] = {
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
    "all": None,
}
MOST_SESSIONS = 100


def dashboard_state(
    connection: Connection, actor: Actor, period: Period, now: datetime
) -> DashboardState:
    """Everything the dashboard shows without asking anybody else."""
    known = dashboard_queries.count_gaps(connection, actor, None)
    active = recent_sessions(connection, actor, status="active", limit=MOST_SESSIONS)
    return DashboardState(
        dreyfus=[_dreyfus(each) for each in assessments(connection, actor)],
        stats=stats(connection, actor, period, now),
        in_progress_sessions=[
            InProgressSession(
                id=each.id,
                issue_number=each.issue_number,
                issue_title=each.issue_title,
                started_at=to_iso(each.started_at),
            )
            for each in active
        ],
        katas=kata_summaries(connection, actor),
        open_gaps=known.identified - known.addressed,
    )


def kata_summaries(connection: Connection, actor: Actor) -> list[KataSummary]:
    """Every kata of a person in a few words, oldest first."""
    return [_kata(each) for each in katas(connection, actor)]


def stats(connection: Connection, actor: Actor, period: Period, now: datetime) -> DashboardStats:
    """Counts of the last days, or of all time."""
    length = PERIODS[period]
    since = None if length is None else now - length
    sessions = dashboard_queries.count_sessions(connection, actor, since)
    gaps = dashboard_queries.count_gaps(connection, actor, since)
    return DashboardStats(
        period=period,
        sessions_completed=sessions.completed,
        total_coaching_minutes=round(sessions.minutes, 2),
        issues_worked_on=sessions.issues,
        knowledge_gaps_identified=gaps.identified,
        knowledge_gaps_addressed=gaps.addressed,
        hints_used=dashboard_queries.count_hints(connection, actor, since),
        api_cost_total=dashboard_queries.api_cost(connection, actor, since),
    )


def _dreyfus(row: Assessment) -> DreyfusRow:
    return DreyfusRow(
        skill_area=row.skill_area,
        stage=row.stage,
        confidence=row.confidence,
        assessed_at=to_iso(row.assessed_at),
    )


def _kata(row: KataOfGap) -> KataSummary:
    kata = row.kata
    return KataSummary(
        id=kata.id,
        title=kata.title,
        topic=row.topic,
        attempts_count=len(kata.user_attempts),
        best_level=best_level(kata.user_attempts),
        constraint_count=len(kata.constraints),
    )
