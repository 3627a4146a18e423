"""Decks of cards as a course: which card becomes which item, under which concept.

A deck has hundreds of cards where a concept should be a handful, so a deck becomes several concepts
of a few cards, in the order of the deck. Cards keep the place they once got: when a deck has grown,
only new cards are added, behind the others.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import NamedTuple

from paige.exercise.exchange.values import Card, Deck, ask, blank_numbers
from paige.exercise.ids import slug
from paige.exercise.values import Domain
from paige.exercise.worksheet.key import alternatives
from paige.exercise.worksheet.values import BLANK
from paige.study.courses.item_kinds import Course as Defaults
from paige.study.courses.items_file import read_items
from paige.study.courses.values import Course, Item, Word, word_items
from paige.study.courses.vocabulary_file import ALL_COLUMNS, read_vocabulary, write_row
from paige.study.courses.writer import Addition, Record

CARDS_IN_A_CONCEPT = 20
_SAFE = re.compile(r"[^\W_][\w-]{0,99}")
_TYPES: Mapping[Domain, str] = {
    "language": "vocabulary",
    "technical": "terminology",
    "conceptual": "facts/definitions",
    "interview": "knowledge recall",
}
_ANYWHERE = "deck"  # a concept, until the card gets one


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card and where it is in the course: its concept, and an item for each of its parts."""

    card: Card
    concept_id: str
    items: Mapping[int, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class CardPlan:
    """What decks add to a course. `there` were in it before; `differing` of these read otherwise.

    `left_out` says which cards could not be taken, and why.
    """

    addition: Addition
    placed: tuple[PlacedCard, ...]
    added: int
    there: int
    differing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


class _Made(NamedTuple):
    """What a card becomes: a word or some items, and the items of its parts as they will read."""

    word: Word | None
    records: tuple[Record, ...]
    parts: Mapping[int, Item]


def plan_cards(
    decks: Sequence[Deck], known: Course | None, *, title: str, both_ways: bool = False
) -> CardPlan:
    """Where the cards of decks go. `known` is the course so far; basic cards may ask both ways."""
    domain = known.domain if known else _domain(decks, both_ways=both_ways)
    making = _CourseDraft(domain)
    making.take_over(known)
    for deck in decks:
        for card in deck.cards:
            made = _word(card) if both_ways or card.kind == "reversed" else None
            making.take(deck, card, made or _items(card))
    config = {"title": title, **_description(decks), "domain_type": domain}
    return CardPlan(
        making.addition(config),
        tuple(making.placed),
        len(making.placed) - making.there,
        making.there,
        tuple(making.differing),
        tuple(making.left_out),
    )


@dataclass(slots=True)
class _CourseDraft:
    """A course while cards are put into it."""

    domain: Domain
    asked: dict[str, Item] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    by_deck: dict[str, list[str]] = field(default_factory=dict)
    concepts: list[Record] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    items: dict[str, list[Record]] = field(default_factory=dict)
    placed: list[PlacedCard] = field(default_factory=list)
    there: int = 0
    differing: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def take_over(self, known: Course | None) -> None:
        """Begin with what is in the course."""
        for item in known.all_items() if known else ():
            self.asked[item.id] = item
        for concept in known.concepts.values() if known else ():
            self.sizes[concept.id] = len(known.items.get(concept.id, ())) if known else 0
            self.sizes[concept.id] += len(known.words_of(concept.id)) if known else 0
            deck = concept.extra.get("deck")
            if isinstance(deck, str):
                self.by_deck.setdefault(deck, []).append(concept.id)

    def take(self, deck: Deck, card: Card, made: _Made | None) -> None:
        """Put a card where it belongs, unless it is there already."""
        if made is None:
            why = "nothing on its back" if not card.back else "nothing that could be asked"
            self.left_out.append(f"`{card.front[:60]}` has {why}")
            return
        before = [each for each in made.parts.values() if each.id in self.asked]
        parts = {part: each.id for part, each in made.parts.items()}
        if before:
            self.there += 1
            self.differing += [each.id for each in before if not _alike(each, self.asked[each.id])]
            self.placed.append(PlacedCard(card, self.asked[before[0].id].concept_id, parts))
            return
        concept = self._concept(deck)
        self.placed.append(PlacedCard(card, concept, parts))
        self.asked |= {each.id: replace(each, concept_id=concept) for each in made.parts.values()}
        if made.word:
            self.words.append(replace(made.word, concept_id=concept))
        self.items.setdefault(concept, []).extend(made.records)

    def addition(self, config: Record) -> Addition:
        """Everything that is new."""
        items = {name: tuple(found) for name, found in self.items.items() if found}
        return Addition(
            config=config, concepts=tuple(self.concepts), items=items, words=tuple(self.words)
        )

    def _concept(self, deck: Deck) -> str:
        """The concept for one more card of a deck."""
        mine = self.by_deck.setdefault(deck.name, [])
        if not mine or self.sizes[mine[-1]] >= CARDS_IN_A_CONCEPT:
            mine.append(self._begin(deck, len(mine) + 1))
        self.sizes[mine[-1]] += 1
        return mine[-1]

    def _begin(self, deck: Deck, part: int) -> str:
        parents, _, leaf = deck.name.rpartition("::")
        plain = slug(deck.name)[:60].strip("-_")
        name, number = (plain, 1) if part == 1 else (f"{plain}-{part}", part)
        while name in self.sizes:
            number += 1
            name = f"{plain}-{number}"
        self.sizes[name] = 0
        title = leaf.strip() or deck.name
        self.concepts.append(
            {
                "id": name,
                "title": title if part == 1 else f"{title} ({part})",
                "concept_type": _TYPES[self.domain],
                "bloom": "remember",
                **({"unit": parents.replace("::", ": ")} if parents.strip() else {}),
                "deck": deck.name,
            }
        )
        return name


def item_id_of(card: str) -> str:
    """The id of an item for the id of a card, which may hold anything."""
    if _SAFE.fullmatch(card):
        return card
    return f"a-{sha256(card.encode()).hexdigest()[:16]}"


def _word(card: Card) -> _Made | None:
    """A card that is asked both ways as a word, if it is one line in and out."""
    if card.kind == "cloze" or not card.back or "\n" in card.front or "\n" in card.back:
        return None
    word = Word(
        id=item_id_of(card.id),
        terms=alternatives(card.front),
        meanings=alternatives(card.back),
        concept_id=_ANYWHERE,
        note=card.note,
        tags=card.tags,
        card=card.id,
    )
    # As it will be read: spaces and the like are not what they were.
    rows = f"{chr(9).join(ALL_COLUMNS)}\n{write_row(word, ALL_COLUMNS)}\n"
    read = read_vocabulary("", rows).words
    if len(read) != 1 or read[0].id != word.id:
        return None
    into, out_of = word_items(read[0])
    return _Made(word, (), {0: out_of, 1: into} if card.kind == "reversed" else {0: out_of})


def _items(card: Card) -> _Made | None:
    """A card as items: one, or one for each side or blank."""
    records = dict(_records(card))
    text = "\n".join(json.dumps(each, ensure_ascii=False) for each in records.values())
    read = read_items(f"{_ANYWHERE}.jsonl", text, Defaults("conceptual", "python"))
    if read.problems or not read.items:
        return None
    parts = dict(zip(records, read.items, strict=True))
    return _Made(None, tuple(records.values()), parts)


def _records(card: Card) -> Iterator[tuple[int, Record]]:
    """The items of a card by its parts, as they are written."""
    name = item_id_of(card.id)
    more: dict[str, object] = {"explanation": card.note} if card.note else {}
    more |= {"tags": list(card.tags)} if card.tags else {}
    if card.kind == "cloze":
        yield from _cloze(card, name, more)
        return
    turned = card.kind == "reversed" and bool(card.back)
    kept = _whole(card) if turned else {"id": card.id}
    sides = [(card.front, card.back), (card.back, card.front)]
    for part, (front, back) in enumerate(sides[: 2 if turned else 1]):
        own = name if part == 0 else f"{name}.r"
        asked = {"id": own, "kind": "short", "bloom": "remember", "prompt": front}
        yield part, {**asked, "answer": back, **more, "card": kept}


def _whole(card: Card) -> Record:
    """What an item keeps of a card that became several, so that it can be given back whole."""
    back = {"back": card.back} if card.back else {}
    return {"id": card.id, "kind": card.kind, "front": card.front, **back}


def _cloze(card: Card, name: str, more: Record) -> Iterator[tuple[int, Record]]:
    """An item for each blank."""
    numbers = blank_numbers(card.front)
    whole = _whole(card)
    for number in numbers:
        question, answers = ask(card.front, number, shown=BLANK)
        own = name if len(numbers) == 1 else f"{name}.c{number}"
        fits = question.count(BLANK) == len(answers)
        answer: object = "; ".join(answers) if not fits else answers[0]
        if fits and len(answers) > 1:
            answer = list(answers)
        asked = {"id": own, "kind": "cloze" if fits else "short", "bloom": "remember"}
        yield number - 1, {**asked, "prompt": question, "answer": answer, **more, "card": whole}


def _alike(new: Item, old: Item) -> bool:
    """Whether an item still asks what the card does."""
    return (new.prompt, new.key) == (old.prompt, old.key)


def _domain(decks: Sequence[Deck], *, both_ways: bool) -> Domain:
    """Words that are asked both ways are a language; everything else is facts."""
    cards = [card for deck in decks for card in deck.cards]
    turned = sum(card.kind == "reversed" for card in cards)
    return "language" if both_ways or turned * 2 > len(cards) else "conceptual"


def _description(decks: Sequence[Deck]) -> Record:
    said = next((deck.description for deck in decks if deck.description), "")
    return {"description": " ".join(said.split())} if said else {}
