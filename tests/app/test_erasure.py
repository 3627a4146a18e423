import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, update

from paige.agent.tables import BLOBS, RUNS
from paige.app.application import App, open_app
from paige.app.backup.tables import declared
from paige.app.erasure import erase, export_person, plan_erasure
from paige.base.actor import Actor
from paige.base.errors import Conflict, NotFound
from paige.base.settings import Settings
from paige.guard.tables import DECISIONS
from paige.store.document_table import TableDocuments
from paige.store.people_queries import Person, insert_person
from paige.store.rows import person_queries as queries
from paige.store.tables import EVENTS, LEASES
from tests.app.keeping import fill_tables, remember, settings_in, sums
from tests.conftest import NOON

ADMIN = Actor("local", "head", frozenset({"admin"}))
ADA = Actor("local", "ada-7f3a")
MARK = "plantedada"
OWN = "c" * 63 + "1"
SHARED = "c" * 63 + "2"
NOT_HERS = {"tenants", "memory_cursors", "oidc_starts", "sign_in_tries", "blobs", "audit_log"}


def noon():
    return NOON


@pytest.fixture
def app(empty_settings: Settings, tmp_path: Path) -> Iterator[App]:
    settings = settings_in(tmp_path / "home", empty_settings.database_url)
    with open_app(settings, strict=False, now=noon) as opened:
        yield opened


def settle(app: App) -> None:
    """Somebody else, whose things must stay, and then ada's."""
    fill_tables(app.database, person="bob", mark="bob")
    names = {each.name for each in declared()} - NOT_HERS - {"memory_log", "memory_log_heads"}
    fill_tables(app.database, person=ADA.person, mark=MARK, only=names)
    with app.database.system.transaction(write=True) as connection:
        hers = RUNS.c.person == ADA.person
        header = {"files": {"a": OWN, "b": SHARED}, "says": MARK}
        connection.execute(update(RUNS).where(hers).values(header=header))
        others = {"files": {"b": SHARED}}
        connection.execute(update(RUNS).where(RUNS.c.person == "bob").values(header=others))
        blobs = [(OWN, f"{MARK} prompt"), (SHARED, "a shared prompt")]
        rows = [{"tenant": "local", "hash": name, "text": text} for name, text in blobs]
        connection.execute(insert(BLOBS), rows)
        for number in range(1, 4):
            key = f"{MARK}{number:06d}"
            one = DECISIONS.c.id == key
            connection.execute(update(DECISIONS).where(one).values(session=key))
            lease = LEASES.c.name == key
            connection.execute(update(LEASES).where(lease).values(name=f"run/{key}"))
        told = {"who": ADA.person, "deep": [{"by": ADA.person}, "others"]}
        row = {"seq": 9_999_999, "tenant": "local", "person": None, "topic": "x", "payload": told}
        connection.execute(insert(EVENTS), {**row, "at": NOON})
    desk = app.settings.data_dir / "people" / "local" / ADA.person
    (desk / "teaching").mkdir(parents=True)
    (desk / "teaching/answers.txt").write_text(f"{MARK} answers")
    (app.settings.data_dir / "people/local/bob").mkdir()
    (app.settings.data_dir / "people/local/bob/mine.txt").write_text("of bob")
    memory = app.memory.open()
    remember(memory, f"{MARK} likes pears", f"{MARK} fears maths", person=ADA.person)
    remember(memory, "bob grows beans", person="bob")
    if app.database.kind == "sqlite":
        # Kept since an upgrade, and it holds her words, too.
        (app.settings.data_dir / "paige.db.before-0001").write_text(f"{MARK} of long ago")
    if app.database.kind == "postgresql":
        documents = TableDocuments(app.database, ADA, "workspace", now=noon)
        first = documents.write("essay.md", f"{MARK} essay", base="")
        documents.write("essay.md", f"{MARK} better essay", base=first.version)
        shared = TableDocuments(app.database, ADA, "board", now=noon, shared=True)
        shared.write("board.md", "for everyone", base="")


def found_in_tables(app: App, words: str) -> list[str]:
    """The tables with a row that holds these words in any column."""
    found = []
    with app.database.system.transaction(write=False) as connection:
        for table in declared():
            for row in connection.execute(table.select()).mappings():
                if words in repr(dict(row)) or words in json.dumps(dict(row), default=str):
                    found.append(table.name)
    return sorted(set(found))


def found_in_files(folder: Path, words: str) -> list[str]:
    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root) / name
            if words in str(path) or words.encode() in path.read_bytes():
                found.append(path.relative_to(folder).as_posix())
    return found


def others(app: App) -> dict[str, list[Any]]:
    """Every row that names bob, or nobody."""
    kept: dict[str, list[Any]] = {}
    with app.database.system.transaction(write=False) as connection:
        for table in declared():
            rows = [repr(dict(row)) for row in connection.execute(table.select()).mappings()]
            kept[table.name] = [row for row in rows if MARK not in row and ADA.person not in row]
    for name in ("audit_log", "memory_log_heads"):  # both only go on
        kept.pop(name)
    return kept


