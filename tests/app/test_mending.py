"""`paige doctor --fix`: broken before, whole after, and nothing that people wrote is lost."""

import json
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from paige.base.actor import Actor
from paige.base.checks import Check, Repair
from paige.base.errors import BadInput, Refused
from paige.base.settings import SETTINGS, Settings
from paige.doors.guard.cli_install import install
from paige.doors.setup.cli_doctor import doctor
from paige.doors.setup.doctor import examine, healthy, mend
from paige.memory.index.files import IndexFile
from paige.memory.setup import index_folder
from paige.store.deep_checks import SEARCHED
from paige.store.engine import open_database
from paige.store.fulltext import matching
from paige.store.migrate import copy_path, head_revision
from paige.store.tables import METADATA
from tests.live import run_paige
from tests.store.dump_schema import SCHEMAS, declare_all_tables

OLDER = "0009"
SESSION = (
    "INSERT INTO sessions (id, status, title, started_at)"
    " VALUES ('s', 'active', 'Fractions', '2026-03-02T12:00:00.000000Z')"
)


def always(_: Check) -> bool:
    return True


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    environ = {"HOME": str(tmp_path), "PATH": ""}
    folder = tmp_path / "work"
    folder.mkdir()
    return Settings(cwd=folder, environ=environ)


def of(checks: list[Check], name: str) -> Check:
    (found,) = [check for check in checks if check.name == name]
    return found


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def made(settings: Settings, sqlite_template: Path) -> Path:
    """A database with the newest schema, in a private folder."""
    settings.data_dir.mkdir(mode=0o700)
    path = settings.data_dir / "paige.db"
    shutil.copy(sqlite_template, path)
    path.chmod(0o600)
    return path


def rows(path: Path) -> dict[str, int]:
    """How many rows every ordinary table has."""
    with closing(sqlite3.connect(path)) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_list") if row[2] == "table"]
        ours = [name for name in names if not name.startswith(("sqlite_", "alembic_"))]
        plain = [name for name in ours if "_fts" not in name]
        return {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in plain
        }


# --- folders and files --------------------------------------------------------------


def test_a_missing_data_folder_is_made_for_its_owner_only(settings: Settings) -> None:
    assert of(examine(settings), "data folder").fixable
    assert not settings.data_dir.exists()

    done = mend(settings, always)

    assert "data folder" in done.fixed
    assert mode(settings.data_dir) == 0o700
    assert not of(done.checks, "data folder").fixable


@pytest.mark.parametrize("wrong", [0o755, 0o770, 0o701])
def test_a_data_folder_that_others_can_look_into_is_shut(settings: Settings, wrong: int) -> None:
    settings.data_dir.mkdir()
    (settings.data_dir / "note.md").write_text("mine")
    settings.data_dir.chmod(wrong)
    before = of(examine(settings), "data folder")
    assert (before.status, before.fixable) == ("warn", True)

    done = mend(settings, always)

    assert of(done.checks, "data folder").status == "ok"
    assert mode(settings.data_dir) == 0o700
    assert (settings.data_dir / "note.md").read_text() == "mine"


def test_a_folder_and_a_file_get_back_the_rights_of_their_owner(
    settings: Settings, made: Path
) -> None:
    path = made
    path.chmod(0o400)
    settings.data_dir.chmod(0o500)
    before = of(examine(settings), "data folder")
    assert (before.status, before.fixable) == ("fail", True)
    held = path.read_bytes()

    done = mend(settings, always)

    assert "data folder" in done.fixed
    assert (mode(settings.data_dir), mode(path)) == (0o700, 0o600)
    assert path.read_bytes() == held
    assert healthy(done.checks)


def test_a_settings_file_with_a_key_is_shut_and_one_without_is_left(settings: Settings) -> None:
    key = settings.cwd / ".env"
    key.write_text("export OPENAI_API_KEY=sk-secret\n")
    plain = settings.cwd / "paige.toml"
    plain.write_text("port = 3001\n")
    for path in (key, plain):
        path.chmod(0o644)
    assert str(key) in of(examine(settings), "settings file").message

    done = mend(settings, always)

    assert done.fixed >= {"settings file"}
    assert (mode(key), mode(plain)) == (0o600, 0o644)
    assert key.read_text() == "export OPENAI_API_KEY=sk-secret\n"


