"""What a migration would do, and what it did: counted, and said in words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.clock import to_iso
from paige.memory.log.verification import LogProblem
from paige.memory.migrations.lines import CarriedLine, LeftLine
from paige.memory.migrations.steps import Version

MOST_LISTED = 1000  # lines that were left; more are counted, and all are in the side file


@dataclass(slots=True)
class Counts:
    """Counts lines as they are carried."""

    target: Version
    versions: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)  # by type
    untouched: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    forgotten: int = 0
    newer: int = 0
    too_new: Version | None = None
    left: int = 0
    set_aside: int = 0
    listed: list[LeftLine] = field(default_factory=list)

    @property
    def events(self) -> int:
        """How many events the new log has."""
        return self.changed.total() + self.untouched.total()

    def take(self, found: CarriedLine | LeftLine) -> None:
        """Count one line."""
        if isinstance(found, LeftLine):
            self.left += 1
            self.set_aside += found.kept
            if found.too_new:
                self.too_new = max(found.too_new, self.too_new or found.too_new)
            if len(self.listed) < MOST_LISTED:
                self.listed.append(found)
            return
        self.versions[str(found.version)] += 1
        kind = found.fields["type"]
        (self.changed if found.version < self.target else self.untouched)[kind] += 1
        self.steps.update(f"{step.since} to {step.to}: {step.words}" for step in found.steps)
        self.forgotten += bool(found.fields.get("forgotten"))
        self.newer += found.version > self.target

    def as_json(self) -> dict[str, Any]:
        """The counts for programs."""
        types = sorted({*self.changed, *self.untouched})
        return {
            "to": str(self.target),
            "events": self.events,
            "versions": dict(sorted(self.versions.items())),
            "changed": self.changed.total(),
            "untouched": self.untouched.total(),
            "forgotten": self.forgotten,
            "newer": self.newer,
            "by_type": {
                kind: {"changed": self.changed[kind], "untouched": self.untouched[kind]}
                for kind in types
            },
            "steps": dict(self.steps),
            "skipped": self.left,
            "set_aside": self.set_aside,
            "skipped_lines": [
                {"file": each.source.segment, "line": each.source.line, "why": each.why}
                for each in self.listed
            ],
        }

    def as_lines(self) -> Iterable[str]:
        """The counts for people."""
        versions = ", ".join(f"{count} of {name}" for name, count in sorted(self.versions.items()))
        yield f"Events: {self.events} ({versions or 'none'}), to version {self.target}."
        yield f"Changed: {self.changed.total()}. Untouched: {self.untouched.total()}."
        for words, count in self.steps.items():
            yield f"  {words} ({count})"
        if self.newer:
            yield f"Of a newer version, carried as they are: {self.newer}."
        if self.forgotten:
            yield f"Forgotten before, still without words: {self.forgotten}."
        for kind in sorted({*self.changed, *self.untouched}):
            yield f"  {kind}: {self.changed[kind]} changed, {self.untouched[kind]} untouched"
        if self.left:
            yield f"Skipped lines: {self.left}."
        for each in self.listed:
            yield f"  {each.source.segment}:{each.source.line}: {each.why}"
        if self.left > len(self.listed):
            yield f"  and {self.left - len(self.listed)} more"


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationPlan:
    """What a migration would do: the dry run."""

    path: Path
    counts: Counts
    damage: list[LogProblem] = field(default_factory=list)

    @property
    def needed(self) -> bool:
        """Whether any line is of an older version."""
        return self.counts.changed.total() > 0

    @property
    def refused(self) -> str | None:
        """Why it cannot be done, or None."""
        if self.counts.too_new is None:
            return None
        return (
            f"`{self.path}` holds lines of version {self.counts.too_new}, and this Paige knows "
            f"{self.counts.target}: it reads them and does not change them"
        )

    def as_json(self) -> dict[str, Any]:
        """The plan for programs."""
        return {
            "log": str(self.path),
            "needed": self.needed,
            "refused": self.refused,
            "damaged": len(self.damage),
            **self.counts.as_json(),
        }

    def as_text(self) -> str:
        """The plan for people."""
        lines = [f"{self.path}: " + (self.refused or self._verdict()), *self.counts.as_lines()]
        lines += [f"{p.segment}:{p.line}: {p.what}. {p.fix}" for p in self.damage[:20]]
        return "\n".join(lines)

    def _verdict(self) -> str:
        return "it can be migrated" if self.needed else "nothing needs to be migrated"


@dataclass(frozen=True, slots=True, kw_only=True)
class MigrationReport:
    """What a migration did. Without `written` nothing was changed, because nothing had to be."""

    path: Path
    at: datetime
    counts: Counts
    written: bool
    kept: tuple[Path, ...] = ()  # the old files
    side_file: Path | None = None  # lines that could not be carried

    def as_json(self) -> dict[str, Any]:
        """The report for programs."""
        return {
            "source": str(self.path),
            "target": str(self.path),
            "at": to_iso(self.at),
            "written": self.written,
            "kept": [str(path) for path in self.kept],
            "side_file": str(self.side_file) if self.side_file else None,
            **self.counts.as_json(),
        }

    def as_text(self) -> str:
        """The report for people."""
        lines = [f"Migration of {self.path}, {to_iso(self.at)}"]
        if not self.written:
            lines.append("Nothing had to be changed.")
        lines += self.counts.as_lines()
        lines += [f"The old log is kept as {path}." for path in self.kept]
        if self.side_file:
            lines.append(f"Lines that could not be carried are in {self.side_file}.")
        if self.kept or self.side_file:
            lines.append(
                "What is forgotten from now on is still in these files: delete them when the new "
                "log is as it should be."
            )
        return "\n".join(lines) + "\n"
