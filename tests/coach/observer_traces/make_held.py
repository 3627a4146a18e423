"""Writes the traces kept from tuning: `python -m tests.coach.observer_traces.make_held`.

They are told in another way than the others, one by one, with other projects, other clients and
other noise: a line is `seconds what file more`, and a number of seconds with `+` counts from the
line before.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.coach.observer_traces.held_stories import STORIES, Story
from tests.coach.observer_traces.scripted import Case, write

HELD = Path(__file__).parent / "held"
BEGIN = datetime(2026, 5, 18, 13, 30, tzinfo=UTC)
NAMES = {
    "o": "file_open",
    "s": "file_save",
    "c": "file_close",
    "u": "buffer_update",
    "sel": "selection",
    "tab": "tab_switch",
    "sum": "buffer_summary",
    "big": "buffer_significant_change",
    "t": "test_run",
    "ps": "phase_started",
    "pc": "phase_completed",
    "n": "nudge_sent",
    "msg": "coaching_message",
    "mcp": "mcp_tool_call",
    "mute": "observer_muted",
    "ex": "explain_requested",
    "rev": "review_requested",
    "idle": "idle_start",
    "back": "idle_end",
    "hint": "hint_level_change",
}


def read(name: str, story: Story) -> Case:
    """A story as a trace."""
    clock = 0.0
    actions: list[dict[str, Any]] = []
    for line in story.lines.strip().splitlines():
        when, what, *rest = line.split()
        clock = clock + float(when[1:]) if when.startswith("+") else float(when)
        actions.append(_action(story, clock, what, rest))
    trace: dict[str, Any] = {
        "phase": story.phase,
        "actions": actions,
        "now": _moment(story, clock + story.later),
    }
    if story.stage:
        trace["dreyfus_stage"] = story.stage
    return Case(name, story.signal, trace)


def _action(story: Story, clock: float, what: str, rest: list[str]) -> dict[str, Any]:
    action: dict[str, Any] = {"type": NAMES.get(what, what), "at": _moment(story, clock)}
    data: dict[str, Any] = {}
    for word in rest:
        key, sign, value = word.partition("=")
        if sign:
            data[key] = _value(value)
        elif what == "tab":
            data["toPath"] = word
        elif story.path_in_data:
            data["path"] = word
        else:
            action["path"] = word
    return {**action, "data": data} if data else action


def _value(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def _moment(story: Story, clock: float) -> object:
    moment = BEGIN + timedelta(seconds=clock)
    if story.numbers:
        return int(moment.timestamp() * 1000)
    return moment.isoformat(timespec="milliseconds")


if __name__ == "__main__":
    found = [read(f"held-{number:03}", story) for number, story in enumerate(STORIES, 1)]
    sys.stdout.write(f"{write(found, HELD)} traces\n")
