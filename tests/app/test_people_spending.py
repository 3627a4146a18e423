"""Limits on what models may cost: counted, told, and kept apart."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from sqlalchemy import Connection

from paige.app.accounts import people
from paige.app.accounts.people import PersonNew
from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.settings import Settings, read_settings
from paige.models.budget import LimitOnSpend, SpendLimitReached, check_spending, span_of, spending
from paige.models.calls import Call, Models, call_api
from paige.models.local import LocalProvider, Registry
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.models.requests import Answer, Request
from paige.models.scripted import Scripted
from paige.store.people_queries import SpendLimit, set_spend_limit
from tests.conftest import NOON
from tests.models.logged_calls import api_calls

pytestmark = pytest.mark.anyio
ADA, BOB = Actor("local", "ada"), Actor("local", "bob")
ELSEWHERE = Actor("school", "ada")
ADMIN = Actor("local", "root", frozenset({"admin"}))


@pytest.fixture
def app(db_settings: Settings) -> Iterator[App]:
    with open_app(db_settings, strict=False, now=lambda: NOON) as opened:
        yield opened


async def spend(app: App, actor: Actor, usd: float, *, at: datetime = NOON) -> None:
    call = ApiCall(
        id=f"{actor.tenant}-{actor.person}-{at.isoformat()}-{usd}",
        session_id=None,
        call_type="x",
        model="m",
        input_hash="h",
        created_at=at,
        provider="p",
        cost_estimate=0.0,
        billed_usd=usd,
    )
    await app.database.write(insert_api_call, actor, call)


async def check(app: App, actor: Actor, own_day: float | None = None) -> None:
    await check_spending(app.database, actor, own_day=own_day, now=NOON)


@pytest.mark.db
async def test_a_day_that_is_used_up_ends_at_midnight(app: App) -> None:
    await people.add_person(app, ADMIN, PersonNew(id="ada"))
    await people.limit_spending(app, ADMIN, SpendLimit("ada", 1.0, None))
    await spend(app, ADA, 5.0, at=NOON - timedelta(days=1))
    await spend(app, ADA, 0.6)
    await check(app, ADA)
    await spend(app, ADA, 0.4)

    with pytest.raises(SpendLimitReached) as caught:
        await check(app, ADA)
    assert caught.value.message == "You have spent 1.00 of 1.00 US dollars on models today"
    assert "2026-03-03 00:00 UTC" in (caught.value.hint or "")
    assert caught.value.retry_after == 12 * 3600
    assert caught.value.status == 429
    await check(app, BOB)
    await check(app, ELSEWHERE)


@pytest.mark.db
async def test_what_everyone_spends_counts_together(app: App) -> None:
    await people.add_person(app, ADMIN, PersonNew(id="ada"))
    await people.limit_spending(app, ADMIN, SpendLimit("", None, 3.0))
    await spend(app, ELSEWHERE, 100.0)
    await spend(app, ADA, 1.0, at=NOON.replace(day=1))
    await spend(app, BOB, 1.5)
    await check(app, ADA)
    await spend(app, BOB, 0.5, at=NOON - timedelta(minutes=1))

    for actor in (ADA, BOB):
        with pytest.raises(SpendLimitReached, match="Everyone here together") as caught:
            await check(app, actor)
        assert "this month" in caught.value.message
    await check(app, ELSEWHERE)


@pytest.mark.db
async def test_every_limit_is_listed_with_what_counts_against_it(app: App) -> None:
    for id in ("ada", "bob"):
        await people.add_person(app, ADMIN, PersonNew(id=id))
        await people.limit_spending(app, ADMIN, SpendLimit(id, 1.0, None))
    await people.limit_spending(app, ADMIN, SpendLimit("", None, 3.0))
    await spend(app, ELSEWHERE, 100.0)
    await spend(app, ADA, 8.0, at=NOON.replace(day=1) - timedelta(days=1))
    await spend(app, ADA, 1.0, at=NOON.replace(day=1))
    await spend(app, ADA, 0.5)
    await spend(app, Actor("local", "cyd"), 0.25)

    assert await people.limits_of(app, ADMIN) == [
        LimitOnSpend("", None, 3.0, 0.75, 1.75),
        LimitOnSpend("ada", 1.0, None, 0.5, 1.5),
        LimitOnSpend("bob", 1.0, None, 0.0, 0.0),
    ]


@pytest.mark.db
async def test_without_limits_nothing_is_counted_and_nothing_refused(app: App) -> None:
    await spend(app, ADA, 10_000.0)
    assert await spending(app.database, ADA, own_day=None, now=NOON) == []
    await check(app, ADA)


async def test_who_has_no_limit_is_looked_at_again_after_some_seconds(app: App) -> None:
    timer = [0.0]

    async def look() -> None:
        await check_spending(app.database, ADA, own_day=None, now=NOON, timer=lambda: timer[0])

    def set_elsewhere(connection: Connection, actor: Actor) -> None:
        set_spend_limit(connection, actor, SpendLimit("ada", 0.0, None))

    await look()
    await app.database.write(set_elsewhere, ADMIN)  # as another server does
    await look()
    timer[0] = 5.0
    with pytest.raises(SpendLimitReached):
        await look()


async def test_the_setting_limits_the_one_person_without_accounts(app: App) -> None:
    me = Actor()
    await spend(app, me, 2.0)
    await check(app, me, own_day=2.01)
    with pytest.raises(SpendLimitReached):
        await check(app, me, own_day=2.0)


def test_the_setting_is_an_amount(tmp_path) -> None:
    environ = {"HOME": str(tmp_path), "PAIGE_SPEND_LIMIT_DAY": "2.5"}
    assert read_settings(environ, tmp_path).spend_limit_day == 2.5
    for bad in ("-1", "nan", "inf", "much"):
        with pytest.raises(Exception, match="not an amount"):
            read_settings({**environ, "PAIGE_SPEND_LIMIT_DAY": bad}, tmp_path)
    (tmp_path / "paige.toml").write_text("spend_limit_day = 0.75\n")
    assert read_settings({"HOME": str(tmp_path)}, tmp_path).spend_limit_day == 0.75


@given(st.datetimes(datetime(2000, 1, 1), datetime(2099, 1, 1)))
def test_a_moment_lies_in_its_own_day_and_month(naive: datetime) -> None:
    now = naive.replace(tzinfo=UTC)
    for period in ("day", "month"):
        since, until = span_of(period, now)
        assert since <= now < until
        assert span_of(period, until)[0] == until


class Said(BaseModel):
    """An answer."""

    text: str


class Costly(Scripted):
    """A model that takes money for each answer."""

    async def ask(self, request: Request) -> Answer:
        return replace(await super().ask(request), cost_usd=0.7)


@pytest.mark.db
async def test_a_model_is_not_asked_when_the_limit_is_used_up(app: App) -> None:
    provider = Costly(lambda _: Said(text="yes"))
    models = Models(
        provider,
        LocalProvider(Registry()),
        app.database,
        fallback="local",
        now=lambda: NOON,
        spend_limit_day=1.0,
    )
    call = Call(
        call_type="x", model="haiku", system_prompt="s", user_message="u", response_schema=Said
    )
    for _ in range(2):
        assert (await call_api(models, ADA, call)).value.text == "yes"
    with pytest.raises(SpendLimitReached, match=r"1\.40 of 1\.00"):
        await call_api(models, ADA, call)
    assert len(provider.requests) == 2
    assert len(await app.database.read(api_calls, ADA)) == 2
    await call_api(models, BOB, call)
