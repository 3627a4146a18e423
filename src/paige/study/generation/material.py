"""What a course offers for each modality, and what a learner is ready for.

A word is asked in both directions and, where it has an example, in that sentence too.
"""

from collections.abc import Mapping
from dataclasses import replace

from paige.exercise.code_exercise import find_language
from paige.exercise.values import Modality
from paige.exercise.worksheet.values import BLANK
from paige.study.courses.values import Course, Item, ItemKind, Word
from paige.study.generation.words import is_short, one_line, plain

KINDS: Mapping[Modality, tuple[ItemKind, ...]] = {
    "worksheet": (
        *("translate", "cloze", "choice", "match", "order", "categorise", "true_false", "error"),
        *("short", "define", "predict"),
    ),
    "conversation": (
        *("translate", "cloze", "choice", "true_false", "error", "short", "define", "predict"),
        *("order", "role_play", "socratic"),
    ),
    "code": ("code",),
    "long_form": ("long_form",),
    "image_review": ("image",),
    "flashcard": ("translate", "cloze", "define", "short", "predict"),
    "repl": ("repl",),
    "audio": ("translate",),
    "collaborative": ("code", "choice", "true_false", "error"),
}
"""The kinds of items a modality can ask."""
ENTERED = ("python",)
"""The programming languages whose entries at a prompt can be run here."""
CONTEXT = ".context"
"""How the id of a word asked in its example ends."""


def all_items(course: Course, concept_id: str) -> tuple[Item, ...]:
    """Everything that can be asked about a concept, with words in their sentences."""
    inside = (in_context(word) for word in course.words_of(concept_id))
    synonyms = _synonyms(course)
    items = (
        *(_with_synonyms(item, synonyms) for item in course.items_of(concept_id)),
        *(item for item in inside if item is not None),
    )
    if any(suits(item, "conversation") for item in items):
        return items
    return (*items, *from_teaching(course, concept_id))


Synonyms = Mapping[tuple[str, str], tuple[str, ...]]
"""By direction and what is asked, every answer that some word of the course gives."""


def _synonyms(course: Course) -> Synonyms:
    found: dict[tuple[str, str], dict[str, None]] = {}
    for word in course.vocabulary:
        for meaning in word.meanings:
            found.setdefault(("to", plain(meaning)), {}).update(dict.fromkeys(word.terms))
        for term in word.terms:
            found.setdefault(("from", plain(term)), {}).update(dict.fromkeys(word.meanings))
    return {key: tuple(answers) for key, answers in found.items()}


def _with_synonyms(item: Item, synonyms: Synonyms) -> Item:
    """A word that is asked for, with every other word of the course that says the same."""
    if item.kind != "translate" or not item.id.endswith((".to", ".from")):
        return item
    more = synonyms.get((item.direction or "to", plain(item.prompt)), ())
    if set(more) <= set(item.answers):
        return item
    return replace(item, answers=tuple(dict.fromkeys((*item.answers, *more))))


def from_teaching(course: Course, concept_id: str) -> tuple[Item, ...]:
    """The questions of a teaching text, for a concept about which there is little else."""
    teaching = course.teaching.get(concept_id)
    return tuple(
        Item(
            id=f"{concept_id}.check.{number}",
            concept_id=concept_id,
            kind="short",
            prompt=check.question,
            bloom="understand",
            answers=check.answers,
            explanation=check.because,
            path=teaching.path,
        )
        for number, check in enumerate(teaching.checks if teaching else (), 1)
        if teaching
    )


def in_context(word: Word) -> Item | None:
    """A word as the gap in its example; nothing when the example does not hold it just once."""
    if not word.example or BLANK in word.example:
        return None
    for term in word.terms:
        place = _only_place(term, word.example)
        if place is None:
            continue
        before, after = word.example[:place], word.example[place + len(term) :]
        if not plain(before + after):
            continue  # the example is the word itself
        meant = word.example_meaning or word.meaning
        accepted = (term, *(each for each in word.terms if each != term))
        return Item(
            id=f"{word.id}{CONTEXT}",
            concept_id=word.concept_id,
            kind="cloze",
            prompt=one_line(f"{before}{BLANK}{after} ({meant})"),
            blanks=(accepted,),
            answers=accepted,
            explanation=f"{term}: {word.meaning}",
            tags=word.tags,
            path=word.path,
            line=word.line,
        )
    return None


def _only_place(term: str, text: str) -> int | None:
    """Where a term stands in a text as words of its own, if it does so just once."""
    small, wanted = text.lower(), term.lower()
    if not wanted or len(small) != len(text) or len(wanted) != len(term):
        return None
    found: list[int] = []
    at = small.find(wanted)
    while at >= 0:
        around = small[max(at - 1, 0) : at] + small[at + len(wanted) : at + len(wanted) + 1]
        if not any(sign.isalnum() or sign == "_" for sign in around):
            found.append(at)
        at = small.find(wanted, at + 1)
    return found[0] if len(found) == 1 else None


def suits(item: Item, modality: Modality) -> bool:
    """Whether an item can be asked in a modality."""
    if item.kind not in KINDS[modality]:
        return False
    match modality:
        case "flashcard":
            return len(item.blanks) <= 1 and bool(item.answers) and is_short(item.answers[0], 12)
        case "audio":
            return bool(item.answers) and is_short(item.prompt, 8) and is_short(item.answers[0], 8)
        case "collaborative":
            return item.kind != "true_false" or item.answers == ("false",)
        case "repl":
            return can_be_entered(item)
        case "conversation":
            return item.kind != "order" or is_sentence(item)
        case _:
            return True


def can_be_entered(item: Item) -> bool:
    """Whether entries for an item can be run here: it has cases, in a language Paige can run."""
    if item.code is None or not item.code.cases:
        return False
    known = find_language(item.code.language)
    return known is not None and known.name in ENTERED


def is_sentence(item: Item) -> bool:
    """Whether the things to order are the words of a sentence rather than steps or events."""
    return len(item.sequence) <= 14 and all(is_short(each, 2) for each in item.sequence)


def possible(course: Course, concept_id: str) -> frozenset[Modality]:
    """The modalities there is material for and that suit the concept. Raises: NotFound."""
    concept = course.concept(concept_id)
    items = all_items(course, concept_id)
    found: set[Modality] = {name for name in KINDS if any(suits(item, name) for item in items)}
    if course.domain != "language" or course.config.languages is None:
        found.discard("audio")
    if course.domain == "interview" and any(item.kind == "long_form" for item in items):
        found.add("worksheet")  # outlines of answers
    wanted = frozenset(concept.modalities)
    return frozenset(found & wanted) if found & wanted else frozenset(found)


def in_scope(course: Course, item: Item, concept_id: str, known: frozenset[str]) -> bool:
    """Whether an item needs nothing the learner has not met."""
    met = known | course.graph.before(concept_id) | {concept_id}
    return all(need in met for need in item.needs)


def as_items(item: Item) -> tuple[Item, ...]:
    """The ways to ask an item: its variants, or itself."""
    return tuple(replace(each, tags=item.tags) for each in item.variants) or (item,)
