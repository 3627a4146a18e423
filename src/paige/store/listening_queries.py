"""SQL of what servers say to each other, and of who listens."""

from collections.abc import Sequence

from sqlalchemy import Connection, text

PASSING = "paige_passing"
LISTENS = "paige-listens"
"""The name by which servers see each other's connection."""
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
_SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name"
)


def notify(connection: Connection, channel: str, said: Sequence[str]) -> None:
    """Say something to every server when the transaction is committed; 8000 bytes at most each."""
    for payload in said:
        connection.execute(_NOTIFY, {"channel": channel, "payload": payload})


def count_servers(connection: Connection) -> int:
    """How many servers listen to this database now, this one among them."""
    if connection.dialect.name != "postgresql":
        return 1
    return connection.scalar(_SERVERS, {"name": LISTENS}) or 0
