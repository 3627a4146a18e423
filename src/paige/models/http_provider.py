"""A provider on the network: one wire format over one SDK client.

The official SDKs are imported only when a provider is first asked. Their retries are off:
`RetryingProvider` does them for every provider alike, with a clock that tests can hold. Address and
key are always given, so that nothing is read from the environment in between.
"""

import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import anyio
import anyio.to_thread

from paige.base.errors import BadInput, Unavailable
from paige.base.secrets import redact
from paige.models.errors import (
    KEY_VARIABLES,
    ApiKeyInvalid,
    ApiTimeout,
    BadAnswer,
    ConnectionFailed,
    ProviderFailed,
    failure,
)
from paige.models.prices import Prices, guessed_usage
from paige.models.requests import Answer, Delta, Request, Tier, Usage
from paige.models.wire import Dialect, Item

if TYPE_CHECKING:
    import httpx2

LONGEST_WAIT = 600.0
CONNECT_WAIT = 10.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider answers, with which key, and how many seconds it may take."""

    base_url: str
    key: str = field(repr=False)
    timeout: float = LONGEST_WAIT


class OpenClient(NamedTuple):
    """An SDK's client, how to send finished bytes through it, and the errors it may raise."""

    send: "Callable[..., Awaitable[httpx2.Response]]"
    close: Callable[[], Any]
    api_error: type[Exception]
    timeout_error: type[Exception]
    http_error: type[Exception]
    read_timeout: type[Exception]


class EventReader:
    """Cuts a stream of bytes into the `data` of its events; pieces may end anywhere.

    Lines are cut as bytes: a JSON text may hold characters that `str.splitlines` takes for a line
    end. Names of events are not needed: every provider repeats them in the data.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> list[str]:
        """The events that this piece completes."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        events: list[str] = []
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                events.append(self._take())
        return events

    def finish(self) -> list[str]:
        """The last event, when the stream ends without an empty line."""
        events = self.feed(b"\n\n")
        self._rest = b""
        return events

    def _take(self) -> str:
        text = b"\n".join(self._data).decode("utf-8", "replace")
        self._data.clear()
        return text


