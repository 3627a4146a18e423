"""What doctor asks the database when somebody types `paige doctor`, and a page does not.

Reading every word of the full-text indexes takes a while on a large database. An index follows its
table, so it can always be made again. Locks and leases are not looked at: they end with the process
that holds them.
"""

import re
from contextlib import closing
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from paige.base.checks import Check, Repair
from paige.base.errors import PaigeError
from paige.base.platform import process_start
from paige.base.settings import Settings
from paige.store.engine import Database, open_database, open_sqlite
from paige.store.fulltext import create_index
from paige.store.migrate import current_revision, head_revision

SEARCHED = {
    "sessions": ("title", "messages_text"),
    "decisions": (
        *("agent", "feature", "task", "what_happened", "what_was_correct", "why"),
        *("action", "target", "rule"),
    ),
}
"""Tables with a full-text index, and the columns in it."""
_ENDINGS = ("", "_add", "_remove", "_change")
_PARTIAL = re.compile(r"\.([0-9]+)(?:-[^.]*)?\.partial$")
_THERE = text("SELECT name FROM sqlite_master WHERE name = :name AND type IN ('table', 'trigger')")


def checks(settings: Settings) -> list[Check]:
    """The full-text indexes of a SQLite file with the newest schema, and copies left half done."""
    if settings.database_url or not (settings.data_dir / "paige.db").exists():
        return []
    try:
        with closing(open_database(settings)) as database:
            with database.transaction(write=False) as connection:
                if current_revision(connection) != head_revision():
                    return _leftovers(settings.data_dir)
            broken = [table for table in SEARCHED if not _whole(database, table)]
            return [_indexes(database, broken), *_leftovers(settings.data_dir)]
    except PaigeError:
        return []  # the check of the database says what is wrong


def _indexes(database: Database, broken: list[str]) -> Check:
    if not broken:
        return Check("full text", "ok", f"{len(SEARCHED)} indexes are whole")
    location = database.location
    names = ", ".join(f"`{name}`" for name in broken)
    return Check(
        "full text",
        "fail",
        f"the index of {names} is missing or damaged, so searches miss what is there",
        "Run `paige doctor --fix`.",
        Repair(f"Make the full-text index of {names} again", lambda: _again(location, broken)),
    )


def _whole(database: Database, table: str) -> bool:
    index = f"{table}_fts"
    with database.engine.connect() as connection, connection.begin() as work:
        names = [index + ending for ending in _ENDINGS]
        if not all(connection.scalar(_THERE, {"name": name}) for name in names):
            return False
        # The names are those of our own tables; `1` compares with the table, too.
        ask = f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)"  # noqa: S608
        try:
            connection.exec_driver_sql(ask)
        except DatabaseError:
            return False
        finally:
            work.rollback()
    return True


def _again(location: str, tables: list[str]) -> None:
    with (
        closing(open_sqlite(Path(location))) as database,
        database.transaction(write=True) as connection,
    ):
        for table in tables:
            for ending in _ENDINGS[1:]:
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {table}_fts{ending}")
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}_fts")
            create_index(connection, table, SEARCHED[table])


def _leftovers(folder: Path) -> list[Check]:
    """Copies that a process began and did not live to finish; nobody reads them."""
    found = [
        path
        for path in sorted(folder.glob(".*.partial"))
        if (owner := _PARTIAL.search(path.name)) and process_start(int(owner[1])) is None
    ]
    if not found:
        return []
    names = ", ".join(f"`{path.name}`" for path in found)
    repair = Repair(f"Remove {names} from `{folder}`", lambda: _remove(found))
    message = f"{names} in `{folder}` was left by a process that is gone"
    return [Check("leftovers", "warn", message, "Run `paige doctor --fix`.", repair)]


def _remove(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
