"""The one who thinks for the coach: every question goes to the file that is about it."""

import logging

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.answers import TriageAnswer
from paige.coach.message_parts import RankedIssue, Recommendation
from paige.coach.mind import (
    CoachedPlan,
    Explanation,
    Passage,
    PlanText,
    Progress,
    Review,
    Work,
    WrapUp,
)
from paige.coach.observer.moment import Moment
from paige.coach.observer.triage import ask_triage
from paige.coach.records import CoachSession
from paige.coach.thinking import explaining, issue_ranking, materials, pipeline, reviewing
from paige.coach.thinking import wrap_up as ending
from paige.coach.thinking.assessing import after_practice
from paige.coach.thinking.services import Services

logger = logging.getLogger(__name__)


class Thinker:
    """A `Mind` on a model, or on local rules where there is none."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Turn a plan into phases for this person. Raises: ModelError."""
        return await pipeline.run_pipeline(self.services, actor, session, plan, progress)

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Find and store what was learnt from a session; what fails is left out."""
        return await ending.wrap_up(self.services, actor, session, transcript)

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> Explanation:
        """Explain a passage at the person's level. Raises: ModelError."""
        return await explaining.explain(self.services, actor, session, passage)

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Review some work; an attempt at a kata moves the stage of its topic and its next date.

        Raises: NotFound, ModelError.
        """
        judged = await reviewing.review(self.services, actor, session, work)
        if work.kata_id is not None:
            await self._practised(actor, work.kata_id)
        return judged

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """Judge the open issues of the project for this person. Raises: Unavailable, ModelError."""
        return await issue_ranking.rank_issues(self.services, actor)

    async def find_materials(self, actor: Actor) -> list[Recommendation] | None:
        """Find something to read for the person's gaps; none without a gap. Raises: ModelError."""
        return await materials.find_materials(self.services, actor)

    async def triage(self, actor: Actor, session: CoachSession, moment: Moment) -> TriageAnswer:
        """Whether the person should be spoken to now. Raises: ModelError."""
        return await ask_triage(self.services.models, actor, session.id, moment)

    async def _practised(self, actor: Actor, kata_id: str) -> None:
        services = self.services
        try:
            done = await services.database.write(
                after_practice, actor, kata_id, now=services.now(), ids=services.ids
            )
        except PaigeError as error:  # the review is given and stored: it must not be lost
            logger.warning("The stage was not judged after a review: %s", error.message)
            return
        if done is not None:
            await services.studying.note(actor, done)
