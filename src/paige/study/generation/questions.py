"""Items as questions to be put in words: in a conversation, on a card, at a prompt.

With them what every exercise says about itself, their hints, and wrong answers that somebody could
believe.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any, TypeVar

from paige.exercise.hints import POINTED_HINT, opens_with_example, pick_worked_example
from paige.exercise.ids import exercise_id
from paige.study.courses.values import Course, Item, ItemKind, Word
from paige.study.generation.words import (
    is_short,
    language_name,
    lettered,
    likeness,
    one_line,
    plain,
    word_count,
)
from paige.study.values import ExerciseRequest, Question


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


LEVELS = 3
_FEW = 5
"""So many words can be counted at a glance; of a longer answer only the length is told."""


def hints_for(item: Item) -> tuple[str, ...]:
    """The hints of the course; where it has no second one, the shape of the answer stands there.

    A rung for which there is nothing to say is empty.
    """
    hints = item.hints[:LEVELS]
    if len(hints) >= POINTED_HINT or not (shape := _shape(item)):
        return hints
    return (*hints, *("",) * (POINTED_HINT - 1 - len(hints)), shape)


def _shape(item: Item) -> str:
    """What the answer looks like, not what it is."""
    if item.kind == "choice" and len(item.distractors) > 2:
        return f"\u201c{item.distractors[-1]}\u201d is not it."
    if item.kind in ("choice", "true_false", "repl", "code") or not item.answers:
        return ""
    answer = one_line(item.answers[0])
    count = word_count(answer)
    if count == 0:
        return ""
    if count > _FEW:
        return f"An answer the course accepts has {count} words."
    if answer[0].isdecimal() or answer[:1] in "+-":
        return "It is a number."
    words = "one word" if count == 1 else f"{count} words"
    return f"It is {words} and begins with \u201c{answer[0]}\u201d."


def about(course: Course, wanted: ExerciseRequest, now: datetime) -> dict[str, Any]:
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


def worked_example(course: Course, wanted: ExerciseRequest, asked: str) -> str:
    """An example worked in full, about something else than what is asked; often there is none."""
    new = wanted.is_new or wanted.manner == "scaffolded"
    if not opens_with_example(wanted.mastery, course.domain, is_new=new):
        return ""
    teaching = course.teaching.get(wanted.concept_id)
    return pick_worked_example(asked, teaching.examples if teaching else ()) or ""


T = TypeVar("T")
MINUTES: dict[ItemKind, float] = {
    "translate": 0.5,
    "cloze": 0.6,
    "choice": 0.6,
    "match": 1.5,
    "order": 1.0,
    "categorise": 1.5,
    "true_false": 1.0,
    "error": 1.0,
    "short": 1.5,
    "define": 1.0,
    "predict": 1.0,
    "code": 8.0,
    "long_form": 10.0,
    "image": 6.0,
    "role_play": 3.0,
    "socratic": 3.0,
    "repl": 1.0,
}
_CHOICES = 4


def minutes_of(items: Sequence[Item]) -> float:
    """How long items take together."""
    return sum(MINUTES[each.kind] if each.minutes is None else each.minutes for each in items)


def shuffled(things: Sequence[T], rng: Random) -> list[T]:
    """Things in another order than they came, where there is one."""
    made = list(things)
    for _ in range(8):
        rng.shuffle(made)
        if made != list(things):
            break
    return made


def question_of(
    course: Course, item: Item, others: Sequence[Item], rng: Random, *, number: int
) -> Question:
    """An item as a question with its answers, hints and choices."""
    question = Question(
        id=str(number),
        prompt=_spoken_prompt(course, item),
        kind=item.kind,
        item_id=item.id,
        answers=item.answers,
        blanks=item.blanks,
        explanation=item.explanation,
        hints=hints_for(item),
        context=item.context,
        discrimination=item.discrimination,
        direction=item.direction,
    )
    if item.kind == "choice":
        return _with_choices(question, item, others, rng)
    if item.kind == "order":
        words = shuffled(item.sequence, rng)
        sentence = " ".join(item.sequence)
        return replace(question, parts=tuple(words), answers=(sentence,), key=item.sequence)
    return question


def turns_of(item: Item) -> tuple[Question, ...]:
    """A scripted dialogue as questions: each turn says something and expects a reply."""
    return tuple(
        Question(
            id=str(number),
            prompt=turn.say,
            kind=item.kind,
            item_id=item.id,
            answers=turn.expect,
            hints=(turn.hint,) if turn.hint else (),
            explanation=item.explanation if number == len(item.script) else "",
        )
        for number, turn in enumerate(item.script, 1)
    )


def translation_prompt(course: Course, item: Item) -> str:
    """What is to be said in which language."""
    languages = course.config.languages
    asked = one_line(item.prompt)
    if languages is None:
        return f"Translate: {asked}"
    into = language_name(languages.target if item.direction == "to" else languages.source)
    if not is_short(asked, 6):
        return f"Translate into {into}: {asked}"
    if item.direction == "to":
        return f"How do you say \u201c{asked}\u201d in {into}?"
    return f"What does \u201c{asked}\u201d mean in {into}?"


def _spoken_prompt(course: Course, item: Item) -> str:
    asked = item.prompt.strip()
    match item.kind:
        case "translate":
            return translation_prompt(course, item)
        case "cloze":
            gaps = "Fill the gap" if len(item.blanks) == 1 else "Fill the gaps"
            return f"{gaps}: {asked}"
        case "true_false":
            return f"{asked}\nTrue or false, and why?"
        case "error":
            return f"Find the error and write it correctly: {asked}"
        case "order":
            return asked
        case _:
            return asked


def _with_choices(question: Question, item: Item, others: Sequence[Item], rng: Random) -> Question:
    wrong = wrong_answers(item, others, rng, max(_CHOICES - len(item.answers), 2))
    offered = tuple(shuffled((*item.answers, *wrong), rng))
    key = tuple(letter for letter, text in lettered(offered) if text in item.answers)
    return replace(question, choices=offered, key=key)
