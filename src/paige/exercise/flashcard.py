"""Flashcards: a front, a back, and where they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from paige.base.errors import BadInput
from paige.exercise.worksheet.key import alternatives
from paige.exercise.worksheet.values import BLANK, Worksheet

CardKind = Literal["basic", "reversed", "cloze"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flashcard:
    """One card. `accepted` are other answers that count as well as the back."""

    id: str
    concept_id: str
    course: str
    front: str
    back: str
    kind: CardKind = "basic"
    accepted: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def reference(self) -> str:
        """All accepted answers, as a marker takes them."""
        return " / ".join((self.back, *self.accepted))


def dump_card(card: Flashcard) -> dict[str, object]:
    """A card as JSON values."""
    return {
        "id": card.id,
        "concept_id": card.concept_id,
        "course": card.course,
        "front": card.front,
        "back": card.back,
        "kind": card.kind,
        "accepted": list(card.accepted),
        "tags": list(card.tags),
        "note": card.note,
    }


def load_card(data: Mapping[str, object]) -> Flashcard:
    """A card from JSON values. Raises: BadInput."""
    for name in ("id", "front", "back"):
        if not str(data.get(name) or "").strip():
            raise BadInput(f"A flashcard needs a `{name}`")
    kind = data.get("kind") or "basic"
    if kind not in ("basic", "reversed", "cloze"):
        raise BadInput(f"`{kind}` is not a kind of flashcard", hint="Use basic, reversed or cloze.")
    return Flashcard(
        id=str(data["id"]),
        concept_id=str(data.get("concept_id") or ""),
        course=str(data.get("course") or ""),
        front=str(data["front"]),
        back=str(data["back"]),
        kind=kind,
        accepted=_texts(data, "accepted"),
        tags=_texts(data, "tags"),
        note=str(data.get("note") or ""),
    )


def cards_of(worksheet: Worksheet) -> tuple[Flashcard, ...]:
    """The questions of a worksheet as cards; tables to match are left out."""
    key = worksheet.key or {}
    cards = []
    for section in worksheet.sections:
        for question in () if section.matching else section.questions:
            if not (reference := key.get(question.id, "").strip()):
                continue
            back, *others = alternatives(reference)
            front = question.prompt.removesuffix(BLANK).rstrip(" :") or question.prompt
            cards.append(
                Flashcard(
                    id=f"{worksheet.concept}-{question.id}",
                    concept_id=worksheet.concept,
                    course=worksheet.course,
                    front=front,
                    back=back,
                    kind="cloze" if BLANK in front else "basic",
                    accepted=tuple(others),
                )
            )
    return tuple(cards)


def _texts(data: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = data.get(name) or []
    if not isinstance(value, list | tuple):
        raise BadInput(f"`{name}` of a flashcard should be a list")
    return tuple(str(each) for each in value)
