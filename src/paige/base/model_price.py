"""The price of a model as a person writes it into a setting."""

import math
from typing import NamedTuple


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
