"""Every question to the coach's model, each from the file that is about it.

Where there is no model, rules answer what rules get right: they count, run tests and find places.
Which memories help, what a learner lacks and which issue suits them takes judgement: no rule
answers that.
"""

import logging

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach import prompts
from paige.coach.answers import TriageAnswer
from paige.coach.inquiry.assessment import StageEvidence, after_practice, assess
from paige.coach.inquiry.explanation import PassageInputs, explain, explain_code
from paige.coach.inquiry.issue_ranking import rank_issues
from paige.coach.inquiry.materials import MaterialInputs, find_materials, listed_materials
from paige.coach.inquiry.pipeline import run_pipeline
from paige.coach.inquiry.plan_steps import PlanInputs, coach_plan
from paige.coach.inquiry.review import review
from paige.coach.inquiry.review_rules import WorkInputs, review_by_rules
from paige.coach.inquiry.services import Services
from paige.coach.inquiry.wrap_up import NoteInputs, note_session, wrap_up
from paige.coach.model import Review, Work
from paige.coach.observer.loop import Moment
from paige.coach.observer.rules import judge_moment
from paige.coach.observer.trace import Trace
from paige.coach.records import CoachSession
from paige.models.calls import call_api
from paige.models.local import Registry

logger = logging.getLogger(__name__)
__all__ = ["explain", "find_materials", "rank_issues", "run_pipeline", "wrap_up"]


def register(registry: Registry) -> None:
    """Add the rules that stand in for a model."""
    registry.register(prompts.COACH_AGENT.call_type, PlanInputs, coach_plan)
    registry.register(prompts.DREYFUS.call_type, StageEvidence, assess)
    registry.register(prompts.MEMORY_SUMMARY.call_type, NoteInputs, note_session)
    registry.register(prompts.TRIAGE.call_type, Trace, judge_moment)
    registry.register(prompts.EXPLAIN.call_type, PassageInputs, explain_code)
    registry.register(prompts.REVIEW.call_type, WorkInputs, review_by_rules)
    registry.register(prompts.MATERIALS.call_type, MaterialInputs, listed_materials)


async def triage(
    services: Services, actor: Actor, session: CoachSession, moment: Moment
) -> TriageAnswer:
    """Whether to speak at this moment. Raises: ModelError."""
    call = prompts.make_call(
        prompts.TRIAGE, moment.context, inputs=moment.trace, session_id=session.id
    )
    return (await call_api(services.models, actor, call)).value


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
