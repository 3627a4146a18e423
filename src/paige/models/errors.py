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
"""

from paige.base.errors import Unavailable
from paige.models.requests import Answer


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
