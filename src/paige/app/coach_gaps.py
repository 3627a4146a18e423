"""Gaps as both doors see them: the session that showed one, its stage, its next review in Study."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.coach_study import COURSE, concept_id, practice_in
from paige.app.places import teaching_documents
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.coach.queries import find_sessions
from paige.coach.records import CoachSession
from paige.learner.progress import Progress
from paige.learner.queries import gaps, katas, stage_for
from paige.learner.records import GapRow
from paige.learner.stages import Stage

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSeen:
    """A gap. `concept` is its name in the course of Study, empty while Study has none.

    `session` is the one that last showed it, `due` when it is asked for next, `reviews` how often
    it was asked for so far.
    """

    gap: GapRow
    stage: Stage
    kata_id: str | None
    session: CoachSession | None
    concept: str = ""
    due: datetime | None = None
    reviews: int = 0
    course: str = COURSE

    def is_due(self, now: datetime) -> bool:
        """Whether it should be recalled now."""
        return self.due is not None and self.due <= now


async def gaps_seen(app: App) -> tuple[GapSeen, ...]:
    """Every gap of whoever asks, the most urgent first; without dates where Study has none."""
    stored = await app.database.read(_stored, app.actor)
    try:
        known = await run_sync(lambda: practice_in(teaching_documents(app)))
    except (PaigeError, OSError) as error:
        logger.warning("The dates of reviews are not known: %s", error)
        known = {}
    return with_practice(stored, known)


def with_practice(stored: Sequence[GapSeen], known: Mapping[str, Progress]) -> tuple[GapSeen, ...]:
    """Gaps with what Study knows of them, by topic."""
    return tuple(_seen(each, known.get(each.gap.topic)) for each in stored)


def dump_gap(seen: GapSeen, now: datetime) -> dict[str, Any]:
    """A gap as JSON for commands."""
    gap, session = seen.gap, seen.session
    return {
        "topic": gap.topic,
        "severity": gap.severity,
        "frequency": gap.frequency,
        "closed": gap.addressed,
        "stage": seen.stage,
        "kata": seen.kata_id,
        "session": session.id if session else None,
        "issue": session.issue_title if session else None,
        "course": seen.course if seen.concept else None,
        "concept": seen.concept or None,
        "next_review": to_iso(seen.due) if seen.due else None,
        "due": seen.is_due(now),
        "reviews": seen.reviews,
    }


def _stored(connection: Connection, actor: Actor) -> list[GapSeen]:
    found = gaps(connection, actor)
    newest = {each.kata.knowledge_gap_id: each.kata.id for each in katas(connection, actor)}
    wanted = {gap.session_id for gap in found if gap.session_id}
    sessions = {each.id: each for each in find_sessions(connection, actor, wanted)}
    return [
        GapSeen(
            gap=gap,
            stage=stage_for(connection, actor, gap.topic),
            kata_id=newest.get(gap.id),
            session=sessions.get(gap.session_id or ""),
        )
        for gap in found
    ]


def _seen(stored: GapSeen, progress: Progress | None) -> GapSeen:
    if progress is None:
        return stored
    return replace(
        stored,
        concept=concept_id(stored.gap.topic),
        due=progress.card.due if progress.card else None,
        reviews=len(progress.exercise_history),
    )
