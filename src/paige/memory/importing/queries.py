"""Reads the history that mem0 keeps in SQLite, without ever writing to it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
# Older versions called the columns otherwise; the order of rows decides between equal times.
_HISTORY = "SELECT * FROM history ORDER BY rowid"
_MESSAGES = "SELECT count(*) FROM messages"
_MAGIC = b"SQLite format 3\x00"


def is_sqlite(path: Path) -> bool:
    """Whether a file begins as SQLite files do."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def history_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of the table `history` as they were written. Raises: BadInput."""
    if not is_sqlite(path):
        raise BadInput("it is not an SQLite file", hint="mem0 keeps its history in `history.db`.")
    try:
        with closing(_open(path)) as connection:
            if "history" not in _tables(connection):
                raise BadInput(
                    "it has no table `history`", hint="mem0 keeps its history in `history.db`."
                )
            for row in connection.execute(_HISTORY):
                yield dict(row)
    except sqlite3.Error as error:
        raise BadInput(
            f"the database cannot be read: {error}",
            hint="Close the program that uses it, or take a copy of it.",
        ) from error


def count_messages(path: Path) -> int:
    """How many messages of conversations wait beside the history."""
    try:
        with closing(_open(path)) as connection:
            if "messages" not in _tables(connection):
                return 0
            return connection.execute(_MESSAGES).fetchone()[0]
    except sqlite3.Error:
        return 0


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return connection


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row["name"] for row in connection.execute(_TABLES)}
