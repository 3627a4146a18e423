"""Exercises with somebody else: a pupil to teach, a partner to program with.

What the pupil believes comes from the wrong answers of the course, what the other programmer asks
comes from the tests. Only a model, which does not know the answers, says anything back.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from random import Random

from paige.base.errors import NotFound
from paige.study.courses.values import Course, Item
from paige.study.generating.about import about
from paige.study.generating.choosing import choose, how_many, pool_of, rank
from paige.study.generating.coding import make_code
from paige.study.generating.distractors import wrong_answers
from paige.study.generating.hinting import hints_for
from paige.study.generating.questions import minutes_of
from paige.study.generating.words import is_short, one_line
from paige.study.values import Exercise, Question, Wanted

BELIEFS, CASES = 3, 2
_ASSERTED = re.compile(
    r"^\s*+assert\s++(?P<call>\w++\(.{0,500}\))\s*+==\s*+(?P<value>[^#\n]{0,500}[^#\s])\s*+$"
)


def make_partner(course: Course, wanted: Wanted, rng: Random, now: datetime) -> Exercise:
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
    wanted: Wanted,
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


def pairing(course: Course, wanted: Wanted, item: Item, rng: Random, now: datetime) -> Exercise:
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
