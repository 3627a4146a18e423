"""What somebody was asked before, and what went wrong in it, decide what comes next.

Every result carries what its exercise asked; the logs keep that. Results of other programs carry
nothing of the kind: of them only the modality and the score are known.

An error that comes back chooses items and modalities that work against it. An item that was missed
again and again is asked once more, though not at once. Two words that were mixed up are asked side
by side.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache

from paige.base.paths import shipped
from paige.exercise.result import Result
from paige.exercise.taxonomy.names import find_kind
from paige.exercise.values import Modality, modality
from paige.learner.changes import Change, counting
from paige.learner.progress import Progress, moment_of, recurring_errors
from paige.study.courses.values import ITEM_KINDS, Course, Direction, Item, ItemKind
from paige.study.generation.words import plain
from paige.study.values import Exercise, ExerciseRequest, PastExercise, Question

ASKED = "asked"
"""The field of a result's record."""
_MOST_PROMPTS = 12
_LONGEST_PROMPT = 160
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def asked_by(exercise: Exercise) -> dict[str, object]:
    """What a result should remember of its exercise."""
    prompts = [asked_in(each) for each in exercise.items] or [exercise.prompt]
    return {
        ASKED: {
            "kind": exercise.kind,
            "items": list(exercise.item_ids),
            "prompts": prompts[:_MOST_PROMPTS],
            "made_by": exercise.source,
        }
    }


def asked_in(question: Question) -> str:
    """What a question asks, in one line that is not too long to keep."""
    parts = (question.prompt, question.spoken, question.context, question.starter)
    return " ".join(" ".join(parts).split())[:_LONGEST_PROMPT]


def history_of(changes: Sequence[Change], concept_id: str) -> tuple[PastExercise, ...]:
    """The exercises on a concept that count, oldest first."""
    results = (each.result for each in counting(changes))
    return tuple(
        past_of(result)
        for result in results
        if result is not None and result.concept_id == concept_id
    )


def past_of(result: Result) -> PastExercise:
    """What a result says about the exercise behind it."""
    recorded = result.extra.get(ASKED)
    asked: Mapping[str, object] = recorded if isinstance(recorded, Mapping) else {}
    kind = asked.get("kind")
    missed = (each.extra.get("item") for each in result.errors)
    return PastExercise(
        at=moment_of(result, _LONG_AGO),
        exercise_id=result.exercise_id,
        modality=result.modality,
        kind=_kind(kind),
        item_ids=_texts(asked.get("items")),
        missed=tuple(dict.fromkeys(each for each in missed if isinstance(each, str))),
        prompts=_texts(asked.get("prompts")),
        score=result.score.percentage,
    )


def _kind(name: object) -> ItemKind | None:
    return next((each for each in ITEM_KINDS if each == name), None)


def _texts(value: object) -> tuple[str, ...]:
    listed: Iterable[object] = value if isinstance(value, list | tuple) else ()
    return tuple(each for each in listed if isinstance(each, str))


@dataclass(frozen=True, slots=True)
class Remedy:
    """What helps against one kind of error: kinds of items, modalities, and one direction."""

    kinds: tuple[ItemKind, ...]
    modalities: tuple[Modality, ...]
    says: str
    direction: Direction | None = None


@cache
def shipped_remedies() -> Mapping[str, Remedy]:
    """Every remedy by the name of its error."""
    table = tomllib.loads(shipped("study/remedies.toml").read_text(encoding="utf-8"))
    directions: tuple[Direction, ...] = ("to", "from")
    return {
        name: Remedy(
            kinds=tuple(kind for kind in ITEM_KINDS if kind in row["kinds"]),
            modalities=tuple(modality(each) for each in row["modalities"]),
            says=row["says"],
            direction=next((each for each in directions if each == row.get("direction")), None),
        )
        for name, row in table.items()
    }


def helps_against(item: Item, error_type: str) -> bool:
    """Whether an item works on a kind of error: it is tagged so, or of a kind that does."""
    if error_type in item.tags:
        return True
    remedy = shipped_remedies().get(error_type)
    if remedy is None or item.kind not in remedy.kinds:
        return False
    return remedy.direction is None or item.direction in (None, remedy.direction)


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


def remedy_for(
    course: Course, progress: Progress | None, history: Sequence[PastExercise]
) -> Remediation:
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


def aimed(wanted: ExerciseRequest, remedy: Remediation) -> ExerciseRequest:
    """A wish that takes a remedy into account."""
    return replace(
        wanted,
        focus=tuple(dict.fromkeys((*wanted.focus, *remedy.focus))),
        items=tuple(dict.fromkeys((*wanted.items, *remedy.items))),
    )


def missed_again(history: Sequence[PastExercise]) -> tuple[str, ...]:
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
