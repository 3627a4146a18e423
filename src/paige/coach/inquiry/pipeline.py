"""From a plan to phases: what is remembered, which of it helps, and the coach's own phases.

Only the last step must succeed. Memories that cannot be found or judged are left out, and a warning
says so; a coach who does not answer is an error, and nothing is stored.
"""

import logging
from dataclasses import dataclass, replace

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.answers import CoachAgentAnswer, RelevantMemory
from paige.coach.dashboard import stage_of_whole
from paige.coach.inquiry.plan_steps import PlanInputs
from paige.coach.inquiry.services import Recollection, Services
from paige.coach.model import CoachedPlan, PlanText, Progress
from paige.coach.prompts import COACH_AGENT, MEMORY_FILTER, make_call
from paige.coach.records import CoachSession
from paige.learner.queries import assessments
from paige.models.calls import CallResult, call_api
from paige.models.local import LOCAL, NoLocalEngine

logger = logging.getLogger(__name__)
N_RESULTS = 10
STEPS = 4
MOST_FILES = 500


@dataclass(frozen=True, slots=True)
class StageSummary:
    """How far a person is: one stage for the whole, and stages by skill."""

    stage: str
    skills: dict[str, str]


async def run_pipeline(
    services: Services, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
) -> CoachedPlan:
    """Make a plan into phases for this person. Raises: ModelError when nobody does."""
    await progress(0, STEPS, "Looking at what is known")
    standing = await services.database.read(read_standing, actor)
    await progress(1, STEPS, "Recalling earlier sessions")
    found = await _recalled(services, actor, plan)
    await progress(2, STEPS, "Choosing what helps")
    relevant = await _relevant(services, actor, session, plan, found)
    await progress(3, STEPS, "Making phases")
    files = await run_sync(services.project_files)
    called = await _coached(services, actor, session, plan, PlanContext(standing, relevant, files))
    await progress(STEPS, STEPS, "Done")
    coached = coached_plan(called.value, remembers=bool(relevant))
    # How hard it is takes judgement: the rules have none.
    return replace(coached, estimated_difficulty="") if called.answered_by == LOCAL else coached


def read_standing(connection: Connection, actor: Actor) -> StageSummary:
    """The stages of a person; novice when nothing is known."""
    rows = assessments(connection, actor)
    whole = stage_of_whole([(row.stage, row.confidence) for row in rows])
    return StageSummary(whole or "novice", {row.skill_area: row.stage for row in rows})


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What the coach knows besides the plan."""

    standing: StageSummary
    memories: list[RelevantMemory]
    files: tuple[str, ...]


async def _recalled(services: Services, actor: Actor, plan: PlanText) -> list[Recollection]:
    text = f"{plan.issue_summary}\n{plan.plan_text}"[:2_000]
    return await services.memories.query(actor, text, N_RESULTS, here=False)


async def _relevant(
    services: Services,
    actor: Actor,
    session: CoachSession,
    plan: PlanText,
    found: list[Recollection],
) -> list[RelevantMemory]:
    """Which memories help; none when there are none, or when nobody could say."""
    if not found:
        return []
    call = make_call(
        MEMORY_FILTER,
        {
            "issue_summary": plan.issue_summary,
            "plan_summary": plan.plan_text,
            "candidate_memories": [
                {"content": each.content, "metadata": dict(each.metadata)} for each in found
            ],
        },
        session_id=session.id,
    )
    try:
        called = await call_api(services.models, actor, call)
    except NoLocalEngine:
        return []  # rules cannot tell what helps
    except PaigeError as error:
        logger.warning("Memories were not judged and are left out: %s", error.message)
        return []
    return list(called.value.relevant_memories)


async def _coached(
    services: Services,
    actor: Actor,
    session: CoachSession,
    plan: PlanText,
    context: PlanContext,
) -> CallResult[CoachAgentAnswer]:
    standing = context.standing
    call = make_call(
        COACH_AGENT,
        {
            "plan": plan.plan_text,
            "issue_summary": plan.issue_summary,
            "dreyfus_stage": standing.stage,
            "skills": standing.skills,
            "relevant_memories": [
                {
                    "content": each.content,
                    "connection": each.connection,
                    "use_in_coaching": each.use_in_coaching,
                }
                for each in context.memories
            ],
            "project_files": list(context.files[:MOST_FILES]),
        },
        inputs=PlanInputs(
            plan_text=plan.plan_text,
            stage=standing.stage,
            files=context.files,
            read=services.project_text,
        ),
        session_id=session.id,
    )
    return await call_api(services.models, actor, call)


def coached_plan(answer: CoachAgentAnswer, *, remembers: bool) -> CoachedPlan:
    """The phases in order, from 1 on; without memories nothing is connected to any."""
    phases = sorted(answer.phases, key=lambda phase: phase.number)
    return CoachedPlan(
        phases=tuple(
            phase.model_copy(update={"number": number}) for number, phase in enumerate(phases, 1)
        ),
        memory_connection=answer.memory_connection if remembers else None,
        estimated_difficulty=answer.estimated_difficulty,
    )
