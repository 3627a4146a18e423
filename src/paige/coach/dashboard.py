"""The dashboard as far as the database knows it: skills, counts, open sessions, katas."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.history_queries import api_cost, count_gaps, count_hints, count_sessions
from paige.coach.message_parts import (
    Constraint,
    DashboardStats,
    DreyfusRow,
    InProgressSession,
    Kata,
    KataSummary,
    LockedConstraint,
    Period,
    SkillArea,
)
from paige.coach.messages import DashboardDreyfus, DashboardState, PracticeKataLoad
from paige.coach.queries import recent_sessions
from paige.learner.gaps import LOWEST_LEVEL, best_level, unlocked
from paige.learner.queries import KataOfGap, assessments, get_gap, get_kata, katas
from paige.learner.stages import STAGES


def load_kata(connection: Connection, actor: Actor, kata_id: str) -> PracticeKataLoad:
    """A kata with the constraints that are open at the best level reached. Raises: NotFound."""
    found = get_kata(connection, actor, kata_id)
    gap = get_gap(connection, actor, found.knowledge_gap_id)
    best = best_level(found.user_attempts)
    open_to_them = unlocked(found.constraints, best or LOWEST_LEVEL)
    kata = Kata(
        id=found.id,
        title=found.title,
        topic=gap.topic,
        description=found.description,
        scaffolding_code=found.scaffolding_code,
        attempts_count=len(found.user_attempts),
        best_level=best,
    )
    constraints = [Constraint.model_validate(each) for each in open_to_them]
    titles = {each.title for each in open_to_them}
    locked = [
        LockedConstraint.model_validate(each)
        for each in found.constraints
        if each.title not in titles
    ]
    return PracticeKataLoad(kata=kata, constraints=constraints, locked=locked)


def chart(rows: Sequence[DreyfusRow]) -> DashboardDreyfus:
    """The chart of some assessments; without any there is no stage for the whole."""
    areas = [
        SkillArea(name=row.skill_area, stage=row.stage, score=score_of(row.stage)) for row in rows
    ]
    whole = stage_of_whole([(row.stage, row.confidence) for row in rows])
    return DashboardDreyfus(skill_areas=areas, overall_stage=whole)


def score_of(stage: str) -> float:
    """A stage from 0.2 for a novice to 1 for an expert; 0 for a name nobody knows."""
    names = [str(name) for name in STAGES]
    return (names.index(stage) + 1) / len(names) if stage in names else 0.0


def stage_of_whole(judged: Sequence[tuple[str, float]]) -> str | None:
    """The mean of stages with their confidence, each as heavy as it is sure."""
    known = [(score_of(stage), confidence) for stage, confidence in judged if score_of(stage)]
    if not known:
        return None
    weight = sum(confidence for _, confidence in known)
    if weight == 0:
        mean = sum(score for score, _ in known) / len(known)
    else:
        mean = sum(score * confidence for score, confidence in known) / weight
    return STAGES[max(0, min(len(STAGES) - 1, round(mean * len(STAGES)) - 1))]


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
    known = count_gaps(connection, actor, None)
    active = recent_sessions(connection, actor, status="active", limit=MOST_SESSIONS)
    return DashboardState(
        dreyfus=[DreyfusRow.model_validate(each) for each in assessments(connection, actor)],
        stats=stats(connection, actor, period, now),
        in_progress_sessions=[InProgressSession.model_validate(each) for each in active],
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
    sessions = count_sessions(connection, actor, since)
    gaps = count_gaps(connection, actor, since)
    return DashboardStats(
        period=period,
        sessions_completed=sessions.completed,
        total_coaching_minutes=round(sessions.minutes, 2),
        issues_worked_on=sessions.issues,
        knowledge_gaps_identified=gaps.identified,
        knowledge_gaps_addressed=gaps.addressed,
        hints_used=count_hints(connection, actor, since),
        api_cost_total=api_cost(connection, actor, since),
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