async def events_of(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[str]:
    """The data of every event of a response body."""
    reader = EventReader()
    async with aclosing(pieces):
        async for piece in pieces:
            for event in reader.feed(piece):
                yield event
    for event in reader.finish():
        yield event


_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class HttpProvider:
    """Asks over HTTP; one client for all requests, opened at the first, closed by `aclose`."""

    def __init__(
        self,
        dialect: Dialect,
        open_sdk: Callable[[Endpoint], OpenClient],
        endpoint: Endpoint,
        *,
        models: Mapping[Tier, str],
        prices: Prices,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.name = dialect.name
        self._dialect = dialect
        self._open_sdk = open_sdk
        self._endpoint = endpoint
        self._models = models
        self._prices = prices
        self._timer = timer
        self._sdk: OpenClient | None = None
        self._opening = anyio.Lock()
        self._closed = False

    async def open(self) -> None:
        """Make the client; the server does it at its start, others at the first request."""
        await self._client()

    def model_for(self, request: Request) -> str:
        """The model a request names, or the one of its tier."""
        model = request.model or self._models.get(request.tier, "")
        if not model:
            raise BadInput(
                f"No model is set for the tier `{request.tier}` of `{self.name}`",
                hint=f"Set `PAIGE_MODEL_{request.tier.upper()}`.",
            )
        return model

    async def ask(self, request: Request) -> Answer:
        """Ask and wait for the whole answer."""
        model = self.model_for(request)
        sdk = await self._client()
        started = self._timer()
        body = self._dialect.to_wire(request, model, False)
        with self._failures(sdk), anyio.fail_after(self._endpoint.timeout):
            response = await sdk.send(self._dialect.path, body, stream=False)
        with self._failures(sdk), self._readable():
            return self._answer(json.loads(response.content), request, started, response.headers)

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Ask, and hand on every piece as it comes; the timeout holds for each piece."""
        model = self.model_for(request)
        sdk = await self._client()
        started = self._timer()
        body = self._dialect.to_wire(request, model, True)
        with self._failures(sdk), anyio.fail_after(self._endpoint.timeout):
            response = await sdk.send(self._dialect.path, body, stream=True)
        reader = self._dialect.reader()
        try:
            with self._failures(sdk):
                pieces = cast("AsyncGenerator[bytes]", response.aiter_bytes())
                async with aclosing(events_of(pieces)) as events:
                    async for event in events:
                        if event == "[DONE]":
                            continue
                        with self._readable():
                            deltas = reader.feed(json.loads(event))
                        for delta in deltas:
                            yield delta
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()
        with self._failures(sdk), self._readable():
            whole = reader.body()
            if whole is None:
                raise ConnectionFailed(
                    f"The answer of `{self.name}` broke off in the middle",
                    hint="Try again in a moment.",
                )
            answer = self._answer(whole, request, started, response.headers)
        yield answer

    async def aclose(self) -> None:
        """Close the client; nothing can be asked afterwards."""
        self._closed = True
        sdk, self._sdk = self._sdk, None
        if sdk is not None:
            await sdk.close()

    async def _client(self) -> OpenClient:
        if self._sdk is not None:
            return self._sdk
        if self._closed:
            raise Unavailable(f"The connection to `{self.name}` is closed")
        if not self._endpoint.key and self.name != "openai-compatible":
            variable = KEY_VARIABLES[self.name]
            raise ApiKeyInvalid(f"`{variable}` is not set", hint=f"Set `{variable}`.")
        async with self._opening:
            if self._sdk is None:
                # Importing an SDK takes a second: not on the event loop.
                self._sdk = await anyio.to_thread.run_sync(self._open_sdk, self._endpoint)
        return self._sdk

    def _answer(
        self, body: Item, request: Request, started: float, headers: Mapping[str, str]
    ) -> Answer:
        reply, model = self._dialect.from_wire(body), self.model_for(request)
        # A server that does not say what it counted is not free for that.
        usage = reply.usage or guessed_usage(request, str(reply.message.blocks))
        return Answer(
            message=reply.message,
            stop_reason=reply.stop_reason,
            answered_by=self.name,
            model=model,
            latency_ms=max(1, round((self._timer() - started) * 1000)),
            request_id=headers.get("request-id") or headers.get("x-request-id") or "",
            refusal=reply.refusal,
            usage=reply.usage or Usage(),
            cost_usd=self._prices.cost(model, usage),
        )

    @contextmanager
    def _failures(self, sdk: OpenClient) -> Iterator[None]:
        # `from None`: the SDK's own errors repeat bodies that may hold the key.
        try:
            yield
        except (TimeoutError, sdk.timeout_error, sdk.read_timeout):
            raise ApiTimeout(
                f"`{self.name}` did not answer within {self._endpoint.timeout:g} s",
                hint="Try again in a moment.",
            ) from None
        except ProviderFailed as error:
            raise self._without_key(error) from None
        except sdk.api_error as error:
            raise self._without_key(self._failure(error)) from None
        except sdk.http_error:
            raise ConnectionFailed(
                f"The connection to `{self.name}` broke in the middle of the answer",
                hint="Try again in a moment.",
            ) from None

    def _without_key(self, error: ProviderFailed) -> ProviderFailed:
        if self._endpoint.key and self._endpoint.key in error.message:
            error.message = error.message.replace(self._endpoint.key, "[key]")
            error.args = (error.message,)
        return error

    def _failure(self, error: Any) -> ProviderFailed:  # noqa: ANN401 - either SDK's error
        response = getattr(error, "response", None)
        if response is None:
            return ConnectionFailed(
                f"`{self.name}` cannot be reached at `{redact(self._endpoint.base_url)}`",
                hint="Check the network, and `PAIGE_BASE_URL` if it is set.",
            )
        body = error.body if error.body is not None else response.text
        return failure(self.name, response.status_code, body, response.headers)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except _UNREADABLE as error:
            raise BadAnswer(
                f"`{self.name}` sent an answer that Paige cannot read",
                hint="Is `PAIGE_BASE_URL` the address of a server of this kind?",
            ) from error


def open_anthropic(endpoint: Endpoint) -> OpenClient:
    """A client of the `anthropic` SDK."""
    import anthropic  # noqa: PLC0415 - takes a second to import

    client = anthropic.AsyncAnthropic(
        api_key=endpoint.key,
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=_timeout(endpoint),
    )
    return _opened(client, anthropic.APIError, anthropic.APITimeoutError)


def open_openai(endpoint: Endpoint) -> OpenClient:
    """A client of the `openai` SDK."""
    import openai  # noqa: PLC0415 - takes a second to import

    client = openai.AsyncOpenAI(
        # Servers at home often want no key, the SDK always does.
        api_key=endpoint.key or "none",
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=_timeout(endpoint),
    )
    return _opened(client, openai.APIError, openai.APITimeoutError)


def _timeout(endpoint: Endpoint) -> Any:  # noqa: ANN401 - httpx2 is imported here only
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    return httpx2.Timeout(endpoint.timeout, connect=min(CONNECT_WAIT, endpoint.timeout))


def _opened(
    client: Any,  # noqa: ANN401 - the two SDKs share this part of their interface, not a type
    api_error: type[Exception],
    timeout_error: type[Exception],
) -> OpenClient:
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    async def send(path: str, body: bytes, *, stream: bool) -> httpx2.Response:
        # The raw response: the SDKs' own models cost more than everything else in a turn.
        return await client.post(
            path, cast_to=httpx2.Response, content=body, stream=stream, stream_cls=None
        )

    return OpenClient(
        send,
        client.close,
        api_error,
        timeout_error,
        httpx2.HTTPError,
        httpx2.TimeoutException,
    )
