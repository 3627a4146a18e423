"""What is kept about the checks of a project: the last result, what passed before, who was refused.

One small file for each project below the data folder, where no agent may write. It is replaced as a
whole, under a lock.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from paige.base.files import make_private, write_atomic
from paige.base.platform import locked
from paige.guard.completion.values import Result, as_json, from_json
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot import fingerprint

FOLDER = "guard/checks"
MOST_SESSIONS = 50


@dataclass(frozen=True, slots=True)
class Running:
    """A verification that has begun: for which files, by which process."""

    tree: str
    pid: int
    start: str
    run: str


@dataclass(frozen=True, slots=True)
class Record:
    """What is known about the checks of a project."""

    result: Result | None = None
    told: str = ""  # the run whose result somebody has read
    passed: tuple[str, ...] = ()  # the checks that passed when they last ran
    files: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # when all passed last
    refused: Mapping[str, int] = field(default_factory=dict)  # stops in a row, by session
    running: Running | None = None


def record_path(place: Place) -> Path:
    """Where the record of a project lies."""
    return Path(place.data) / FOLDER / f"{fingerprint(place.root)}.json"


def read_record(path: Path) -> Record:
    """The record; an empty one when there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
        result, running = found.get("result"), found.get("running")
        return Record(
            result=from_json(result) if isinstance(result, dict) else None,
            told=str(found.get("told", "")),
            passed=tuple(map(str, found.get("passed", ()))),
            files={str(name): (int(a), int(b)) for name, (a, b) in found["files"].items()},
            refused={str(name): int(count) for name, count in found["refused"].items()},
            running=Running(**running) if isinstance(running, dict) else None,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Record()


@contextmanager
def changing(path: Path) -> Iterator["Change"]:
    """Read a record, let it be changed, and write it, while nobody else does."""
    make_private(path.parent)
    with locked(path.with_suffix(".lock")):
        change = Change(read_record(path))
        before = change.record
        yield change
        if change.record != before:
            write_atomic(path, json.dumps(_dumped(change.record)), mode=0o600)


class Change:
    """A record that is being changed."""

    def __init__(self, record: Record) -> None:
        self.record = record

    def set(self, **values: Any) -> None:  # noqa: ANN401 - the fields of the record
        """Change fields."""
        self.record = replace(self.record, **values)

    def refuse(self, session: str) -> int:
        """Count one more refused stop of a session; how many there are in a row."""
        count = self.record.refused.get(session, 0) + 1
        others = {name: each for name, each in self.record.refused.items() if name != session}
        kept = dict(list(others.items())[-(MOST_SESSIONS - 1) :])
        self.set(refused={**kept, session: count})
        return count

    def forgive(self, session: str) -> None:
        """Begin to count anew."""
        others = {name: each for name, each in self.record.refused.items() if name != session}
        self.set(refused=others)


def _dumped(record: Record) -> dict[str, Any]:
    running = record.running
    return {
        "result": None if record.result is None else as_json(record.result),
        "told": record.told,
        "passed": list(record.passed),
        "files": {name: list(each) for name, each in record.files.items()},
        "refused": dict(record.refused),
        "running": None
        if running is None
        else {
            "tree": running.tree,
            "pid": running.pid,
            "start": running.start,
            "run": running.run,
        },
    }
