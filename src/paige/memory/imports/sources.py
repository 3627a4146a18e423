"""What all readers share: wishes of who imports, ids that stay, texts and times, and the report.

A reader gives one stream of drafts and problems, so that a bad line costs that line only. A `Tally`
stands in the stream: it lets the drafts through and keeps count. Running the stream to its end
without handing the drafts to anyone is the dry run.

An id is made from where a memory stands and what it says, not from its line number: a bullet added
further up must not make every memory below it new. Texts are read with care, and times as other
programs write them: ISO 8601 in many dresses, or seconds since 1970.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple
from uuid import UUID, uuid5

import orjson

from paige.base.errors import NotFound
from paige.memory.event import Draft, Scope

# What was personal elsewhere stays personal: only its owner may read this scope.
PRIVATE: Scope = "learner"
MOST_BYTES = 64 * 2**20  # of one file that has to be read whole
_IDS = UUID("9d2f6c1e-6f0b-5c53-9a54-6d656d6f7279")


MOST_PROBLEMS = 1000  # more are counted, not kept: a file of another kind has one a line


class ImportProblem(NamedTuple):
    """Something that was not taken over, or (not `lost`) that is worth knowing."""

    file: str
    line: int | None
    what: str
    fix: str
    lost: bool = True

    def sentence(self) -> str:
        """One line for people: place, what happened, what to do."""
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.what}. {self.fix}".rstrip()


Item = Draft | ImportProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How someone wants memories taken over; whatever is left out is taken from the source."""

    project: str | None = None
    scope: Scope | None = None
    # The id of the project that lives in a folder.
    name_project: Callable[[Path], str] = str

    def scope_or(self, usual: Scope) -> Scope:
        """The wished scope, or the one the source suggests; a wished project suggests itself."""
        if self.scope is not None:
            return self.scope
        return "project" if self.project is not None else usual


def stable_id(*parts: object) -> str:
    """An id that is the same for the same parts, in every run and on every machine."""
    return str(uuid5(_IDS, json.dumps(parts, ensure_ascii=True, default=str)))


class Repeats:
    """Numbers things that are the same, so that the second gets an id of its own."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[object, ...]] = Counter()

    def number(self, *parts: object) -> int:
        """How often the same was asked before."""
        self._seen[parts] += 1
        return self._seen[parts] - 1


def read_text(path: Path) -> str | ImportProblem:
    """The text of a file, or why it cannot be used."""
    shown = str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            fix = "Cut it into smaller files and import those."
            return ImportProblem(shown, None, f"it is larger than {MOST_BYTES // 2**20} MB", fix)
        content = path.read_bytes()
    except OSError as error:
        return unreadable(shown, error)
    if not content.strip():
        return is_empty(shown)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return ImportProblem(shown, line, "it is not UTF-8 text", "Save the file as UTF-8.")


def is_empty(shown: str) -> ImportProblem:
    """What is said of an empty file; nothing is lost by it."""
    fix = "There is nothing to take over from it."
    return ImportProblem(shown, None, "the file is empty", fix, lost=False)


def unreadable(shown: str, error: OSError) -> ImportProblem:
    """Why a file could not be opened."""
    what = f"it cannot be read: {error.strerror or error}"
    return ImportProblem(shown, None, what, "Check that it exists and who owns it.")


def must_exist(path: Path) -> None:
    """Raises: NotFound."""
    if not path.exists():
        raise NotFound(f"There is no `{path}`", hint="Give a file or a folder to import.")


LONGEST_LINE = 16 * 2**20
_FIX = "Write one JSON object a line, as UTF-8."


class Line(NamedTuple):
    """An object and the number of its line."""

    number: int
    fields: dict[str, Any]


def read_lines(
    stream: BinaryIO, name: str, *, longest: int = LONGEST_LINE
) -> Iterator[Line | ImportProblem]:
    """The objects of a stream, with a problem where there is none."""
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if len(raw) > longest and not raw.endswith(b"\n"):
            _skip_line(stream, longest)
            what = f"the line is longer than {longest} bytes"
            yield ImportProblem(name, number, what, "Split the text into several memories.")
            continue
        content = (raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw).strip()
        if content:
            yield _parse(content, name, number)
    if number == 0:
        yield is_empty(name)


def _parse(content: bytes, name: str, number: int) -> Line | ImportProblem:
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        return ImportProblem(name, number, f"this is not JSON: {error.msg}", _FIX)
    if isinstance(found, dict):
        return Line(number, found)
    return ImportProblem(name, number, "this is not an object with fields", _FIX)


def _skip_line(stream: BinaryIO, step: int) -> None:
    while (rest := stream.readline(step)) and not rest.endswith(b"\n"):
        pass


_MILLISECONDS: Final = 10**11  # a number of seconds this large is a year past 5000


def read_moment(value: object) -> datetime | None:
    """A moment in UTC, or None if the value is not one. A time without a zone is UTC."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(float(value))
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _from_words(text)
    return _in_utc(moment)


