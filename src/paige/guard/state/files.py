"""JSON files that people, agents and hooks share: read with care, written whole, one at a time.

Whoever edits them by hand makes mistakes. A file that cannot be used is never taken for an empty
one: reading it raises `Damaged` with the line and what to do about it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.base.files import write_atomic, write_error
from paige.base.platform import locked

MAX_BYTES = 4 * 2**20
LOCK = ".lock"
Change = Callable[[dict[str, Any]], dict[str, Any]]


class Damaged(BadInput):
    """A file of the project's state cannot be used as it is."""

    def __init__(self, path: Path | str, line: int, problem: str, fix: str) -> None:
        super().__init__(f"`{path}`, line {line}: {problem}", hint=fix)
        self.path = str(path)
        self.line = line

    def sentence(self) -> str:
        """What is wrong and what to do, in one text."""
        return f"{self.message}. {self.hint}"


def read_text(path: Path) -> str | None:
    """The text of a file; nothing when there is none. Raises: Damaged."""
    try:
        if path.stat().st_size > MAX_BYTES:
            fix = "Ask the person to look at it: no such file grows that large by itself."
            raise Damaged(path, 1, f"it is larger than {MAX_BYTES} bytes", fix)
        return path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise Damaged(path, line, "it is not UTF-8 text", "Save it as UTF-8.") from error
    except OSError as error:
        fix = "Make it a file that you may read."
        raise Damaged(path, 1, f"it cannot be read: {error.strerror or error}", fix) from error


def parse_json(text: str, path: Path | str) -> object:
    """The value in a text. Raises: Damaged with the line of the first mistake."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        problem = f"it is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        fix = f"Correct it near column {error.colno}, or take back the last change to the file."
        raise Damaged(path, error.lineno, problem, fix) from error
    except RecursionError as error:
        raise Damaged(path, 1, "it is nested too deeply", "Write it flat.") from error


def read_object(path: Path) -> dict[str, Any] | None:
    """The object in a file; nothing when there is no file. Raises: Damaged."""
    text = read_text(path)
    if text is None:
        return None
    value = parse_json(text, path)
    if not isinstance(value, dict):
        raise Damaged(path, 1, "it holds no object", "Put everything between `{` and `}`.")
    return value


def change_object(path: Path, change: Change) -> dict[str, Any]:
    """Read, change and write an object while nobody else does; what it is then.

    Raises: Damaged, Refused, Unavailable. `change` gets an empty object where there is no file.
    """
    with alone_with(path):
        before = read_object(path) or {}
        after = change(json.loads(json.dumps(before)))
        if after != before:
            write_object(path, after)
        return after


def write_object(path: Path, value: object) -> None:
    """Replace a file as a whole. Raises: Refused, Unavailable."""
    write_atomic(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def alone_with(path: Path, lock_name: str = LOCK) -> Iterator[None]:
    """Hold the lock of a file's folder, or one beside it. Raises: Refused, Unavailable."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = locked(path.parent / lock_name)
        lock.__enter__()
    except OSError as error:
        raise write_error(path.parent, error) from error
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def line_of(text: str, words: str) -> int:
    """The line some words stand in; the first when they do not."""
    at = text.find(words)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
