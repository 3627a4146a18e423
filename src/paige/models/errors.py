"""What can go wrong with a model call; callers catch the two middle classes.

Unavailable
└── ModelError
    ├── ProviderFailed      nobody answered; a local engine may stand in
    │   ├── ApiKeyInvalid       401, 403, or no key at all
    │   ├── RateLimited         429; `retry_after` in seconds when the provider said so
    │   ├── ApiTimeout          no answer in time
    │   ├── ConnectionFailed    no connection, or it broke in the middle
    │   ├── ServerError         5xx
    │   │   └── Overloaded          503, 529
    │   ├── RequestRejected     the provider did not take the request (400, 413, …)
    │   │   └── ModelUnknown        404: no such model, or no such address
    │   └── CircuitOpen         too many failures lately; not even asked
    └── AnswerUnusable      someone answered; `answer` keeps the usage that was paid for
        ├── ApiRefused          the model would not
        ├── ApiTruncated        it ran out of tokens
        └── BadAnswer           not of the form that was asked for

`failure` makes one of what a provider says when it fails. What it wrote is shown only after secrets
are taken out, and not at all for a bad key: some servers repeat the key they were given.
"""

from collections.abc import Mapping

from paige.base.errors import Unavailable
from paige.base.secrets import redact
from paige.models.requests import Answer

KEY_VARIABLES = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openai-compatible": "OPENAI_API_KEY",
}
LONGEST_DETAIL = 300
# Errors inside a stream carry a name instead of a status.
_STATUS_OF_KIND = {
    "authentication_error": 401,
    "invalid_api_key": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "invalid_request_error": 400,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_NO_CREDIT = frozenset({"insufficient_quota", "billing_error", "enforced_spend_limit_reached"})


class ModelError(Unavailable):
    """A model call that gave no usable answer."""

    code = "model_failed"


class ProviderFailed(ModelError):
    """The provider did not answer; `transient` means that asking again may work."""

    code = "provider_failed"
    transient = False

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        transient: bool | None = None,
        retry_after: float | None = None,
        request_id: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        if transient is not None:
            self.transient = transient
        self.retry_after = retry_after
        self.request_id = request_id


class ApiKeyInvalid(ProviderFailed):
    """The provider does not accept the key."""

    code = "api_key_invalid"


class RateLimited(ProviderFailed):
    """Too many requests, or no credit left."""

    code = "rate_limited"
    transient = True


class ApiTimeout(ProviderFailed):
    """No answer in time."""

    code = "api_timeout"
    transient = True


class ConnectionFailed(ProviderFailed):
    """No connection, or it broke in the middle."""

    code = "connection_failed"
    transient = True


class ServerError(ProviderFailed):
    """The provider has a fault of its own."""

    code = "server_error"
    transient = True


class Overloaded(ServerError):
    """The provider has too much to do."""

    code = "overloaded"


class RequestRejected(ProviderFailed):
    """The provider did not take the request as it is."""

    code = "request_rejected"


class ModelUnknown(RequestRejected):
    """The provider has no such model, or nothing at this address."""

    code = "model_unknown"


class CircuitOpen(ProviderFailed):
    """The provider failed too often lately and was not asked."""

    code = "circuit_open"


class AnswerUnusable(ModelError):
    """Someone answered, but not what was asked for."""

    code = "answer_unusable"

    def __init__(
        self, message: str, *, hint: str | None = None, answer: Answer | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.answer = answer


class ApiRefused(AnswerUnusable):
    """The model would not answer."""

    code = "api_refused"


class ApiTruncated(AnswerUnusable):
    """The answer ends in the middle: there were no tokens left."""

    code = "api_truncated"


class BadAnswer(AnswerUnusable):
    """The answer does not have the form that was asked for."""

    code = "bad_answer"


def is_transient(error: BaseException) -> bool:
    """Whether asking again may work: network, 429, 5xx."""
    return isinstance(error, ProviderFailed) and error.transient


def failure(
    provider: str, status: int | None, body: object, headers: Mapping[str, str]
) -> ProviderFailed:
    """The error for a status (`None` inside a stream) and the body that came with it."""
    kind, detail = _kind_and_detail(body)
    if status is None:
        status = _STATUS_OF_KIND.get(kind, 500)
    wait = _retry_after(headers)
    made, said, hint = _named(provider, status, kind, wait)
    # Nobody is helped by asking again with the same key, or without credit.
    hopeless = made is ApiKeyInvalid or (made is RateLimited and kind in _NO_CREDIT)
    shown = f": {detail}" if detail and not hopeless and made is not Overloaded else ""
    return made(
        f"{said} ({status}){shown}",
        hint=hint,
        transient=False if hopeless else _told_to_retry(headers),
        retry_after=None if hopeless else wait,
        request_id=headers.get("request-id") or headers.get("x-request-id") or "",
    )


def _named(
    provider: str, status: int, kind: str, wait: float | None
) -> tuple[type[ProviderFailed], str, str | None]:
    """The error of a status, what it says, and what to do."""
    if status in (401, 403):
        variable = KEY_VARIABLES.get(provider, "the key")
        return ApiKeyInvalid, f"`{provider}` does not accept the API key", f"Check `{variable}`."
    if status == 429 and kind in _NO_CREDIT:
        hint = "Add credit, or choose another `PAIGE_PROVIDER`."
        return RateLimited, f"The account at `{provider}` has no credit left", hint
    again = "Try again in a moment."
    if status == 429:
        hint = again if wait is None else f"Try again in {wait:g} s."
        return RateLimited, f"`{provider}` allows no more requests now", hint
    if status in (503, 529):
        return Overloaded, f"`{provider}` is overloaded", again
    if status >= 500 or status in (408, 409):
        return ServerError, f"`{provider}` has a fault of its own", again
    refused = f"`{provider}` did not take the request"
    if status == 404:
        hint = "Check the model's name, and `PAIGE_BASE_URL` if it is set."
        return ModelUnknown, refused, hint
    return RequestRejected, refused, None


def _kind_and_detail(body: object) -> tuple[str, str]:
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(error, Mapping):
        text = error if isinstance(error, str) else ""
        return "", _shown(text)
    kind = error.get("code") if error.get("code") in _STATUS_OF_KIND else error.get("type")
    message = error.get("message") or error.get("detail") or ""
    return str(kind or ""), _shown(message if isinstance(message, str) else "")


def _shown(text: str) -> str:
    line = " ".join(redact(text).split())
    return line if len(line) <= LONGEST_DETAIL else line[:LONGEST_DETAIL] + "…"


def _told_to_retry(headers: Mapping[str, str]) -> bool | None:
    return {"true": True, "false": False}.get(headers.get("x-should-retry", ""))


def _retry_after(headers: Mapping[str, str]) -> float | None:
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    return None
