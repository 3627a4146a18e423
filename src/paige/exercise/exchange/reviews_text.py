"""A card's reviews in one cell of a table: `2026-02-22T14:30:00Z 3 4d 5200ms; …`.

Each review is when, the rating, how long the card was put away (`4d`, or `600s` for less than a
day), how long the answer took, and, when a card asks several things, which: `#1` is the second.
"""

import math
import re
from datetime import UTC, datetime

from paige.base.errors import BadInput
from paige.exercise.exchange.values import RATINGS, Review, sensible

_DAY = 86_400
_INTERVAL = re.compile(r"([0-9.eE+-]+)([ds])", re.ASCII)
_DURATION = re.compile(r"(\d{1,12})ms", re.ASCII)
_PART = re.compile(r"#(\d{1,4})", re.ASCII)


def show_moment(moment: datetime) -> str:
    """A moment as it stands in files: UTC, with `Z`."""
    whole = moment.astimezone(UTC)
    return whole.isoformat(timespec="auto").replace("+00:00", "Z")


def read_moment(text: str) -> datetime:
    """A moment or a day; without an offset it is UTC. Raises: BadInput."""
    try:
        found = datetime.fromisoformat(text.strip())
        moment = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        if not sensible(moment):
            raise ValueError(text)
        return moment
    except (ValueError, OverflowError):
        raise BadInput(
            f"`{text.strip()[:40]}` is not a date", hint="Write it as 2026-02-22T14:30:00Z."
        ) from None


def show_reviews(history: tuple[Review, ...]) -> str:
    """Every review of a card, in a line."""
    return "; ".join(_show(review) for review in history)


def read_reviews(text: str) -> tuple[Review, ...]:
    """The reviews in a cell. Raises: BadInput, naming the one that cannot be read."""
    return tuple(_read(each.strip()) for each in text.split(";") if each.strip())


def _show(review: Review) -> str:
    shown = [show_moment(review.at), str(review.rating), _show_interval(review.interval_days)]
    if review.duration_ms or review.part:
        shown.append(f"{review.duration_ms}ms")
    if review.part:
        shown.append(f"#{review.part}")
    return " ".join(shown)


def _show_interval(days: float) -> str:
    seconds = round(days * _DAY)
    if 0 < days < 1 and seconds / _DAY == days:
        return f"{seconds}s"
    return f"{int(days) if float(days).is_integer() else days!r}d"


def _read(text: str) -> Review:
    try:
        at, rating, *more = text.split()
        chosen = RATINGS[("1", "2", "3", "4").index(rating)]
        found = {"interval": 0.0, "duration": 0, "part": 0}
        for word in more:
            found |= _word(word)
    except ValueError:
        raise BadInput(
            f"`{text[:60]}` is not a review",
            hint="Write each as `2026-02-22T14:30:00Z 3 4d 5200ms`, separated by `;`.",
        ) from None
    return Review(
        read_moment(at), chosen, found["interval"], int(found["duration"]), int(found["part"])
    )


def _word(word: str) -> dict[str, float]:
    if interval := _INTERVAL.fullmatch(word):
        value = float(interval[1]) / (1 if interval[2] == "d" else _DAY)
        if not math.isfinite(value) or value < 0:
            raise ValueError(word)
        return {"interval": value}
    if duration := _DURATION.fullmatch(word):
        return {"duration": int(duration[1])}
    if part := _PART.fullmatch(word):
        return {"part": int(part[1])}
    raise ValueError(word)
