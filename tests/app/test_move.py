from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert, text

from paige.agent.tables import BLOBS
from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError
from paige.base.settings import Settings
from paige.doors.data.backup import back_up
from paige.doors.data.move import move
from paige.doors.data.restore import Wish, restore
from paige.memory.log.log import Log
from paige.memory.log.table_log import TableLog
from paige.store.document_table import TableDocuments
from paige.store.engine import open_database, open_sqlite
from paige.store.migrate import upgrade
from tests.app.keeping import ELSEWHERE, ask, make_installation, quiet, remember, settings_in, sums
from tests.conftest import NOON
from tests.depth import DEEP
from tests.postgres import temp_database
from tests.processes import line, python


def noon():
    return NOON


@pytest.fixture
def url(postgres_server: str) -> Iterator[str]:
    with temp_database(postgres_server, template="template0") as found:
        yield found


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return make_installation(tmp_path / "home")


def moved(settings: Settings, url: str, *, restart: bool = False):
    return move(settings, url, restart=restart, now=noon, told=quiet)


def rows_in(settings: Settings) -> dict[str, tuple[int, str]]:
    with closing(open_database(settings)) as database:
        found = sums(database)
    # What is a file in the one is rows in the other; writing documents is told as events.
    return {name: each for name, each in found.items() if name not in ("events", *ELSEWHERE)}


def many_blobs(settings: Settings, count: int, start: int = 0) -> None:
    rows = [
        {"tenant": "local", "hash": f"many{number:08d}", "text": "x" * 50}
        for number in range(start, start + count)
    ]
    with closing(open_database(settings)) as database, database.transaction(write=True) as there:
        there.execute(insert(BLOBS), rows)


def test_everything_shared_is_in_postgresql_and_the_source_is_untouched(
    home: Settings, url: str
) -> None:
    before = rows_in(home)
    done = moved(home, url)
    there = replace(home, database_url=url)
    assert rows_in(there) == before == rows_in(home)
    assert {each.name for each in done.checked} >= {"sessions", "memory log", "workspace"}
    assert all(len(each.digest) == 64 for each in done.checked)
    with closing(open_database(there)) as database:
        log = TableLog(database, Actor(), now=noon)
        assert list(log.lines()) == list(Log(home.memory_path).lines())
        assert log.verify().ok
        documents = TableDocuments(database, Actor(), "workspace", now=noon)
        assert documents.read("lessons/bread.md").text == "Bread and yeast\n"
    assert ask(there, "SELECT to_regclass('paige_move')") == [(None,)]
    with open_app(there, strict=False, now=noon) as app:
        memory = app.memory.open()
        remember(memory, "The log goes on in the table")
        assert len(list(memory.all_events())) == 2


def test_from_sqlite_to_postgresql_and_back_is_the_same(
    home: Settings, url: str, tmp_path: Path
) -> None:
    before = rows_in(home)
    lines = list(Log(home.memory_path).lines())
    moved(home, url)
    there = replace(home, database_url=url)
    back_up(there, tmp_path / "b.zip", now=NOON, told=quiet)
    wish = Wish(into=tmp_path / "back")
    back = restore(settings_in(tmp_path / "x"), tmp_path / "b.zip", wish, now=noon, told=quiet)
    assert back.settings.database_url == ""
    assert rows_in(back.settings) == before
    assert list(Log(back.settings.memory_path).lines()) == lines
    assert (back.settings.workspace / "lessons/bread.md").read_text() == "Bread and yeast\n"


KILLED = """
import sys
from pathlib import Path
from paige.doors.data.move import move
from paige.base.clock import system_clock
from tests.app.keeping import settings_in
def told(what, done, of):
    print(what, done, of, flush=True)
    input()
move(settings_in(Path(sys.argv[1])), sys.argv[2], restart=False, now=system_clock, told=told)
"""


def killed_after(home: Settings, url: str, steps: int, *, until: str = "") -> str:
    """Start a move and kill it when it has said so much, or something; what it said last."""
    with python(KILLED, home.cwd, url) as process:
        assert process.stdin is not None
        said = line(process)
        for _ in range(steps):
            if said == until:
                break
            process.stdin.write("\n")
            process.stdin.flush()
            said = line(process)
        process.kill()
        process.wait()
    return said


