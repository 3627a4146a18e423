import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import paige.models
from paige.base.settings import Settings, read_settings
from paige.models.checks import checks
from paige.models.http_provider import HttpProvider
from paige.models.local import LocalProvider, Registry
from paige.models.setup import choose, open_models
from paige.models.wrappers import CircuitBreaker, RetryingProvider
from paige.store.engine import Database

pytestmark = pytest.mark.anyio
KEY = "sk-ant-test-0123456789abcdef0123456789"


def settings(**variables: str) -> Settings:
    return read_settings({"HOME": "/nowhere", **variables}, Path("/nowhere"))


def test_without_a_key_local_rules_answer_and_serve_still_wants_anthropic() -> None:
    assert choose(settings(), strict=False).provider == "local"
    assert choose(settings(), strict=True).provider == "anthropic"


def test_the_spec_models_are_the_defaults_and_may_be_changed() -> None:
    plain = choose(settings(ANTHROPIC_API_KEY=KEY), strict=True)
    changed = choose(
        settings(ANTHROPIC_API_KEY=KEY, PAIGE_MODEL_HAIKU="claude-haiku-5-5"), strict=True
    )

    assert plain.models == {
        "haiku": "claude-haiku-4-5-20251001",
        "sonnet": "claude-sonnet-4-5-20250929",
    }
    assert changed.models["haiku"] == "claude-haiku-5-5"


def test_serve_does_not_fall_back_unless_it_is_told_to() -> None:
    assert choose(settings(), strict=True).fallback == "none"
    assert choose(settings(), strict=False).fallback == "local"
    assert choose(settings(PAIGE_FALLBACK="local"), strict=True).fallback == "local"


def test_another_endpoint_and_key_reach_the_provider() -> None:
    choice = choose(
        settings(OPENAI_API_KEY=KEY, PAIGE_BASE_URL="http://127.0.0.1:11434/v1"), strict=False
    )

    assert (choice.provider, choice.base_url, choice.key) == (
        "openai-compatible",
        "http://127.0.0.1:11434/v1",
        KEY,
    )


@pytest.mark.parametrize("provider", ["anthropic", "openai", "openai-compatible"])
async def test_a_provider_that_may_fall_back_rests_after_failures(
    db: Database, provider: str
) -> None:
    chosen = settings(PAIGE_PROVIDER=provider, ANTHROPIC_API_KEY=KEY, OPENAI_API_KEY=KEY)

    strict = open_models(chosen, db, Registry(), strict=True).provider
    mild = open_models(chosen, db, Registry(), strict=False)

    assert isinstance(strict, RetryingProvider)
    assert isinstance(strict.inner, HttpProvider)
    assert isinstance(mild.provider, CircuitBreaker)
    assert mild.provider.name == provider
    assert mild.fallback == "local"
    await mild.aclose()


async def test_no_provider_means_the_local_one(db: Database) -> None:
    models = open_models(settings(), db, Registry(), strict=False)

    assert isinstance(models.provider, LocalProvider)
    await models.aclose()


@pytest.mark.parametrize(
    ("variables", "status", "words"),
    [
        ({}, "ok", "local rules answer"),
        ({"PAIGE_PROVIDER": "anthropic"}, "fail", "`ANTHROPIC_API_KEY` is not set"),
        ({"PAIGE_PROVIDER": "openai"}, "fail", "`OPENAI_API_KEY` is not set"),
        ({"PAIGE_PROVIDER": "openai-compatible"}, "fail", "no address"),
        (
            {"PAIGE_PROVIDER": "openai-compatible", "PAIGE_BASE_URL": "http://127.0.0.1:1"},
            "fail",
            "no model for the tier `haiku`",
        ),
        ({"OPENAI_API_KEY": KEY}, "ok", "`openai` is set: haiku `gpt-5-mini`"),
    ],
)
def test_doctor_says_who_answers(variables: dict[str, str], status: str, words: str) -> None:
    first, *_ = checks(settings(**variables))

    assert first.status == status
    assert words in first.message
    assert KEY not in repr(first)


def test_doctor_warns_of_a_model_that_is_switched_off_and_of_one_without_a_price() -> None:
    _, age, price = checks(settings(ANTHROPIC_API_KEY=KEY, PAIGE_MODEL_HAIKU="claude-x"))[:3]
    found = {check.name: check for check in (age, price)}

    assert found["model age"].message.endswith("2026-11-30")
    assert found["model age"].fix == "Set `PAIGE_MODEL_SONNET` to a newer one."
    assert "`claude-x`" in found["model prices"].message


def test_no_sdk_is_imported_before_someone_is_asked() -> None:
    names = [module.name for module in pkgutil.iter_modules(paige.models.__path__)]
    imports = "; ".join(f"import paige.models.{name}" for name in names)
    code = f"{imports}; import sys; print({{'anthropic', 'openai', 'httpx2'}} & set(sys.modules))"

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert len(names) > 20
    assert run.stdout.strip() == "set()"
