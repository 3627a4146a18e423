"""Opens the official SDKs; they are imported only when a provider is first asked.

Their retries are off: `retrying.py` does them for every provider alike, with a clock that tests can
hold. Address and key are always given, so that nothing is read from the environment in between.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast

LONGEST_WAIT = 600.0
CONNECT_WAIT = 10.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider answers, with which key, and how many seconds it may take."""

    base_url: str
    key: str = field(repr=False)
    timeout: float = LONGEST_WAIT


class RawResponse(Protocol):
    """What we use of an HTTP response."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The header lines."""
        ...

    @property
    def content(self) -> bytes:
        """The whole body."""
        ...

    def aiter_bytes(self) -> AsyncGenerator[bytes]:
        """The body as it arrives."""
        ...

    async def aclose(self) -> None:
        """Give the connection back."""
        ...


class Opened(NamedTuple):
    """An SDK's client, how to send finished bytes through it, and the errors it may raise."""

    send: Callable[..., Any]
    close: Callable[[], Any]
    api_error: type[Exception]
    timeout_error: type[Exception]
    http_error: type[Exception]
    read_timeout: type[Exception]


def open_anthropic(endpoint: Endpoint) -> Opened:
    """A client of the `anthropic` SDK."""
    import anthropic  # noqa: PLC0415 - takes a second to import

    client = anthropic.AsyncAnthropic(
        api_key=endpoint.key,
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=_timeout(endpoint),
    )
    return _opened(client, anthropic.APIError, anthropic.APITimeoutError)


def open_openai(endpoint: Endpoint) -> Opened:
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
) -> Opened:
    import httpx2  # noqa: PLC0415 - comes with the SDKs

    async def send(path: str, body: bytes, *, stream: bool) -> RawResponse:
        # The raw response: the SDKs' own models cost more than everything else in a turn.
        response = await client.post(
            path, cast_to=httpx2.Response, content=body, stream=stream, stream_cls=None
        )
        return cast("RawResponse", response)

    return Opened(
        send,
        client.close,
        api_error,
        timeout_error,
        httpx2.HTTPError,
        httpx2.TimeoutException,
    )
