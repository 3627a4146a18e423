"""Puts the state of the work into a project, as an orchestra keeps it for the hooks."""

from datetime import datetime
from pathlib import Path

from paige.base.clock import to_iso
from paige.guard.state.features import SessionState, session_path
from paige.guard.state.files import write_object


def write_session(root: Path | str, session: SessionState, now: datetime) -> None:
    """Keep the state of the work of a project."""
    given = {
        "state": session.state,
        "feature": session.feature,
        "attempt": session.attempt,
        "updated_at": to_iso(now),
    }
    write_object(session_path(root), given)
