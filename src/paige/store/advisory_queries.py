"""SQL of PostgreSQL's locks by name, which end with their transaction."""

from hashlib import blake2b

from sqlalchemy import Connection, text


def hold(connection: Connection, name: str) -> None:
    """Wait until nobody else holds a name, and hold it until the transaction ends.

    SQLite has one writer, so whoever writes there is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _number(name)})


def limit_waiting(connection: Connection, *, wait_ms: int, idle_ms: int) -> None:
    """For this transaction: how long it waits for a lock, and how long it may do nothing.

    A process that is cut off holds its locks until the server ends its transaction.
    """
    if connection.dialect.name == "postgresql":
        limits = text(
            "SELECT set_config('lock_timeout', :wait, true),"
            " set_config('idle_in_transaction_session_timeout', :idle, true)"
        )
        connection.execute(limits, {"wait": f"{wait_ms}ms", "idle": f"{idle_ms}ms"})


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)