@pytest.mark.db
def test_nothing_of_an_erased_person_is_left_and_others_keep_theirs(app: App) -> None:
    settle(app)
    before = others(app)
    plan = plan_erasure(app, ADMIN, ADA.person)
    assert plan.memories == 2
    assert plan.files == 1
    assert {"sessions", "runs", "journal", "spans", "decisions", "people", "blobs"} <= set(
        plan.rows
    )
    assert plan.rows["blobs"] == 1
    done = erase(app, ADMIN, plan)
    assert done.rows == plan.rows
    assert found_in_tables(app, MARK) == []
    # An id alone: of an entry in the audit log, and of the frame of a memory without words.
    left = {"audit_log"} | ({"memory_log"} if app.database.kind == "postgresql" else set())
    assert set(found_in_tables(app, ADA.person)) <= left
    texts = [each.text for each in app.memory.open().all_events() if each.text]
    assert texts == ["bob grows beans"]
    assert all(log.verify().ok for log in app.memory.open().projects.all())
    app.memory.close()
    app.database.close()
    assert found_in_files(app.settings.cwd, MARK) == []
    assert (app.settings.data_dir / "people/local/bob/mine.txt").exists()
    assert not (app.settings.data_dir / "people/local" / ADA.person).exists()
    after = others(app)
    for name in before:
        missing = set(before[name]) - set(after[name])
        assert not missing, (name, missing)
    with pytest.raises(NotFound):
        plan_erasure(app, ADMIN, ADA.person)


@pytest.mark.db
def test_erasing_is_audited_without_any_words(app: App) -> None:
    settle(app)
    erase(app, ADMIN, plan_erasure(app, ADMIN, ADA.person))
    with app.database.system.transaction(write=False) as connection:
        rows = [
            dict(row)
            for table in declared()
            if table.name == "audit_log"
            for row in connection.execute(table.select()).mappings()
            if row["action"] == "person.erase"
        ]
    [entry] = rows
    assert (entry["person"], entry["target"]) == ("head", ADA.person)
    assert entry["detail"]["memories"] == 2


@pytest.mark.db
def test_an_export_holds_everything_readable_and_no_secret(app: App, tmp_path: Path) -> None:
    settle(app)
    before = sums(app.database)
    done = export_person(app, ADMIN, ADA.person, tmp_path / "ada.zip")
    with zipfile.ZipFile(done.path) as archive:
        names = set(archive.namelist())
        memories = json.loads(archive.read("memories.json"))
        sessions = json.loads(archive.read("tables/sessions.json"))
        people = json.loads(archive.read("tables/people.json"))
        everything = b"".join(archive.read(name) for name in names).decode()
        answers = archive.read(f"files/{ADA.person}/teaching/answers.txt").decode()
    assert [each["text"] for each in memories] == [f"{MARK} likes pears", f"{MARK} fears maths"]
    assert len(sessions) == 3
    assert "password_hash" not in people[0]
    assert answers == f"{MARK} answers"
    assert "bob" not in everything
    assert "tables/sign_ins.json" not in names
    if app.database.kind == "postgresql":
        assert f"documents/{ADA.person}/workspace/essay.md" in names
    after = sums(app.database)
    assert {name for name in before if before[name] != after[name]} == {"audit_log"}


def test_an_erasure_that_was_cut_off_goes_on(app: App) -> None:
    settle(app)
    plan = plan_erasure(app, ADMIN, ADA.person)
    with app.database.system.transaction(write=True) as connection:
        queries.erase_person(connection, ADA)  # and then the power went
    again = plan_erasure(app, ADMIN, ADA.person)
    assert again.rows == {}
    assert (again.memories, again.files) == (plan.memories, plan.files)
    erase(app, ADMIN, again)
    with pytest.raises(NotFound):
        plan_erasure(app, ADMIN, ADA.person)


def test_the_last_admin_is_not_erased_while_others_are_there(app: App) -> None:
    def person(id: str, *roles: str) -> Person:
        return Person("local", id, id, None, roles, None, None, None, "active", NOON, NOON)

    with app.database.system.transaction(write=True) as connection:
        insert_person(connection, person("head", "admin"))
        insert_person(connection, person("bob", "learner"))
    with pytest.raises(Conflict, match="only admin"):
        erase(app, ADMIN, plan_erasure(app, ADMIN, "head"))
    erase(app, ADMIN, plan_erasure(app, ADMIN, "bob"))
    erase(app, ADMIN, plan_erasure(app, ADMIN, "head"))


def test_the_person_of_an_installation_without_accounts_can_be_erased(app: App) -> None:
    fill_tables(app.database)
    app.settings.workspace.mkdir()
    (app.settings.workspace / "plan.md").write_text("secret plan")
    remember(app.memory.open(), "secret wish")
    plan = plan_erasure(app, Actor(), "me")
    erase(app, Actor(), plan)
    assert [each.text for each in app.memory.open().all_events() if each.text] == []
    assert not app.settings.workspace.exists()
    with pytest.raises(NotFound):
        plan_erasure(app, Actor(), "me")


def test_nobody_of_another_tenant_is_found(app: App) -> None:
    settle(app)
    with pytest.raises(NotFound):
        plan_erasure(app, replace(ADMIN, tenant="school"), ADA.person)
