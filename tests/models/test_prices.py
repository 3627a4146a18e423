import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.models.prices import parse_prices, shipped_prices
from paige.models.requests import Usage


@pytest.mark.parametrize(
    ("model", "usage", "dollars"),
    [
        ("claude-haiku-4-5-20251001", Usage(1_000_000, 1_000_000), 4.80),
        ("claude-sonnet-4-5-20250929", Usage(1_000_000, 1_000_000), 18.00),
        ("claude-sonnet-4-5-20250929", Usage(0, 0, 1_000_000, 1_000_000), 4.05),
        ("claude-sonnet-5-5", Usage(100_000, 20_000, 40_000, 300_000), 0.56),
        ("claude-opus-5-5", Usage(10_000, 5_000, 0, 1_000_000), 0.34),
        ("gpt-5", Usage(200_000, 50_000, 0, 800_000), 0.85),
        ("gpt-5-mini-2025-08-07", Usage(1_000_000, 100_000), 0.45),
    ],
)
def test_a_cost_is_right_to_the_cent_with_cache_tokens(
    model: str, usage: Usage, dollars: float
) -> None:
    cost = shipped_prices().cost(model, usage)

    assert cost is not None
    assert round(cost, 2) == dollars


def test_a_long_prompt_has_its_own_price() -> None:
    prices = shipped_prices()

    assert prices.cost("claude-haiku-5-5", Usage(100_000, 0)) == pytest.approx(0.01)
    assert prices.cost("claude-haiku-5-5", Usage(50_000, 0, 0, 50_001)) == pytest.approx(
        (50_000 * 0.5 + 50_001 * 0.05) / 1e6
    )


def test_a_cache_without_a_price_of_its_own_costs_like_input() -> None:
    assert shipped_prices().cost("gpt-5", Usage(0, 0, 1_000_000, 0)) == 1.25


def test_an_unknown_model_has_no_cost_and_is_mentioned_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    prices = parse_prices('[tiers.x]\nhaiku = "a"\n[models.a]\ninput = 1\noutput = 2\n')

    assert prices.cost("llama", Usage(10, 10)) is None
    assert prices.cost("llama", Usage(10, 10)) is None
    assert [record.getMessage() for record in caplog.records] == [
        "No price is known for the model `llama`; its cost stays empty"
    ]


def test_every_tier_has_a_model_with_a_price() -> None:
    prices = shipped_prices()

    for provider in ("anthropic", "openai"):
        assert set(prices.tiers[provider]) == {"haiku", "sonnet"}
        assert all(prices.find(model) for model in prices.tiers[provider].values())


tokens = st.integers(0, 10**7)


@given(tokens, tokens, tokens, tokens)
def test_costs_add_up(a: int, b: int, c: int, d: int) -> None:
    prices = shipped_prices()
    one, other = Usage(a, b), Usage(0, 0, c, d)

    whole = prices.cost("claude-sonnet-5", one + other)

    parts = [prices.cost("claude-sonnet-5", part) or 0.0 for part in (one, other)]
    assert whole == pytest.approx(sum(parts))
    assert (one + other).total_input == a + c + d
