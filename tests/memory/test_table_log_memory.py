"""A whole memory whose log is in a real PostgreSQL with pgvector."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paige.base.actor import Actor
from paige.base.settings import read_settings
from paige.memory.access import Reader
from paige.memory.checks import checks
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.lifecycle.retention import Forget
from paige.memory.log.log import Log
from paige.memory.log.table_log import TableLog
from paige.memory.memory import Memory
from paige.memory.search_values import Ask
from paige.memory.setup import index_folder
from paige.store.engine import Database, open_database
from paige.store.migrate import migrate
from tests.conftest import NOON
from tests.memory.log_writer import add
from tests.memory.opened import opened, settings_in
from tests.pgvector import temp_pgvector
from tests.postgres import temp_database

BOILER = "The boiler of the school stands in the cellar."


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with temp_pgvector() as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with temp_database(server, template="template0") as address:
        yield address


def place(folder: Path, name: str) -> Path:
    (folder / name).mkdir(exist_ok=True)
    return folder / name


def test_what_one_server_remembers_another_finds_and_forgets(tmp_path: Path, url: str) -> None:
    one, two = place(tmp_path, "one"), place(tmp_path, "two")
    with opened(one, DATABASE_URL=url) as here, opened(two, DATABASE_URL=url) as there:
        [stored] = here.remember([Draft(text=BOILER)], Writer())
        found = there.search(Ask(query="boiler"), Reader())
        assert [each.text for each in found.results] == [BOILER]
        [again] = there.remember([Draft(text="Bicycles stand in the yard.", id="given")], Writer())
        assert again.event is not None
        assert again.event.seq == 2
        [twice] = here.remember([Draft(text="Whatever.", id="given")], Writer())
        assert twice.status == "duplicate"
        assert stored.id is not None
        there.forget(there.plan_forgetting(Forget(ids=frozenset({stored.id}))), Actor())
        left = here.search(Ask(query="boiler cellar"), Reader()).results
        assert BOILER not in [each.text for each in left]
        assert not any(BOILER.encode() in line for _, line in here.projects.main.lines())
        assert here.verify(Actor()) == there.verify(Actor()) == []
        assert isinstance(here.projects.main, TableLog)
    assert not any(each.suffix == ".jsonl" for each in tmp_path.rglob("events*"))


def test_documents_are_the_same_on_every_server_and_have_no_files(tmp_path: Path, url: str) -> None:
    one, two = place(tmp_path, "one"), place(tmp_path, "two")
    with opened(one, DATABASE_URL=url) as here, opened(two, DATABASE_URL=url) as there:
        here.documents.write(Actor(), "MEMORY.md", "- The room is 12.", base="")
        assert there.documents.read(Actor(), "MEMORY.md").content == "- The room is 12."
    assert not list(tmp_path.rglob("MEMORY.md"))


def test_a_project_keeps_its_own_log_in_its_folder(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, DATABASE_URL=url) as memory:
        root = tmp_path / "project"
        (root / ".git").mkdir(exist_ok=True)
        (root / ".ai" / "memory").mkdir(parents=True)
    with opened(tmp_path, DATABASE_URL=url) as memory:
        ids = list(memory.projects._roots)
        draft = Draft(text="Only here.", scope="project", project=ids[0])
        memory.remember([draft, Draft(text="For all.", scope="global")], Writer())
        assert memory.projects.main.last_seq() == 1
        found = memory.search(Ask(query="only here", project=ids[0]), Reader(person="me"))
        assert "Only here." in [each.text for each in found.results]
    assert "Only here." in (root / ".ai" / "memory" / "events.jsonl").read_text()


def test_a_file_that_a_person_named_stays_the_log(tmp_path: Path, url: str) -> None:
    path = tmp_path / "mine.jsonl"
    with opened(tmp_path, DATABASE_URL=url, AI_MEMORY_PATH=str(path)) as memory:
        memory.remember([Draft(text=BOILER)], Writer())
        assert isinstance(memory.projects.main, Log)
    assert BOILER in path.read_text()


def test_tenants_have_logs_and_indexes_of_their_own(tmp_path: Path, url: str) -> None:
    settings = settings_in(tmp_path, DATABASE_URL=url)
    assert index_folder(settings) != index_folder(settings, "school")
    database: Database = open_database(settings)
    try:
        migrate(database)
        for tenant, text in (("local", "ours"), ("school", "theirs")):
            memory = Memory(settings=settings, database=database, now=lambda: NOON, tenant=tenant)
            memory.remember([Draft(text=f"This is {text}.")], Writer())
            found = memory.search(Ask(query="this is"), Reader())
            assert [each.text for each in found.results] == [f"This is {text}."]
            memory.close()
    finally:
        database.close()


def test_doctor_counts_the_events_and_tells_of_a_log_left_behind(tmp_path: Path, url: str) -> None:
    settings = read_settings({"HOME": str(tmp_path), "DATABASE_URL": url}, tmp_path)
    with opened(tmp_path, DATABASE_URL=url):
        pass
    assert {each.name: each.status for each in checks(settings)}["memory log"] == "ok"
    add(Log(settings.memory_path), "from before")
    [found] = [each for each in checks(settings) if each.name == "memory log"]
    assert (found.status, "paige move" in (found.fix or "")) == ("warn", True)
    with opened(tmp_path, DATABASE_URL=url) as memory:
        memory.remember([Draft(text=BOILER)], Writer())
    [found] = [each for each in checks(settings) if each.name == "memory log"]
    assert found.message == "the database holds 1 events"


def test_two_servers_that_add_to_one_document_lose_no_line(tmp_path: Path, url: str) -> None:
    one, two = place(tmp_path, "one"), place(tmp_path, "two")
    with opened(one, DATABASE_URL=url) as here, opened(two, DATABASE_URL=url) as there:

        def add_lines(memory: Memory, name: str) -> None:
            for number in range(6):
                memory.documents.append(Actor(), "MEMORY.md", f"- {name} {number}")

        threads = [
            threading.Thread(target=add_lines, args=each) for each in ((here, "a"), (there, "b"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lines = here.documents.read(Actor(), "MEMORY.md").content.splitlines()
    assert sorted(lines) == sorted(f"- {name} {number}" for name in "ab" for number in range(6))
