"""Cards to turn over, and words to hear and say."""

from dataclasses import replace
from datetime import datetime
from random import Random

from paige.base.errors import NotFound
from paige.study.courses.values import Course
from paige.study.generating.about import about
from paige.study.generating.choosing import choose, how_many, pool_of
from paige.study.generating.questions import minutes_of, question_of
from paige.study.generating.words import language_name, one_line
from paige.study.values import Exercise, Wanted

CARDS, SPOKEN = 6, 4
_QUICK = 0.4
"""A card takes less time than the same question in a conversation."""


def make_cards(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
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


def make_audio(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
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
