"""A limit holds for every model: what has no price is not asked, and nothing is counted as free."""

from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from pydantic import BaseModel

from paige.agent.limits import Limits
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.base.setting_values import ModelPrice
from paige.base.settings import read_settings
from paige.models.budget import PriceUnknown, SpendLimitReached, spending
from paige.models.calls import Call, Models, call_api
from paige.models.local import LocalProvider, Registry
from paige.models.prices import Prices, shipped_prices
from paige.models.requests import Answer, Request, Usage
from paige.models.scripted import Scripted
from paige.models.setup import Choice, open_provider
from paige.store.engine import Database
from paige.store.people_queries import SpendLimit, set_spend_limit
from tests.agent.crew import make_runtime, run
from tests.conftest import NOON
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import chat_completion
from tests.models.conftest import KEY

pytestmark = pytest.mark.anyio
ME = Actor()
MYSTERY = {"haiku": "mystery-1", "sonnet": "mystery-1"}


class Said(BaseModel):
    """An answer."""

    text: str


CALL = Call(call_type="x", model="haiku", system_prompt="s", user_message="u", response_schema=Said)
ANSWER = chat_completion({"content": '{"text": "yes"}'})


def own(*prices: ModelPrice) -> Prices:
    """The prices of a person who gave some."""
    return shipped_prices().with_own(prices)


def models_at(server: ModelServer, db: Database, prices: Prices, **more: object) -> Models:
    """Models of a server whose only model nobody has heard of."""
    choice = Choice("openai-compatible", f"{server.url}/v1", KEY, MYSTERY, "none")  # type: ignore[arg-type]
    provider = open_provider(choice, Registry(), prices=prices)
    local = LocalProvider(Registry())
    return Models(provider, local, db, now=lambda: NOON, prices=prices, **more)  # type: ignore[arg-type]


@pytest.mark.db
@pytest.mark.parametrize("limited", ["the setting", "a person", "everyone"])
async def test_a_model_without_a_price_is_not_asked_under_a_limit(
    server: ModelServer, db: Database, limited: str
) -> None:
    server.play(ANSWER, ANSWER, ANSWER)
    day = 1.0 if limited == "the setting" else None
    if day is None:
        whose = "" if limited == "everyone" else ME.person
        await db.write(set_spend_limit, ME, SpendLimit(whose, None, 5.0))
    models = models_at(server, db, shipped_prices(), spend_limit_day=day)

    for _ in range(3):
        with pytest.raises(PriceUnknown, match="`mystery-1`") as caught:
            await call_api(models, ME, CALL)

    assert server.requests == []
    assert "PAIGE_MODEL_PRICES" in (caught.value.hint or "")
    await models.aclose()


async def test_a_model_with_a_price_of_ones_own_is_asked_until_the_limit(
    server: ModelServer, db: Database
) -> None:
    server.play(*[ANSWER] * 9)
    dear = own(ModelPrice("mystery-1", 100_000.0, 100_000.0))
    models = models_at(server, db, dear, spend_limit_day=0.5)

    assert (await call_api(models, ME, CALL)).cost_usd
    with pytest.raises(SpendLimitReached):
        await call_api(models, ME, CALL)
    await models.aclose()

    free = models_at(server, db, own(ModelPrice("*", 0.0, 0.0)), spend_limit_day=1000.0)
    assert (await call_api(free, ME, CALL)).cost_usd == 0.0
    await free.aclose()


async def test_without_a_limit_a_model_without_a_price_is_asked_as_ever(
    server: ModelServer, db: Database
) -> None:
    server.play(ANSWER)
    models = models_at(server, db, shipped_prices())
    assert (await call_api(models, ME, CALL)).cost_usd is None
    await models.aclose()


@pytest.mark.db
async def test_what_was_asked_without_a_price_counts_once_it_has_one(
    server: ModelServer, db: Database
) -> None:
    server.play(ANSWER)
    models = models_at(server, db, shipped_prices())
    await call_api(models, ME, CALL)
    await models.aclose()

    [unknown] = await spending(db, ME, own_day=1.0, now=NOON)
    assert unknown.unpriced == "mystery-1"
    given = own(ModelPrice("mystery-1", 1_000_000.0, 0.0))
    [known] = await spending(db, ME, own_day=1.0, now=NOON, prices=given)
    assert known.spent_usd >= 1.0
    assert known.unpriced == ""


