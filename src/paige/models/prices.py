"""Model ids of the tiers, and what an answer cost: read from `prices.toml`, which is data."""

import logging
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from paige.base.setting_values import ModelPrice
from paige.base.tokens import count_tokens_bound
from paige.models.requests import Request, Tier, Usage

logger = logging.getLogger(__name__)
MILLION = 1_000_000
OTHERS = "*"  # the name that stands for every model without a price
_DATE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float

    def cost(self, usage: Usage) -> float:
        """What so many tokens cost."""
        return (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_write * self.cache_write
            + usage.cache_read * self.cache_read
        ) / MILLION


@dataclass(frozen=True, slots=True)
class Price:
    """The rates of a model, those for prompts over `long_over` tokens, and its last day."""

    rates: Rates
    long_over: int | None = None
    long_rates: Rates | None = None
    retires: str | None = None


@dataclass(frozen=True, slots=True)
class Prices:
    """What is known about models."""

    tiers: Mapping[str, Mapping[Tier, str]]
    models: Mapping[str, Price]
    # Models whose missing price was mentioned already.
    mentioned: set[str] = field(default_factory=set, repr=False, compare=False)

    def find(self, model: str) -> Price | None:
        """The price of a model, or of the same model without its date."""
        known = (model, _DATE.sub("", model), OTHERS)
        return next((self.models[name] for name in known if name in self.models), None)

    def with_own(self, given: Iterable[ModelPrice]) -> "Prices":
        """The same with prices that somebody gave, which count more."""
        own = {
            each.model: Price(Rates(each.input, each.output, each.input, each.input))
            for each in given
        }
        return replace(self, models={**self.models, **own}, mentioned=set())

    def cost(self, model: str, usage: Usage) -> float | None:
        """What an answer cost in US dollars; `None`, said once a model, when nobody knows."""
        price = self.find(model)
        if price is None:
            if model not in self.mentioned:
                self.mentioned.add(model)
                logger.warning("No price is known for the model `%s`; its cost stays empty", model)
            return None
        usage = Usage(*(max(0, tokens) for tokens in astuple(usage)))  # nobody gives money back
        if price.long_over is not None and usage.total_input > price.long_over:
            return (price.long_rates or price.rates).cost(usage)
        return price.rates.cost(usage)


def guessed_usage(request: Request, said: str = "") -> Usage:
    """What a request and the words of its answer come to at most, where nobody has counted."""
    blocks = (block for message in request.messages for block in message.blocks)
    asked = [request.system, *map(str, blocks), *(str(tool.input_schema) for tool in request.tools)]
    return Usage(count_tokens_bound("\n".join(asked)), count_tokens_bound(said))


@lru_cache(maxsize=1)
def shipped_prices() -> Prices:
    """The price list that comes with Paige."""
    return parse_prices((Path(__file__).parent / "prices.toml").read_text(encoding="utf-8"))


def parse_prices(text: str) -> Prices:
    """Read a price list."""
    table = tomllib.loads(text)
    return Prices(table["tiers"], {name: _price(row) for name, row in table["models"].items()})


def _price(row: Mapping[str, Any]) -> Price:
    long = row.get("long")
    return Price(
        _rates(row),
        long["over"] if long else None,
        _rates(long) if long else None,
        row.get("retires"),
    )


def _rates(row: Mapping[str, Any]) -> Rates:
    # Who names no price for the cache bills it like any other input.
    full = row["input"]
    return Rates(full, row["output"], row.get("cache_write", full), row.get("cache_read", full))
