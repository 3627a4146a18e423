"""The five signals: what each one is told by, and how sure one can be of it.

Every function looks at a trace and returns a finding, or nothing. How sure it is says how much
there is to see; how much a person should be disturbed is decided elsewhere.
"""

import posixpath
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from paige.coach.observer import edits
from paige.coach.observer.places import (
    belongs,
    goes_with,
    is_about,
    is_named,
    is_test,
    is_upkeep,
)
from paige.coach.observer.trace import OPENS, Act, Aim, Signal, Trace

IDLE = timedelta(minutes=5)
RECENT = timedelta(minutes=10)  # further back it is another story
ACTIVE = timedelta(minutes=4)  # since the last edit: longer, and nobody is editing
MINUTE = timedelta(minutes=1)
ENOUGH_WORK = 4  # strokes of work in a wrong file before it is one
ENOUGH_EACH = 2  # strokes of work in a file before it counts as worked on
MOST_STROKES = 8  # one summary of typing counts for so much at most
SAVE, JUMP = 2, 3  # strokes that a save and a large change are worth


@dataclass(frozen=True, slots=True)
class Finding:
    """A signal, how sure it is from 0 to 1, why, and which file it is about."""

    signal: Signal
    confidence: float
    why: str
    current_file: str | None = None
    expected_file: str | None = None


@dataclass(frozen=True, slots=True)
class Stroke:
    """Some work in a file."""

    path: str
    at: datetime
    weight: int


def idle(trace: Trace) -> Finding | None:
    """Nothing has been done for more than five minutes; a word of ours starts the wait anew."""
    last = trace.last_activity
    if last is None:
        return None
    said = trace.last("nudge_sent", "coaching_message")
    since = max(last, said.at) if said else last
    quiet = trace.now - since
    if quiet <= IDLE:
        return None
    minutes = (trace.now - last) / MINUTE
    confidence = min(0.95, 0.75 + 0.02 * (minutes - 5))
    return Finding("idle", confidence, f"nothing was done for {int(minutes)} minutes", _at(trace))


def phase_complete(trace: Trace) -> Finding | None:
    """All expected files are saved, and the tests that ran after that pass."""
    if trace.aim is None or _is_over(trace):
        return None
    acts = trace.since(trace.phase_began)
    run = next((act for act in reversed(acts) if act.type == "test_run"), None)
    if run is None or not _passes(run.data):
        return None
    if any(act.is_edit and act.at > run.at and belongs_here(act, trace.aim) for act in acts):
        return None  # it was changed since
    before = [act for act in acts if act.at <= run.at]
    touched = {act.path for act in before if act.type == "file_save" and act.path}
    if _unsaved(before) & {path for path in touched if belongs(path, trace.aim)}:
        return None
    expected = trace.aim.expected_files
    missing = [each for each in expected if not _has(touched, each)]
    if missing or not touched:
        return None
    if not expected:
        if not any(is_about(path, trace.aim) for path in touched):
            return None
        return Finding("phase_complete", 0.76, "work is saved and the tests pass", _at(trace))
    failed_before = any(
        act.type == "test_run" and not _passes(act.data) and act.at < run.at for act in acts
    )
    confidence = 0.92 if failed_before else 0.88
    why = f"all {len(expected)} expected files are saved and the tests pass"
    return Finding("phase_complete", confidence, why, _at(trace))


def edit_loop(trace: Trace) -> Finding | None:
    """The same part of a file is changed and changed back, or changed and still fails."""
    acts = [act for act in trace.within(RECENT) if _in_phase(act, trace)]
    if not acts or _just_passed(acts):
        return None
    for loop in edits.loops(acts):
        if trace.now - loop.ended > ACTIVE:
            continue
        confidence = _loop_confidence(loop)
        if confidence is None:
            continue
        why = (
            f"`{loop.path}` went back to what it was {loop.returns} times, "
            f"{loop.failures} test runs got no better"
        )
        return Finding("edit_loop", confidence, why, loop.path)
    return None


def astray(trace: Trace) -> Finding | None:
    """Work goes on in files the phase does not ask for: one is a wrong file, several a drift."""
    aim = trace.aim
    if aim is None:
        return None
    if not aim.expected_files:
        return _unrelated(trace, aim)
    strokes = [each for each in _strokes(trace) if trace.now - each.at <= RECENT]
    tail = _since_expected(strokes, aim)
    if not tail or trace.now - tail[-1].at > ACTIVE or _came_back(trace, aim, tail[-1].at):
        return None
    work = Counter[str]()
    for stroke in tail:
        work[stroke.path] += stroke.weight
    files = _apart([path for path, weight in work.items() if weight >= ENOUGH_EACH])
    if len(files) > 1 and not _neighbours(files):
        return _drift(trace, files, sum(work.values()))
    return _wrong(trace, tail, work)


def _drift(trace: Trace, files: list[str], total: int) -> Finding | None:
    if total < ENOUGH_WORK + 1:
        return None
    confidence = min(0.93, 0.72 + 0.05 * (len(files) - 2) + 0.01 * min(total, 10))
    why = f"{len(files)} files that the phase does not ask for were changed"
    return Finding("scope_drift", confidence, why, files[-1], _expected(trace.aim))


def _wrong(trace: Trace, tail: list[Stroke], work: "Counter[str]") -> Finding | None:
    path, weight = work.most_common(1)[0]
    wanted = ENOUGH_WORK * 2 if is_upkeep(path) else ENOUGH_WORK
    if weight < wanted:
        return None
    confidence = 0.71 + 0.02 * min(weight - wanted, 6)
    lasted = tail[-1].at - tail[0].at
    confidence += 0.04 * min(lasted / MINUTE / 2, 1.5)
    if is_test(path):
        confidence -= 0.05
    why = f"`{path}` is being changed, which the phase does not ask for"
    return Finding("wrong_file", min(confidence, 0.93), why, path, _expected(trace.aim))


