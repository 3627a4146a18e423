"""Making one exercise without a model: the right builder, then the checks.

The builders of cards, of long answers and of work done by hand are here; the others have modules.

The same course, wish and seed always give the same exercise. When the checks find a question at
fault it is left out and others are tried; what cannot be helped, because the course has nothing
else, is said in the exercise's remarks.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from paige.base.errors import NotFound
from paige.exercise.ids import exercise_id, file_name
from paige.exercise.response import render_response
from paige.exercise.rubric import default_rubric
from paige.exercise.values import Modality, ResponseTask
from paige.study.courses.values import Course, Item
from paige.study.generation.checks import Fault, check_exercise, faulty_questions
from paige.study.generation.code import make_code, make_repl
from paige.study.generation.conversations import make_conversation, make_partner
from paige.study.generation.item_choice import choose, how_many, pool_of, rank
from paige.study.generation.questions import (
    about,
    hints_for,
    minutes_of,
    question_of,
    worked_example,
)
from paige.study.generation.words import language_name, one_line
from paige.study.generation.worksheets import make_sheet
from paige.study.remediation import missed_again
from paige.study.values import Exercise, ExerciseRequest, Question


def make_text(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
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


def make_image(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
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


def _best(course: Course, wanted: ExerciseRequest, rng: Random, missing: str) -> Item:
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


CARDS, SPOKEN = 6, 4
_QUICK = 0.4
"""A card takes less time than the same question in a conversation."""


def make_cards(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """Cards on a concept. Raises: NotFound when there are none."""
    pool = pool_of(course, wanted)
    chosen = choose(pool, wanted, how_many(pool, wanted, CARDS), rng)
    if not chosen:
        raise NotFound(f"There is nothing to put on cards about `{wanted.concept_id}`")
    questions = tuple(
        question_of(course, item, pool.items, rng, number=number)
        for number, item in enumerate(chosen, 1)
    )
    return Exercise(
        **about(course, wanted, now),
        kind=chosen[0].kind,
        title=course.concept(wanted.concept_id).title,
        prompt="Say or type each answer before you turn the card over.",
        items=questions,
        minutes=max(1.0, round(_QUICK * len(questions), 1)),
        item_ids=tuple(item.id for item in chosen),
    )


def make_audio(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """Words to understand by ear and to say. Raises: NotFound when there are none."""
    pool = pool_of(course, wanted)
    languages = course.config.languages
    chosen = choose(pool, wanted, how_many(pool, wanted, SPOKEN), rng)
    if not chosen or languages is None:
        raise NotFound(f"There is nothing to hear or to say about `{wanted.concept_id}`")
    name = language_name(languages.target)
    questions = []
    for number, item in enumerate(chosen, 1):
        question = question_of(course, item, pool.items, rng, number=number)
        asked = one_line(item.prompt)
        if item.direction == "from":
            hear = "Listen. What does it mean?"
            questions.append(replace(question, prompt=hear, spoken=asked))
        else:
            questions.append(replace(question, prompt=f"Say in {name}: {asked}"))
    return Exercise(
        **about(course, wanted, now),
        kind="translate",
        title=course.concept(wanted.concept_id).title,
        prompt="Listen, and say it aloud.",
        items=tuple(questions),
        minutes=max(1.0, minutes_of(chosen)),
        item_ids=tuple(item.id for item in chosen),
        folder="audio",
        language=languages.target,
    )


Make = Callable[[Course, ExerciseRequest, Random, datetime], Exercise]
_MAKERS: Mapping[Modality, Make] = {
    "worksheet": make_sheet,
    "conversation": make_conversation,
    "code": make_code,
    "long_form": make_text,
    "image_review": make_image,
    "flashcard": make_cards,
    "repl": make_repl,
    "audio": make_audio,
    "collaborative": make_partner,
}
_TRIES = 3
_ONE_AT_A_TIME: tuple[Modality, ...] = ("conversation", "flashcard", "repl", "audio")


def generate(course: Course, wanted: ExerciseRequest, *, seed: int, now: datetime) -> Exercise:
    """An exercise from the course's own items. Raises: NotFound when there is nothing to ask."""
    again = missed_again(wanted.history)
    wanted = replace(wanted, items=tuple(dict.fromkeys((*wanted.items, *again))))
    best: tuple[int, Exercise, tuple[Fault, ...]] | None = None
    for number in range(_TRIES):
        try:
            exercise = _MAKERS[wanted.modality](course, wanted, Random(f"{seed}.{number}"), now)
        except NotFound:
            if best is None:
                raise
            break  # without what was at fault there is nothing left
        faults = check_exercise(exercise, course, wanted)
        exercise, faults = _mended(exercise, faults, course, wanted)
        if exercise.items and (best is None or len(faults) < best[0]):
            best = (len(faults), exercise, faults)
        if not faults:
            break
        wanted = _without(wanted, exercise, faults)
    if best is None:
        raise NotFound(
            f"Nothing about `{wanted.concept_id}` can be asked as {wanted.modality}",
            hint="Choose another kind of exercise, or repair the items of the course.",
        )
    _, exercise, faults = best
    remarks = tuple(dict.fromkeys(fault.message for fault in faults))
    return replace(exercise, remarks=(*exercise.remarks, *remarks))


def _without(
    wanted: ExerciseRequest, exercise: Exercise, faults: tuple[Fault, ...]
) -> ExerciseRequest:
    """The same wish, for other items than those at fault."""
    asked = {each.id: each.item_id for each in exercise.items}
    wrong = (asked[each.question] for each in faults if each.question in asked)
    return replace(wanted, without=tuple(dict.fromkeys((*wanted.without, *wrong))))


def _mended(
    exercise: Exercise, faults: tuple[Fault, ...], course: Course, wanted: ExerciseRequest
) -> tuple[Exercise, tuple[Fault, ...]]:
    """The exercise without the questions at fault, where they stand by themselves."""
    wrong = faulty_questions(faults)
    if not wrong or exercise.modality not in _ONE_AT_A_TIME:
        return exercise, faults
    if exercise.conversation in ("roleplay", "socratic") and len(exercise.item_ids) == 1:
        return exercise, faults  # a dialogue has no turns to spare
    kept = tuple(each for each in exercise.items if each.id not in wrong)
    numbered = tuple(replace(each, id=str(number)) for number, each in enumerate(kept, 1))
    asked = {each.item_id for each in kept}
    mended = replace(
        exercise,
        items=numbered,
        item_ids=tuple(each for each in exercise.item_ids if each in asked),
    )
    return mended, check_exercise(mended, course, wanted)