def _from_words(text: str) -> datetime | None:
    # SQLite and some exports write a blank before the zone.
    for word in (text.replace(" UTC", "+00:00"), text.replace(" +", "+").replace(" -", "-")):
        try:
            return _in_utc(datetime.fromisoformat(word))
        except ValueError:
            continue
    try:
        return _from_number(float(text))
    except ValueError:
        return None


def _from_number(number: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(number / 1000 if number >= _MILLISECONDS else number, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _in_utc(moment: datetime) -> datetime | None:
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """The counts of one import. `known` drafts have an id that the log holds already."""

    kind: str
    source: str
    found: int = 0
    known: int = 0
    by_type: dict[str, int] = field(default_factory=dict)
    by_scope: dict[str, int] = field(default_factory=dict)
    by_project: dict[str, int] = field(default_factory=dict)
    problems: tuple[ImportProblem, ...] = ()
    lost: int = 0
    remarks: int = 0

    @property
    def new(self) -> int:
        """How many drafts would be added."""
        return self.found - self.known

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "kind": self.kind,
            "source": self.source,
            "found": self.found,
            "new": self.new,
            "known": self.known,
            "by_type": self.by_type,
            "by_scope": self.by_scope,
            "by_project": self.by_project,
            "lost": self.lost,
            "remarks": self.remarks,
            "problems": [problem._asdict() for problem in self.problems],
        }

    def as_text(self) -> str:
        """The report for people."""
        lines = [
            f"{self.source} ({self.kind}): {_memories(self.found)}, {self.known} known already"
        ]
        for name, counts in (
            ("type", self.by_type),
            ("scope", self.by_scope),
            ("project", self.by_project),
        ):
            if counts:
                lines.append(f"  by {name}: " + ", ".join(f"{k} {n}" for k, n in counts.items()))
        if self.lost:
            lines.append(f"  not taken over: {self.lost}")
        lines += [f"  {problem.sentence()}" for problem in self.problems]
        left = self.lost + self.remarks - len(self.problems)
        return "\n".join([*lines, f"  and {left} more"] if left else lines)


class Tally:
    """Lets drafts through and counts them; keeps the problems."""

    def __init__(self, kind: str, source: str, *, has_id: Callable[[str], bool] | None = None):
        self._kind, self._source, self._has_id = kind, source, has_id
        self._counts: dict[str, Counter[str]] = {n: Counter() for n in ("type", "scope", "project")}
        self._found = self._known = self._lost = self._remarks = 0
        self._problems: list[ImportProblem] = []

    def drafts(self, items: Iterable[Item]) -> Iterator[Draft]:
        """The drafts of a stream, in order."""
        for item in items:
            if isinstance(item, ImportProblem):
                self._note(item)
            else:
                self._count(item)
                yield item

    def report(self) -> ImportReport:
        """What went through so far."""
        return ImportReport(
            kind=self._kind,
            source=self._source,
            found=self._found,
            known=self._known,
            by_type=_ranked(self._counts["type"]),
            by_scope=_ranked(self._counts["scope"]),
            by_project=_ranked(self._counts["project"]),
            problems=tuple(self._problems),
            lost=self._lost,
            remarks=self._remarks,
        )

    def _count(self, draft: Draft) -> None:
        self._found += 1
        self._counts["type"][draft.type] += 1
        self._counts["scope"][draft.scope or ("project" if draft.project else "global")] += 1
        if draft.project:
            self._counts["project"][draft.project] += 1
        if self._has_id is not None and draft.id is not None and self._has_id(draft.id):
            self._known += 1

    def _note(self, problem: ImportProblem) -> None:
        self._lost += problem.lost
        self._remarks += not problem.lost
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"
