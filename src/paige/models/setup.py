"""Chooses and builds the provider that the settings name."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from paige.base.clock import Clock, system_clock
from paige.base.settings import Settings, provider_of
from paige.models.anthropic_messages import ANTHROPIC
from paige.models.calls import Models
from paige.models.http_provider import (
    LONGEST_WAIT,
    Endpoint,
    HttpProvider,
    open_anthropic,
    open_openai,
)
from paige.models.local import LOCAL, LocalProvider, Registry
from paige.models.openai_chat import CHAT
from paige.models.openai_responses import OPENAI
from paige.models.prices import Prices, shipped_prices
from paige.models.requests import Provider, Tier
from paige.models.wrappers import CircuitBreaker, RetryingProvider
from paige.store.engine import Database

_ADDRESSES = {
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com/v1",
    "openai-compatible": "",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Who answers, where, with which models, and what happens when it fails."""

    provider: str
    base_url: str
    key: str
    models: Mapping[Tier, str]
    fallback: str


def choose(settings: Settings, *, strict: bool) -> Choice:
    """What the settings say; `strict` is `paige serve`."""
    provider = provider_of(settings, strict=strict)
    tiers = shipped_prices().tiers.get(provider, {})
    given = {"haiku": settings.model_haiku, "sonnet": settings.model_sonnet}
    models = {tier: name or tiers.get(cast("Tier", tier), "") for tier, name in given.items()}
    key = settings.anthropic_api_key if provider == "anthropic" else settings.openai_api_key
    return Choice(
        provider,
        settings.base_url or _ADDRESSES.get(provider, ""),
        key,
        cast("Mapping[Tier, str]", models),
        settings.fallback or ("none" if strict else LOCAL),
    )


def prices_of(settings: Settings) -> Prices:
    """The prices that come with Paige, and those that the settings give."""
    return shipped_prices().with_own(settings.model_prices)


def open_provider(
    choice: Choice,
    registry: Registry,
    *,
    prices: Prices | None = None,
    timeout: float = LONGEST_WAIT,
) -> Provider:
    """The provider alone, without retries; nothing is imported or connected before it is asked."""
    if choice.provider == LOCAL:
        return LocalProvider(registry)
    dialect, open_sdk = {
        "anthropic": (ANTHROPIC, open_anthropic),
        "openai": (OPENAI, open_openai),
        "openai-compatible": (CHAT, open_openai),
    }[choice.provider]
    endpoint = Endpoint(choice.base_url, choice.key, timeout)
    known = prices or shipped_prices()
    return HttpProvider(dialect, open_sdk, endpoint, models=choice.models, prices=known)


def open_models(
    settings: Settings,
    db: Database,
    registry: Registry,
    *,
    strict: bool,
    now: Clock = system_clock,
) -> Models:
    """Everything model calls need, from the settings."""
    choice = choose(settings, strict=strict)
    prices = prices_of(settings)
    provider = open_provider(choice, registry, prices=prices)
    if choice.provider != LOCAL:
        provider = RetryingProvider(provider)
        if choice.fallback == LOCAL:
            provider = CircuitBreaker(provider, now)
    return Models(
        provider,
        LocalProvider(registry),
        db,
        choice.fallback,
        now,
        spend_limit_day=settings.spend_limit_day,
        prices=prices,
    )
