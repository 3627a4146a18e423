"""Code to write: an exercise with tests in a folder, or entries at a prompt."""

from dataclasses import replace
from datetime import datetime
from random import Random

from paige.base.errors import BadInput, NotFound
from paige.exercise.code_exercise import CodeExercise, find_language, render_code_exercise
from paige.study.courses.values import Course, Item
from paige.study.generation.item_choice import choose, how_many, pool_of, rank
from paige.study.generation.questions import (
    about,
    hints_for,
    minutes_of,
    question_of,
    worked_example,
)
from paige.study.values import Exercise, ExerciseRequest, Question

ENTRIES = 3


def make_code(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """A code exercise on a concept. Raises: NotFound when there is none."""
    pool = pool_of(course, wanted)
    for item in rank(pool.only("code"), wanted, rng):
        try:
            files = code_files(course, item, wanted)
        except BadInput:  # its text cannot stand in a comment
            continue
        hints = hints_for(item)
        question = Question(
            id="1",
            prompt=item.prompt,
            kind="code",
            item_id=item.id,
            answers=(item.code.solution,) if item.code and item.code.solution else (),
            explanation=item.explanation,
            hints=hints,
            context=item.context,
        )
        return Exercise(
            **about(course, wanted, now),
            kind="code",
            title=course.concept(wanted.concept_id).title,
            prompt=item.prompt,
            items=(question,),
            minutes=minutes_of([item]),
            item_ids=(item.id,),
            files=files,
            folder=f"{course.config.exercise_dir}/{wanted.concept_id}",
            hints=hints,
            language=item.code.language if item.code else course.config.code_language,
            worked_example=worked_example(course, wanted, item.prompt),
        )
    raise NotFound(
        f"There is no code exercise on `{wanted.concept_id}`",
        hint="Choose another kind of exercise, or add items to the course.",
    )


def code_files(course: Course, item: Item, wanted: ExerciseRequest) -> dict[str, str]:
    """The files of a code item. Raises: BadInput when they cannot be made."""
    code = item.code
    if code is None:
        raise BadInput(f"The item `{item.id}` has no code")
    if code.files:
        return dict(code.files)
    told = item.hints if wanted.manner == "scaffolded" else item.hints[:1]
    return render_code_exercise(
        CodeExercise(
            title=course.concept(wanted.concept_id).title,
            concept_id=item.concept_id,
            instructions="\n\n".join(each for each in (item.prompt, item.context) if each),
            starter=code.starter,
            solution=code.solution,
            tests=code.tests,
            imports=code.imports,
            bloom_level=item.bloom,
            hints=told,
            language=code.language,
            test_source=code.test_source,
        )
    )


def make_repl(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """Small tasks at a prompt. Raises: NotFound when there are none."""
    pool = pool_of(course, wanted)
    chosen = choose(pool, wanted, how_many(pool, wanted, ENTRIES), rng)
    if not chosen:
        raise NotFound(f"There is nothing to type at a prompt about `{wanted.concept_id}`")
    questions = tuple(
        replace(
            question_of(course, item, (), rng, number=number),
            answers=(item.code.solution,) if item.code else (),
            starter=item.code.starter if item.code else "",
            cases=item.code.cases if item.code else (),
        )
        for number, item in enumerate(chosen, 1)
    )
    language = chosen[0].code.language if chosen[0].code else course.config.code_language
    known = find_language(language)
    return Exercise(
        **about(course, wanted, now),
        kind="repl",
        title=course.concept(wanted.concept_id).title,
        prompt="Type an expression or a few lines; what they print is looked at.",
        items=questions,
        minutes=max(1.0, minutes_of(chosen)),
        item_ids=tuple(item.id for item in chosen),
        language=known.name if known else language,
        worked_example=worked_example(course, wanted, chosen[0].prompt),
    )
