"""`paige study mark --jsonl`: marks one answer per line, without a model."""

from collections.abc import Iterable, Iterator

import orjson

from paige.base.errors import PaigeError
from paige.exercise.marking.marker import Marker, shared

_FIELDS = ("question", "reference", "answer")


def mark_lines(lines: Iterable[bytes | str], marker: Marker | None = None) -> Iterator[bytes]:
    """One JSON line per line that is not empty, in order; a bad one is answered with its error."""
    marker = marker or shared()
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield orjson.dumps(_marked(line, number, marker), option=orjson.OPT_APPEND_NEWLINE)


def _marked(line: bytes | str, number: int, marker: Marker) -> dict[str, object]:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as problem:
        return {"error": f"Line {number} is not JSON: {problem}"}
    problem = _problem(fields)
    if problem:
        return {"error": f"Line {number}: {problem}"}
    try:
        mark = marker.mark(fields["question"], fields["reference"], fields["answer"])
    except PaigeError as error:
        return {"error": f"Line {number}: {error.message}"}
    return {"verdict": mark.verdict, "score": mark.score, "feedback": mark.feedback}


def _problem(fields: object) -> str:
    """What is wrong with the fields of a line, or nothing."""
    if not isinstance(fields, dict):
        return "an object with question, reference and answer is needed"
    for name in _FIELDS:
        if name not in fields:
            return f"`{name}` is missing"
        value = fields[name]
        texts = value if name == "reference" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            return f"`{name}` is not a text"
    return ""
