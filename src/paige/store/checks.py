"""Doctor's questions about the database."""

from contextlib import closing

from sqlalchemy import Connection, text

from paige.base.checks import Check, Repair
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.store.engine import open_database
from paige.store.migrate import bring_up_to_date, current_revision, head_revision

_USER = """
SELECT rolname AS name, rolsuper OR rolbypassrls AS unbound FROM pg_roles
WHERE rolname = current_user
"""


def checks(settings: Settings) -> list[Check]:
    """Whether the database opens, is whole and has a schema this code knows; it is not created."""
    try:
        if not settings.database_url and not (settings.data_dir / "paige.db").exists():
            return [Check("database", "ok", "not created yet; the first start does it")]
        with closing(open_database(settings)) as database:
            with database.transaction(write=False) as connection:
                revision = current_revision(connection)
                faults = _faults(connection)
            return [_judge(settings, database.location, revision, faults)]
    except PaigeError as error:
        return [Check("database", "fail", error.message, error.hint)]


def row_security_checks(settings: Settings) -> list[Check]:
    """Whether PostgreSQL itself keeps people apart; nothing without it."""
    if not settings.database_url:
        return []
    try:
        with closing(open_database(settings)) as database:
            with database.transaction(write=False) as connection:
                row = connection.execute(text(_USER)).one()
            return [_judge_user(row.name, unbound=row.unbound)]
    except PaigeError:
        return []  # the check of the database says what is wrong


def _faults(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    answers = connection.execute(text("PRAGMA quick_check(5)")).scalars().all()
    return [answer for answer in answers if answer != "ok"]


def _judge_user(user: str, *, unbound: bool) -> Check:
    if not unbound:
        return Check("row security", "ok", f"the database user `{user}` is bound by it")
    message = f"the database user `{user}` is a superuser or may bypass row-level security"
    fix = "Make a plain role for `DATABASE_URL`, and name the owner in `DATABASE_OWNER_URL`."
    return Check("row security", "warn", message, fix)


def upgrade_now(settings: Settings) -> None:
    """Bring the database to the newest schema; a SQLite file is copied before."""
    with closing(open_database(settings)) as database:
        bring_up_to_date(settings, database)


def _judge(settings: Settings, location: str, revision: str | None, faults: list[str]) -> Check:
    head = head_revision()
    if faults:
        return Check(
            "database",
            "fail",
            f"`{location}` is damaged: {faults[0]}",
            "Put a backup in its place: `paige restore FILE --replace`.",
        )
    if revision is None and not settings.database_url:
        message = f"`{location}` is empty; the next start fills it"
        fix = "If there was anything in it, put a backup in its place: `paige restore FILE`."
        return Check("database", "warn", message, fix)
    if revision is not None and revision > head:
        fix = "Install the newer Paige again, or use another `DATA_DIR`."
        return Check("database", "fail", f"`{location}` was written by a newer Paige", fix)
    if revision != head:
        repair = Repair(f"Upgrade `{location}` to schema {head}", lambda: upgrade_now(settings))
        message = f"`{location}` is upgraded at the next start"
        return Check("database", "ok", message, repair=repair)
    return Check("database", "ok", f"`{location}` is whole, schema {head}")
