import psycopg
import pytest

from tests.postgres import program


def test_a_missing_postgresql_fails_the_test_and_says_what_to_run() -> None:
    with pytest.raises(pytest.fail.Exception, match="Run `make test`"):
        program("no-such-program")


def test_the_server_is_real_and_listens_on_loopback_only(postgres_server: str) -> None:
    with psycopg.connect(postgres_server) as connection:
        answer = connection.execute("SELECT version(), current_setting('listen_addresses')")
        version, addresses = answer.fetchone() or ("", "")
    assert version.startswith("PostgreSQL ")
    assert addresses == "127.0.0.1"
