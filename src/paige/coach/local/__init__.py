"""What the coach answers by rules where there is no model, one file per question.

Rules count, run tests and find places. Which memories help, what a learner lacks and which issue
suits them takes judgement: nobody here answers that.
"""

from paige.coach import prompting
from paige.coach.local.explain import PassageGiven, explain_code
from paige.coach.local.materials import MaterialsWanted, find_materials
from paige.coach.local.notes import NoteInputs, note_session
from paige.coach.local.planning import PlanInputs, coach_plan
from paige.coach.local.review import WorkGiven, review_work
from paige.coach.local.stages import StageInputs, assess
from paige.coach.local.triage import judge_moment
from paige.coach.observer.trace import Trace
from paige.models.local import Registry


def register(registry: Registry) -> None:
    """Add the coach's engines."""
    registry.register(prompting.COACH_AGENT.call_type, PlanInputs, coach_plan)
    registry.register(prompting.DREYFUS.call_type, StageInputs, assess)
    registry.register(prompting.MEMORY_SUMMARY.call_type, NoteInputs, note_session)
    registry.register(prompting.TRIAGE.call_type, Trace, judge_moment)
    registry.register(prompting.EXPLAIN.call_type, PassageGiven, explain_code)
    registry.register(prompting.REVIEW.call_type, WorkGiven, review_work)
    registry.register(prompting.MATERIALS.call_type, MaterialsWanted, find_materials)
