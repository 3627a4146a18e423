"""The head of a curriculum file: framework, subject, edition; mistakes are named by line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from paige.base.errors import BadInput
from paige.base.frontmatter import Value, read_front_matter
from paige.plan.curriculum.values import Problem

_PLACE = re.compile(r":(\d+): ")


@dataclass(frozen=True, slots=True)
class Head:
    """The values at the top of a file, and the first line below them."""

    path: str
    values: Mapping[str, Value]
    body: int  # how many lines the head takes
    places: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def text(self, key: str) -> str:
        """One value as text; empty when it is missing or not a plain value."""
        value = self.values.get(key)
        return str(value).strip() if isinstance(value, str | int | float) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of values, or one value, as texts."""
        value = self.values.get(key)
        listed = value if isinstance(value, list) else [value]
        return tuple(str(each).strip() for each in listed if isinstance(each, str | int | float))

    def problem(self, key: str, message: str, hint: str = "") -> Problem:
        """A problem at the line of a key."""
        return Problem(self.path, self.places.get(key, 1), message, hint)


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
        return Head(path, {}, _length(lines), problems=(_problem(error, path),))
    return Head(path, front.values, _length(lines), front.lines)


def unknown_keys(head: Head, known: frozenset[str]) -> list[Problem]:
    """A problem for each key that has no meaning here."""
    listed = ", ".join(f"`{key}`" for key in sorted(known))
    return [
        head.problem(key, f"The key `{key}` has no meaning here.", f"There are: {listed}.")
        for key in head.values
        if key not in known
    ]


def missing_keys(head: Head, needed: tuple[str, ...]) -> list[Problem]:
    """A problem for each key that a file must have; none when the head could not be read."""
    if head.problems:
        return []
    return [
        head.problem(key, f"`{key}` is missing.", f"Add a line `{key}: …` at the top of the file.")
        for key in needed
        if not head.text(key)
    ]


def _length(lines: tuple[str, ...]) -> int:
    if not lines or lines[0].rstrip() != "---":
        return 0
    ends = (i for i, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "..."))
    return next(ends, 1)


def _problem(error: BadInput, path: str) -> Problem:
    """The reader's error as a problem: its message begins with the place."""
    after = error.message.removeprefix(path)
    match = _PLACE.match(after)
    line = int(match[1]) if match else 1
    message = after[match.end() :] if match else error.message
    return Problem(path, line, f"{message[:1].upper()}{message[1:]}.", error.hint or "")