def test_a_killed_move_goes_on_and_nothing_is_doubled(home: Settings, url: str) -> None:
    many_blobs(home, 4_500)
    before = rows_in(home)
    kills = []
    for steps in (0, 3, 9, 14, 2, 25, 60) if DEEP else (3, 25):
        kills.append(killed_after(home, url, steps))
    assert any(said.startswith("blobs") for said in kills), kills
    assert ask(replace(home, database_url=url), "SELECT count(*) FROM paige_move")[0][0] > 0
    done = moved(home, url)
    assert rows_in(replace(home, database_url=url)) == before == rows_in(home)
    assert sum(each.count for each in done.checked) > 4_500


def test_a_move_whose_source_changed_meanwhile_is_noticed(home: Settings, url: str) -> None:
    many_blobs(home, 2_500, start=1_000)
    said = killed_after(home, url, 40, until="blobs 1000 2503")
    assert said == "blobs 1000 2503"
    many_blobs(home, 5)  # before what was copied
    with pytest.raises(Conflict, match="`blobs` has 2508 rows here and 2503 there"):
        moved(home, url)
    moved(home, url, restart=True)
    assert rows_in(replace(home, database_url=url)) == rows_in(home)


def test_two_installations_are_never_mixed(home: Settings, url: str, tmp_path: Path) -> None:
    killed_after(home, url, 5)
    other = make_installation(tmp_path / "other")
    with pytest.raises(Conflict, match="is not finished"):
        moved(other, url)
    moved(home, url)
    with pytest.raises(Conflict, match="is not empty"):
        moved(other, url)
    with pytest.raises(Conflict, match="is not empty"):
        moved(other, url, restart=True)


def test_a_running_server_keeps_a_move_away(
    home: Settings, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.store.engine.BUSY_SECONDS", 0.2)
    with closing(open_database(home)) as database:
        with database.transaction(write=False) as connection:
            connection.execute(text("SELECT 1 FROM events"))
        with pytest.raises(Conflict, match=r"has .* open"):
            moved(home, url)
    moved(home, url)


def test_nobody_can_write_to_the_source_during_a_move(
    home: Settings, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.store.engine.BUSY_SECONDS", 0.2)
    refused = []

    def told(what: str, done: int, of: int) -> None:
        if not refused:
            with pytest.raises(PaigeError, match="locked") as error:
                ask(home, "SELECT 1 FROM events")
            refused.append(error)

    move(home, url, restart=False, now=noon, told=told)
    assert refused


def test_characters_that_postgresql_cannot_store_are_replaced_on_both_sides_of_the_sum(
    home: Settings, url: str
) -> None:
    with closing(open_database(home)) as database, database.transaction(write=True) as connection:
        row = {"tenant": "local", "hash": "odd", "text": "a\0b"}
        connection.execute(insert(BLOBS), row)
    moved(home, url)
    there = replace(home, database_url=url)
    assert ask(there, "SELECT text FROM blobs WHERE hash = 'odd'") == [("a\ufffdb",)]


def test_what_a_person_gave_a_place_stays_there(home: Settings, url: str, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    done = moved(replace(home, given_workspace=own), url)
    assert "workspace" not in {each.name for each in done.checked}
    assert any("PAIGE_WORKSPACE" in each for each in done.stays)


def test_people_and_tenants_come_along(home: Settings, url: str) -> None:
    desk = home.data_dir / "people/local/ada/workspace"
    desk.mkdir(parents=True)
    (desk / "ada.md").write_text("hers")
    school = home.data_dir / "tenants/school/memory/events.jsonl"
    school.parent.mkdir(parents=True)
    school.write_bytes(home.memory_path.read_bytes())
    moved(home, url)
    with closing(open_database(replace(home, database_url=url))) as database:
        documents = TableDocuments(database, Actor("local", "ada"), "workspace", now=noon)
        assert documents.paths() == ["ada.md"]
        assert TableLog(database, Actor("school"), now=noon).last_seq() == 1


def test_wrong_sources_and_targets_are_explained(home: Settings, url: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="in PostgreSQL already"):
        moved(replace(home, database_url=url), url)
    with pytest.raises(NotFound, match="no database"):
        moved(settings_in(tmp_path / "nothing"), url)
    with pytest.raises(BadInput, match="sqlite"):
        moved(home, "sqlite:///x.db")
    old = settings_in(tmp_path / "old")
    with closing(open_sqlite(old.data_dir / "paige.db")) as database:
        upgrade(database, "0008")
    with pytest.raises(Conflict, match="has schema 0008"):
        moved(old, url)
