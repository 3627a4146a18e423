"""The flashcards of a course: its words, and the items that have one short answer."""

from collections.abc import Iterator

from paige.exercise.flashcard import CardKind, Flashcard
from paige.exercise.worksheet.values import BLANK
from paige.study.courses.values import Course, Item, Word

_PLAIN = ("translate", "short", "define", "predict", "error")


def flashcards(course: Course, concept: str | None = None) -> tuple[Flashcard, ...]:
    """The cards of a course, or of one concept: words first, then items, as they are written.

    The id of a card is that of its word or item.
    """
    chosen = tuple(course.concepts) if concept is None else (course.concept(concept).id,)
    return tuple(_cards(course, chosen))


def _cards(course: Course, concepts: tuple[str, ...]) -> Iterator[Flashcard]:
    for concept in concepts:
        for word in course.words_of(concept):
            yield word_card(course, word)
        for item in course.items.get(concept, ()):
            for each in item.variants or (item,):
                card = item_card(course, each)
                if card is not None:
                    yield card


def word_card(course: Course, word: Word) -> Flashcard:
    """A word as a card that is asked both ways."""
    example = f"{word.example} \u2013 {word.example_meaning}".strip(" \u2013")
    return Flashcard(
        id=word.id,
        concept_id=word.concept_id,
        course=course.name,
        front=" / ".join(word.terms),
        back=word.meaning,
        kind="reversed",
        accepted=word.meanings[1:],
        tags=word.tags,
        note="\n".join(each for each in (example, word.note) if each),
    )


def item_card(course: Course, item: Item) -> Flashcard | None:
    """An item as a card, or nothing when it is not one question with one short answer."""
    if item.kind in _PLAIN:
        return _card(course, item, item.prompt, item.answers)
    if item.kind == "cloze":
        answers = item.blanks[0] if len(item.blanks) == 1 else ("; ".join(_firsts(item)),)
        return _card(course, item, item.prompt, answers, "cloze")
    if item.kind == "true_false":
        said = item.answers[0].capitalize()
        return _card(course, item, f"True or false? {item.prompt}", (said,))
    if item.kind == "choice" and len(item.answers) == 1:
        choices = "\n".join(f"- {each}" for each in sorted((*item.answers, *item.distractors)))
        return _card(course, item, f"{item.prompt}\n{choices}", item.answers)
    if item.kind == "repl" and item.code:
        return _card(course, item, item.prompt, (item.code.solution.strip(),))
    return None


def _firsts(item: Item) -> tuple[str, ...]:
    return tuple(each[0] for each in item.blanks)


def _card(
    course: Course,
    item: Item,
    front: str,
    answers: tuple[str, ...],
    kind: CardKind = "basic",
) -> Flashcard:
    assert kind != "cloze" or BLANK in front  # readers of items see to it
    return Flashcard(
        id=item.id,
        concept_id=item.concept_id,
        course=course.name,
        front=f"{item.context}\n{front}" if item.context else front,
        back=answers[0],
        kind=kind,
        accepted=answers[1:],
        tags=item.tags,
        note=item.explanation,
    )
