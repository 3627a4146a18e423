"""What every exercise says about itself, and the worked example a newcomer reads first."""

from datetime import datetime
from typing import Any

from paige.exercise.hints import opening_help, pick_worked_example
from paige.exercise.ids import exercise_id
from paige.study.courses.values import Course
from paige.study.values import Wanted


def about(course: Course, wanted: Wanted, now: datetime) -> dict[str, Any]:
    """The fields of an exercise that come from what was wanted."""
    concept = course.concept(wanted.concept_id)
    return {
        "id": exercise_id(now, concept.id, wanted.modality),
        "course": course.name,
        "concept_id": concept.id,
        "concept_title": concept.title,
        "modality": wanted.modality,
        "bloom": wanted.bloom,
        "domain": course.domain,
        "generated": now,
    }


def worked_example(course: Course, wanted: Wanted, asked: str) -> str:
    """An example worked in full, about something else than what is asked; often there is none."""
    new = wanted.is_new or wanted.manner == "scaffolded"
    mastery = min(max(wanted.mastery, 0.0), 1.0)
    if not opening_help(mastery, course.domain, is_new=new).worked_examples:
        return ""
    teaching = course.teaching.get(wanted.concept_id)
    return pick_worked_example(asked, teaching.examples if teaching else ()) or ""
