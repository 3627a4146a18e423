"""Conversations: questions one after the other, a scene to play, a dialogue that leads, a pupil to
teach, a partner to program with.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from paige.base.errors import NotFound
from paige.exercise.values import BLOOM_LEVELS, ConversationType
from paige.study.courses.values import Course, Item, ItemKind
from paige.study.generation.code import make_code
from paige.study.generation.item_choice import Pool, choose, how_many, pool_of, rank
from paige.study.generation.questions import (
    about,
    hints_for,
    minutes_of,
    question_of,
    turns_of,
    worked_example,
    wrong_answers,
)
from paige.study.generation.words import is_short, one_line
from paige.study.values import Exercise, ExerciseRequest, Question

BELIEFS, CASES = 3, 2
_ASSERTED = re.compile(
    r"^\s*+assert\s++(?P<call>\w++\(.{0,500}\))\s*+==\s*+(?P<value>[^#\n]{0,500}[^#\s])\s*+$"
)


def make_partner(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """An exercise with a partner. Raises: NotFound when there is nothing for two."""
    pool = pool_of(course, wanted)
    ranked = rank(pool, wanted, rng)
    if not ranked:
        raise NotFound(f"There is nothing to do together about `{wanted.concept_id}`")
    if ranked[0].kind == "code":
        item = ranked[0]
        return pairing(course, replace(wanted, items=(item.id,)), item, rng, now)
    chosen = choose(
        pool.without("code"), wanted, how_many(pool.without("code"), wanted, BELIEFS), rng
    )
    return teaching(course, wanted, chosen, pool.items, rng, now)


def teaching(
    course: Course,
    wanted: ExerciseRequest,
    items: Sequence[Item],
    others: Sequence[Item],
    rng: Random,
    now: datetime,
) -> Exercise:
    """A pupil who believes something wrong about each item."""
    questions = tuple(_belief(item, others, rng, number) for number, item in enumerate(items, 1))
    return Exercise(
        **about(course, wanted, now),
        kind=items[0].kind,
        title=course.concept(wanted.concept_id).title,
        prompt="Sam is learning this too and gets some of it wrong. Put it right, and say why.",
        items=questions,
        minutes=max(2.0, minutes_of(items) * 1.5),
        item_ids=tuple(item.id for item in items),
        partner="pupil",
        scene="Sam, who learns the same thing and has just begun",
        reference=tuple(each for one in questions for each in one.answers[:1]),
    )


def _belief(item: Item, others: Sequence[Item], rng: Random, number: int) -> Question:
    explained = one_line(item.explanation)
    asked = one_line(item.prompt)
    if item.kind == "choice":
        wrong = wrong_answers(item, others, rng, 3)
        believed = rng.choice(wrong) if wrong else ""
        said = f"{asked} I would say: {believed}. Is that right? If not, tell me why."
        answers = item.answers
    elif item.kind == "true_false":
        said = f"I read this: {asked} It sounds right to me. What do you think, and why?"
        answers = (explained,)
    else:
        said = f"I wrote this: {asked} Would you leave it so, or write it in another way?"
        answers = item.answers
    return Question(
        id=str(number),
        prompt=said,
        kind=item.kind,
        item_id=item.id,
        answers=tuple(each for each in answers if each),
        explanation=item.explanation,
        hints=hints_for(item),
        context=item.context,
        discrimination=item.discrimination,
    )


def pairing(
    course: Course, wanted: ExerciseRequest, item: Item, rng: Random, now: datetime
) -> Exercise:
    """A partner who wants to talk about the tests before anybody writes code."""
    base = make_code(course, replace(wanted, modality="code"), rng, now)
    cases = _cases(item) if base.item_ids == (item.id,) else []
    asked = [
        Question(
            id=str(number),
            prompt=f"Before we write anything: what should `{call}` give?",
            kind="predict",
            item_id=item.id,
            answers=(value,),
        )
        for number, (call, value) in enumerate(cases, 1)
    ]
    last = replace(base.items[0], id=str(len(asked) + 1))
    return replace(
        base,
        **{key: value for key, value in about(course, wanted, now).items() if key in _OWN},
        items=(*asked, last),
        minutes=base.minutes + len(asked),
        partner="pair",
        scene="Robin, who programs with you and thinks of the tests first",
    )


_OWN = ("id", "modality")


def _cases(item: Item) -> list[tuple[str, str]]:
    """Calls and what they should give, as the tests say it on one line."""
    found: list[tuple[str, str]] = []
    for test in item.code.tests if item.code else ():
        match = _ASSERTED.match(test.body.strip())
        if match and is_short(match["value"], 12) and len(match["call"]) < 60:
            found.append((match["call"], match["value"]))
    return found[:CASES]


QUESTIONS = 3
SCRIPTED: tuple[ItemKind, ...] = ("role_play", "socratic")
_TYPES: dict[ItemKind, ConversationType] = {
    "role_play": "roleplay",
    "socratic": "socratic",
    "error": "error_identification",
    "predict": "prediction",
}


def make_conversation(
    course: Course, wanted: ExerciseRequest, rng: Random, now: datetime
) -> Exercise:
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


def dialogue(course: Course, wanted: ExerciseRequest, item: Item, now: datetime) -> Exercise:
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
    wanted: ExerciseRequest,
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


def _scripted(pool: Pool, wanted: ExerciseRequest, rng: Random) -> Item | None:
    """The scripted item to take, if one is better than the plain ones."""
    if wanted.manner == "socratic":
        leading = rank(pool.only("socratic"), wanted, rng)
        if leading:
            return leading[0]
    best = rank(pool, wanted, rng)[0]
    return best if best.kind in SCRIPTED else None


def _in_order(items: Sequence[Item], wanted: ExerciseRequest) -> list[Item]:
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
