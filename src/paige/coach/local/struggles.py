"""Signs that a learner struggled, read from what was done: pure, and each with its weight.

A sign says in which phase it showed and at which file. None of them alone makes a gap unless it is
strong; together they do.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.coach.records import Action, PhaseRow, ProgressEvent

Kind = Literal["tests", "hints", "loop", "nudge", "asked", "review", "said"]
LOOP_EDITS = 20
LOOP_SAVES = 4
STILL = 40  # characters: who types much and changes less than this goes round in circles
HELP = ("hint_used", "hint_escalated")
_NUDGES = {"edit_loop": 1.5, "wrong_file": 1.0, "scope_drift": 1.0, "idle": 0.5}
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_LOST = re.compile(
    r"\b(?:do(?:n't| not) (?:understand|get|know)|not sure|confus\w+|stuck|lost"
    r"|why (?:does|is|did|do)"
    r"|what does|struggl\w+|no idea|still fails?|doesn't work|makes no sense|mixed up|kept \w+ing"
    r"|again and again|several attempts)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Struggle:
    """One sign: how heavy it is, where it showed, and a sentence."""

    kind: Kind
    weight: float
    says: str
    phase: int | None = None
    path: str | None = None


def struggles(
    actions: Sequence[Action],
    phases: Sequence[PhaseRow],
    progress: Sequence[ProgressEvent],
    transcript: str,
) -> list[Struggle]:
    """Every sign in a session."""
    grouped: dict[int | None, list[Action]] = defaultdict(list)
    for action in actions:
        grouped[phase_at(phases, action.created_at)].append(action)
    found: list[Struggle] = []
    for number, done in grouped.items():
        found += _failing_tests(number, done)
        found += _loops(number, done)
        found += _nudges(number, done)
        found += _questions(number, done)
    found += _hints(phases, progress)
    found += lost_words(transcript)
    return found


def phase_at(phases: Iterable[PhaseRow], moment: datetime) -> int | None:
    """The phase that was worked on at a moment."""
    number = None
    for phase in phases:
        begun = phase.started_at is not None and phase.started_at <= moment
        if begun and (phase.completed_at is None or moment <= phase.completed_at):
            number = phase.number
    return number


def lost_words(transcript: str) -> Iterator[Struggle]:
    """Sentences in which somebody says that they are lost; at most four."""
    said = [each.strip() for each in _SENTENCE.findall(transcript) if _LOST.search(each)]
    for sentence in list(dict.fromkeys(said))[:4]:
        yield Struggle("said", 1.0, f"It was said: \u201c{sentence[:200]}\u201d")


def _failing_tests(number: int | None, actions: Iterable[Action]) -> Iterator[Struggle]:
    runs = [_data(action) for action in actions if action.action_type == "test_run"]
    failed = sum(_count(run, "failed") > 0 for run in runs)
    if failed >= 2:
        says = f"Tests failed in {failed} of {len(runs)} runs{_in(number)}."
        yield Struggle("tests", min(0.75 * failed, 3.0), says, number)


def _loops(number: int | None, actions: Iterable[Action]) -> Iterator[Struggle]:
    edits: dict[str, int] = defaultdict(int)
    moved: dict[str, int] = defaultdict(int)
    saves: dict[str, int] = defaultdict(int)
    for action in actions:
        data = _data(action)
        path = str(data.get("path", ""))
        if action.action_type == "buffer_summary":
            edits[path] += _count(data, "editCount")
            moved[path] += _count(data, "charDelta")
        elif action.action_type == "file_save":
            saves[path] += 1
    for path in {*edits, *saves}:
        typed = edits[path] >= LOOP_EDITS and abs(moved[path]) <= STILL
        if typed:
            says = f"`{path}` was edited {edits[path]} times and hardly changed{_in(number)}."
            yield Struggle("loop", 1.5, says, number, path)
        elif saves[path] >= LOOP_SAVES:
            says = f"`{path}` was saved {saves[path]} times{_in(number)}."
            yield Struggle("loop", 1.0, says, number, path)


def _nudges(number: int | None, actions: Iterable[Action]) -> Iterator[Struggle]:
    seen: set[str] = set()
    for action in actions:
        signal = str(_data(action).get("signal", ""))
        if action.action_type == "nudge_sent" and signal in _NUDGES and signal not in seen:
            seen.add(signal)
            says = f"The observer saw `{signal}`{_in(number)}."
            yield Struggle("nudge", _NUDGES[signal], says, number)


def _questions(number: int | None, actions: Sequence[Action]) -> Iterator[Struggle]:
    asked: dict[str, int] = defaultdict(int)
    for action in actions:
        if action.action_type == "explain_requested":
            asked[str(_data(action).get("path", ""))] += 1
    for path, times in asked.items():
        says = f"An explanation of `{path}` was asked for{_times(times)}{_in(number)}."
        yield Struggle("asked", min(0.5 * times, 1.5), says, number, path)
    failed = sum(
        action.action_type == "review_completed" and _data(action).get("passed") is False
        for action in actions
    )
    if failed:
        says = f"A review did not pass{_times(failed)}{_in(number)}."
        yield Struggle("review", min(1.0 * failed, 2.0), says, number)


def _hints(phases: Iterable[PhaseRow], progress: Iterable[ProgressEvent]) -> Iterator[Struggle]:
    used: dict[str, int] = defaultdict(int)
    for event in progress:
        used[event.phase_id] += event.event_type in HELP
    for phase in phases:
        times = used[phase.id]
        if times:
            says = f"More help was asked for{_times(times)}{_in(phase.number)}."
            yield Struggle("hints", min(0.5 * times, 2.0), says, phase.number)


def _data(action: Action) -> Mapping[str, object]:
    return action.data or {}


def _count(data: Mapping[str, object], name: str) -> int:
    value = data.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def _in(number: int | None) -> str:
    return "" if number is None else f" in phase {number}"


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"
