"""Moments as people type them behind `--since`: a day by name, so long ago, or an ISO date.

Days begin at midnight UTC, as a date without a time does.
"""

import re
from datetime import UTC, datetime, timedelta

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput

FORMS = "today, yesterday, 7d, 2w, 2026-03-01 or 2026-03-01T09:30:00Z"
_AGO = re.compile(r"(?P<count>\d{1,5})\s*(?P<unit>[dw])")
_DAYS = {"d": 1, "w": 7}
_NAMED = {"today": 0, "yesterday": 1}


class Moment(click.ParamType):
    """An option that takes a moment."""

    name = "when"

    def convert(
        self, value: str | datetime, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """The moment that was typed. Raises: BadInput."""
        if isinstance(value, datetime):
            return value
        name = param.name if param and param.name else "since"
        return read_when(value, name, now=system_clock())


WHEN = Moment()


def read_when(text: str, name: str, *, now: datetime) -> datetime:
    """The moment that a text means at `now`; `name` is what it was given as. Raises: BadInput."""
    word = text.strip().lower()
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    ago = _AGO.fullmatch(word)
    try:
        if word in _NAMED:
            return today - timedelta(days=_NAMED[word])
        if ago:
            return now - timedelta(days=int(ago["count"]) * _DAYS[ago["unit"]])
        found = datetime.fromisoformat(text.strip())
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"`{name}` is `{text[:100]}`, which is not a moment", hint=f"Write {FORMS}."
        ) from error
