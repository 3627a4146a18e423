"""`paige study grade PATH`: marks a worksheet, a response, a folder of them, or a code exercise."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from paige.base.errors import PaigeError
from paige.exercise.code_folder import looks_like_code_folder
from paige.exercise.grading import grade
from paige.exercise.response import looks_like_response
from paige.exercise.result import Attempt, Result, dump_result
from paige.exercise.worksheet.parse import looks_like_worksheet
from paige.exercise.worksheet.status import read_worksheet_text
from paige.sandbox.terms import RunTerms

_SIGNS = {"passed": "ok", "failed": "no", "error": "no", "timeout": "no", "skipped": "--"}


def grade_path(path: Path, terms: RunTerms, *, now: datetime, hints_used: int = 0) -> Result:
    """Grade what is at a path. Raises: NotFound, BadInput, Unavailable, Refused."""
    return grade(path, now=now, attempt=Attempt(hints_used=hints_used), terms=terms)


def sheets_in(folder: Path) -> list[Path]:
    """The worksheets and responses in a folder that is no code exercise, by name."""
    if not folder.is_dir() or looks_like_code_folder(folder):
        return []
    return [path for path in sorted(folder.glob("*.md")) if _is_sheet(path)]


def _is_sheet(path: Path) -> bool:
    try:
        text = read_worksheet_text(path)
    except PaigeError:  # not a text: somebody's notes may lie there too
        return False
    return looks_like_worksheet(text) or looks_like_response(text)


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
