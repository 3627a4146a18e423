"""Row-level security: PostgreSQL itself keeps people apart, whatever a query forgets."""

import importlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.store.checks import row_security_checks
from paige.store.engine import Database, open_database
from paige.store.messages import Message, publish
from paige.store.queries import append_event, events_after, latest_event
from paige.store.row_security import SYSTEM, TransactionActor, acting_for, found_in
from paige.store.tables import METADATA
from tests.conftest import NOON, TEMPLATE
from tests.postgres import temp_database

ROOMS = ("agent", "coach", "guard", "learner", "memory", "models", "store")
ANNA = Actor("oak", "anna", frozenset({"teacher"}))
BEN = Actor("oak", "ben", frozenset({"learner"}))
ADA = Actor("oak", "ada", frozenset({"admin"}))
EVE = Actor("elm", "eve", frozenset({"admin"}))
_ROLES = count(1)


def run(address: str, *statements: str) -> None:
    """Run statements as the owner."""
    with psycopg.connect(address, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.fixture
def owner(postgres_server: str) -> Iterator[str]:
    """A migrated database, by the address of its owner."""
    with temp_database(postgres_server, template=TEMPLATE) as url:
        yield url


@pytest.fixture
def plain(owner: str, tmp_path: Path) -> Iterator[Settings]:
    """Settings of a role that owns nothing, is no superuser and may bypass nothing."""
    role = f"paige_plain_{next(_ROLES)}"
    run(
        owner,
        f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {role}",
    )
    address = owner.replace("postgres@", f"{role}@")
    yield Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", database_url=address)
    run(owner, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


@pytest.fixture
def bound(plain: Settings) -> Iterator[Database]:
    """The database as that role sees it, with an event and a call of everyone in it."""
    with closing(open_database(plain)) as database:
        for actor in (ANNA, BEN, ADA, EVE):
            with database.of(actor).transaction(write=True) as connection:
                append_event(connection, actor, "told", {"of": actor.person}, now=NOON)
                append_event(connection, actor, "all", {}, now=NOON, everyone=True)
        yield database


def seen(database: Database, statement: str = "SELECT tenant, person FROM events") -> set[object]:
    """What a statement without any condition shows."""
    with database.transaction(write=False) as connection:
        return {tuple(row) for row in connection.execute(text(statement))}


def changed(database: Database, statement: str) -> int:
    """How many rows a statement without any condition changes."""
    with database.transaction(write=True) as connection:
        return connection.execute(text(statement)).rowcount


def test_every_table_of_tenants_is_bound_by_it_even_for_its_owner(owner: str) -> None:
    for room in ROOMS:
        importlib.import_module(f"paige.{room}.tables")
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity"
        )
        forced = {row[0] for row in rows}
    assert {table.name for table in METADATA.sorted_tables} - forced == set()


def test_a_query_that_forgets_its_conditions_finds_only_what_is_ones_own(bound: Database) -> None:
    assert seen(bound.of(ANNA)) == {("oak", "anna"), ("oak", None)}
    assert seen(bound.of(BEN)) == {("oak", "ben"), ("oak", None)}
    assert seen(bound.of(EVE)) == {("elm", "eve"), ("elm", None)}


def test_an_admin_sees_everyone_of_their_tenant_and_nobody_else(bound: Database) -> None:
    own = {("oak", name) for name in ("anna", "ben", "ada", None)}
    assert seen(bound.of(ADA)) == own
    assert seen(bound.of_tenant("oak")) == own


def test_a_transaction_that_says_nobody_finds_nothing(bound: Database) -> None:
    assert seen(bound) == set()
    with bound.of(ANNA).transaction(write=False) as connection:
        connection.execute(text("SELECT 1"))
    assert seen(bound) == set()  # what a connection was told ends with its transaction


def test_the_server_sees_everything_when_it_says_so(bound: Database) -> None:
    assert len(seen(bound.system)) == 6


def test_nothing_of_others_is_changed_or_removed(bound: Database) -> None:
    assert changed(bound.of(BEN), "UPDATE events SET topic = 'mine'") == 4
    assert changed(bound.of(EVE), "DELETE FROM events") == 2
    left = seen(bound.system, "SELECT tenant, person, topic FROM events")
    assert ("oak", "anna", "told") in left
    assert ("oak", "ben", "mine") in left


@pytest.mark.parametrize("whose", [("elm", "ben"), ("oak", "anna")])
def test_nothing_is_written_in_the_name_of_others(bound: Database, whose: tuple[str, str]) -> None:
    statement = (
        "INSERT INTO events (seq, tenant, person, topic, payload, at) "
        f"VALUES (99, '{whose[0]}', '{whose[1]}', 'x', '{{}}', now())"
    )
    with pytest.raises(PaigeError, match="row-level security"):
        changed(bound.of(BEN), statement)
    with pytest.raises(PaigeError, match="row-level security"):
        changed(bound.of(BEN), f"UPDATE events SET tenant = '{whose[0]}', person = 'x'")


def test_numbers_of_events_are_common_although_others_are_hidden(bound: Database) -> None:
    with bound.of(BEN).transaction(write=True) as connection:
        assert latest_event(connection) == 8
        assert append_event(connection, BEN, "told", {}, now=NOON) == 9
        assert events_after(connection, 8)[0].seq == 9


class Told(Message):
    """A message of these tests."""

    topic = "told"


@pytest.mark.anyio
async def test_the_actor_is_found_among_the_arguments_of_a_query(bound: Database) -> None:
    await bound.write(partial(publish, actor=EVE, message=Told(), now=NOON))
    assert await bound.read(lambda connection, actor: len(events_after(connection, 0)), EVE) == 3
    assert await bound.read(events_after, 0) == []
    assert len(await bound.system.read(events_after, 0)) == 9


def test_actors_are_found_inside_what_is_given() -> None:
    class Looking:
        actor = ANNA

    def query(*args: object, **kwargs: object) -> None: ...

    assert found_in(query, (1, "x", Looking()), {}) == acting_for(ANNA)
    assert found_in(partial(query, whose=BEN), (), {}) == acting_for(BEN)
    assert found_in(partial(query, BEN), (ADA,), {}) == TransactionActor("oak", "ada", "tenant")
    assert found_in(query, (1, None), {"x": object()}) is None
    assert SYSTEM.sees == "all"


def test_doctor_says_when_the_database_user_is_not_bound(plain: Settings, owner: str) -> None:
    [check] = row_security_checks(plain)
    assert check.status == "ok"
    [check] = row_security_checks(replace(plain, database_url=owner))
    assert check.status == "warn"
    assert "superuser" in check.message
    assert row_security_checks(replace(plain, database_url="")) == []


def test_the_owner_migrates_and_the_plain_role_works(
    postgres_server: str, plain: Settings, tmp_path: Path
) -> None:
    with temp_database(postgres_server, template="template0") as owner:
        plain_role = plain.database_url.partition("//")[2].partition("@")[0]
        own = replace(
            plain,
            database_url=owner.replace("postgres@", f"{plain_role}@"),
            database_owner_url=owner,
        )
        with (
            open_app(own, strict=False) as app,
            app.database.of(ANNA).transaction(write=True) as connection,
        ):
            append_event(connection, ANNA, "told", {}, now=NOON)
        with open_app(own, strict=False) as app:
            assert seen(app.database.of(BEN)) == set()
            assert seen(app.database.of(ANNA)) == {("oak", "anna")}
            with pytest.raises(PaigeError, match="must be owner"):
                changed(app.database.system, "ALTER TABLE events DISABLE ROW LEVEL SECURITY")
        run(owner, f"DROP OWNED BY {plain_role}")
