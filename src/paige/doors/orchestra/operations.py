"""What can be seen of the orchestra: its board, and what happened to handoffs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from paige.app.application import App
from paige.app.guards import place_for
from paige.base.secrets import redact
from paige.base.wire import wire
from paige.doors.frame.operations import Subject
from paige.orchestra.board import MOST_SAID, OrchestraBoard, moment_of, read_board
from paige.orchestra.handoffs import Entry, HandoffLog
from paige.orchestra.values import HandoffEvent

ORCHESTRA = Subject("orchestra", needs="orchestra", machine=True)
MOST_HANDOFFS = 500


@wire
class OrchestraHandoffsRequest:
    """Which handoffs."""

    feature: Annotated[str | None, Field(max_length=200)] = None
    limit: Annotated[int, Field(ge=1, le=MOST_HANDOFFS)] = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestraHandoff:
    """One line of the log: who was asked for what, what has to hold, and what became of it."""

    key: str
    at: datetime
    event: HandoffEvent
    agent: str
    task: str
    feature: str
    previous_state: str
    next_agent: str
    files: tuple[str, ...]
    artifacts: tuple[str, ...]
    precondition: str
    postcondition: str
    rollback: str
    criteria: Mapping[str, Any]
    timeout_s: int | None
    said: str


@wire
class OrchestraHandoffs:
    """Handoffs, the newest first."""

    handoffs: tuple[OrchestraHandoff, ...]
    total: int


@ORCHESTRA.read
def board(app: App) -> OrchestraBoard:
    """Say where every feature stands, who works on it, and what comes next."""
    return read_board(_root(app), app.settings.data_dir)


@ORCHESTRA.read
def handoffs(app: App, given: OrchestraHandoffsRequest) -> OrchestraHandoffs:
    """List what happened to handoffs, the newest first. Raises: Unavailable."""
    entries = HandoffLog(_root(app)).read()
    orders = {
        each.key: _part(each.handoff, "command") for each in entries if each.handoff is not None
    }
    lines = [(each, orders.get(each.key, {})) for each in reversed(entries)]
    if given.feature is not None:
        lines = [each for each in lines if _feature(each[1]) == given.feature]
    shown = (handoff_of(entry, order) for entry, order in lines[: given.limit])
    return OrchestraHandoffs(tuple(each for each in shown if each is not None), len(lines))


def handoff_of(entry: Entry, order: Mapping[str, Any]) -> OrchestraHandoff | None:
    """A line of the log with the order it is about; nothing where its time cannot be read."""
    at = moment_of(entry.at)
    if at is None:
        return None
    context = _part(order, "context")
    timeout = order.get("timeout_s")
    return OrchestraHandoff(
        key=entry.key,
        at=at,
        event=entry.event,
        agent=_text(order, "agent"),
        task=_text(order, "task"),
        feature=_feature(order),
        previous_state=_text(context, "previous_state"),
        next_agent=_text(order, "next_agent"),
        files=_texts(context, "files_changed"),
        artifacts=_texts(order, "artifacts"),
        precondition=_text(_part(order, "precondition"), "says"),
        postcondition=_text(_part(order, "postcondition"), "says"),
        rollback=_text(_part(order, "rollback"), "to"),
        criteria=_part(order, "success_criteria"),
        timeout_s=int(timeout) if isinstance(timeout, int) else None,
        said=_said(entry),
    )


def _root(app: App) -> Path:
    return Path(place_for(app).root)


def _said(entry: Entry) -> str:
    """What else is known about a line, in words: why it went wrong, or which run it was."""
    why, run, seconds = (entry.about.get(name) for name in ("why", "run", "seconds"))
    if isinstance(why, str) and why:
        return redact(why)[:MOST_SAID]
    said = f"Run {run}" if isinstance(run, int) else ""
    return f"{said}, {seconds:.0f} s" if said and isinstance(seconds, int | float) else said


def _feature(order: Mapping[str, Any]) -> str:
    return _text(_part(order, "context"), "feature_id")


def _part(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = given.get(name)
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
