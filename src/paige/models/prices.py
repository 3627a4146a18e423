"""Model ids of the tiers, and what an answer cost: read from `prices.toml`, which is data."""

import logging
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from paige.models.requests import Tier, Usage

logger = logging.getLogger(__name__)
MILLION = 1_000_000
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
        return self.models.get(model) or self.models.get(_DATE.sub("", model))

    def cost(self, model: str, usage: Usage) -> float | None:
        """What an answer cost in US dollars; `None`, said once a model, when nobody knows."""
        price = self.find(model)
        if price is None:
            if model not in self.mentioned:
                self.mentioned.add(model)
                logger.warning("No price is known for the model `%s`; its cost stays empty", model)
            return None
        if price.long_over is not None and usage.total_input > price.long_over:
            return (price.long_rates or price.rates).cost(usage)
        return price.rates.cost(usage)


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
