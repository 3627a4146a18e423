"""A small language for traces: a person opens, types, saves, runs tests, and time goes by."""

import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Json = dict[str, Any]
STYLES = ("content", "count", "delta", "bare")
"""How much a client tells of a change: the text, its length, how much it grew, or nothing."""


@dataclass
class Tale:
    """One person's work, told action by action."""

    phase: Json | None
    rng: random.Random
    stage: str | None = None
    style: str = "content"
    clock: float = 0.0
    actions: list[Json] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def wait(self, low: float, high: float | None = None) -> "Tale":
        """Let some seconds go by."""
        self.clock += self.rng.uniform(low, high or low)
        return self

    def act(self, type: str, path: str | None = None, **data: object) -> "Tale":
        """Something happens now."""
        moment = (START + timedelta(seconds=self.clock)).isoformat().replace("+00:00", "Z")
        action: Json = {"type": type, "at": moment}
        if path is not None:
            action["path"] = path
        if data:
            action["data"] = data
        self.actions.append(action)
        return self

    def open(self, path: str) -> "Tale":
        """Open a file and look at it."""
        return self.act("file_open", path).wait(4, 20)

    def select(self, path: str) -> "Tale":
        """Mark some lines to read them."""
        first = self.rng.randint(1, 80)
        lines = {"startLine": first, "endLine": first + self.rng.randint(0, 9)}
        return self.act("selection", path, range=lines, textLength=self.rng.randint(4, 300)).wait(
            5, 25
        )

    def put(self, path: str, text: str) -> "Tale":
        """The text of a file is this now."""
        before = self.texts.get(path, "")
        self.texts[path] = text
        told: Json = {}
        if self.style == "content":
            told = {"content": text}
        elif self.style == "count":
            told = {"charCount": len(text)}
        elif self.style == "delta":
            told = {"charDelta": len(text) - len(before)}
        return self.act("buffer_update", path, **told)

    def type(self, path: str, times: int, low: float = 4, high: float = 14) -> "Tale":
        """Write new lines, one burst after the other."""
        for _ in range(times):
            line = "".join(
                self.rng.choice("abcdefgh_()= ") for _ in range(self.rng.randint(12, 60))
            )
            self.put(path, self.texts.get(path, "x = 1\n") + line + "\n").wait(low, high)
        return self

    def save(self, path: str) -> "Tale":
        """Save a file."""
        return self.act("file_save", path, charCount=len(self.texts.get(path, ""))).wait(2, 8)

    def test(self, passed: int, failed: int) -> "Tale":
        """Run the tests."""
        return self.wait(2, 6).act("test_run", passed=passed, failed=failed).wait(3, 12)

    def summary(self, path: str, edits: int, delta: int) -> "Tale":
        """The editor sums up half a minute of typing."""
        count = max(0, 900 + delta)
        data = {"editCount": edits, "charDelta": delta, "charCount": count}
        return self.act("buffer_summary", path, **data).wait(28, 34)

    def asked(self, seconds: float = 3) -> Json:
        """The trace as it is asked about, some seconds after the last action."""
        self.clock += seconds
        moment = (START + timedelta(seconds=self.clock)).isoformat().replace("+00:00", "Z")
        found: Json = {"phase": self.phase, "actions": self.actions, "now": moment}
        return {**found, "dreyfus_stage": self.stage} if self.stage else found


@dataclass(frozen=True)
class Case:
    """A trace with what is right about it."""

    name: str
    signal: str
    trace: Json

    def dump(self) -> str:
        """One line of a file."""
        nudge = self.signal != "no_nudge"
        label = {"signal": self.signal, "should_nudge": nudge}
        return json.dumps({"name": self.name, "label": label, "trace": self.trace})


Told = Callable[[random.Random], Tale | tuple[Tale, float]]


def write(cases: Iterable[Case], folder: Path) -> int:
    """Write the cases of each signal into its own file; return how many there are."""
    by_signal: dict[str, list[str]] = {}
    for case in cases:
        by_signal.setdefault(case.signal, []).append(case.dump())
    for signal, lines in by_signal.items():
        (folder / f"{signal}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return sum(len(lines) for lines in by_signal.values())
