"""Doctor's questions about the database."""

from contextlib import closing

from sqlalchemy import Connection, text

from paige.base.checks import Check
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.store.engine import open_database
from paige.store.migrate import current_revision, head_revision


def checks(settings: Settings) -> list[Check]:
    """Whether the database opens, is whole and has a schema this code knows; it is not created."""
    try:
        if not settings.database_url and not (settings.data_dir / "paige.db").exists():
            return [Check("database", "ok", "not created yet; the first start does it")]
        with closing(open_database(settings)) as database:
            with database.transaction(write=False) as connection:
                revision = current_revision(connection)
                faults = _faults(connection)
            return [_judge(database.location, revision, faults)]
    except PaigeError as error:
        return [Check("database", "fail", error.message, error.hint)]


def _faults(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    answers = connection.execute(text("PRAGMA quick_check(5)")).scalars().all()
    return [answer for answer in answers if answer != "ok"]


def _judge(location: str, revision: str | None, faults: list[str]) -> Check:
    head = head_revision()
    if faults:
        return Check(
            "database", "fail", f"`{location}` is damaged: {faults[0]}", "Restore a backup."
        )
    if revision is not None and revision > head:
        fix = "Install the newer Paige again, or use another `DATA_DIR`."
        return Check("database", "fail", f"`{location}` was written by a newer Paige", fix)
    if revision != head:
        return Check("database", "ok", f"`{location}` is upgraded at the next start")
    return Check("database", "ok", f"`{location}` is whole, schema {head}")
