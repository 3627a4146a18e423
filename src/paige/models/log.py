"""The record of one model call, as `api_call_log` keeps it."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from paige.base.errors import PaigeError
from paige.models.errors import AnswerUnusable, ProviderFailed
from paige.models.requests import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCall:
    """One row of the log; before there is an answer it is that of a call that failed."""

    id: str
    session_id: str | None
    call_type: str
    model: str
    input_hash: str
    created_at: datetime
    provider: str
    latency_ms: int = -1
    input_tokens: int = 0
    output_tokens: int = 0
    cost_estimate: float | None = 0.0
    cache_write_tokens: int = 0
    cache_read_tokens: int = 0
    request_id: str = ""
    stop_reason: str | None = None
    error: str | None = None
    billed_usd: float | None = None


def input_hash(user_message: str) -> str:
    """A fingerprint of what was asked: the first 16 hex digits of its SHA-256."""
    return hashlib.sha256(user_message.encode("utf-8", "replace")).hexdigest()[:16]


def answered_call(asked: ApiCall, answer: Answer, *, now: datetime) -> ApiCall:
    """The row of a call that went well."""
    return replace(
        asked,
        created_at=now,
        latency_ms=max(1, answer.latency_ms),
        input_tokens=answer.usage.input,
        output_tokens=answer.usage.output,
        cost_estimate=answer.cost_usd,
        cache_write_tokens=answer.usage.cache_write,
        cache_read_tokens=answer.usage.cache_read,
        request_id=answer.request_id,
        stop_reason=answer.stop_reason,
        billed_usd=answer.cost_usd,
    )


def failed_call(asked: ApiCall, error: BaseException, *, now: datetime) -> ApiCall:
    """The row of a call that failed: latency -1, no tokens, no cost, but the true bill."""
    answer = error.answer if isinstance(error, AnswerUnusable) else None
    request_id = error.request_id if isinstance(error, ProviderFailed) else ""
    return replace(
        asked,
        created_at=now,
        request_id=answer.request_id if answer else request_id,
        stop_reason=answer.stop_reason if answer else None,
        error=error.code if isinstance(error, PaigeError) else type(error).__name__,
        billed_usd=answer.cost_usd if answer else None,
    )
