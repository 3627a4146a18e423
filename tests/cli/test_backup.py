"""`paige backup`, `restore`, `move` and `people export|erase`, as people and programs use them."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.keeping import make_installation
from tests.live import live_paige, run_paige
from tests.postgres import temp_database


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make_installation(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def url(postgres_server: str) -> Iterator[str]:
    with temp_database(postgres_server, template="template0") as found:
        yield found


def paige(home: Path, *arguments: object, **extra: str):
    places = {"DATA_DIR": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    return run_paige(home, *map(str, arguments), **{**places, **extra})


def test_a_backup_is_checked_and_restored_into_a_folder(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    made = paige(home, "backup", file)
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith(f"Wrote `{file}`: ")
    assert "cookie.key" in made.stderr
    checked = paige(home, "restore", file, "--verify-only", "--json")
    assert json.loads(checked.stdout)["ok"] is True
    done = paige(home, "restore", file, "--into", tmp_path / "new", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["tables"]["sessions"] == 3
    assert said["settings"]["DATA_DIR"] == str(tmp_path / "new")
    found = paige(home, "memory", "search", "garden", "--json", **said["settings"])
    assert "school garden" in found.stdout
    twice = paige(home, "restore", file, "--into", tmp_path / "new")
    assert twice.returncode == 1
    assert "There is something already" in twice.stderr
    assert "--replace" in twice.stderr


def test_a_backup_is_made_while_a_server_runs_and_a_restore_waits_for_its_end(
    home: Path, tmp_path: Path
) -> None:
    places = {"DATA_DIR": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    file = tmp_path / "b.zip"
    with live_paige(home, **places) as server:
        assert paige(home, "backup", file).returncode == 0
        refused = paige(home, "restore", file, "--replace")
        assert refused.returncode == 1
        assert "Stop Paige" in refused.stderr
        moving = paige(home, "move", "--to", "postgresql://nobody@127.0.0.1:1/none")
        assert moving.returncode == 1
        assert "Stop Paige" in moving.stderr
        server.stop()
    done = paige(home, "restore", file, "--replace")
    assert done.returncode == 0, done.stderr
    assert "What was there before is kept" in done.stderr
    assert paige(home, "doctor").returncode in (0, 1)


def test_a_damaged_backup_is_refused_with_a_sentence(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    paige(home, "backup", file)
    file.write_bytes(file.read_bytes()[:-100])
    for more in (("--verify-only",), ("--into", str(tmp_path / "new"))):
        done = paige(home, "restore", file, *more)
        assert done.returncode == 2
        assert "is not a whole backup" in done.stderr
    assert paige(home, "restore", tmp_path / "none.zip").returncode == 1


def test_a_move_says_what_was_compared_and_what_to_set(home: Path, url: str) -> None:
    done = paige(home, "move", "--to", url)
    assert done.returncode == 0, done.stderr
    assert " sessions\n" in done.stdout
    assert "DATABASE_URL" in done.stderr
    found = paige(home, "memory", "search", "garden", "--json", DATABASE_URL=url)
    assert "school garden" in found.stdout
    again = paige(home, "move", "--to", url)
    assert again.returncode == 1
    assert "is not empty" in again.stderr
    assert paige(home, "move", "--to", url, DATABASE_URL=url).returncode == 2


def test_a_person_is_exported_and_erased_after_a_plan(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "me.zip"
    done = paige(home, "people", "export", "me", file)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(file) as archive:
        assert "garden" in archive.read("memories.json").decode()
    plan = paige(home, "people", "erase", "me")
    assert plan.returncode == 2
    assert "rows of sessions" in plan.stderr
    assert "Add `--yes`" in plan.stderr
    assert (home / "data/workspace/lessons/bread.md").exists()
    erased = paige(home, "people", "erase", "me", "--yes", "--json")
    assert erased.returncode == 0, erased.stderr
    assert json.loads(erased.stdout)["erased"] is True
    assert not (home / "data/workspace/lessons/bread.md").exists()
    assert "garden" not in paige(home, "memory", "export").stdout
    assert paige(home, "people", "erase", "me", "--yes").returncode == 1


def test_an_agent_may_not_erase_or_export_people(home: Path, tmp_path: Path) -> None:
    for command in (("erase", "me", "--yes"), ("export", "me", str(tmp_path / "x.zip"))):
        done = paige(home, "people", *command, CLAUDECODE="1")
        assert done.returncode == 3
    assert (home / "data/workspace/lessons/bread.md").exists()
