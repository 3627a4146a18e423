"""What `paige study mark --jsonl` answers: one answer of a learner marked, without a model."""

from collections.abc import Mapping
from typing import Any

from paige.base.errors import BadInput
from paige.exercise.marking.marker import shared

_FIELDS = ("question", "reference", "answer")


def mark_answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Mark `{"question", "reference", "answer"}`. Raises: BadInput."""
    for name in _FIELDS:
        if name not in asked:
            raise BadInput(f"`{name}` is missing")
        value = asked[name]
        texts = value if name == "reference" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise BadInput(f"`{name}` is not a text")
    mark = shared().mark(asked["question"], asked["reference"], asked["answer"])
    return {"verdict": mark.verdict, "score": mark.score, "feedback": mark.feedback}
