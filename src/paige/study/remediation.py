"""What went wrong before decides what comes next.

An error that comes back chooses items and modalities that work against it. An item that was missed
again and again is asked once more, though not at once. Two words that were mixed up are asked side
by side.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from paige.exercise.taxonomy.names import find_kind
from paige.exercise.values import Modality
from paige.learner.progress import Progress, recurring_errors
from paige.study.courses.values import Course
from paige.study.generating.words import plain
from paige.study.remedies import shipped_remedies
from paige.study.values import Past, Wanted

_LATELY = 6
_AGAIN = 2
"""So many times something goes wrong before it counts as a pattern."""
_MOST_ITEMS, _MOST_KINDS = 4, 2
_CONFUSIONS = ("vocabulary_confusion", "false_friend", "relationship_confusion")


@dataclass(frozen=True, slots=True)
class Remediation:
    """What to aim the next exercise at. `modalities` suit it, the best first."""

    focus: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    modalities: tuple[Modality, ...] = ()
    why: tuple[str, ...] = ()

    @property
    def needed(self) -> bool:
        """Whether there is anything to work on."""
        return bool(self.focus or self.items)


def remedy_for(course: Course, progress: Progress | None, history: Sequence[Past]) -> Remediation:
    """What the errors on a concept ask for; nothing when no error came back."""
    kinds = [kind for kind, _ in recurring_errors(progress)][:_MOST_KINDS] if progress else []
    mixed = confused_words(course, progress) if progress else ()
    stubborn = missed_again(history)
    items = tuple(dict.fromkeys((*stubborn, *mixed)))[:_MOST_ITEMS]
    table = shipped_remedies()
    known = [table[kind] for kind in kinds if kind in table]
    modalities: dict[Modality, None] = {each: None for one in known for each in one.modalities}
    why = [f"{_said(kind)} came back, so {table[kind].says}" for kind in kinds if kind in table]
    if stubborn:
        why.append("Something was missed more than once, so it is asked again")
    if mixed:
        why.append("Two words were mixed up, so both are asked")
    return Remediation(tuple(kinds), items, tuple(modalities), tuple(why))


def aimed(wanted: Wanted, remedy: Remediation) -> Wanted:
    """A wish that takes a remedy into account."""
    return replace(
        wanted,
        focus=tuple(dict.fromkeys((*wanted.focus, *remedy.focus))),
        items=tuple(dict.fromkeys((*wanted.items, *remedy.items))),
    )


def missed_again(history: Sequence[Past]) -> tuple[str, ...]:
    """Items that went wrong more than once lately and not right since; never those just asked."""
    lately = history[-_LATELY:]
    counts: Counter[str] = Counter()
    for past in lately:
        for name in past.item_ids:
            if name not in past.missed:
                counts.pop(name, None)
        counts.update(set(past.missed))
    just = set(lately[-1].item_ids) if lately else set()
    return tuple(
        name for name, count in counts.most_common() if count >= _AGAIN and name not in just
    )


def confused_words(course: Course, progress: Progress) -> tuple[str, ...]:
    """Items for both words of every pair that was mixed up, the latest first."""
    words = {
        plain(text): word.id
        for word in course.words_of(progress.concept_id)
        for text in (*word.terms, *word.meanings)
    }
    found: list[str] = []
    for error in reversed(progress.error_history):
        if error.error_type not in _CONFUSIONS or not error.expected or not error.actual:
            continue
        pair = [_word(each, words) for each in (error.expected, error.actual)]
        if all(pair) and pair[0] != pair[1]:
            found += [each for each in pair if each]
    return tuple(dict.fromkeys(found))[:_MOST_ITEMS]


def _word(text: str, words: dict[str, str]) -> str | None:
    """The word that a text names, which may be a choice with its letter or a list of answers."""
    for part in text.split(" / "):
        bare = part.partition(". ")[2] or part
        for each in (part, bare):
            if plain(each) in words:
                return words[plain(each)]
    return None


def _said(kind: str) -> str:
    known = find_kind(kind)
    text = known.says if known else kind.replace("_", " ")
    return text[:1].upper() + text[1:]
