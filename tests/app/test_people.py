"""Accounts, sign-ins, tokens and waits, on both engines."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import anyio
import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from paige.app.accounts import people, sign_ins
from paige.app.accounts.login_throttle import (
    ACCOUNT,
    ADDRESS,
    LONGEST,
    Allowance,
    TooManySignIns,
    one_more,
    wait_after,
)
from paige.app.accounts.passwords import (
    COMMON,
    LEAST,
    check_password,
    hash_password,
    is_dated,
    matches,
)
from paige.app.accounts.people import PersonChanges, PersonNew
from paige.app.accounts.sign_ins import Credentials, NewSignIn, WrongPassword, WrongSignIn
from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.base.settings import Settings
from paige.models.budget import LimitOnSpend, spending
from paige.store.people_queries import SpendLimit, doorkeeper
from tests.conftest import NOON, TEMPLATE
from tests.postgres import execute, temp_database

pytestmark = pytest.mark.anyio
ADMIN = Actor("local", "root", frozenset({"admin"}))
OTHER = Actor("school", "head", frozenset({"admin"}))
PASSWORD = "seven green kettles"


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        return self.at

    def move(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def app(db_settings: Settings, clock: Clock) -> Iterator[App]:
    with opened_app(db_settings, clock) as opened:
        yield opened


@contextmanager
def opened_app(settings: Settings, clock: Clock) -> Iterator[App]:
    with open_app(replace(settings, accounts="on"), strict=False, now=clock) as opened:
        yield opened


async def add(app: App, id: str, *roles: str, actor: Actor = ADMIN, **given: str) -> None:
    new = PersonNew(id=id, roles=roles or ("learner",), **given)  # type: ignore[arg-type]
    await people.add_person(app, actor, new)


async def enter(
    app: App, name: str, password: str = PASSWORD, *, tenant: str = "local", address: str = "::1"
) -> NewSignIn:
    return await sign_ins.sign_in(
        app,
        Credentials(tenant=tenant, name=name, password=password, address=address, label="Firefox"),
    )


async def actions(app: App, actor: Actor = ADMIN) -> list[str]:
    return [row.action for row in await people.audit_page(app, actor)][::-1]


@pytest.mark.db
async def test_a_person_signs_in_by_id_or_email_and_out_again(app: App) -> None:
    await add(app, "ada", "teacher", email="Ada@School.org", password=PASSWORD, name="Ada L")

    for name in ("ada", " ADA ", "ada@school.org", "ADA@school.ORG"):
        opened = await enter(app, name)
        person, sign_in = await sign_ins.who(app, opened.secret)
        assert (person.id, person.name, person.email) == ("ada", "Ada L", "ada@school.org")
        assert person.actor == Actor("local", "ada", frozenset({"teacher"}))
        assert sign_in.kind == "browser"
    await sign_ins.sign_out(app, opened.secret)

    with pytest.raises(WrongSignIn):
        await sign_ins.who(app, opened.secret)
    assert await actions(app) == ["tenant.add", "person.add", *["sign_in"] * 4, "sign_out"]


@pytest.mark.db
async def test_the_database_keeps_neither_password_nor_secret(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    opened = await enter(app, "ada")

    def everything(connection: Connection) -> str:
        rows = [
            connection.execute(text(f"SELECT * FROM {name}")).all()
            for name in ("people", "sign_ins", "audit_log", "sign_in_tries")
        ]
        return repr(rows)

    kept = await app.database.system.read(everything)
    assert PASSWORD not in kept
    assert opened.secret.partition(".")[2] not in kept


@pytest.mark.parametrize("name", ["ada", "nobody", "x@y.z", "../../etc", "a" * 299, "\x00", "ş"])
async def test_a_wrong_name_and_a_wrong_password_sound_alike(app: App, name: str) -> None:
    await add(app, "ada", password=PASSWORD)

    with pytest.raises(WrongSignIn, match="name or the password") as caught:
        await enter(app, name, "wrong password")
    assert caught.value.hint


async def test_an_account_without_password_has_no_password_that_fits(app: App) -> None:
    await add(app, "ada")
    for password in ("", "nobody's password", "None"):
        with pytest.raises(WrongSignIn):
            await enter(app, "ada", password)


@pytest.mark.db
async def test_each_mistake_doubles_the_wait_and_a_right_password_ends_it(
    app: App, clock: Clock
) -> None:
    await add(app, "ada", password=PASSWORD)
    for _ in range(ACCOUNT.free):
        with pytest.raises(WrongSignIn):
            await enter(app, "ada", "wrong password")

    waits = []
    for _ in range(3):
        with pytest.raises(TooManySignIns) as caught:
            await enter(app, "ada")  # even with the right one
        waits.append(caught.value.retry_after)
        assert caught.value.status == 429
        assert caught.value.hint is not None
        assert f"{waits[-1]} second" in caught.value.hint
        clock.move(seconds=waits[-1])
        with pytest.raises(WrongSignIn):
            await enter(app, "ada", "wrong password")
    assert waits == [1, 2, 4]

    clock.move(seconds=8)
    await enter(app, "ada")
    for _ in range(ACCOUNT.free):
        with pytest.raises(WrongSignIn):
            await enter(app, "ada", "wrong password")


@pytest.mark.db
async def test_another_server_counts_the_same_tries(
    app: App, db_settings: Settings, clock: Clock
) -> None:
    await add(app, "ada", password=PASSWORD)
    with opened_app(db_settings, clock) as second:
        for number in range(ACCOUNT.free):
            with pytest.raises(WrongSignIn):
                await enter((app, second)[number % 2], "ada", "wrong password")
        for server in (app, second):
            with pytest.raises(TooManySignIns, match="account"):
                await enter(server, "ada")


async def test_tries_at_once_do_not_slip_through(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    wrong: list[str] = []

    async def guess(number: int) -> None:
        try:
            await enter(app, "ada", f"wrong password {number}")
        except (WrongSignIn, TooManySignIns) as error:
            wrong.append(error.code)

    async with anyio.create_task_group() as tasks:
        for number in range(3 * ACCOUNT.free):
            tasks.start_soon(guess, number)
    assert wrong.count("sign_in") == ACCOUNT.free
    assert wrong.count("too_many_tries") == 2 * ACCOUNT.free


async def test_an_address_waits_when_it_guesses_at_many_accounts(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    for number in range(ADDRESS.free):
        with pytest.raises(WrongSignIn):
            await enter(app, f"pupil{number}", "wrong password", address="203.0.113.9")

    with pytest.raises(TooManySignIns, match="address"):
        await enter(app, "ada", address="203.0.113.9")
    await enter(app, "ada", address="198.51.100.7")


async def test_counts_that_rest_for_a_day_are_taken_out_by_the_next_who_comes(
    app: App, clock: Clock
) -> None:
    await add(app, "ada", password=PASSWORD)
    with pytest.raises(WrongSignIn):
        await enter(app, "nobody", "wrong password")

    def counts(connection: Connection, actor: Actor) -> int | None:
        return connection.scalar(text("SELECT count(*) FROM sign_in_tries"))

    assert await app.database.read(counts, ADMIN) == 2
    clock.move(hours=25)
    await enter(app, "ada")
    assert await app.database.read(counts, ADMIN) == 0


@given(failures=st.integers(0, 10**6), free=st.integers(0, 100))
def test_waits_grow_and_end_somewhere(failures: int, free: int) -> None:
    what = Allowance("account", free)
    wait = wait_after(failures, what)
    assert timedelta() <= wait <= wait_after(failures + 1, what) <= LONGEST
    assert (wait == timedelta()) is (failures < free)


def test_a_count_that_rests_for_a_day_begins_anew() -> None:
    tries = None
    for _ in range(9):
        tries = one_more(tries, ACCOUNT, now=NOON)
    assert tries is not None
    assert tries.failures == 9
    assert one_more(tries, ACCOUNT, now=NOON + timedelta(hours=24)).failures == 1


@pytest.mark.db
async def test_a_disabled_account_is_out_at_once_and_cannot_come_back(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    opened = await enter(app, "ada")
    token = await sign_ins.add_token(app, ADMIN, "ada", "script")

    await people.change(app, ADMIN, "ada", PersonChanges(state="disabled"))

    for secret in (opened.secret, token.secret):
        with pytest.raises(WrongSignIn):
            await sign_ins.who(app, secret)
    with pytest.raises(Refused, match="disabled"):
        await enter(app, "ada")
    with pytest.raises(WrongSignIn):
        await enter(app, "ada", "wrong password")


@pytest.mark.db
async def test_the_last_admin_stays_admin(app: App) -> None:
    await add(app, "root", "admin")
    await add(app, "ada", "teacher")
    for changes in (PersonChanges(state="disabled"), PersonChanges(roles=("teacher",))):
        with pytest.raises(Conflict, match="only admin"):
            await people.change(app, ADMIN, "root", changes)

    await people.change(app, ADMIN, "ada", PersonChanges(roles=("teacher", "admin")))
    after = await people.change(app, ADMIN, "root", PersonChanges(roles=("learner",)))
    assert after.roles == ("learner",)


@pytest.mark.db
async def test_ids_and_addresses_are_held_once_in_a_tenant(app: App) -> None:
    await add(app, "ada", email="ada@school.org")
    await add(app, "ada", actor=OTHER, email="ada@school.org")

    with pytest.raises(Conflict, match="`ada` already"):
        await add(app, "ada")
    with pytest.raises(Conflict, match="e-mail"):
        await add(app, "eve", email="ADA@school.org")
    assert [each.tenant for each in await people.people_of(app, OTHER)] == ["school"]
    assert (await people.people_of(app, ADMIN, words="SCHOOL"))[0].id == "ada"
    assert await people.people_of(app, ADMIN, words="100%") == []


@pytest.mark.db
async def test_a_secret_of_one_tenant_opens_no_other(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    await add(app, "ada", actor=OTHER, password="another long one")
    opened = await enter(app, "ada")

    forged = "school." + opened.secret.partition(".")[2]
    for secret in (forged, "", ".", "local.", "local", f"x{opened.secret}", "../.x", "local.\x00"):
        assert await sign_ins.find_secret(app, secret) is None
    with pytest.raises(WrongSignIn):
        await enter(app, "ada", tenant="school")
    assert (await enter(app, "ada", "another long one", tenant="school")).person.tenant == "school"


@pytest.mark.db
async def test_sign_ins_are_listed_revoked_and_run_out(app: App, clock: Clock) -> None:
    await add(app, "ada", password=PASSWORD)
    me = Actor("local", "ada")
    first, second = await enter(app, "ada"), await enter(app, "ada")
    token = await sign_ins.add_token(app, me, "ada", "laptop", days=60)
    assert token.secret.startswith("paige_local.")
    assert len(await sign_ins.sign_ins_of(app, me, "ada")) == 3

    await sign_ins.revoke(app, me, "ada", first.sign_in.id)
    with pytest.raises(NotFound):
        await sign_ins.revoke(app, me, "ada", first.sign_in.id)
    with pytest.raises(NotFound):
        await sign_ins.revoke(app, Actor("local", "eve"), "eve", second.sign_in.id)
    assert await sign_ins.find_secret(app, first.secret) is None
    assert await sign_ins.find_secret(app, second.secret) is not None

    clock.move(days=31)
    assert await sign_ins.find_secret(app, second.secret) is None
    assert await sign_ins.find_secret(app, token.secret) is not None
    clock.move(days=30)
    assert await sign_ins.find_secret(app, token.secret) is None
    assert await sign_ins.sign_ins_of(app, me, "ada") == []


async def test_when_a_secret_was_last_used_is_known_to_minutes(app: App, clock: Clock) -> None:
    await add(app, "ada", password=PASSWORD)
    opened = await enter(app, "ada")
    clock.move(minutes=1)
    await sign_ins.who(app, opened.secret)
    assert (await sign_ins.who(app, opened.secret))[1].last_used_at == NOON
    clock.move(minutes=9)
    await sign_ins.who(app, opened.secret)
    assert (await sign_ins.who(app, opened.secret))[1].last_used_at == clock.at


@pytest.mark.db
async def test_a_new_password_ends_other_browsers_but_no_tokens(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    me = Actor("local", "ada")
    mine, elsewhere = await enter(app, "ada"), await enter(app, "ada")
    token = await sign_ins.add_token(app, me, "ada", "laptop")

    with pytest.raises(WrongPassword):
        await sign_ins.change_own_password(
            app, me, "not this one", "four quiet lamps", but=mine.sign_in.id
        )
    await sign_ins.change_own_password(app, me, PASSWORD, "four quiet lamps", but=mine.sign_in.id)

    assert await sign_ins.find_secret(app, mine.secret) is not None
    assert await sign_ins.find_secret(app, token.secret) is not None
    assert await sign_ins.find_secret(app, elsewhere.secret) is None
    with pytest.raises(WrongSignIn):
        await enter(app, "ada")
    await enter(app, "ada", "four quiet lamps")


async def test_a_hash_of_other_parameters_is_made_anew_at_the_next_sign_in(app: App) -> None:
    await add(app, "ada", password=PASSWORD)
    old = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)

    def replace_hash(connection: Connection, actor: Actor) -> None:
        connection.execute(text("UPDATE people SET password_hash = :old"), {"old": old})

    await app.database.write(replace_hash, ADMIN)
    await enter(app, "ada")
    kept = (await people.get_person(app, ADMIN, "ada")).password_hash
    assert kept is not None
    assert kept != old
    assert not is_dated(kept)
    await enter(app, "ada")


def test_a_real_hash_takes_46_mebibytes_and_two_passes() -> None:
    module = "paige.app.accounts.passwords"
    script = f"from {module} import hash_password; print(hash_password('three red hens'))"
    done = subprocess.run(  # here the hashes are cheap ones
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("$argon2id$v=19$m=47104,t=2,p=1$")


def test_passwords_that_anybody_guesses_are_refused() -> None:
    for bad in ("short", "a" * 40, "Password123", "ada.lovelace", *sorted(COMMON)[:5]):
        with pytest.raises(BadInput):
            check_password(bad, names=("ada.lovelace",))
    assert all(len(each) >= LEAST for each in COMMON)
    check_password("x" * 64 + "y" * 64)
    check_password("пароль для школы")


def test_the_same_letters_from_another_keyboard_are_the_same_password() -> None:
    kept = hash_password("caf\u00e9 au lait chaud")
    assert matches(kept, "cafe\u0301 au lait chaud")
    assert not matches(kept, "cafe au lait chaud")


@given(st.text(max_size=40))
def test_no_text_breaks_the_checks(said: str) -> None:
    for check in (
        people.checked_id,
        people.checked_tenant,
        people.checked_name,
        people.checked_email,
        check_password,
        lambda given: people.checked_roles([given]),
    ):
        try:
            check(said)
        except BadInput as error:
            error.message.encode()


@given(st.from_regex(people.ID, fullmatch=True))
def test_an_id_is_never_a_way_out_of_a_folder(id: str) -> None:
    assert ".." not in id
    assert not id.startswith(".")
    assert "/" not in id


@pytest.mark.parametrize("id", ["", "Ada", "a/b", "a b", "..", "a..b", ".a", "a.", "-a", "a" * 65])
def test_what_cannot_name_a_folder_is_no_id(id: str) -> None:
    with pytest.raises(BadInput, match="cannot be an id"):
        people.checked_id(id)


def test_a_made_up_password_is_long_and_never_twice_the_same() -> None:
    made = {people.made_up_password() for _ in range(50)}
    assert len(made) == 50
    for each in made:
        check_password(each)


@pytest.mark.db
async def test_limits_are_set_listed_and_taken_away(app: App) -> None:
    await add(app, "ada")
    await people.limit_spending(app, ADMIN, SpendLimit("", None, 100.0))
    await people.limit_spending(app, ADMIN, SpendLimit("ada", 2.0, None))
    await people.limit_spending(app, ADMIN, SpendLimit("ada", 3.0, None))
    assert await people.limits_of(app, ADMIN) == [
        LimitOnSpend("", None, 100.0, 0.0, 0.0),
        LimitOnSpend("ada", 3.0, None, 0.0, 0.0),
    ]

    await people.limit_spending(app, ADMIN, SpendLimit("ada", None, None))
    assert [limit.person for limit in await people.limits_of(app, ADMIN)] == [""]
    with pytest.raises(NotFound):
        await people.limit_spending(app, ADMIN, SpendLimit("eve", 1.0, None))
    with pytest.raises(BadInput):
        await people.limit_spending(app, ADMIN, SpendLimit("ada", -1.0, None))
    assert await people.limits_of(app, doorkeeper("school")) == []


@pytest.mark.db
async def test_the_audit_log_has_no_gaps_also_when_many_write(app: App) -> None:
    async with anyio.create_task_group() as tasks:
        for number in range(12):
            tasks.start_soon(add, app, f"pupil{number}")
    await add(app, "head", actor=OTHER)

    rows = await people.audit_page(app, ADMIN)
    assert [row.seq for row in rows] == list(range(13, 0, -1))
    assert {row.person for row in rows} == {"root"}
    assert [row.seq for row in await people.audit_page(app, ADMIN, before=4)] == [3, 2, 1]
    assert [row.target for row in await people.audit_page(app, OTHER)] == ["head", "school"]


@contextmanager
def bound_settings(server: str, folder: Path) -> Iterator[Settings]:
    """Settings of a database whose user is bound by row-level security."""
    with temp_database(server, template=TEMPLATE) as owner:
        for statement in (
            "CREATE ROLE people_bound LOGIN NOSUPERUSER NOBYPASSRLS",
            "GRANT USAGE ON SCHEMA public TO people_bound",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO people_bound",
        ):
            execute(owner, statement)
        url = owner.replace("postgres@", "people_bound@")
        yield Settings(cwd=folder, given_data_dir=folder / "data", database_url=url)
        execute(owner, "DROP OWNED BY people_bound")
    execute(server, "DROP ROLE people_bound")


async def test_accounts_work_for_a_user_of_the_database_who_is_bound(
    postgres_server: str, tmp_path: Path, clock: Clock
) -> None:
    with bound_settings(postgres_server, tmp_path) as settings, opened_app(settings, clock) as app:
        for actor in (ADMIN, OTHER):
            await add(app, "ada", "teacher", actor=actor, password=PASSWORD, email="a@x.org")
        opened = await enter(app, "a@x.org", tenant="school")
        me = opened.person.actor
        token = await sign_ins.add_token(app, me, "ada", "laptop")
        assert len(await sign_ins.sign_ins_of(app, me, "ada")) == 2
        await sign_ins.change_own_password(
            app, me, PASSWORD, "four quiet lamps", but=opened.sign_in.id
        )
        await people.limit_spending(app, OTHER, SpendLimit("", 1.0, None))
        spent = await spending(app.database, me, own_day=None, now=NOON)
        assert [each.limit_usd for each in spent] == [1.0]
        assert await spending(app.database, ADMIN, own_day=None, now=NOON) == []
        await people.change(app, OTHER, "ada", PersonChanges(state="disabled"))
        assert await sign_ins.find_secret(app, token.secret) is None
        assert (await actions(app, OTHER))[-1] == "person.change"
        assert await actions(app) == ["tenant.add", "person.add"]
        await enter(app, "ada")
