"""Values in files that people write: each is what it should be, or an error that names it."""

import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePosixPath

from paige.base.errors import BadInput
from paige.base.wire import storable
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.learner.json_files import BrokenFile, StudyProblem, field_problem, read_object

MOST_PROBLEMS = 100
"""Of one file; whoever reads more than that has one mistake many times."""
LONGEST_ID = 120
_ITEM_ID = re.compile(r"[^\W_][\w.-]*")
_CONCEPT_ID = re.compile(r"[^\W_][\w-]*")
_SHOWN = 60
_ALIKE = 0.8
_DEEPEST = 20


def json_object(path: str, text: str, line: int = 1) -> dict[str, object]:
    """The object in a text that begins at a line of a file. Raises: BrokenFile."""
    try:
        value = read_object(path, text)
    except BrokenFile as error:
        raise BrokenFile(moved(error.problem, line)) from error
    except ValueError as error:  # a number longer than Python reads
        wrong = StudyProblem(path, line, "a number in it is far too long", "Write a shorter one.")
        raise BrokenFile(wrong) from error
    strange = _strange(value)
    if strange:
        raise BrokenFile(StudyProblem(path, line, strange, "Type the value again."))
    return value


def _strange(value: object) -> str:
    """What is in a value that could not be shown or stored; JSON can write all of it."""
    waiting = [(value, 0)]
    while waiting:
        each, depth = waiting.pop()
        if isinstance(each, dict | list) and depth > _DEEPEST:
            return "this is nested too deeply"
        if isinstance(each, dict):
            waiting += [(one, depth + 1) for one in (*each.keys(), *each.values())]
        elif isinstance(each, list):
            waiting += [(one, depth + 1) for one in each]
        elif isinstance(each, str) and storable(each) != each:
            return "a text in it holds half of a character, or a character that is none"
        elif isinstance(each, float) and not math.isfinite(each):
            return "a number in it is too large"
    return ""


def moved(problem: StudyProblem, line: int) -> StudyProblem:
    """A problem of a text that begins at a line of its file."""
    return replace(problem, line=problem.line + line - 1)


def problem_in(path: str, text: str, keys: tuple[str, ...], error: BadInput) -> StudyProblem:
    """The problem of a value under these names, whole and on one line."""
    found = field_problem(path, text, keys, error)
    return replace(found, message=shown(found.message, 300), fix=shown(found.fix, 300))


def fewer(problems: list[StudyProblem]) -> list[StudyProblem]:
    """The first problems of a file, and how many more there are."""
    if len(problems) <= MOST_PROBLEMS:
        return problems
    last = problems[MOST_PROBLEMS]
    more = f"{len(problems) - MOST_PROBLEMS} more lines have problems"
    rest = StudyProblem(last.file, last.line, more, "Repair the ones above first.")
    return [*problems[:MOST_PROBLEMS], rest]


