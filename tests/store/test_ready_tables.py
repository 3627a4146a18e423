"""New databases of the tests are what migrating makes of an empty file."""

from contextlib import closing
from pathlib import Path

from paige.base.settings import Settings
from paige.store.engine import open_database, open_sqlite
from paige.store.migrate import migrate
from tests.ready_tables import bring_up_to_date
from tests.store.dump_schema import statements_of


def test_a_copied_database_is_the_same_as_a_migrated_one(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with closing(open_database(settings)) as copied:
        bring_up_to_date(settings, copied)
    with closing(open_sqlite(tmp_path / "migrated.db")) as database:
        migrate(database)

    made = statements_of(tmp_path / "migrated.db")
    assert statements_of(tmp_path / "data" / "paige.db") == made
    assert len(made) > 50
