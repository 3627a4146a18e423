"""`paige study grade PATH`: marks a worksheet, a response, or the folder of a code exercise."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from paige.exercise.grading import grade
from paige.exercise.result import Attempt, Result, dump_result

_SIGNS = {"passed": "ok", "failed": "no", "error": "no", "timeout": "no", "skipped": "--"}


def grade_path(path: Path, *, now: datetime, hints_used: int = 0) -> Result:
    """Grade what is at a path. Raises: NotFound, BadInput, Unavailable."""
    return grade(path, now=now, attempt=Attempt(hints_used=hints_used))


def as_json(result: Result) -> str:
    """The result as one line of JSON."""
    return json.dumps(dump_result(result), ensure_ascii=False)


def as_lines(result: Result) -> Iterator[str]:
    """The result as a person reads it."""
    yield result.message
    for test in result.tests:
        first = test.message.strip().partition("\n")[0]
        yield f"  {_SIGNS[test.status]}  {test.name}" + (f": {first}" if first else "")
    for error in result.errors:
        yield f"  {error.question}: {error.detail or error.expected or error.error_type}"
    for improvement in result.improvements:
        yield f"  {improvement}"
    for remark in result.remarks:
        yield f"  {remark}"
