"""What an import found: drafts that could be added, and problems with file, line and fix.

A reader of some format gives one stream of both, so that a bad line costs that line only. A `Tally`
stands in the stream: it lets the drafts through and keeps count. Running the stream to its end
without handing the drafts to anyone is the dry run.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from paige.memory.event import Draft

MOST_PROBLEMS = 1000  # more are counted, not kept: a file of another kind has one a line


class Problem(NamedTuple):
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


Item = Draft | Problem


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
    problems: tuple[Problem, ...] = ()
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
        self._problems: list[Problem] = []

    def drafts(self, items: Iterable[Item]) -> Iterator[Draft]:
        """The drafts of a stream, in order."""
        for item in items:
            if isinstance(item, Problem):
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

    def _note(self, problem: Problem) -> None:
        self._lost += problem.lost
        self._remarks += not problem.lost
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)


def _ranked(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"
