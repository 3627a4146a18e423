"""The head of a curriculum file: framework, subject, edition; mistakes are named by line."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from paige.base.errors import BadInput, PaigeError
from paige.language.front_matter import Value, read_front_matter
from paige.plan.curriculum.values import WorkspaceProblem

_PLACE = re.compile(r".*?:(?P<line>\d+): (?P<message>.*)", re.S)


@dataclass(frozen=True, slots=True)
class Head:
    """The values at the top of a file, and the first line below them."""

    path: str
    values: Mapping[str, Value]
    body: int  # how many lines the head takes
    places: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[WorkspaceProblem, ...] = ()

    def text(self, key: str) -> str:
        """One value as text; empty when it is missing or not a plain value."""
        value = self.values.get(key)
        return str(value).strip() if isinstance(value, str | int | float) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of values, or one value, as texts."""
        value = self.values.get(key)
        listed = value if isinstance(value, list) else [value]
        return tuple(str(each).strip() for each in listed if isinstance(each, str | int | float))

    def problem(self, key: str, message: str, hint: str = "") -> WorkspaceProblem:
        """A problem at the line of a key."""
        return WorkspaceProblem(self.path, self.places.get(key, 1), message, hint)


def split_lines(text: str) -> tuple[str, ...]:
    """The lines as editors count them, which is how pointers count them too."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    return tuple(lines[:-1] if lines[-1] == "" else lines)


def read_head(text: str, path: str) -> Head:
    """The front matter of a file; one that cannot be read is a problem, not the end."""
    lines = split_lines(text)
    try:
        front = read_front_matter(text, path)
    except BadInput as error:
        return Head(path, {}, _length(lines), problems=(problem_of(error, path),))
    return Head(path, front.values, _length(lines), front.lines)


def unknown_keys(head: Head, known: frozenset[str]) -> list[WorkspaceProblem]:
    """A problem for each key that has no meaning here."""
    listed = ", ".join(f"`{key}`" for key in sorted(known))
    return [
        head.problem(key, f"The key `{key}` has no meaning here.", f"There are: {listed}.")
        for key in head.values
        if key not in known
    ]


def missing_keys(head: Head, needed: tuple[str, ...]) -> list[WorkspaceProblem]:
    """A problem for each key that a file must have; none when the head could not be read."""
    if head.problems:
        return []
    return [
        head.problem(key, f"`{key}` is missing.", f"Add a line `{key}: …` at the top of the file.")
        for key in needed
        if not head.text(key)
    ]


def front_value(text: str) -> str:
    """A text as a front-matter value, in quotes where it would be read as something else."""
    plain = re.fullmatch(r"[A-Za-z][\w ,.()/'&-]*", text) and not text.endswith((" ", ","))
    words = text.lower() in ("true", "false", "null", "yes", "no", "on", "off")
    return text if plain and not words else json.dumps(text, ensure_ascii=False)


def _length(lines: tuple[str, ...]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    ends = (i for i, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "..."))
    return next(ends, 1)


def place_of(error: PaigeError) -> tuple[int, str]:
    """The line that an error names, or the first, and its message without the place."""
    found = _PLACE.fullmatch(error.message)
    return (int(found["line"]), found["message"]) if found else (1, error.message)


def problem_of(error: PaigeError, path: str) -> WorkspaceProblem:
    """The error of whoever read a file as a problem: its message may begin with the place."""
    line, said = place_of(error)
    return WorkspaceProblem(path, line, f"{said[:1].upper()}{said[1:]}.", error.hint or "")
