"""Putting the files of an exercise where the learner finds them.

A worksheet or a response is one file with the time in its name. Code is a folder for its concept:
an older exercise in it moves, as it is, to a folder named after the time.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from paige.base.errors import Conflict, Refused
from paige.base.files import write_atomic, write_error
from paige.exercise.ids import stamp
from paige.exercise.worksheet.status import write_status
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import Exercise

_MOST_NAMES = 100
_CACHES = ("__pycache__", ".pytest_cache", "node_modules")


def place_files(tools: ExerciseTools, exercise: Exercise, now: datetime) -> Exercise:
    """Write an exercise's files, unless they are there already. Raises: Refused, Unavailable."""
    if exercise.file_path is not None or not exercise.files:
        return exercise
    folder = f"{tools.learner}/{exercise.course}/{exercise.folder}"
    if exercise.kind == "code":
        put_away(tools, folder, now)
        for name, text in exercise.files.items():
            _write(tools, f"{folder}/{name}", text)
        return replace(exercise, file_path=folder)
    ((name, text),) = exercise.files.items()
    return replace(exercise, file_path=_write_new(tools, f"{folder}/{name}", text))


def put_away(tools: ExerciseTools, folder: str, now: datetime) -> Path | None:
    """Move what is in a code exercise's folder to a folder of its own; nothing is lost."""
    place = tools.root / PurePosixPath(folder)
    try:
        entries = [each for each in place.iterdir() if not _is_variant(each)]
    except FileNotFoundError:
        return None
    kept = [each for each in entries if each.name not in _CACHES]
    if not kept:
        return None
    moment = now
    while (place / stamp(moment)).exists():
        moment += timedelta(seconds=1)
    older = place / stamp(moment)
    try:
        older.mkdir()
        for each in kept:
            each.rename(older / each.name)
    except OSError as error:
        raise write_error(older, error) from error
    return older


def mark_evaluated(tools: ExerciseTools, path: str) -> None:
    """Say in a worksheet that it was looked at."""
    write_status(tools.place(path), "evaluated")


def _is_variant(entry: Path) -> bool:
    name = entry.name
    return entry.is_dir() and len(name) == 16 and name[8] == "T" and name.endswith("Z")


def _write(tools: ExerciseTools, path: str, text: str) -> None:
    parts = PurePosixPath(path).parts
    if ".." in parts or path.startswith("/"):
        raise Refused(f"`{path}` is not a path inside the folder")
    if any(part.startswith(".") for part in parts):  # hidden files are no documents
        write_atomic(tools.root / PurePosixPath(path), text)
        return
    tools.documents.write(path, text, base="")


def _write_new(tools: ExerciseTools, path: str, text: str) -> str:
    """Write a file under this name, or under the next one that is free."""
    plain = PurePosixPath(path)
    for number in range(1, _MOST_NAMES):
        suffix = f"-{number}" if number > 1 else ""
        name = plain.with_name(f"{plain.stem}{suffix}{plain.suffix}").as_posix()
        try:
            tools.documents.write(name, text, base="")
        except Conflict:
            continue
        return name
    raise Conflict(f"There are too many files named like `{path}`")
