"""`call_api`: one typed question, one typed answer, one row in the log.

`call_api_with_retry` asks once more after a failure that may pass. Both fall back to a local engine
when the provider fails past its retries and the settings say so; a run of the agent decides that
for itself, as a whole, with `falls_back`.
"""

import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import anyio
from pydantic import BaseModel

from paige.base.actor import Actor
from paige.base.clock import Clock, system_clock
from paige.base.errors import PaigeError
from paige.base.ids import new_id
from paige.models.errors import ApiTruncated, ModelError, ProviderFailed, is_transient
from paige.models.local import LOCAL, LocalProvider
from paige.models.log import ApiCall, Asked, answered_call, failed_call, input_hash
from paige.models.messages import user_message
from paige.models.prices import Prices, guessed_usage, shipped_prices
from paige.models.provider import Provider
from paige.models.queries import insert_api_call
from paige.models.requests import DEFAULT_MAX_TOKENS, Answer, Request, ServerTool, Tier
from paige.models.retrying import Sleep
from paige.models.spending import check_spending, payable
from paige.models.structured import read_answer
from paige.store.engine import Database

logger = logging.getLogger(__name__)
T = TypeVar("T", bound=BaseModel)
MOST_PAUSES = 8
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Models:
    """Everything a model call needs; `app` builds it once with `open_models`."""

    provider: Provider
    local: LocalProvider
    db: Database
    fallback: str = "none"
    now: Clock = system_clock
    sleep: Sleep = anyio.sleep
    randomness: Callable[[int], bytes] = os.urandom
    spend_limit_day: float | None = None  # of one person, in US dollars
    prices: Prices = field(default_factory=shipped_prices, repr=False)

    async def open(self) -> None:
        """Make the one client of all calls, at the start of a server."""
        await self.provider.open()

    async def aclose(self) -> None:
        """Close the provider."""
        await self.provider.aclose()


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """A typed question; `inputs` is what a local engine for `call_type` takes instead."""

    call_type: str
    model: Tier
    system_prompt: str
    user_message: str
    response_schema: type[T]
    session_id: str | None = None
    max_tokens: int = DEFAULT_MAX_TOKENS
    tools: tuple[ServerTool, ...] = ()
    inputs: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Generic[T]):
    """The typed answer, and who gave it; `fell_back` says why a local engine stood in."""

    value: T
    answered_by: str
    model: str
    latency_ms: int
    cost_usd: float | None
    fell_back: str | None = None


async def call_api(models: Models, actor: Actor, call: Call[T]) -> Called[T]:
    """Ask once and log it. Raises: ProviderFailed, ApiRefused, ApiTruncated, BadAnswer."""
    return await with_fallback(models, call, lambda: _call_once(models, actor, call))


async def call_api_with_retry(models: Models, actor: Actor, call: Call[T]) -> Called[T]:
    """Ask; after a failure that may pass, wait a second and ask once more. Both are logged."""

    async def attempt() -> Called[T]:
        try:
            return await _call_once(models, actor, call)
        except ModelError as error:
            if not is_transient(error):
                raise
        await models.sleep(RETRY_SECONDS)
        return await _call_once(models, actor, call)

    return await with_fallback(models, call, attempt)


def falls_back(models: Models, error: BaseException, purpose: str) -> bool:
    """Whether a local engine stands in: nobody answered, there is one, and it is allowed."""
    return (
        models.fallback == LOCAL
        and isinstance(error, ProviderFailed)
        and models.provider.name != LOCAL
        and models.local.registry.answers(purpose)
    )


async def with_fallback(
    models: Models, call: Call[T], attempt: Callable[[], Awaitable[Called[T]]]
) -> Called[T]:
    """Make an attempt at a single call; if the provider fails, let the local engine answer."""
    try:
        return await attempt()
    except ProviderFailed as error:
        if not falls_back(models, error, call.call_type):
            raise
        reason = error.message
    logger.warning("`%s` is answered by local rules: %s", call.call_type, reason)
    answer = await models.local.ask(request_of(call))
    return _called(answer, read_answer(answer, call.response_schema), reason)


def request_of(call: Call[T]) -> Request:
    """The request that puts a typed question."""
    return Request(
        purpose=call.call_type,
        messages=(user_message(call.user_message),),
        system=call.system_prompt,
        tier=call.model,
        server_tools=call.tools,
        output=call.response_schema,
        max_tokens=call.max_tokens,
        inputs=call.inputs,
    )


async def ask_through_pauses(provider: Provider, request: Request) -> Answer:
    """Ask, and let a provider that pauses for its own tools go on; it counts as one answer."""
    answer = await provider.ask(request)
    for _ in range(MOST_PAUSES):
        if answer.stop_reason != "pause_turn":
            return answer
        request = replace(request, messages=(*request.messages, answer.message))
        answer = _joined(answer, await provider.ask(request))
    raise ApiTruncated(
        f"`{answer.model}` paused {MOST_PAUSES} times without an answer",
        hint="Ask for less.",
        answer=answer,
    )


async def _call_once(models: Models, actor: Actor, call: Call[T]) -> Called[T]:
    request = request_of(call)
    provider = models.provider
    if provider.name == LOCAL:
        answer = await provider.ask(request)
        return _called(answer, read_answer(answer, call.response_schema), None)
    await check_spending(
        models.db,
        actor,
        own_day=models.spend_limit_day,
        now=models.now(),
        asked=payable(provider, request, models.prices),
    )
    asked = Asked(
        id=new_id(models.now(), models.randomness(10)),
        session_id=call.session_id,
        call_type=call.call_type,
        model=provider.model_for(request),
        provider=provider.name,
        input_hash=input_hash(call.user_message),
    )
    try:
        answer = await ask_through_pauses(provider, request)
        value = read_answer(answer, call.response_schema)
    except BaseException as error:  # a call that was cancelled is logged, too
        row = failed_call(asked, error, now=models.now())
        if not isinstance(error, Exception):  # whoever breaks off pays for what was asked
            row = replace(row, billed_usd=models.prices.cost(row.model, guessed_usage(request)))
        with anyio.CancelScope(shield=True):
            await _log(models, actor, row)
        raise
    await _log(models, actor, answered_call(asked, answer, now=models.now()))
    return _called(answer, value, None)


async def _log(models: Models, actor: Actor, row: ApiCall) -> None:
    try:
        await models.db.write(insert_api_call, actor, row)
    except PaigeError:
        # The answer is paid for: a log that cannot be written must not lose it.
        logger.exception("The call `%s` could not be logged", row.call_type)


def _called(answer: Answer, value: T, fell_back: str | None) -> Called[T]:
    return Called(
        value=value,
        answered_by=answer.answered_by,
        model=answer.model,
        latency_ms=answer.latency_ms,
        cost_usd=answer.cost_usd,
        fell_back=fell_back,
    )


def _joined(first: Answer, second: Answer) -> Answer:
    costs = (first.cost_usd, second.cost_usd)
    return replace(
        second,
        usage=first.usage + second.usage,
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        latency_ms=first.latency_ms + second.latency_ms,
    )
