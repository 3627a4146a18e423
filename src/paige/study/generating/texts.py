"""Long answers in words, and work done by hand."""

from datetime import UTC, datetime
from random import Random

from paige.base.errors import NotFound
from paige.exercise.ids import exercise_id, file_name
from paige.exercise.response import render_response
from paige.exercise.rubric import default_rubric
from paige.exercise.values import ResponseTask
from paige.study.courses.values import Course, Item
from paige.study.generating.about import about, worked_example
from paige.study.generating.choosing import pool_of, rank
from paige.study.generating.hinting import hints_for
from paige.study.generating.questions import minutes_of
from paige.study.generating.words import one_line
from paige.study.values import Exercise, Question, Wanted


def make_text(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
    """A question that wants a text. Raises: NotFound when there is none."""
    item = _best(course, wanted, rng, "There is no long question")
    question = "\n\n".join(each for each in (item.context, item.prompt) if each)
    task = ResponseTask(
        id=exercise_id(now, wanted.concept_id, "long_form"),
        concept_id=wanted.concept_id,
        course=course.name,
        title=one_line(course.concept(wanted.concept_id).title),
        question=question,
        generated=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        bloom_level=item.bloom,
        points=tuple(one_line(each) for each in item.points),
        reference_points=item.reference,
        min_words=item.min_words,
    )
    return Exercise(
        **{**about(course, wanted, now), "bloom": item.bloom},
        kind="long_form",
        title=task.title,
        prompt=question,
        items=(_question(item),),
        minutes=minutes_of([item]),
        item_ids=(item.id,),
        files={file_name(now, wanted.concept_id): render_response(task)},
        folder=course.config.response_dir,
        points=task.points,
        reference=item.reference,
        rubric=item.rubric or course.config.rubric or default_rubric(),
        min_words=item.min_words,
        hints=hints_for(item),
        worked_example=worked_example(course, wanted, item.prompt),
    )


def make_image(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
    """Work by hand, shown as a photo. Raises: NotFound when there is none."""
    item = _best(course, wanted, rng, "There is nothing to do by hand")
    return Exercise(
        **about(course, wanted, now),
        kind="image",
        title=course.concept(wanted.concept_id).title,
        prompt=item.prompt,
        items=(_question(item),),
        minutes=minutes_of([item]),
        item_ids=(item.id,),
        image=item.image or "diagram",
        reference=item.reference,
        hints=hints_for(item),
    )


def _best(course: Course, wanted: Wanted, rng: Random, missing: str) -> Item:
    ranked = rank(pool_of(course, wanted), wanted, rng)
    if not ranked:
        raise NotFound(
            f"{missing} about `{wanted.concept_id}`",
            hint="Choose another kind of exercise, or add items to the course.",
        )
    return ranked[0]


def _question(item: Item) -> Question:
    return Question(
        id="1",
        prompt=item.prompt,
        kind=item.kind,
        item_id=item.id,
        answers=item.answers or item.reference,
        explanation=item.explanation,
        hints=hints_for(item),
        context=item.context,
    )
