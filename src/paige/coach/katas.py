"""A kata as a learner sees it when it is opened: never with the instructor's notes."""

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.message_parts import Constraint, Kata, LockedConstraint
from paige.coach.messages import PracticeKataLoad
from paige.learner.katas import LOWEST_LEVEL, best_level, unlocked
from paige.learner.queries import get_gap, get_kata


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
