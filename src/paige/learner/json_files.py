"""JSON files that people open in an editor: read with a line for every mistake, written plainly.

A file that cannot be read is never written over. What is said about it names the file, the line and
what to change there.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from paige.base.errors import BadInput

T = TypeVar("T")
_FIXES = (
    ("expecting ',' delimiter", "A comma is missing before this place."),
    ("expecting property name", "Take out the comma before it, and use double quotes for names."),
    ("trailing comma", "Take out the comma before the closing bracket."),
    ("expecting ':' delimiter", "Put a colon between the name and its value."),
    (
        "expecting value",
        "A value is missing, or it is not JSON: texts have double quotes, and it is "
        "true, false and null.",
    ),
    ("unterminated string", "Close the text with a double quote on the same line."),
    ("invalid control character", "Write a line break inside a text as \\n."),
    ("invalid \\escape", "Write a backslash as \\\\."),
    ("extra data", "The file goes on after its end: take out what follows the last bracket."),
)
_MARKS = re.compile(r"^(<{7}|={7}|>{7})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StudyProblem:
    """Something wrong with a file: where, what, and what to do."""

    file: str
    line: int
    message: str
    fix: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}. {self.fix}"

    def error(self) -> BadInput:
        """The same as an error."""
        return BadInput(f"{self.file}:{self.line}: {self.message}", hint=self.fix)


class BrokenFile(BadInput):
    """A file that cannot be read as it is; `problem` says where and why."""

    def __init__(self, problem: StudyProblem) -> None:
        super().__init__(f"{problem.file}:{problem.line}: {problem.message}", hint=problem.fix)
        self.problem = problem


def read_object(path: str, text: str) -> dict[str, object]:
    """The object in a file. Raises: BrokenFile."""
    marks = _MARKS.search(text)
    if marks:
        raise _broken(path, text, marks.start(), "this is the mark of an unfinished merge", "")
    try:
        value = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_no_constant
        )
    except json.JSONDecodeError as error:
        raise BrokenFile(_problem(path, error)) from error
    except _Twice as error:
        place = _last(text, error.name)
        raise _broken(path, text, place, f"`{error.name}` is there twice", "Keep one.") from error
    except _Constant as error:
        place = text.find(error.name)
        raise _broken(path, text, place, f"`{error.name}` is not JSON", "Write null.") from error
    except RecursionError as error:
        raise _broken(path, text, 0, "this is nested too deeply", "") from error
    except ValueError as error:  # Python refuses to read numbers of thousands of digits
        raise _broken(path, text, 0, "a number is far too long", "Write a shorter one.") from error
    if not isinstance(value, dict):
        raise _broken(path, text, 0, "the file should hold an object", "Begin it with `{`.")
    return value


def parse(adapter: TypeAdapter[T], record: object) -> T:
    """The value in a record. Raises: BadInput, naming the field that is wrong."""
    try:
        return adapter.validate_python(record)
    except ValidationError as error:
        first = error.errors()[0]
        names = [each for each in first["loc"] if isinstance(each, str)]
        wanted = first["msg"].removeprefix("Input ").replace("'", "")
        if first["type"] == "literal_error":
            wanted = wanted.replace("should be ", "should be one of ")
        name = f"`{names[-1]}`" if names else "It"
        if first["type"] == "missing":
            raise BadInput(f"{name} is missing") from error
        raise BadInput(f"{name} {wanted}, not `{first['input']!r}`") from error


def write_object(value: Mapping[str, object], *, compact: bool = False) -> str:
    """The text of a file."""
    form: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    text = json.dumps(value, ensure_ascii=False, **form)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character, which only an escape can write
        text = json.dumps(value, **form)
    return text + "\n"


def field_problem(path: str, text: str, keys: tuple[str, ...], error: BadInput) -> StudyProblem:
    """The problem of a value found under these names, with the line it stands on."""
    place = 0
    for key in keys:
        found = text.find(f'"{key}"', place)
        place = found if found >= 0 else place
    named = re.search(r"`(\w+)`", error.message)
    if named:
        found = text.find(f'"{named.group(1)}"', place)
        place = found if found >= 0 else place
    fix = error.hint or "Change it, or take the line out."
    return StudyProblem(path, text.count("\n", 0, place) + 1, error.message, fix)


class _Constant(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _no_constant(name: str) -> object:
    """Refuses NaN and Infinity: other programs could not read them."""
    raise _Constant(name)


class _Twice(Exception):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuses what is there twice: one of the two would be lost without a word."""
    made: dict[str, object] = {}
    for name, value in pairs:
        if name in made:
            raise _Twice(name)
        made[name] = value
    return made


def _problem(path: str, error: json.JSONDecodeError) -> StudyProblem:
    said = error.msg.lower()
    fix = next((fix for start, fix in _FIXES if start in said), "Compare it with its neighbours.")
    if not error.doc.strip():
        return StudyProblem(path, 1, "the file is empty", "Delete it, or write `{}` into it.")
    return StudyProblem(path, error.lineno, f"this is not JSON ({error.msg})", fix)


def _broken(path: str, text: str, place: int, message: str, fix: str) -> BrokenFile:
    line = text.count("\n", 0, max(place, 0)) + 1
    return BrokenFile(StudyProblem(path, line, message, fix or "Repair it by hand."))


def _last(text: str, name: str) -> int:
    return text.rfind(json.dumps(name, ensure_ascii=False))