def test_every_secret_setting_counts_as_a_key(settings: Settings) -> None:
    own = Path(settings.environ["HOME"]) / ".config" / "ai" / "paige.toml"
    own.parent.mkdir(parents=True)
    secret = [each.key for each in SETTINGS if each.kind == "secret"]
    assert len(secret) >= 8
    for name in secret:
        own.write_text(f'{name} = "x"\n')
        own.chmod(0o640)
        assert str(own) in of(examine(settings), "settings file").message


def test_a_copy_that_was_cut_off_is_removed_and_one_under_way_is_not(
    settings: Settings, made: Path
) -> None:
    gone = settings.data_dir / f".paige.db.before-0001.{2**22 - 1}.partial"
    gone.write_bytes(b"half")
    busy = settings.data_dir / ".paige.db.before-0001.1.partial"
    busy.write_bytes(b"half")

    done = mend(settings, always)

    assert "leftovers" in done.fixed
    assert (gone.exists(), busy.exists()) == (False, True)


# --- the database -------------------------------------------------------------------


def older(settings: Settings) -> Path:
    settings.data_dir.mkdir(mode=0o700)
    path = settings.data_dir / "paige.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{OLDER}.sql").read_text(encoding="utf-8"))
    return path


def test_an_older_database_is_copied_then_upgraded_with_every_row(settings: Settings) -> None:
    path = older(settings)
    before = rows(path)
    assert sum(before.values()) > 10
    assert of(examine(settings), "database").fixable

    done = mend(settings, always)

    assert "database" in done.fixed
    assert f"schema {head_revision()}" in of(done.checks, "database").message
    after = rows(path)
    assert {name: after.get(name) for name in before} == before
    copy = copy_path(path, OLDER)
    assert rows(copy) == before
    assert mode(copy) == 0o600


def test_a_database_of_a_newer_paige_is_left_and_a_way_out_is_told(
    settings: Settings, made: Path
) -> None:
    path = made
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()

    done = mend(settings, always)

    check = of(done.checks, "database")
    assert (check.status, check.fixable) == ("fail", False)
    assert "newer Paige" in check.message
    assert "newer Paige again" in (check.fix or "")


def test_a_damaged_database_is_left_and_a_command_is_told(settings: Settings) -> None:
    settings.data_dir.mkdir(mode=0o700)
    (settings.data_dir / "paige.db").write_text("Dear diary")

    done = mend(settings, always)

    assert not healthy(done.checks)
    assert not of(done.checks, "database").fixable
    assert (settings.data_dir / "paige.db").read_text() == "Dear diary"


def test_the_indexes_that_doctor_knows_are_those_of_a_new_database(
    settings: Settings, made: Path
) -> None:
    path = made
    with closing(sqlite3.connect(path)) as connection:
        listed = connection.execute("SELECT sql FROM sqlite_master WHERE sql LIKE '%USING fts5(%'")
        columns = {sql.split()[3].removesuffix("_fts"): sql for (sql,) in listed}
    assert columns.keys() == SEARCHED.keys()
    for table, names in SEARCHED.items():
        assert f"fts5({', '.join(names)}, content=" in columns[table]


