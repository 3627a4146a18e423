"""Turns what a provider says when it fails into one of our errors.

What the provider wrote is shown only after secrets are taken out, and not at all for a bad key:
some servers repeat the key they were given.
"""

from collections.abc import Mapping

from paige.base.secrets import redact
from paige.models.errors import (
    ApiKeyInvalid,
    ModelUnknown,
    Overloaded,
    ProviderFailed,
    RateLimited,
    RequestRejected,
    ServerError,
)

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


def failure(
    provider: str, status: int | None, body: object, headers: Mapping[str, str]
) -> ProviderFailed:
    """The error for a status (`None` inside a stream) and the body that came with it."""
    kind, detail = _kind_and_detail(body)
    if status is None:
        status = _STATUS_OF_KIND.get(kind, 500)
    request_id = headers.get("request-id") or headers.get("x-request-id") or ""
    said = f": {detail}" if detail else ""
    if status in (401, 403):
        variable = KEY_VARIABLES.get(provider, "the key")
        return ApiKeyInvalid(
            f"`{provider}` does not accept the API key ({status})",
            hint=f"Check `{variable}`.",
            request_id=request_id,
        )
    transient = _told_to_retry(headers)
    if status == 429:
        return _rate_limited(provider, kind, said, headers, request_id)
    if status in (503, 529):
        return Overloaded(
            f"`{provider}` is overloaded ({status})",
            hint="Try again in a moment.",
            transient=transient,
            retry_after=_retry_after(headers),
            request_id=request_id,
        )
    if status >= 500 or status in (408, 409):
        return ServerError(
            f"`{provider}` has a fault of its own ({status}){said}",
            hint="Try again in a moment.",
            transient=transient,
            retry_after=_retry_after(headers),
            request_id=request_id,
        )
    message = f"`{provider}` did not take the request ({status}){said}"
    if status == 404:
        return ModelUnknown(
            message,
            hint="Check the model's name, and `PAIGE_BASE_URL` if it is set.",
            transient=transient,
            request_id=request_id,
        )
    return RequestRejected(message, transient=transient, request_id=request_id)


def _rate_limited(
    provider: str, kind: str, said: str, headers: Mapping[str, str], request_id: str
) -> RateLimited:
    if kind in _NO_CREDIT:
        return RateLimited(
            f"The account at `{provider}` has no credit left (429)",
            hint="Add credit, or choose another `PAIGE_PROVIDER`.",
            transient=False,
            request_id=request_id,
        )
    wait = _retry_after(headers)
    again = f"in {wait:g} s" if wait is not None else "in a moment"
    return RateLimited(
        f"`{provider}` allows no more requests now (429){said}",
        hint=f"Try again {again}.",
        transient=_told_to_retry(headers),
        retry_after=wait,
        request_id=request_id,
    )


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
