"""Items as questions to be put in words: in a conversation, on a card, at a prompt."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from paige.study.courses.values import Course, Item, ItemKind
from paige.study.generating.distractors import wrong_answers
from paige.study.generating.hinting import hints_for
from paige.study.generating.words import is_short, language_name, lettered, one_line
from paige.study.values import Question

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
