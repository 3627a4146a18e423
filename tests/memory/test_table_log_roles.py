"""The log and documents in tables as a role uses them that owns nothing."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.memory.log.table_log import TableLog
from paige.store.document_table import TableDocuments
from paige.store.documents import NEW
from paige.store.engine import Database, open_database
from tests.conftest import NOON, TEMPLATE
from tests.memory.log_writer import add, texts
from tests.postgres import execute, temp_database
from tests.store.running import read, write

ROLE = "paige_in_tables"
ANNA, BEN, FAR = Actor("school", "anna"), Actor("school", "ben"), Actor("far", "anna")


@pytest.fixture
def as_role(postgres_server: str) -> Iterator[Database]:
    """A migrated database, used by a role that may read and write rows and nothing else."""
    with temp_database(postgres_server, template=TEMPLATE) as url:
        execute(url, f"DROP ROLE IF EXISTS {ROLE}")
        execute(url, f"CREATE ROLE {ROLE} LOGIN")
        for what in ("TABLES", "SEQUENCES"):
            execute(url, f"GRANT ALL ON ALL {what} IN SCHEMA public TO {ROLE}")
        address = url.replace("postgres@", f"{ROLE}@")
        try:
            with closing(open_database(Settings(cwd=Path("/"), database_url=address))) as found:
                yield found
        finally:
            execute(url, f"DROP OWNED BY {ROLE}")
            execute(url, f"DROP ROLE {ROLE}")


def log_of(database: Database, actor: Actor, at: datetime = NOON) -> TableLog:
    return TableLog(database, actor, now=lambda: at)


def test_a_role_without_rights_to_tables_can_do_what_a_log_does(as_role: Database) -> None:
    log = log_of(as_role, ANNA, datetime(2033, 7, 1, tzinfo=UTC))
    add(log, "one", "two")  # a month that has no partition yet
    add(log_of(as_role, FAR), "theirs")
    assert texts(log) == texts(log_of(as_role, BEN)) == ["one", "two"]
    assert texts(log_of(as_role, FAR)) == ["theirs"]
    assert log.forget(["e1"]) == 1
    assert log.verify().problems == []
    month = "SELECT count(*) FROM pg_tables WHERE tablename = 'memory_log_2033_07'"
    assert read(as_role, lambda connection: connection.scalar(text(month))) == 1


def test_without_a_tenant_nothing_is_seen_and_partitions_are_closed(as_role: Database) -> None:
    add(log_of(as_role, ANNA), "one")
    count = text("SELECT count(*) FROM memory_log")
    assert read(as_role, lambda connection: connection.scalar(count)) == 0
    assert read(as_role.of(FAR), lambda connection: connection.scalar(count)) == 0
    assert read(as_role.of(ANNA), lambda connection: connection.scalar(count)) == 1
    with pytest.raises(PaigeError, match="permission denied"):
        read(
            as_role.of(ANNA),
            Connection.execute,
            text("SELECT * FROM paige_months.memory_log_other"),
        )
    for statement in ("DELETE FROM memory_log", "UPDATE memory_log SET line = ''"):
        with pytest.raises(PaigeError, match="only ever added to"):
            write(as_role.of(ANNA), Connection.execute, text(statement))


def test_documents_of_one_person_are_hidden_from_others_by_the_database(as_role: Database) -> None:
    def documents(actor: Actor, *, shared: bool = False) -> TableDocuments:
        return TableDocuments(as_role, actor, "workspace", now=lambda: NOON, shared=shared)

    documents(ANNA).write("a.md", "anna's", base=NEW)
    documents(ANNA, shared=True).write("b.md", "ours", base=NEW)
    count = text("SELECT path FROM documents ORDER BY path")
    found = {
        actor.person + "@" + actor.tenant: list(
            read(as_role.of(actor), lambda connection: connection.scalars(count).all())
        )
        for actor in (ANNA, BEN, FAR, Actor("school", "head", frozenset({"admin"})))
    }
    assert found == {
        "anna@school": ["a.md", "b.md"],
        "ben@school": ["b.md"],
        "anna@far": [],
        "head@school": ["a.md", "b.md"],
    }
    assert documents(BEN, shared=True).read("b.md").text == "ours"
    assert documents(BEN).paths() == []
