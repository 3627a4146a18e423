"""What people write as settings: `.env` files, and what the text of a setting means by its kind.

In `.env` stand `NAME=value` a line, comments, quotes, an optional `export`. A bad value is named
with its place.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.base.origins import parse_origins

_LINE = re.compile(r"(?:export\s+)?(?P<name>[A-Za-z_]\w*)\s*=(?P<value>.*)$")


class Entry(NamedTuple):
    """One assignment and the line it stands on."""

    name: str
    value: str
    line: int


def read_dotenv(path: Path) -> list[Entry]:
    """The assignments of a file in their order; a missing file has none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"`{path}` cannot be read: {error}") from error
    entries: list[Entry] = []
    # Not splitlines: it also splits at characters that no editor counts as the end of a line.
    for number, line in enumerate(text.split("\n"), 1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        match = _LINE.match(content)
        if match is None:
            # The line itself stays out of the message: it may be half a key.
            raise BadInput(
                f"{path}:{number}: this line is not `NAME=value`", hint="Comments begin with `#`."
            )
        entries.append(Entry(match["name"], _unquote(match["value"], f"{path}:{number}"), number))
    return entries


def _unquote(given: str, place: str) -> str:
    value = given.strip()
    quote = value[:1]
    if quote not in ("'", '"'):
        return re.split(r"\s#", given, maxsplit=1)[0].strip()
    end = value.find(quote, 1)
    if end < 0 or (value[end + 1 :].strip() and not value[end + 1 :].strip().startswith("#")):
        raise BadInput(f"{place}: the quote {quote} is not closed")
    return value[1:end]


class ModelPrice(NamedTuple):
    """What a model costs, in US dollars per million tokens; `*` stands for every other model."""

    model: str
    input: float
    output: float


def parse_model_price(text: str) -> ModelPrice:
    """Read `name=input/output`, or `name=both`. Raises: ValueError."""
    # A name may hold anything but a comma, also the signs behind it.
    model, _, figures = text.rpartition("=")
    first, _, second = figures.partition("/")
    price = ModelPrice(model.strip(), float(first), float(second or first))
    if not price.model or not all(0 <= each < math.inf for each in price[1:]):
        raise ValueError(text)
    return price


def _text(text: str, _: str) -> str:
    return text


def _words(text: str, _: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _port(text: str, place: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise BadInput(f"{place}: `{text}` is not a port", hint="Use a number from 0 to 65535.")
    return int(text)


def _flag(text: str, place: str) -> bool:
    if text.lower() not in ("1", "0", "true", "false", "yes", "no"):
        raise BadInput(f"{place}: `{text}` is neither on nor off", hint="Use 1 or 0.")
    return text.lower() in ("1", "true", "yes")


def _amount(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise BadInput(f"{place}: `{text}` is not an amount", hint="Use a number such as 2.5.")
    return value


def _address(text: str, place: str) -> str:
    scheme, _, rest = text.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/"):
        raise BadInput(
            f"{place}: `{text}` is not an address", hint="Write `http://…` or `https://…`."
        )
    return text.rstrip("/")


def _prices(text: str, place: str) -> tuple[ModelPrice, ...]:
    return tuple(_price(each, place) for each in _words(text, place))


def _price(text: str, place: str) -> ModelPrice:
    try:
        return parse_model_price(text)
    except ValueError:
        raise BadInput(
            f"{place}: `{text}` is not the price of a model",
            hint="Write `name=input/output` in US dollars per million tokens, as `my-model=0.5/2`.",
        ) from None


PARSERS: dict[str, Callable[[str, str], object]] = {
    "text": _text,
    "secret": _text,
    "words": _words,
    "origins": parse_origins,
    "port": _port,
    "flag": _flag,
    "address": _address,
    "amount": _amount,
    "prices": _prices,
}
