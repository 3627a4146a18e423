"""What the text of a setting means, by its kind; a bad one is named with its place."""

import math
from collections.abc import Callable

from paige.base.errors import BadInput
from paige.base.model_price import ModelPrice, parse_model_price
from paige.base.origins import parse_origins


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