def clear(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM sessions_fts_data WHERE id > 10")


def drop(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE sessions_fts")


def drop_trigger(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TRIGGER sessions_fts_add")


def fall_behind(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO sessions_fts(sessions_fts) VALUES ('delete-all')")


@pytest.mark.parametrize("damage", [clear, drop, drop_trigger, fall_behind])
def test_a_broken_full_text_index_is_made_again(
    settings: Settings, made: Path, damage: Callable[[sqlite3.Connection], None]
) -> None:
    path = made
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(SESSION)
        connection.commit()
    before = rows(path)
    found = search(settings)
    assert found
    with closing(sqlite3.connect(path)) as connection:
        damage(connection)
        connection.commit()
    check = of(examine(settings), "full text")
    assert (check.status, check.fixable) == ("fail", True)

    done = mend(settings, always)

    assert "full text" in done.fixed
    assert of(done.checks, "full text").status == "ok"
    assert search(settings) == found
    assert rows(path) == before


def search(settings: Settings) -> list[str]:
    declare_all_tables()
    with (
        closing(open_database(settings)) as database,
        database.transaction(write=False) as connection,
    ):
        title = connection.exec_driver_sql("SELECT title FROM sessions LIMIT 1").scalar_one()
        table = METADATA.tables["sessions"]
        return [row.id for row in connection.execute(matching(connection, table, Actor(), title))]


# --- memory and hooks ---------------------------------------------------------------


def test_a_broken_index_of_the_memory_is_made_again_from_the_log(
    settings: Settings, tmp_path: Path
) -> None:
    assert run_paige(tmp_path, "memory", "add", "The harbour freezes in winter.").returncode == 0
    log = settings.memory_path.read_bytes()
    index = IndexFile(index_folder(settings)).path
    index.parent.mkdir(parents=True, exist_ok=True)
    for each in index.parent.glob("index.db*"):
        each.unlink()
    index.write_bytes(b"not a database at all" * 100)
    assert of(examine(settings), "memory index").fixable

    done = mend(settings, always)

    assert "memory index" in done.fixed
    assert settings.memory_path.read_bytes() == log
    assert index.read_bytes().startswith(b"SQLite format 3")
    assert "harbour" in run_paige(tmp_path, "memory", "search", "harbour").stdout


def test_hooks_that_point_to_a_paige_that_moved_are_written_again(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in settings.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(settings.cwd)
    assert CliRunner().invoke(install, ["gemini", "--without", "mcp"]).exit_code == 0
    path = tmp_path / ".gemini" / "settings.json"
    mine = {**json.loads(path.read_text()), "theme": "dark"}
    path.write_text(json.dumps(mine).replace(sys.executable, "/gone/bin/python"))
    assert of(examine(settings), "guard of Gemini CLI").fixable

    done = mend(settings, always)

    assert "guard of Gemini CLI" in done.fixed
    assert of(done.checks, "guard of Gemini CLI").status == "ok"
    text = path.read_text()
    assert "/gone/bin/python" not in text
    assert json.loads(text)["theme"] == "dark"
    assert "mcpServers" not in json.loads(text)


# --- asking, telling ----------------------------------------------------------------


def test_what_cannot_be_repaired_says_what_to_type(settings: Settings) -> None:
    done = mend(settings, always)

    project = of(done.checks, "project")
    assert (project.status, project.fixable) == ("warn", False)
    assert "`PROJECT_DIR`" in (project.fix or "")


def test_a_repair_that_fails_says_why_and_is_not_called_fixed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise Refused("the disk says no")

    broken = Check("disk", "fail", "broken", "Mend it.", Repair("Mend it", fails))
    monkeypatch.setattr("paige.doors.setup.doctor.examine", lambda _: [broken])

    done = mend(settings, always)

    assert (done.fixed, done.failures) == (frozenset(), {"disk": "the disk says no"})


def test_fix_asks_before_each_repair_and_no_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / ".paige").mkdir(mode=0o755)
    (tmp_path / ".paige").chmod(0o755)

    said = run_paige(tmp_path, "doctor", "--fix", stdin="n\n")
    assert "Let only you read" in said.stderr
    assert mode(tmp_path / ".paige") == 0o755

    said = run_paige(tmp_path, "doctor", "--fix", stdin="y\n")
    assert "done  data folder" in said.stdout
    assert mode(tmp_path / ".paige") == 0o700


def test_fix_without_anybody_to_answer_says_how_to_go_on(tmp_path: Path) -> None:
    said = run_paige(tmp_path, "doctor", "--fix")

    assert said.returncode == 2
    assert "Add `--yes`." in said.stderr
    assert not (tmp_path / ".paige").exists()


def test_fix_as_json_keeps_the_contract_and_adds_what_was_done(tmp_path: Path) -> None:
    (tmp_path / ".paige").mkdir()
    (tmp_path / ".paige").chmod(0o755)

    plain = json.loads(run_paige(tmp_path, "doctor", "--json").stdout)
    fixed = json.loads(run_paige(tmp_path, "doctor", "--fix", "--yes", "--json").stdout)

    keys = {"name", "status", "message", "fix", "fixable"}
    assert all(set(check) == keys for check in plain["checks"])
    assert all(set(check) == {*keys, "fixed"} for check in fixed["checks"])
    assert fixed["fixed"] == ["data folder"]
    assert fixed["not_fixed"] == {}
    [folder] = [check for check in fixed["checks"] if check["name"] == "data folder"]
    assert (folder["fixable"], folder["fixed"]) == (False, True)


@pytest.mark.parametrize("options", [["--yes"], ["--fix", "--json"]])
def test_options_that_make_no_sense_together_are_refused(options: list[str]) -> None:
    result = CliRunner().invoke(doctor, options)

    assert isinstance(result.exception, BadInput)