class Silent(Scripted):
    """A model that does not say what it cost."""

    async def ask(self, request: Request) -> Answer:
        return replace(await super().ask(request), cost_usd=None)


async def test_an_answer_of_unknown_cost_is_the_last_one_under_a_limit(db: Database) -> None:
    provider = Silent(lambda _: Said(text="yes"))
    models = Models(provider, LocalProvider(Registry()), db, now=lambda: NOON, spend_limit_day=1.0)

    await call_api(models, ME, CALL)
    with pytest.raises(PriceUnknown):
        await call_api(models, ME, CALL)


class Endless(Scripted):
    """A model that thinks until somebody breaks off."""

    scope: anyio.CancelScope

    def model_for(self, request: Request) -> str:
        return "claude-sonnet-4-5-20250929"

    async def ask(self, request: Request) -> Answer:
        self.scope.cancel()
        await anyio.sleep_forever()
        raise AssertionError


@pytest.mark.parametrize("in_run", [False, True])
async def test_who_breaks_off_pays_for_what_was_asked(
    sqlite_db: Database, tmp_path: Path, in_run: bool
) -> None:
    provider = Endless(())
    with anyio.CancelScope() as provider.scope:
        if in_run:
            await run(make_runtime(sqlite_db, tmp_path, provider=provider))
        else:
            local = LocalProvider(Registry())
            await call_api(Models(provider, local, sqlite_db, now=lambda: NOON), ME, CALL)

    assert provider.scope.cancelled_caught
    [spent] = await spending(sqlite_db, ME, own_day=1.0, now=NOON)
    assert spent.spent_usd > 0


class Mystery(Scripted):
    """A paid model that nobody has heard of."""

    def model_for(self, request: Request) -> str:
        return "mystery-1"


async def test_a_run_with_a_budget_ends_before_it_asks_a_model_without_a_price(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Mystery(lambda _: "Done", name="openai-compatible")
    state = await run(
        make_runtime(sqlite_db, tmp_path, provider=model), limits=Limits(max_budget_usd=1.0)
    )

    assert state.run.status == "error_max_budget"
    assert model.requests == []
    given = make_runtime(
        sqlite_db, tmp_path, provider=model, prices=own(ModelPrice("mystery-1", 0.0, 0.0))
    )
    assert (await run(given, limits=Limits(max_budget_usd=1.0))).run.status == "success"


class Dear(Scripted):
    """A model whose every answer costs all that may be spent, and is cut off."""

    async def ask(self, request: Request) -> Answer:
        answer = await super().ask(request)
        return replace(answer, cost_usd=1.0, stop_reason="max_tokens")


async def test_a_run_counts_its_own_last_answer_before_it_asks_again(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Dear(lambda _: "One, two, ")  # it is asked to go on at once, with no tool in between
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, spend_limit_day=1.0)

    with pytest.raises(SpendLimitReached):
        await run(runtime)

    assert len(model.requests) == 1


def test_tokens_below_zero_give_no_money_back() -> None:
    assert shipped_prices().cost("gpt-5", Usage(-5_000_000, -1, -1, -1)) == 0.0


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("my-model=0.5/2", ModelPrice("my-model", 0.5, 2.0)),
        ("meta/llama-3=0", ModelPrice("meta/llama-3", 0.0, 0.0)),
        ("*=0", ModelPrice("*", 0.0, 0.0)),
        ("a=b=1/2", ModelPrice("a=b", 1.0, 2.0)),
    ],
)
def test_a_price_is_read_as_people_write_it(tmp_path: Path, text: str, price: ModelPrice) -> None:
    environ = {"HOME": str(tmp_path), "PAIGE_MODEL_PRICES": f"{text}, gpt-x=1/2"}
    assert read_settings(environ, tmp_path).model_prices == (price, ModelPrice("gpt-x", 1.0, 2.0))


@pytest.mark.parametrize("text", ["x", "=1/2", "x=", "x=-1", "x=nan/1", "x=1/inf", "x=1/2/3"])
def test_what_is_no_price_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadInput, match="is not the price of a model"):
        read_settings({"HOME": str(tmp_path), "PAIGE_MODEL_PRICES": text}, tmp_path)
