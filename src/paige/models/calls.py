"""`call_api`: one typed question, one typed answer, one row in the log.

`call_api_with_retry` asks once more after a failure that may pass. Both fall back to a local engine
when the provider fails past its retries and the settings say so; a run of the agent decides that
for itself, as a whole, with `falls_back`.
"""

import logging
import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import anyio
from pydantic import BaseModel, ValidationError

from paige.base.actor import Actor
from paige.base.clock import Clock, system_clock
from paige.base.errors import PaigeError
from paige.base.ids import new_id
from paige.models.budget import check_spending, payable
from paige.models.errors import (
    ApiRefused,
    ApiTruncated,
    BadAnswer,
    ModelError,
    ProviderFailed,
    is_transient,
)
from paige.models.local import LOCAL, LocalProvider
from paige.models.log import ApiCall, answered_call, failed_call, input_hash
from paige.models.messages import Text, user_message
from paige.models.prices import Prices, guessed_usage, shipped_prices
from paige.models.queries import insert_api_call
from paige.models.requests import DEFAULT_MAX_TOKENS, Answer, Provider, Request, ServerTool, Tier
from paige.models.wrappers import Sleep
from paige.store.engine import Database

Typed = TypeVar("Typed", bound=BaseModel)
_FENCED = re.compile(r"```(?:json)?\s*+(?P<json>.*)```", re.DOTALL)


def check_whole(answer: Answer) -> None:
    """Refuse an answer that is none. Raises: ApiRefused, ApiTruncated."""
    match answer.stop_reason:
        case "refusal":
            said = f": {answer.refusal}" if answer.refusal else ""
            raise ApiRefused(
                f"`{answer.model}` refused to answer{said}",
                hint="Ask in another way.",
                answer=answer,
            )
        case "max_tokens" | "model_context_window_exceeded":
            raise ApiTruncated(
                f"The answer of `{answer.model}` was cut off after {answer.usage.output} tokens",
                hint="Ask for less, or allow more tokens.",
                answer=answer,
            )


def read_answer(answer: Answer, schema: type[Typed]) -> Typed:
    """The value an answer holds. Raises: ApiRefused, ApiTruncated, BadAnswer."""
    check_whole(answer)
    text = _last_words(answer)
    fenced = _FENCED.fullmatch(
        text.strip()
    )  # servers without constrained decoding like to fence their JSON
    try:
        return schema.model_validate_json(fenced["json"] if fenced else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise BadAnswer(
            f"The answer of `{answer.model}` is no `{schema.__name__}`: {place}: {first['msg']}",
            hint="Ask again.",
            answer=answer,
        ) from None


def _last_words(answer: Answer) -> str:
    """What is said after the last search or thought: the part that the schema holds for."""
    words: list[str] = []
    for block in reversed(answer.message.blocks):
        if not isinstance(block, Text):
            break
        words.append(block.text)
    return "".join(reversed(words)) if words else answer.text


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
class CallResult(Generic[T]):
    """The typed answer, and who gave it."""

    value: T
    answered_by: str
    model: str
    latency_ms: int
    cost_usd: float | None


async def call_api(models: Models, actor: Actor, call: Call[T]) -> CallResult[T]:
    """Ask once and log it. Raises: ProviderFailed, ApiRefused, ApiTruncated, BadAnswer."""
    return await with_fallback(models, call, lambda: _call_once(models, actor, call))


async def call_api_with_retry(models: Models, actor: Actor, call: Call[T]) -> CallResult[T]:
    """Ask; after a failure that may pass, wait a second and ask once more. Both are logged."""

    async def attempt() -> CallResult[T]:
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
    models: Models, call: Call[T], attempt: Callable[[], Awaitable[CallResult[T]]]
) -> CallResult[T]:
    """Make an attempt at a single call; if the provider fails, let the local engine answer."""
    try:
        return await attempt()
    except ProviderFailed as error:
        if not falls_back(models, error, call.call_type):
            raise
        logger.warning("`%s` is answered by local rules: %s", call.call_type, error.message)
    answer = await models.local.ask(request_of(call))
    return _called(answer, read_answer(answer, call.response_schema))


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


async def _call_once(models: Models, actor: Actor, call: Call[T]) -> CallResult[T]:
    request = request_of(call)
    provider = models.provider
    if provider.name == LOCAL:
        answer = await provider.ask(request)
        return _called(answer, read_answer(answer, call.response_schema))
    await check_spending(
        models.db,
        actor,
        own_day=models.spend_limit_day,
        now=models.now(),
        asked=payable(provider, request, models.prices),
    )
    now = models.now()
    asked = ApiCall(
        id=new_id(now, models.randomness(10)),
        created_at=now,
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
    return _called(answer, value)


async def _log(models: Models, actor: Actor, row: ApiCall) -> None:
    try:
        await models.db.write(insert_api_call, actor, row)
    except PaigeError:
        # The answer is paid for: a log that cannot be written must not lose it.
        logger.exception("The call `%s` could not be logged", row.call_type)


def _called(answer: Answer, value: T) -> CallResult[T]:
    return CallResult(
        value=value,
        answered_by=answer.answered_by,
        model=answer.model,
        latency_ms=answer.latency_ms,
        cost_usd=answer.cost_usd,
    )


def _joined(first: Answer, second: Answer) -> Answer:
    costs = (first.cost_usd, second.cost_usd)
    return replace(
        second,
        usage=first.usage + second.usage,
        cost_usd=None if None in costs else sum(cost for cost in costs if cost is not None),
        latency_ms=first.latency_ms + second.latency_ms,
    )
