"""A newer wheel over older data: everything is still there, and the way back stays open."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from paige.store.migrate import head_revision
from tests.packaging.building import serving
from tests.packaging.conftest import Installed, Run
from tests.store.dump_schema import SCHEMAS

OLDER = [path.stem for path in sorted(SCHEMAS.glob("*.sql")) if path.stem < head_revision()]
NOTE = "# 3B\n\n- Year: 3\n"


def older_home(home: Path, revision: str) -> Path:
    """What a person has who used a Paige of this schema: a database, a class, a memory."""
    data = home / ".paige"
    (data / "workspace" / "classes").mkdir(parents=True, mode=0o700)
    data.chmod(0o700)
    (data / "workspace" / "classes" / "3B.md").write_text(NOTE)
    with closing(sqlite3.connect(data / "paige.db")) as connection:
        connection.executescript((SCHEMAS / f"{revision}.sql").read_text(encoding="utf-8"))
    return data / "paige.db"


def counted(path: Path) -> Mapping[str, int]:
    """How many rows every table has that people's data is in."""
    with closing(sqlite3.connect(path)) as connection:
        listed = connection.execute("PRAGMA table_list").fetchall()
        names = [row[1] for row in listed if row[2] == "table" and "_fts" not in row[1]]
        ours = [name for name in names if not name.startswith(("sqlite_", "alembic_", "leases"))]
        return {n: connection.execute(f"SELECT count(*) FROM {n}").fetchone()[0] for n in ours}


def revision_of(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


@pytest.mark.parametrize("revision", [OLDER[0], OLDER[-1]])
def test_starting_a_newer_paige_keeps_every_row_and_a_copy_from_before(
    installed: Installed, tmp_path: Path, revision: str
) -> None:
    path = older_home(tmp_path, revision)
    before = counted(path)

    with serving([installed.paige, "up"], installed.environ(tmp_path), tmp_path) as paige:
        assert httpx2.get(f"{paige.url}/health/ready", timeout=60).status_code == 200
        assert paige.stop()[0] == 0

    copy = path.with_name(f"paige.db.before-{revision}")
    assert (revision_of(path), revision_of(copy)) == (head_revision(), revision)
    after = counted(path)
    assert {name: after[name] >= count for name, count in before.items()} == dict.fromkeys(
        before, True
    )
    assert counted(copy) == before
    assert (path.parent / "workspace" / "classes" / "3B.md").read_text() == NOTE


def test_the_copy_brings_the_older_state_back(run: Run, tmp_path: Path) -> None:
    path = older_home(tmp_path, OLDER[-1])
    before = counted(path)
    assert run("trace", "list").returncode == 0
    assert revision_of(path) == head_revision()

    shutil.copy(path.with_name(f"paige.db.before-{OLDER[-1]}"), path)

    assert (revision_of(path), counted(path)) == (OLDER[-1], before)
    assert run("trace", "list").returncode == 0
    assert revision_of(path) == head_revision()


@pytest.mark.parametrize("command", [("up",), ("trace", "list"), ("plan", "sessions")])
def test_an_older_paige_refuses_newer_data_and_leaves_it_alone(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    path = older_home(tmp_path, OLDER[-1])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    before = counted(path)

    done = run(*command)

    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "was written by a newer Paige (schema 9999" in said
    assert "Install that version again" in said
    assert "Traceback" not in said
    assert (revision_of(path), counted(path)) == ("9999", before)
    assert list(path.parent.glob("paige.db.before-*")) == []
