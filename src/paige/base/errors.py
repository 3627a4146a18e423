"""The one error tree: every error a person may see has a message and, where it helps, a hint.

PaigeError
├── NotFound      what was asked for does not exist            exit 1, HTTP 404
├── Refused       a rule says no                               exit 3, HTTP 403
├── BadInput      the value given cannot be used               exit 2, HTTP 400
├── Conflict      someone else changed it, or holds it         exit 1, HTTP 409
└── Unavailable   something Paige needs does not answer now    exit 1, HTTP 503

A room adds a subclass only if someone catches it. Doors translate once, by `exit_code` and
`status`.
"""


class PaigeError(Exception):
    """Something a person should be told: what happened, and what to do next."""

    exit_code = 1
    status = 500
    code = "failed"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class NotFound(PaigeError):
    """What was asked for does not exist."""

    status = 404
    code = "not_found"


class Refused(PaigeError):
    """A rule says no."""

    exit_code = 3
    status = 403
    code = "refused"


class BadInput(PaigeError):
    """The value given cannot be used as it is."""

    exit_code = 2
    status = 400
    code = "bad_input"


class Conflict(PaigeError):
    """Someone else changed it first, or holds it now."""

    status = 409
    code = "conflict"


class Unavailable(PaigeError):
    """Something Paige needs does not answer now."""

    status = 503
    code = "unavailable"
    retry_after = 5
    """Seconds after which asking again is worth it."""
