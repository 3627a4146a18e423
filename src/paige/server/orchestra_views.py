"""From the orchestra's board to what the REST API sends. Secrets in returns are left out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from paige.app.application import App
from paige.app.orchestra_door import Board, Card, OrchestraDoor, Run, feature_of
from paige.base.clock import from_iso
from paige.base.secrets import redact
from paige.guard.state.next_step import Next
from paige.orchestra.handoff_log import Entry
from paige.server import orchestra_wire as wire

MOST_SAID = 1000


class OrchestraViews:
    """The orchestra's door with answers as they are sent; it is used in a thread."""

    def __init__(self, app: App) -> None:
        self._door = OrchestraDoor(app)

    def board(self) -> wire.OrchestraBoard:
        """The board. Raises: Unavailable."""
        return board_of(self._door.board())

    def handoffs(self, asked: wire.OrchestraHandoffsAsked) -> wire.OrchestraHandoffs:
        """The log of handoffs. Raises: Unavailable."""
        found = self._door.handoffs(asked.feature, asked.limit)
        lines = [handoff_of(entry, command) for entry, command in found.lines]
        return wire.OrchestraHandoffs(
            handoffs=[each for each in lines if each is not None], total=found.total
        )


def board_of(board: Board) -> wire.OrchestraBoard:
    """The whole orchestra."""
    return wire.OrchestraBoard(
        project=board.project,
        goal=redact(board.goal),
        begun=board.begun,
        running=board.running,
        phase=board.phase,
        waits=board.waits,
        features=[feature_card(each) for each in board.cards],
        next=_next(board.next),
        runs=[run_of(each) for each in board.runs],
        vetoes=wire.OrchestraVetoes(judged=board.judged, vetoed=board.vetoed),
    )


def feature_card(card: Card) -> wire.OrchestraFeature:
    """A feature on the board."""
    return wire.OrchestraFeature(
        id=card.id,
        title=card.title,
        state=card.state,
        attempts=card.attempts,
        step=card.step,
        agent=card.agent,
        since=moment(card.since),
        reason=card.reason,
    )


def run_of(run: Run) -> wire.OrchestraRun:
    """One run of an agent."""
    return wire.OrchestraRun(
        id=run.id,
        feature=run.feature,
        agent=run.agent,
        runner=run.runner,
        attempt=run.attempt,
        started=moment(run.started),
        ended=moment(run.ended),
        outcome=redact(run.outcome)[:MOST_SAID],
        returned=redact(run.returned),
        vetoed=run.vetoed,
    )


def handoff_of(entry: Entry, command: Mapping[str, Any]) -> wire.OrchestraHandoff | None:
    """A line of the log with the order it is about; nothing where its time cannot be read."""
    at = moment(entry.at)
    if at is None:
        return None
    context = _part(command, "context")
    return wire.OrchestraHandoff(
        key=entry.key,
        at=at,
        event=entry.event,
        agent=_text(command, "agent"),
        task=_text(command, "task"),
        feature=feature_of(command),
        previous_state=_text(context, "previous_state"),
        next_agent=_text(command, "next_agent"),
        files=_texts(context, "files_changed"),
        artifacts=_texts(command, "artifacts"),
        precondition=_text(_part(command, "precondition"), "says"),
        postcondition=_text(_part(command, "postcondition"), "says"),
        rollback=_text(_part(command, "rollback"), "to"),
        criteria=dict(_part(command, "success_criteria")),
        timeout_s=_number(command, "timeout_s"),
        said=said_of(entry),
    )


def said_of(entry: Entry) -> str:
    """What else is known about a line, in words: why it went wrong, or which run it was."""
    about = entry.about
    why, run, seconds = about.get("why"), about.get("run"), about.get("seconds")
    if isinstance(why, str) and why:
        return redact(why)[:MOST_SAID]
    said = f"Run {run}" if isinstance(run, int) else ""
    return f"{said}, {seconds:.0f} s" if said and isinstance(seconds, int | float) else said


def moment(text: str) -> datetime | None:
    """A moment as a file has it; nothing where it is none."""
    try:
        return from_iso(text) if text else None
    except ValueError:
        return None


def _next(found: Next | None) -> wire.OrchestraNext | None:
    if found is None:
        return None
    return wire.OrchestraNext(
        state=found.state,
        action=found.action,
        agent=found.agent or "",
        feature=found.feature or "",
        sentence=found.sentence(),
    )


def _part(given: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _texts(given: Mapping[str, Any], name: str) -> list[str]:
    value = given.get(name)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _number(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    return value if isinstance(value, int) else None
