"""Every question to the coach's model, each from the file that is about it."""

import logging

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.model import Review, Work
from paige.coach.observer.triage import ask_triage
from paige.coach.records import CoachSession
from paige.coach.thinking.assessing import after_practice
from paige.coach.thinking.explaining import explain
from paige.coach.thinking.issue_ranking import rank_issues
from paige.coach.thinking.materials import find_materials
from paige.coach.thinking.pipeline import run_pipeline
from paige.coach.thinking.reviewing import review
from paige.coach.thinking.services import Services
from paige.coach.thinking.wrap_up import wrap_up

__all__ = [
    "ask_triage",
    "explain",
    "find_materials",
    "rank_issues",
    "review_work",
    "run_pipeline",
    "wrap_up",
]
logger = logging.getLogger(__name__)


async def review_work(
    services: Services, actor: Actor, session: CoachSession | None, work: Work
) -> Review:
    """Review some work; an attempt at a kata moves the stage of its topic and its next date.

    Raises: NotFound, ModelError.
    """
    judged = await review(services, actor, session, work)
    if work.kata_id is not None:
        await _practised(services, actor, work.kata_id)
    return judged


async def _practised(services: Services, actor: Actor, kata_id: str) -> None:
    try:
        done = await services.database.write(
            after_practice, actor, kata_id, now=services.now(), ids=services.ids
        )
    except PaigeError as error:  # the review is given and stored: it must not be lost
        logger.warning("The stage was not judged after a review: %s", error.message)
        return
    if done is not None:
        await services.studying.note(actor, done)
