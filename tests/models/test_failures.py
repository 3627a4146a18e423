import pytest

from paige.models.errors import RateLimited, RequestRejected, ServerError, failure


def test_what_the_provider_said_is_shown_in_one_short_line_without_secrets() -> None:
    secret = "ghp_" + "a1" * 20
    body = {"error": {"type": "invalid_request_error", "message": f"bad\n  {secret} " + "x" * 900}}

    error = failure("openai", 400, body, {})

    assert isinstance(error, RequestRejected)
    assert error.message.startswith(
        "`openai` did not take the request (400): bad [github token] xxx"
    )
    assert len(error.message) < 400


@pytest.mark.parametrize(
    "body", [None, "down for repair", [], {}, {"error": None}, {"error": {"message": {"a": 1}}}]
)
def test_any_body_makes_an_error(body: object) -> None:
    assert isinstance(failure("openai", 502, body, {}), ServerError)


def test_a_page_that_missed_its_address_hints_at_model_and_address() -> None:
    hint = failure("openai-compatible", 404, "not here", {}).hint

    assert hint == "Check the model's name, and `PAIGE_BASE_URL` if it is set."


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "3"}, 3),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_only_a_sensible_wait_is_believed(headers: dict[str, str], seconds: float | None) -> None:
    error = failure("anthropic", 429, {}, headers)

    assert isinstance(error, RateLimited)
    assert error.retry_after == seconds
