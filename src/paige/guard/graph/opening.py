"""What the graph needs of its surroundings: a database that is up to date, and the feature at work.

It is light, so that a hook can ask before it loads the graph.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paige.base.errors import PaigeError, Unavailable
from paige.guard.state.session import read_session, session_path

if TYPE_CHECKING:
    from paige.guard.graph.lines import Line
    from paige.store.engine import Database

RECENT = timedelta(minutes=10)  # later on another feature may be at work
_MOST_FOLDERS = 8


def is_current(database: "Database") -> bool:
    """Whether a database has the tables of this version. Raises: PaigeError."""
    from paige.store.migrate import current_revision, head_revision  # noqa: PLC0415 - with SQL

    with database.transaction(write=False) as connection:
        return current_revision(connection) == head_revision()


def bring_up_to_date(database: "Database", *, may_migrate: bool) -> None:
    """Make sure that the tables are there. Raises: Unavailable, Conflict, PaigeError."""
    if may_migrate:
        from paige.store.migrate import migrate  # noqa: PLC0415 - with SQL

        migrate(database)
    elif not is_current(database):
        raise Unavailable(
            "The database is of an older version",
            hint="It is brought up to date in the background, or when Paige starts.",
        )


def feature_at(folder: str) -> str:
    """The feature that is at work in a folder, by the state that is kept there; or nothing."""
    start = Path(folder)
    for each in (start, *start.parents)[:_MOST_FOLDERS]:
        if session_path(each).is_file():
            try:
                session = read_session(each)
            except PaigeError:
                return ""
            return (session.feature or "") if session is not None else ""
    return ""


def features_at(now: datetime) -> Callable[["Line"], str]:
    """The feature of a line: the one at work where it was written, if that was just now."""
    known: dict[str, str] = {}

    def feature_of(line: "Line") -> str:
        if not line.cwd or not line.tool or abs(now - line.at) > RECENT:
            return ""
        if line.cwd not in known:
            known[line.cwd] = feature_at(line.cwd)
        return known[line.cwd]

    return feature_of
