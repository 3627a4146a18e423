"""A quiz: what somebody knows of a few concepts or of a unit, without teaching.

Words and terms are asked on paper, implementations as code, everything else quickly in
conversation; a unit as a whole ends with a longer text. The rules of a session hold here too, so
two files never follow each other.
"""

from collections.abc import Mapping, Sequence

from paige.base.errors import NotFound
from paige.learner.progress import Progress
from paige.study.courses.values import Course
from paige.study.session_plan import (
    capacity,
    fitting,
    interleave,
    levels,
    practice_level,
    review_level,
)
from paige.study.values import COMPREHENSIVE, PlanItem, SessionPlan, StudyQuiz

_QUESTION = 3.0
"""Minutes of a box."""
_USUAL = 6
"""So many concepts are asked for when nobody says how many."""


def plan_quiz(
    course: Course, progress: Mapping[str, Progress], wish: StudyQuiz, minutes: int
) -> SessionPlan:
    """The plan of a quiz. Raises: NotFound when there is nothing to ask."""
    chosen = _chosen(course, progress, wish)
    order = interleave(chosen, course, progress)
    items = [_item(course, progress, name) for name in order]
    room = capacity(minutes)
    last = _comprehensive(course, order) if wish.unit else None
    if last is not None:
        room -= last.minutes
    kept = fitting(items, room)
    return SessionPlan(
        items=(*kept, *([last] if last else ())),
        minutes=minutes,
        reviews_waiting=len(items) - len(kept),
    )


def _chosen(course: Course, progress: Mapping[str, Progress], wish: StudyQuiz) -> list[str]:
    for name in wish.concepts:
        course.concept(name)
    begun = [name for name in course.concepts if name in progress and progress[name].card]
    if wish.concepts:
        found = list(dict.fromkeys(wish.concepts))
    elif wish.unit:
        found = [name for name, each in course.concepts.items() if each.unit == wish.unit]
        if not found:
            raise NotFound(f"The course has no unit `{wish.unit}`", hint=_units(course))
    else:
        found = sorted(begun, key=lambda name: progress[name].mastery_score)
    asked = [name for name in found if course.items_of(name)]
    if not asked:
        raise NotFound(
            "There is nothing to be quizzed on yet",
            hint="Study first, or name a concept with `--concept`.",
        )
    return asked[: wish.count or (len(asked) if wish.concepts or wish.unit else _USUAL)]


def _item(course: Course, progress: Mapping[str, Progress], name: str) -> PlanItem:
    known = progress.get(name)
    level = (
        review_level(course, known)
        if known is not None
        else practice_level(course, course.concept(name))
    )
    return PlanItem(
        type="assess",
        concept_id=name,
        minutes=_QUESTION,
        bloom=level,
        reason="You asked for a quiz",
    )


def _comprehensive(course: Course, names: Sequence[str]) -> PlanItem | None:
    """The longer text at the end of a unit: about the concept that goes furthest."""
    written = [
        name for name in names if any(item.kind == "long_form" for item in course.items_of(name))
    ]
    if not written:
        return None
    name = written[-1]
    return PlanItem(
        type="assess",
        concept_id=name,
        minutes=COMPREHENSIVE,
        bloom=levels(course, name)[-1],
        reason="It ends the unit",
    )


def _units(course: Course) -> str:
    known = list(dict.fromkeys(each.unit for each in course.concepts.values() if each.unit))
    return f"There are: {', '.join(known)}." if known else "This course has no units."
