"""What a session shows by itself, for whoever judges it without a model: counts, no conclusion."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from paige.coach.records import Action, PhaseRow, ProgressEvent

CANNOT = "Judging what you still lack needs a model, and none answered."
TELLING = "Set one up, or judge by what the session shows:"
NOTHING = "Set one up, or look back over the session yourself."
MOST_FACTS = 6
LOOP_EDITS = 20
LOOP_SAVES = 4
STILL = 40  # characters: who types much and changes less than this goes round in circles
HELP = ("hint_used", "hint_escalated")


def not_judged(
    actions: Sequence[Action], phases: Sequence[PhaseRow], progress: Sequence[ProgressEvent]
) -> str:
    """That nobody judged a session, and what it shows."""
    facts = session_facts(actions, phases, progress)[:MOST_FACTS]
    return " ".join((CANNOT, TELLING, *facts)) if facts else f"{CANNOT} {NOTHING}"


def session_facts(
    actions: Sequence[Action], phases: Sequence[PhaseRow], progress: Sequence[ProgressEvent]
) -> list[str]:
    """Where tests failed again and again, files went back and forth, and help was asked for."""
    grouped: dict[int | None, list[Action]] = defaultdict(list)
    for action in actions:
        grouped[phase_at(phases, action.created_at)].append(action)
    found: list[str] = []
    for number, done in grouped.items():
        found += _failing_tests(number, done)
        found += _loops(number, done)
        found += _questions(number, done)
    found += _hints(phases, progress)
    return found


def phase_at(phases: Iterable[PhaseRow], moment: datetime) -> int | None:
    """The phase that was worked on at a moment."""
    number = None
    for phase in phases:
        begun = phase.started_at is not None and phase.started_at <= moment
        if begun and (phase.completed_at is None or moment <= phase.completed_at):
            number = phase.number
    return number


def _failing_tests(number: int | None, actions: Iterable[Action]) -> Iterator[str]:
    runs = [_data(action) for action in actions if action.action_type == "test_run"]
    failed = sum(_count(run, "failed") > 0 for run in runs)
    if failed >= 2:
        yield f"Tests failed in {failed} of {len(runs)} runs{_in(number)}."


def _loops(number: int | None, actions: Iterable[Action]) -> Iterator[str]:
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
    for path in dict.fromkeys((*edits, *saves)):
        typed = edits[path] >= LOOP_EDITS and abs(moved[path]) <= STILL
        if typed:
            yield f"`{path}` was edited {edits[path]} times and hardly changed{_in(number)}."
        elif saves[path] >= LOOP_SAVES:
            yield f"`{path}` was saved {saves[path]} times{_in(number)}."


def _questions(number: int | None, actions: Sequence[Action]) -> Iterator[str]:
    asked: dict[str, int] = defaultdict(int)
    for action in actions:
        if action.action_type == "explain_requested":
            asked[str(_data(action).get("path", ""))] += 1
    for path, times in asked.items():
        yield f"An explanation of `{path}` was asked for{_times(times)}{_in(number)}."
    failed = sum(
        action.action_type == "review_completed" and _data(action).get("passed") is False
        for action in actions
    )
    if failed:
        yield f"A review did not pass{_times(failed)}{_in(number)}."


def _hints(phases: Iterable[PhaseRow], progress: Iterable[ProgressEvent]) -> Iterator[str]:
    used: dict[str, int] = defaultdict(int)
    for event in progress:
        used[event.phase_id] += event.event_type in HELP
    for phase in phases:
        times = used[phase.id]
        if times:
            yield f"More help was asked for{_times(times)}{_in(phase.number)}."


def _data(action: Action) -> Mapping[str, object]:
    return action.data or {}


def _count(data: Mapping[str, object], name: str) -> int:
    value = data.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def _in(number: int | None) -> str:
    return "" if number is None else f" in phase {number}"


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"
