"""Wrong answers that somebody could believe: words that look or mean alike.

A distractor is never an accepted answer, nor does it mean the same as one.
"""

from collections.abc import Iterable
from random import Random

from paige.study.courses.values import Course, Item, Word
from paige.study.generating.words import likeness, plain

LEAST = 2
"""So many wrong answers stand beside a right one at least."""


def similar_words(course: Course, word: Word, among: Iterable[Word], most: int) -> list[Word]:
    """The words most easily taken for this one, the nearest first."""
    wanted = {plain(each) for each in (*word.terms, *word.meanings)}
    concept = course.concepts.get(word.concept_id)
    confused = frozenset(concept.confused_with if concept else ())
    others = [
        each
        for each in among
        if each.id != word.id
        and not wanted & {plain(text) for text in (*each.terms, *each.meanings)}
    ]

    def nearness(each: Word) -> tuple[float, str]:
        looks = max(likeness(one, other) for one in word.terms for other in each.terms)
        near = looks + 0.3 * (each.concept_id == word.concept_id)
        near += 0.3 * (each.concept_id in confused) + 0.2 * bool(set(each.tags) & set(word.tags))
        return -near, each.id

    return sorted(others, key=nearness)[:most]


def known_words(course: Course, concept_id: str, known: frozenset[str]) -> list[Word]:
    """The words a learner may have met: those of the concept, of what comes before, and known."""
    before = course.graph.before(concept_id) | known | {concept_id}
    return [word for word in course.vocabulary if word.concept_id in before]


def wrong_answers(item: Item, others: Iterable[Item], rng: Random, most: int) -> tuple[str, ...]:
    """Wrong answers for an item: its own distractors first, then answers of others of its kind."""
    right = {plain(each) for each in item.answers}
    found: dict[str, str] = {}
    for each in item.distractors:
        if plain(each) not in right:
            found.setdefault(plain(each) or each, each)
    if len(found) < most:
        like = [each for each in others if each.kind == item.kind and each.id != item.id]
        like = [each for each in like if each.direction == item.direction and each.answers]
        like.sort(key=lambda each: -likeness(each.answers[0], item.answers[0]))
        near = like[: most * 2]
        rng.shuffle(near)
        for each in near:
            text = each.answers[0]
            if plain(text) not in right and not right & {plain(one) for one in each.answers}:
                found.setdefault(plain(text), text)
    return tuple(list(found.values())[:most])
