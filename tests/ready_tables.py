"""Tables for new databases of the tests, copied from one that was migrated once.

Two thousand tests begin with an empty folder, and all migrations for each of them would be a tenth
of the whole run. What is copied is what the migrations made in this process, so it is the same;
the migrations have tests of their own, and a fresh interpreter runs them as people do.
"""

import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from paige.app import application
from paige.base.settings import Settings
from paige.store import migrate
from paige.store.engine import Database, open_sqlite
from tests.store.dump_schema import statements_of


def copy_for_new_ones() -> None:
    """From now on, an application that opens a new SQLite file in this process gets a copy."""
    application.bring_up_to_date = bring_up_to_date


def bring_up_to_date(settings: Settings, database: Database) -> None:
    """What `paige.store.migrate` does, quicker for a file without tables."""
    if database.kind == "sqlite" and _is_new(database):
        statements = migrated()
        with database.transaction(write=True) as connection:
            if migrate.current_revision(connection) is None:  # nobody was quicker
                for statement in statements:
                    connection.exec_driver_sql(statement)
    migrate.bring_up_to_date(settings, database)


@cache
def migrated() -> tuple[str, ...]:
    """The statements that make what the migrations make."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paige.db"
        with closing(open_sqlite(path)) as database:
            migrate.migrate(database)
        return tuple(statements_of(path))


def _is_new(database: Database) -> bool:
    with database.transaction(write=False) as connection:
        return migrate.current_revision(connection) is None
