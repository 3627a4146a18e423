"""Doctor's questions about models; nothing is asked over the network."""

from importlib.util import find_spec

from paige.base.checks import Check
from paige.base.settings import Settings
from paige.models.errors import KEY_VARIABLES
from paige.models.local import LOCAL
from paige.models.prices import Prices
from paige.models.setup import Choice, choose, prices_of

_SDKS = {"anthropic": "anthropic", "openai": "openai", "openai-compatible": "openai"}


def checks(settings: Settings) -> list[Check]:
    """Which provider answers, whether it has a key, and what is known about its models."""
    choice = choose(settings, strict=False)
    if choice.provider == LOCAL:
        message = "local rules answer; a model does once `ANTHROPIC_API_KEY` or another key is set"
        return [Check("models", "ok", message)]
    fault = _fault(choice)
    if fault is not None:
        return [fault]
    names = ", ".join(f"{tier} `{model}`" for tier, model in choice.models.items())
    named = Check("models", "ok", f"`{choice.provider}` is set: {names}")
    return [named, *_known(choice, prices_of(settings))]


def _fault(choice: Choice) -> Check | None:
    variable = KEY_VARIABLES[choice.provider]
    if not choice.key and choice.provider != "openai-compatible":
        message = f"`{choice.provider}` is to answer, but `{variable}` is not set"
        return Check("models", "fail", message, f"Set `{variable}`, or `PAIGE_PROVIDER=local`.")
    if not choice.base_url:
        message = f"`{choice.provider}` has no address"
        return Check("models", "fail", message, "Set `PAIGE_BASE_URL`.")
    for tier, model in choice.models.items():
        if not model:
            message = f"`{choice.provider}` has no model for the tier `{tier}`"
            return Check("models", "fail", message, f"Set `PAIGE_MODEL_{tier.upper()}`.")
    package = _SDKS[choice.provider]
    if find_spec(package) is None:
        message = f"The package `{package}` is not installed"
        return Check("models", "fail", message, f"Install `{package}`.")
    return None


def _known(choice: Choice, prices: Prices) -> list[Check]:
    found: list[Check] = []
    for tier, model in choice.models.items():
        price = prices.find(model)
        variable = f"PAIGE_MODEL_{tier.upper()}"
        if price is None:
            message = f"No price is known for `{model}`; where a limit binds it is not asked"
            fix = f"Set `PAIGE_MODEL_PRICES`, such as `{model}=0.5/2`."
            found.append(Check("model prices", "warn", message, fix))
        elif price.retires is not None:
            message = f"`{model}` is switched off by its maker on {price.retires}"
            found.append(Check("model age", "warn", message, f"Set `{variable}` to a newer one."))
    return found