def _unrelated(trace: Trace, aim: Aim) -> Finding | None:
    """A phase that names no files: several files that have nothing to do with its words."""
    if not aim.words.strip():
        return None
    strokes = [each for each in _strokes(trace) if trace.now - each.at <= RECENT]
    if not strokes or trace.now - strokes[-1].at > ACTIVE:
        return None
    work = Counter[str]()
    for stroke in strokes:
        work[stroke.path] += stroke.weight
    files = _apart([path for path, weight in work.items() if weight >= ENOUGH_EACH])
    apart = [path for path in files if not is_about(path, aim) and not belongs(path, aim)]
    if len(apart) < 2 or len(apart) < len(files):
        return None
    confidence = 0.72 + 0.04 * (len(apart) - 2)
    why = f"{len(apart)} files that have nothing to do with the phase were changed"
    return Finding("scope_drift", min(confidence, 0.85), why, apart[-1])


def _strokes(trace: Trace) -> list[Stroke]:
    """The work since the phase began, in order."""
    found: list[Stroke] = []
    for act in trace.since(trace.phase_began):
        weight = _weight(act)
        if weight and act.path is not None:
            found.append(Stroke(act.path, act.at, weight))
    return found


def _weight(act: Act) -> int:
    match act.type:
        case "buffer_update":
            return 1
        case "buffer_summary":
            count = act.data.get("editCount", act.data.get("edit_count", 1))
            return max(1, min(int(count), MOST_STROKES)) if isinstance(count, int | float) else 1
        case "buffer_significant_change":
            return JUMP
        case "file_save":
            return SAVE
        case _:
            return 0


def _since_expected(strokes: list[Stroke], aim: Aim) -> list[Stroke]:
    """The work after the last work where it should be; a single stroke there changes nothing."""
    tail: list[Stroke] = []
    there = 0
    for stroke in reversed(strokes):
        if not belongs(stroke.path, aim):
            tail.append(stroke)
            continue
        there += stroke.weight
        if there > 1:
            break
    return tail[::-1]


def _apart(paths: list[str]) -> list[str]:
    """Files that are about different things: a file and its test are one."""
    found: list[str] = []
    for path in paths:
        if not any(goes_with(path, other) or goes_with(other, path) for other in found):
            found.append(path)
    return found


def _neighbours(files: list[str]) -> bool:
    """Whether two files lie in one folder below the top: one mistake about where to look."""
    folders = {posixpath.dirname(path) for path in files}
    return len(files) == 2 and len(folders) == 1 and folders != {""}


def _came_back(trace: Trace, aim: Aim, since: datetime) -> bool:
    """Whether an expected file was opened after the last work elsewhere."""
    return any(
        act.at >= since and act.type in OPENS and act.path is not None and belongs(act.path, aim)
        for act in trace.acts
    )


def _loop_confidence(loop: edits.Loop) -> float | None:
    if loop.returns >= 2 and loop.lasted >= timedelta(seconds=30):
        confidence = 0.76 + 0.06 * (loop.returns - 2) + 0.03 * min(loop.failures, 3)
        return min(confidence, 0.95)
    if loop.returns == 1 and loop.failures >= 2:
        return 0.72 + 0.04 * min(loop.failures - 2, 3)
    if loop.failures >= 3:
        return 0.72 + 0.05 * min(loop.failures - 3, 3)
    if loop.still >= 3:
        return 0.72 + 0.04 * min(loop.still - 3, 3)
    return None


def _just_passed(acts: list[Act]) -> bool:
    """Whether the last test run passed: whatever went before it, it helped."""
    run = next((act for act in reversed(acts) if act.type == "test_run"), None)
    return run is not None and _passes(run.data)


def _passes(data: Any) -> bool:  # noqa: ANN401 - JSON
    passed, failed = data.get("passed", 0), data.get("failed", data.get("failures", 0))
    if isinstance(passed, bool):
        return passed and not failed
    return isinstance(passed, int | float) and passed > 0 and not failed


def _unsaved(acts: Iterable[Act]) -> set[str]:
    """Files that were typed in after they were last saved."""
    open_edits: set[str] = set()
    for act in acts:
        if act.path is None:
            continue
        if act.type == "file_save":
            open_edits.discard(act.path)
        elif act.is_edit and act.type != "buffer_summary":
            open_edits.add(act.path)
    return open_edits


def _has(touched: Iterable[str], expected: str) -> bool:
    return any(is_named(path, expected) for path in touched)


def _is_over(trace: Trace) -> bool:
    """Whether the phase was completed already."""
    done = trace.last("phase_completed", "phase_started")
    if done is None or done.type == "phase_started":
        return False
    number = done.data.get("phaseNumber", done.data.get("number"))
    assert trace.aim is not None
    return number is None or trace.aim.number is None or number == trace.aim.number


def belongs_here(act: Act, aim: Aim) -> bool:
    """Whether an action is about a file of the phase; without expected files every file is."""
    return act.path is not None and (not aim.expected_files or belongs(act.path, aim))


def _in_phase(act: Act, trace: Trace) -> bool:
    return trace.phase_began is None or act.at >= trace.phase_began


def _at(trace: Trace) -> str | None:
    """The file that is in front."""
    return next((act.path for act in reversed(trace.acts) if act.path), None)


def _expected(aim: Aim | None) -> str | None:
    return aim.expected_files[0] if aim and aim.expected_files else None
