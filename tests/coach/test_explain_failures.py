"""What the coach makes of a provider that fails: asked once more where that may help, never twice.

The provider is on the real wire; only the waiting is not real.
"""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import select

from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.coach.inquiry.explanation import explain
from paige.coach.inquiry.questions import register
from paige.coach.inquiry.review import review
from paige.coach.inquiry.services import (
    MemoryDraft,
    PracticeResult,
    Recollection,
    Reviews,
    Services,
    ToPractise,
)
from paige.coach.message_parts import Passage, TextRange
from paige.coach.model import Work
from paige.learner.gaps import Gap
from paige.learner.queries import NewKata, get_kata, insert_kata, record_gap
from paige.models.calls import Models
from paige.models.errors import ModelError
from paige.models.local import LocalProvider, Registry
from paige.models.setup import Choice, open_provider
from paige.models.tables import API_CALL_LOG
from paige.store.engine import Database
from tests.coach.making import ME
from tests.coach.thinking_room import COST, EXPLAINED, REVIEWED
from tests.conftest import NOON
from tests.fakes.model_server import Hangup, ModelServer, Reply, Silence
from tests.fakes.wire_bodies import ANTHROPIC
from tests.store.running import write

pytestmark = [pytest.mark.anyio, pytest.mark.db]
PASSAGE = Passage(
    path="a.py",
    selection=TextRange(start_line=1, end_line=1),
    selected_text="x = 1",
    language="python",
)
TIERS = {"haiku": "claude-haiku-4-5-20251001", "sonnet": "claude-sonnet-4-5-20250929"}
WILL_PASS = {
    "429": ANTHROPIC.error(429, "rate_limit_error", "Slow down"),
    "500": ANTHROPIC.error(500, "api_error", "Oops"),
    "529": ANTHROPIC.error(529, "overloaded_error", "Full"),
    "no answer in time": Silence(),
    "hang up": Hangup(),
}
WILL_NOT = {
    "401": ANTHROPIC.error(401, "authentication_error", "No"),
    "400": ANTHROPIC.error(400, "invalid_request_error", "No"),
    "refusal": ANTHROPIC.refusal("No."),
    "truncation": ANTHROPIC.truncated("{"),
    "other words": ANTHROPIC.answer("Hello!"),
}


class Alone:
    """Neither a memory nor Study: nothing is known there and nothing taken."""

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> list[Recollection]:
        """Nothing."""
        return []

    async def add(self, actor: Actor, notes: Sequence[MemoryDraft], session_id: str) -> int:
        """Nothing is kept."""
        return 0

    async def give(self, actor: Actor, session_id: str, found: Sequence[ToPractise]) -> None:
        """Nobody takes it."""

    async def note(self, actor: Actor, done: PracticeResult) -> None:
        """Nobody hears it."""

    async def reviews(self, actor: Actor) -> Mapping[str, Reviews]:
        """Nothing was recalled."""
        return {}


@asynccontextmanager
async def thinking(
    db: Database, slept: list[float], *replies: Reply, fallback: str = "none"
) -> AsyncIterator[tuple[Services, ModelServer]]:
    """Services on a provider that plays some replies; every wait is noted and takes no time."""

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    engines = Registry()
    register(engines)
    async with ModelServer() as server:
        server.play(*replies)
        choice = Choice("anthropic", server.url, "sk-ant-test", TIERS, fallback)  # type: ignore[arg-type]
        provider = open_provider(choice, engines, timeout=2.0)
        models = Models(provider, LocalProvider(engines), db, fallback, lambda: NOON)
        try:
            known = Services(
                database=db,
                models=models,
                now=lambda: NOON,
                memories=Alone(),
                studying=Alone(),
                sleep=sleep,
            )
            yield known, server
        finally:
            await provider.aclose()


async def logged(db: Database) -> list[tuple[str | None, float | None]]:
    columns = (API_CALL_LOG.c.error, API_CALL_LOG.c.cost_estimate)
    query = select(*columns).order_by(API_CALL_LOG.c.id)
    rows = await db.read(lambda connection: connection.execute(query).all())
    return sorted(((row[0], row[1]) for row in rows), key=lambda row: row[0] is None)


@pytest.mark.parametrize("reply", WILL_PASS.values(), ids=WILL_PASS)
async def test_a_failure_that_may_pass_is_tried_once_more(db: Database, reply: Reply) -> None:
    slept: list[float] = []
    good = ANTHROPIC.answer(json.dumps(EXPLAINED))
    async with thinking(db, slept, reply, good) as (services, server):
        found = await explain(services, ME, None, PASSAGE)
        assert len(server.requests) == 2

    assert found.explanation == EXPLAINED["explanation"]
    assert slept == [1.0]
    first, second = await logged(db)
    assert first[0] is not None
    assert second == (None, pytest.approx(COST))


@pytest.mark.parametrize("reply", WILL_PASS.values(), ids=WILL_PASS)
async def test_it_is_not_tried_a_third_time_and_nothing_is_stored(
    db: Database, reply: Reply
) -> None:
    write(db, record_gap, ME, Gap(topic="t", severity="low", evidence="x"), gap_id="g", now=NOON)
    write(db, insert_kata, ME, "g", NewKata(title="K", description="d"), kata_id="k")
    slept: list[float] = []
    async with thinking(db, slept, reply, reply) as (services, server):
        with pytest.raises(ModelError):
            await review(services, ME, None, Work("x = 1", "k"))
        assert len(server.requests) == 2

    assert slept == [1.0]
    assert [row[1] for row in await logged(db)] == [0.0, 0.0]
    assert (await db.read(get_kata, ME, "k")).user_attempts == ()


@pytest.mark.parametrize("reply", WILL_NOT.values(), ids=WILL_NOT)
async def test_a_failure_that_stays_is_not_tried_again(db: Database, reply: Reply) -> None:
    slept: list[float] = []
    async with thinking(db, slept, reply) as (services, server):
        with pytest.raises(ModelError) as caught:
            await explain(services, ME, None, PASSAGE)
        assert len(server.requests) == 1
    assert slept == []
    assert caught.value.message
    assert len(await logged(db)) == 1


async def test_rules_stand_in_where_the_settings_say_so(db: Database) -> None:
    slept: list[float] = []
    bad = WILL_PASS["500"]
    async with thinking(db, slept, bad, bad, fallback="local") as (services, _):
        found = await explain(services, ME, None, PASSAGE)
    assert found.model == "local"
    assert found.explanation.startswith("Explaining code needs a model")


async def test_a_solution_padded_beyond_reading_is_refused(db: Database) -> None:
    async with thinking(db, []) as (services, server):
        with pytest.raises(BadInput, match="at most 100,000"):
            await review(services, ME, None, Work("#" * 100_001, "k"))
        assert server.requests == []


async def test_costs_add_up_to_the_cent(db: Database) -> None:
    write(db, record_gap, ME, Gap(topic="t", severity="low", evidence="x"), gap_id="g", now=NOON)
    write(db, insert_kata, ME, "g", NewKata(title="K", description="d"), kata_id="k")
    replies = [ANTHROPIC.answer(json.dumps(each)) for each in (EXPLAINED, REVIEWED) * 5]
    async with thinking(db, [], *replies) as (services, _):
        for _ in range(5):
            await explain(services, ME, None, PASSAGE)
            await review(services, ME, None, Work("x = 1", "k"))
    assert sum(row[1] or 0 for row in await logged(db)) == pytest.approx(10 * COST)
