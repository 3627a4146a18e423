"""What somebody was asked before about a concept, so that the next exercise asks something else.

Every result carries what its exercise asked; the logs keep that. Results of other programs carry
nothing of the kind: of them only the modality and the score are known.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from paige.exercise.result import Result
from paige.learner.changes import Change, counting
from paige.learner.progress import moment_of
from paige.study.courses.values import ITEM_KINDS, ItemKind
from paige.study.values import Exercise, Past, Question

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


def history_of(changes: Sequence[Change], concept_id: str) -> tuple[Past, ...]:
    """The exercises on a concept that count, oldest first."""
    results = (each.result for each in counting(changes))
    return tuple(
        past_of(result)
        for result in results
        if result is not None and result.concept_id == concept_id
    )


def past_of(result: Result) -> Past:
    """What a result says about the exercise behind it."""
    recorded = result.extra.get(ASKED)
    asked: Mapping[str, object] = recorded if isinstance(recorded, Mapping) else {}
    kind = asked.get("kind")
    missed = (each.extra.get("item") for each in result.errors)
    return Past(
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
