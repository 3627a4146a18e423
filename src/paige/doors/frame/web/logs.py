"""The server's log: one line an event, as text or JSON, never with a secret in it.

A line that is written while a request is answered says which one (`request`), and who asked
(`tenant`, `person`). Secrets are found by their shape, and those of the settings by their value.
"""

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.secrets import redact
from paige.base.settings import SETTINGS, Settings
from paige.doors.frame.web.request_ids import current_request

# What every log record has; the rest was given by `extra=`.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
SHORTEST = 6
"""Characters: a shorter secret is part of ordinary words."""
HIDDEN = "[secret]"


class _Lines(logging.Formatter):
    def __init__(self, hidden: Iterable[str] = ()) -> None:
        super().__init__()
        known = tuple(hidden)
        # Longest first: one secret may be the beginning of another.
        self._hidden = sorted({*known, *map(_in_json, known)}, key=len, reverse=True)

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """The parts of a record that both formats write."""
        moment = datetime.fromtimestamp(record.created, UTC)
        extra = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        message = record.getMessage()
        if record.exc_info:
            message = f"{message}\n{self.formatException(record.exc_info)}"
        base = {"at": to_iso(moment), "level": record.levelname.lower(), "logger": record.name}
        return {**base, "message": message, **extra, **asked_fields()}

    def clean(self, line: str) -> str:
        """A line without secrets."""
        for secret in self._hidden:
            line = line.replace(secret, HIDDEN)
        return redact(line)


class JsonLines(_Lines):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as JSON."""
        return self.clean(json.dumps(self.fields(record), default=str, ensure_ascii=False))


class TextLines(_Lines):
    """Time, level and message, with the rest as `key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as text."""
        fields = self.fields(record)
        at, level, _, message = (
            str(fields.pop(key)) for key in ("at", "level", "logger", "message")
        )
        if (fields.get("tenant"), fields.get("person")) == (_ALONE.tenant, _ALONE.person):
            del fields["tenant"], fields["person"]  # everyone who reads this knows
        rest = "".join(f" {key}={value}" for key, value in fields.items())
        return self.clean(f"{at} {level:7} {message}{rest}")


_ALONE = Actor()


def asked_fields() -> dict[str, str]:
    """Which request this task works for, and who asked."""
    asking = current_request()
    if asking is None:
        return {}
    actor = asking.actor
    known = {"tenant": actor.tenant, "person": actor.person} if actor else {}
    return {"request": asking.id, **known}


def secret_values(settings: Settings) -> list[str]:
    """Every secret that the settings hold, and every password in one of their addresses."""
    found: set[str] = set()
    for setting in SETTINGS:
        if setting.kind in ("secret", "address", "text"):
            value = str(getattr(settings, setting.key))
            found |= _passwords(value) | ({value} if setting.kind == "secret" else set())
    for pair in settings.otlp_headers.split(","):
        value = pair.partition("=")[2].strip()
        found |= {value, unquote(value)}
    return sorted(value for value in found if len(value) >= SHORTEST)


def set_up_logs(log_format: str, hidden: Iterable[str] = ()) -> None:
    """Send every log of this process to stdout: a server's log is its output.

    `hidden` are values that never stand in it, whatever they look like.
    """
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines(hidden) if log_format == "json" else TextLines(hidden))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # These tell of every request and session; ours say what matters.
    for name in ("mcp", "uvicorn", "sse_starlette", "alembic", "watchfiles", "fontTools", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)


def _passwords(address: str) -> set[str]:
    try:
        password = urlsplit(address).password
    except ValueError:
        return set()
    return {password, unquote(password)} if password else set()


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