def shown(value: object, most: int = _SHOWN) -> str:
    """A value as it can stand in a sentence: on one line, not too long."""
    text = " ".join(storable(value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= most else f"{text[:most]}\u2026"


def text_of(fields: Mapping[str, object], name: str, default: str = "") -> str:
    """A text; a number is written out. Raises: BadInput."""
    value = fields.get(name)
    return default if value is None else as_text(value, name)


def needed_text(fields: Mapping[str, object], name: str) -> str:
    """A text that has to be there. Raises: BadInput."""
    text = text_of(fields, name)
    if not text.strip():
        raise BadInput(f"`{name}` is missing", hint=f'Add "{name}": "\u2026".')
    return text


def as_text(value: object, name: str) -> str:
    """A value as a text. Raises: BadInput."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise BadInput(f"`{name}` should be a text, not `{shown(value)}`")
    return value.replace("\r\n", "\n").strip(" \t\n\r")


def raw_text(fields: Mapping[str, object], name: str) -> str:
    """A text of which every space matters, such as code. Raises: BadInput."""
    value = fields.get(name)
    if value is None:
        return ""
    as_text(value, name)
    return value if isinstance(value, str) else str(value)


def texts_of(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of texts, or one text; empty ones are errors. Raises: BadInput."""
    value = fields.get(name)
    if value is None:
        return ()
    listed = value if isinstance(value, list) else [value]
    made = tuple(as_text(each, name) for each in listed)
    if not all(made):
        raise BadInput(f"`{name}` has an empty entry", hint="Take it out.")
    return made


def accepted(value: object, name: str) -> tuple[str, ...]:
    """Answers that are all right: a text with ` / ` between them, or a list. Raises: BadInput.

    Entries of a list are taken as they stand: an answer may hold ` / ` itself.
    """
    if isinstance(value, list):
        parts = [as_text(each, name) for each in value]
    else:
        parts = [part.strip() for part in as_text(value, name).split(ALTERNATIVES)]
    made = tuple(dict.fromkeys(part for part in parts if part))
    if not made:
        raise BadInput(f"`{name}` is empty")
    return made


def flag_of(fields: Mapping[str, object], name: str, *, default: bool = False) -> bool:
    """True or false. Raises: BadInput."""
    value = fields.get(name, default)
    if isinstance(value, bool):
        return value
    raise BadInput(f"`{name}` is true or false, not `{shown(value)}`")


def number_of(
    fields: Mapping[str, object], name: str, *, least: float, most: float
) -> float | None:
    """A number between two others, or nothing. Raises: BadInput."""
    value = fields.get(name)
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise BadInput(f"`{name}` is a number from {least:g} to {most:g}, not `{shown(value)}`")


def object_of(fields: Mapping[str, object], name: str) -> Mapping[str, object]:
    """An object; an empty one when it is not there. Raises: BadInput."""
    value = fields.get(name)
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise BadInput(f"`{name}` should be an object, not `{shown(value)}`", hint='Begin it with "{".')


def item_id(text: str) -> str:
    """An id of an item or a word. Raises: BadInput."""
    if len(text) <= LONGEST_ID and _ITEM_ID.fullmatch(text):
        return text
    raise BadInput(
        f"`{shown(text)}` cannot be an id",
        hint=f"Use at most {LONGEST_ID} letters, digits, dots, dashes and underscores.",
    )


def concept_id(text: str) -> str:
    """An id of a concept; files are named after it. Raises: BadInput."""
    if len(text) <= 80 and _CONCEPT_ID.fullmatch(text):
        return text
    raise BadInput(
        f"`{shown(text)}` cannot be the id of a concept",
        hint="Use at most 80 letters, digits, dashes and underscores.",
    )


def concept_ids(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    """A list of ids of concepts, each once. Raises: BadInput."""
    return tuple(dict.fromkeys(concept_id(each) for each in texts_of(fields, name)))


def folder_name(text: str, name: str) -> str:
    """A path that stays in the folder it is joined to. Raises: BadInput."""
    parts = PurePosixPath(text).parts
    outside = text.startswith(("/", "~")) or ".." in parts or "\\" in text or ":" in text
    if outside or not parts or any(part.startswith(".") for part in parts):
        raise BadInput(f"`{name}` is `{shown(text)}`", hint="Use the plain name of a folder.")
    return PurePosixPath(*parts).as_posix()


def misspelt(fields: Iterable[str], known: frozenset[str]) -> Iterator[BadInput]:
    """Names that look like a known one, each with the one that was probably meant."""
    given = tuple(fields)
    for name in given:
        meant = None if name in known else _closest(name.lower(), known)
        if meant is not None and meant not in given:
            yield BadInput(f"`{shown(name)}` means nothing here", hint=f"Did you mean `{meant}`?")


@lru_cache(maxsize=500)
def _closest(name: str, known: frozenset[str]) -> str | None:
    found = difflib.get_close_matches(name, sorted(known), n=1, cutoff=_ALIKE)
    return found[0] if found else None
