"""What keeps holding when something else does not: roles without power, renames that fail."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from paige.app.backup.places import places_into, without_secrets
from paige.base.errors import Conflict, Unavailable
from paige.doors.data.backup import back_up
from paige.doors.data.move import move
from paige.doors.data.restore import Wish, restore
from paige.doors.data.stage import Staging
from tests.app.keeping import ask, make_installation, quiet, settings_in
from tests.conftest import NOON
from tests.postgres import database_url, execute
from tests.processes import line, python, tell


def noon():
    return NOON


@pytest.fixture
def plain_url(postgres_server: str) -> Iterator[str]:
    """An empty database of a role that is no superuser, so that row security binds it."""
    execute(postgres_server, "CREATE ROLE plain LOGIN")
    execute(postgres_server, "CREATE DATABASE plain OWNER plain TEMPLATE template0")
    try:
        yield database_url(postgres_server, "plain").replace("postgres@", "plain@")
    finally:
        execute(postgres_server, "DROP DATABASE plain WITH (FORCE)")
        execute(postgres_server, "DROP ROLE plain")


def test_row_security_hides_nothing_from_moving_and_keeping(tmp_path: Path, plain_url: str) -> None:
    home = make_installation(tmp_path / "home")
    first = back_up(home, tmp_path / "1.zip", now=NOON, told=quiet)
    move(home, plain_url, restart=False, now=noon, told=quiet)
    there = replace(home, database_url=plain_url)
    assert ask(there, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == [(False,)]
    second = back_up(there, tmp_path / "2.zip", now=NOON, told=quiet)
    assert second.tables["sessions"] == first.tables["sessions"]
    assert second.tables["people"].digest == first.tables["people"].digest
    with pytest.raises(Conflict, match="has rows"):
        restore(
            settings_in(tmp_path / "x", plain_url),
            tmp_path / "2.zip",
            Wish(),
            now=noon,
            told=quiet,
        )
    wish = Wish(replace=True)
    done = restore(there, tmp_path / "2.zip", wish, now=noon, told=quiet)
    assert any(each.startswith("schema paige_before_") for each in done.aside)
    third = back_up(there, tmp_path / "3.zip", now=NOON, told=quiet)
    assert third.tables == second.tables
    again = restore(there, tmp_path / "1.zip", wish, now=lambda: NOON.replace(hour=13), told=quiet)
    assert len([each for each in again.aside if each.startswith("schema")]) == 1


def test_a_server_on_postgresql_keeps_a_restore_away(tmp_path: Path, plain_url: str) -> None:
    home = make_installation(tmp_path / "home")
    back_up(home, tmp_path / "b.zip", now=NOON, told=quiet)
    move(home, plain_url, restart=False, now=noon, told=quiet)
    home = replace(home, database_url=plain_url)

    with psycopg.connect(plain_url) as other:
        other.execute("SELECT 1")
        with pytest.raises(Conflict, match="1 others have"):
            restore(home, tmp_path / "b.zip", Wish(replace=True), now=noon, told=quiet)
    assert (home.workspace / "lessons/bread.md").exists()
    restore(home, tmp_path / "b.zip", Wish(replace=True), now=noon, told=quiet)


def test_when_a_rename_fails_everything_is_as_before(tmp_path: Path) -> None:
    places = places_into(tmp_path / "home")
    places.data.mkdir()
    (places.data / "old.txt").write_text("old")
    staging = Staging(places, "now")
    staging.write(places.data / "new.txt", [b"new"], 0o600)
    staging.units[tmp_path / "elsewhere"] = tmp_path / "was never written"
    with pytest.raises(Unavailable):
        staging.swap()
    assert [path.name for path in places.data.iterdir()] == ["old.txt"]
    staging.clear()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home"]


def test_a_log_outside_of_every_folder_is_put_aside_alone(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    home = replace(make_installation(tmp_path / "home"), given_memory_path=shared / "log.jsonl")
    shared.mkdir()
    (shared / "notes.txt").write_text("of somebody else")
    (shared / "log.jsonl").write_bytes(
        (tmp_path / "home/config/ai/memory/events.jsonl").read_bytes()
    )
    (shared / "log-000000000001.jsonl").write_bytes(b"")
    back_up(home, tmp_path / "b.zip", now=NOON, told=quiet)
    before = (shared / "log.jsonl").read_bytes()
    done = restore(home, tmp_path / "b.zip", Wish(replace=True), now=noon, told=quiet)
    assert (shared / "log.jsonl").read_bytes() == before
    assert (shared / "notes.txt").read_text() == "of somebody else"
    assert len(list(shared.glob("log*.before-*"))) == 2
    assert str(shared) not in done.aside


KILLED = """
import sys
from pathlib import Path
from paige.doors.data.restore import Wish, restore
from paige.base.clock import system_clock
from tests.app.keeping import settings_in
def told(what, done, of):
    print(what, flush=True)
    if what in ("rows", "comparing"):
        input()
folder = Path(sys.argv[1])
restore(settings_in(folder / "x"), folder / "b.zip", Wish(into=folder / "new"),
        now=system_clock, told=told)
"""


@pytest.mark.parametrize("at", ["rows", "comparing"])
def test_a_killed_restore_leaves_the_target_empty_and_the_next_one_tidies_up(
    tmp_path: Path, at: str
) -> None:
    back_up(make_installation(tmp_path / "home"), tmp_path / "b.zip", now=NOON, told=quiet)
    with python(KILLED, tmp_path) as process:
        for _ in range(500):
            said = line(process)
            if said == at:
                break
            if said == "rows":
                tell(process)
        process.kill()
        process.wait()
    assert not (tmp_path / "new").exists()
    assert list(tmp_path.glob(".new.*"))
    wish = Wish(into=tmp_path / "new")
    restore(settings_in(tmp_path / "x"), tmp_path / "b.zip", wish, now=noon, told=quiet)
    assert not list(tmp_path.glob(".new.*"))


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"port = ", b"port = 1\n[odd]\nx = 'sk-planted-1'\n"]
)
def test_a_settings_file_that_nobody_understands_gives_no_key_away(
    tmp_path: Path, data: bytes
) -> None:
    home = make_installation(tmp_path / "home")
    (tmp_path / "home/config/ai/paige.toml").write_bytes(data)
    text, gone = without_secrets(tmp_path / "home/config/ai/paige.toml")
    assert gone
    assert "planted" not in text
    assert home.data_dir.exists()
