"""Asks a model one tiny question with settings that may not be saved yet, and says what happened.

The question costs a few tokens, and is written down with every other call.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Annotated, Literal, cast

from pydantic import Field, SecretStr

from paige.app.application import App
from paige.base.errors import BadInput, PaigeError
from paige.base.ids import new_id
from paige.base.settings import Settings, parse_setting
from paige.base.wire import wire
from paige.doors.settings.page import MAX_TEXT, ProviderName, check_address, check_text
from paige.models.errors import (
    ApiKeyInvalid,
    ApiTimeout,
    BadAnswer,
    ConnectionFailed,
    ModelError,
    ModelUnknown,
    RateLimited,
)
from paige.models.local import LOCAL, Registry
from paige.models.log import ApiCall, answered_call, failed_call, input_hash
from paige.models.messages import user_message
from paige.models.prices import shipped_prices
from paige.models.queries import insert_api_call
from paige.models.requests import Provider, Request, Tier
from paige.models.setup import Choice, choose, open_provider, prices_of

Outcome = Literal[
    "works",
    "local",
    "no_key",
    "wrong_key",
    "no_network",
    "timeout",
    "rate_limit",
    "no_credit",
    "model_unknown",
    "not_a_model",
    "failed",
]
CALL_TYPE = "settings:check"
QUESTION = "Answer with the single word: ready"
FEW_TOKENS = 16  # the smallest number that every provider takes
CHECK_SECONDS = 20.0


@wire(kw_only=True)
class SettingsCheck:
    """What to ask a model with; what is left out is as it is set."""

    provider: ProviderName | None = None
    key: Annotated[SecretStr | None, Field(max_length=MAX_TEXT)] = None
    base_url: Annotated[str | None, Field(max_length=MAX_TEXT)] = None
    model: Annotated[str | None, Field(max_length=200)] = None
    tier: Tier = "haiku"


@wire(kw_only=True)
class SettingsChecked:
    """What happened when a model was asked one tiny question."""

    outcome: Outcome
    message: str
    hint: str | None = None
    provider: str = ""
    model: str = ""
    latency_ms: int | None = None
    cost_usd: float | None = None


async def check_model(
    app: App,
    now: Settings,
    wanted: SettingsCheck,
    *,
    seconds: float = CHECK_SECONDS,
    randomness: Callable[[int], bytes] = os.urandom,
) -> SettingsChecked:
    """Ask one tiny question. Raises: BadInput, Refused for what cannot be checked at all."""
    choice = choose(_settings_for(now, wanted), strict=app.strict)
    if choice.provider == LOCAL:
        return SettingsChecked(
            outcome="local",
            message="Local rules answer: nothing leaves this machine, and no key is needed",
            provider=LOCAL,
        )
    model = choice.models.get(wanted.tier, "")
    about = SettingsChecked(outcome="works", message="", provider=choice.provider, model=model)
    missing = _missing(choice, model)
    if missing is not None:
        return replace(about, outcome="no_key", message=missing)
    provider = open_provider(choice, Registry(), prices=prices_of(app.settings), timeout=seconds)
    request = Request(
        purpose=CALL_TYPE,
        messages=(user_message(QUESTION),),
        model=model,
        max_tokens=FEW_TOKENS,
    )
    moment = app.now()
    asked = ApiCall(
        id=new_id(moment, randomness(10)),
        created_at=moment,
        session_id=None,
        call_type=CALL_TYPE,
        model=model,
        provider=choice.provider,
        input_hash=input_hash(QUESTION),
    )
    try:
        return await _ask(app, provider, request, asked, about)
    finally:
        await provider.aclose()


async def _ask(
    app: App, provider: Provider, request: Request, asked: ApiCall, about: SettingsChecked
) -> SettingsChecked:
    try:
        answer = await provider.ask(request)
    except ModelError as error:
        row = failed_call(asked, error, now=app.now())
        result = replace(
            about, outcome=outcome_of(error), message=error.message, hint=hint_of(error)
        )
    else:
        row = answered_call(asked, answer, now=app.now())
        result = replace(
            about,
            message=f"`{about.model}` answered in {answer.latency_ms / 1000:.1f} s",
            hint=_retiring(about.model, app.now().date()),
            latency_ms=answer.latency_ms,
            cost_usd=answer.cost_usd,
        )
    await app.database.write(insert_api_call, app.actor, row)
    return result


def outcome_of(error: PaigeError) -> Outcome:
    """What a failure means for somebody who wants to know whether a key works."""
    match error:
        case ApiKeyInvalid():
            return "wrong_key"
        case ModelUnknown():
            return "model_unknown"
        case RateLimited(transient=False):
            return "no_credit"
        case RateLimited():
            return "rate_limit"
        case ConnectionFailed():
            return "no_network"
        case ApiTimeout():
            return "timeout"
        case BadAnswer():
            return "not_a_model"
        case _:
            return "failed"


def hint_of(error: ModelError) -> str | None:
    """What to do about a failure, on a page where everything can be changed at once."""
    match outcome_of(error):
        case "wrong_key":
            return "Copy the key once more; a key that was deleted at its maker never works again."
        case "model_unknown":
            return "The model may be retired. Choose another one, or check the address."
        case "rate_limit":
            return f"The key works. {error.hint or 'Try again in a moment.'}"
        case "no_network":
            return "Check the network, a proxy or firewall, and the address if one is given."
        case "no_credit":
            return "The key works. Add credit at its maker, or choose another provider."
        case _:
            return error.hint


def _settings_for(now: Settings, wanted: SettingsCheck) -> Settings:
    """The settings with what is to be checked; a kept key only goes to a kept address."""
    provider = wanted.provider or choose(now, strict=False).provider
    key_name = "anthropic_api_key" if provider == "anthropic" else "openai_api_key"
    changes: dict[str, str | None] = {}
    if wanted.key:
        changes[key_name] = wanted.key.get_secret_value().strip()
    if wanted.base_url is not None:
        changes["base_url"] = wanted.base_url.strip()
        # Only the provider's own key is sent by a check.
        other = "openai_api_key" if key_name == "anthropic_api_key" else "anthropic_api_key"
        check_address(now, {other: None, **changes})
    if wanted.model:
        changes[f"model_{wanted.tier}"] = wanted.model.strip()
    for name, text in changes.items():
        check_text(name, text or "")
    parsed = {
        key: parse_setting(key, text, now.environ, now.cwd) if text else ""
        for key, text in changes.items()
    }
    provider = cast("str", parse_setting("provider", provider, now.environ, now.cwd))
    return replace(now, provider=provider, **parsed)  # type: ignore[arg-type]  # parsed by kind


def _missing(choice: Choice, model: str) -> str | None:
    if not choice.base_url:
        return "This provider needs an address"
    if not choice.key and choice.provider != "openai-compatible":
        return "There is no key to check yet"
    if not model:
        raise BadInput("No model is named", hint="Write the name of a model the server has.")
    return None


def _retiring(model: str, today: date) -> str | None:
    price = shipped_prices().find(model)
    if price is None or price.retires is None:
        return None
    verb = "was to be" if price.retires <= today.isoformat() else "will be"
    return f"`{model}` {verb} switched off by its maker on {price.retires}. Choose a newer one."
