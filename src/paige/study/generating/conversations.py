"""Conversations: questions one after the other, a scene to play, a dialogue that leads."""

from collections.abc import Sequence
from datetime import datetime
from random import Random

from paige.base.errors import NotFound
from paige.exercise.values import BLOOM_LEVELS, ConversationType
from paige.study.courses.values import Course, Item, ItemKind
from paige.study.generating.about import about, worked_example
from paige.study.generating.choosing import Pool, choose, how_many, pool_of, rank
from paige.study.generating.questions import minutes_of, question_of, turns_of
from paige.study.values import Exercise, Wanted

QUESTIONS = 3
SCRIPTED: tuple[ItemKind, ...] = ("role_play", "socratic")
_TYPES: dict[ItemKind, ConversationType] = {
    "role_play": "roleplay",
    "socratic": "socratic",
    "error": "error_identification",
    "predict": "prediction",
}


def make_conversation(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
    """A conversation on a concept. Raises: NotFound when nothing can be asked."""
    pool = pool_of(course, wanted)
    if not pool.items:
        raise NotFound(
            f"There is nothing to talk about for `{wanted.concept_id}`",
            hint="Add items to the course.",
        )
    scripted = _scripted(pool, wanted, rng)
    if scripted is not None:
        return dialogue(course, wanted, scripted, now)
    plain = pool.without(*SCRIPTED)
    chosen = choose(plain, wanted, how_many(plain, wanted, QUESTIONS), rng)
    return questioning(course, wanted, _in_order(chosen, wanted), plain, rng, now)


def dialogue(course: Course, wanted: Wanted, item: Item, now: datetime) -> Exercise:
    """A scripted item as an exercise: each turn is a question."""
    return Exercise(
        **about(course, wanted, now),
        kind=item.kind,
        title=course.concept(wanted.concept_id).title,
        prompt=item.prompt,
        items=turns_of(item),
        minutes=minutes_of([item]),
        item_ids=(item.id,),
        conversation=_TYPES[item.kind],
        scene=item.context,
        reference=tuple(each for turn in item.script for each in turn.expect[:1]),
        hints=item.hints,
        worked_example=worked_example(course, wanted, item.prompt),
    )


def questioning(
    course: Course,
    wanted: Wanted,
    items: Sequence[Item],
    pool: Pool,
    rng: Random,
    now: datetime,
) -> Exercise:
    """Items as questions one after the other."""
    questions = tuple(
        question_of(course, item, pool.items, rng, number=number)
        for number, item in enumerate(items, 1)
    )
    kind = items[0].kind
    leading = wanted.manner == "socratic"
    usual: ConversationType = "socratic" if leading else _TYPES.get(kind, "direct")
    count = len(questions)
    asked = "One question" if count == 1 else f"{count} questions"
    return Exercise(
        **about(course, wanted, now),
        kind=kind,
        title=course.concept(wanted.concept_id).title,
        prompt=f"{asked}, one at a time. Try each before you ask for a hint.",
        items=questions,
        minutes=max(1.0, minutes_of(items)),
        item_ids=tuple(item.id for item in items),
        conversation=usual,
        worked_example=worked_example(course, wanted, items[0].prompt),
    )


def _scripted(pool: Pool, wanted: Wanted, rng: Random) -> Item | None:
    """The scripted item to take, if one is better than the plain ones."""
    if wanted.manner == "socratic":
        leading = rank(pool.only("socratic"), wanted, rng)
        if leading:
            return leading[0]
    best = rank(pool, wanted, rng)[0]
    return best if best.kind in SCRIPTED else None


def _in_order(items: Sequence[Item], wanted: Wanted) -> list[Item]:
    """From easy to hard for somebody who is led, else so that kinds take turns."""
    if wanted.manner == "socratic":
        return sorted(items, key=lambda each: BLOOM_LEVELS.index(each.bloom))
    left, made = list(items), []
    while left:
        last = made[-1].kind if made else None
        other = next((each for each in left if each.kind != last), left[0])
        left.remove(other)
        made.append(other)
    return made
