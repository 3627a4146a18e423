"""What the checks of a project found, and what is kept: the last result, who was refused.

One small file for each project below the data folder, where no agent may write. It is replaced as a
whole, under a lock.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from paige.base.files import make_private, write_atomic
from paige.base.platform import locked
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot import fingerprint

CheckStatus = Literal["passed", "failed", "skipped"]
Status = Literal["passed", "failed", "unknown"]
Profile = Literal["quick", "standard", "deep"]
Risk = Literal["low", "medium", "high"]
PROFILES: tuple[Profile, ...] = get_args(Profile)
MOST_DETAIL = 1500
TIME_UP = "the time of the profile was up"
STOPPED = "it was stopped by its limit"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `skipped` says why in `detail`, `failed` shows what was printed last."""

    name: str
    status: CheckStatus
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a verification, and for which state of the files."""

    status: Status
    checks: tuple[Check, ...]
    issues: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    profile: Profile = "quick"
    risk: Risk = "low"
    verifier: str = "checks"
    tree: str = ""
    run: str = ""
    at: str = ""
    regressions: tuple[str, ...] = field(default=())


def result_of(checks: Sequence[Check], passed_before: Sequence[str], **about: Any) -> Result:  # noqa: ANN401
    """What checks say together; where nothing ran or one had no time, nothing is known."""
    failed = [each for each in checks if each.status == "failed"]
    ran = [each for each in checks if each.status != "skipped"]
    worse = tuple(each.name for each in failed if each.name in passed_before)
    cut_short = any(each.detail.startswith((TIME_UP, STOPPED)) for each in checks)
    status: Status = "failed" if failed else "passed" if ran and not cut_short else "unknown"
    return Result(
        status=status,
        checks=tuple(checks),
        issues=tuple(_issue(each, again=each.name in worse) for each in failed),
        next_steps=tuple(_step(each) for each in checks if each.status != "passed"),
        regressions=worse,
        **about,
    )


def told(result: Result) -> str:
    """A result in a few lines, for a model or a person."""
    how = {"passed": "passed", "failed": "did not pass", "unknown": "could not run"}[result.status]
    lines = [f"The checks ({result.profile}) {how}:"]
    for each in result.checks:
        detail = f": {_last(each.detail)}" if each.detail and each.status != "passed" else ""
        lines.append(f"- {each.name} {each.status}{detail}")
    lines += [f"Next: {each}" for each in result.next_steps[:3]]
    return "\n".join(lines)


def _issue(check: Check, *, again: bool) -> str:
    worse = " It passed before." if again else ""
    return f"`{check.name}` failed: {_last(check.detail)}.{worse}"


def _step(check: Check) -> str:
    if check.status == "failed":
        return f"Make `{check.name}` pass: read its last lines, mend the cause, run it again."
    return f"`{check.name}` did not run: {_last(check.detail)}."


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300].rstrip(".") if lines else "no output"


FOLDER = "guard/checks"
MOST_SESSIONS = 50


@dataclass(frozen=True, slots=True)
class StartedVerification:
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
    running: StartedVerification | None = None


def record_path(place: Place) -> Path:
    """Where the record of a project lies."""
    return Path(place.data) / FOLDER / f"{fingerprint(place.root)}.json"


def read_record(path: Path) -> Record:
    """The record; an empty one when there is none that can be read."""
    try:
        found = json.loads(path.read_bytes())
        result, running = found.get("result"), found.get("running")
        return Record(
            result=_result(result) if isinstance(result, dict) else None,
            told=str(found.get("told", "")),
            passed=tuple(map(str, found.get("passed", ()))),
            files={str(name): (int(a), int(b)) for name, (a, b) in found["files"].items()},
            refused={str(name): int(count) for name, count in found["refused"].items()},
            running=StartedVerification(**running) if isinstance(running, dict) else None,
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
            write_atomic(path, json.dumps(asdict(change.record)), mode=0o600)


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


def _result(found: Mapping[str, Any]) -> Result:
    """A result that was kept. Raises: KeyError, TypeError."""
    lists = {name: tuple(found[name]) for name in ("issues", "next_steps", "regressions")}
    checks = tuple(Check(**each) for each in found["checks"])
    return Result(**{**found, **lists, "checks": checks})
