"""The server's log: one line an event, as text or JSON, never with a secret in it."""

import json
import logging
import sys
from datetime import UTC, datetime

from paige.base.clock import to_iso
from paige.base.secrets import redact

# What every log record has; the rest was given by `extra=`.
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _Lines(logging.Formatter):
    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """The parts of a record that both formats write."""
        moment = datetime.fromtimestamp(record.created, UTC)
        extra = {key: value for key, value in vars(record).items() if key not in _STANDARD}
        message = record.getMessage()
        if record.exc_info:
            message = f"{message}\n{self.formatException(record.exc_info)}"
        base = {"at": to_iso(moment), "level": record.levelname.lower(), "logger": record.name}
        return {**base, "message": message, **extra}


class JsonLines(_Lines):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as JSON."""
        return redact(json.dumps(self.fields(record), default=str, ensure_ascii=False))


class TextLines(_Lines):
    """Time, level and message, with the rest as `key=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record as text."""
        fields = self.fields(record)
        at, level, _, message = (
            str(fields.pop(key)) for key in ("at", "level", "logger", "message")
        )
        rest = "".join(f" {key}={value}" for key, value in fields.items())
        return redact(f"{at} {level:7} {message}{rest}")


def set_up_logs(log_format: str) -> None:
    """Send every log of this process to stdout: a server's log is its output."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines() if log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # These tell of every request and session; ours say what matters.
    for name in ("mcp", "uvicorn", "sse_starlette", "alembic", "watchfiles", "fontTools"):
        logging.getLogger(name).setLevel(logging.WARNING)
