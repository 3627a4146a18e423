import pytest

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable


@pytest.mark.parametrize(
    ("kind", "exit_code", "status", "code"),
    [
        (NotFound, 1, 404, "not_found"),
        (Refused, 3, 403, "refused"),
        (BadInput, 2, 400, "bad_input"),
        (Conflict, 1, 409, "conflict"),
        (Unavailable, 1, 503, "unavailable"),
        (PaigeError, 1, 500, "failed"),
    ],
)
def test_each_error_has_its_exit_code_status_and_code(
    kind: type[PaigeError], exit_code: int, status: int, code: str
) -> None:
    error = kind("It broke", hint="Mend it.")
    assert isinstance(error, PaigeError)
    assert (error.exit_code, error.status, error.code) == (exit_code, status, code)
    assert (error.message, error.hint, str(error)) == ("It broke", "Mend it.", "It broke")


def test_a_hint_is_optional() -> None:
    assert NotFound("Gone").hint is None
