"""SQL about what is known now: facts, answers, policies, recalls."""

from collections.abc import Collection
from sqlite3 import Connection
from typing import NamedTuple

from paige.memory.index.queries import json_list


class Fact(NamedTuple):
    """The current value of something."""

    id: str
    owner: str
    scope: str
    project: str | None
    key: str
    text: str
    at: float


class Answered(NamedTuple):
    """A question that was answered before."""

    id: str
    owner: str
    scope: str
    project: str | None
    question: str
    answer: str
    confidence: float
    at: float


def save_fact(connection: Connection, slot: str, fact: Fact, number: int) -> None:
    """Set the current value of something."""
    connection.execute(
        "INSERT OR REPLACE INTO facts (slot, id, owner, scope, project, key, text, at, class)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (slot, *fact, number),
    )


def find_fact(connection: Connection, slot: str) -> tuple[str, float] | None:
    """The id and time of the current value."""
    return connection.execute("SELECT id, at FROM facts WHERE slot = ?", (slot,)).fetchone()


def move_fact(connection: Connection, id: str, number: int) -> None:
    """Give a fact the class of its memory."""
    connection.execute("UPDATE facts SET class = ? WHERE id = ?", (number, id))
    connection.execute("UPDATE qa SET class = ? WHERE id = ?", (number, id))


def facts_in(connection: Connection, classes: Collection[int]) -> list[Fact]:
    """The current values in some classes, by key."""
    found = connection.execute(
        "SELECT id, owner, scope, project, key, text, at FROM facts"
        " WHERE class IN (SELECT value FROM json_each(?)) ORDER BY key, at, id",
        (json_list(classes),),
    )
    return [Fact(*each) for each in found]


def save_answer(connection: Connection, answered: Answered, number: int) -> None:
    """Keep a question with its answer."""
    connection.execute(
        "INSERT OR REPLACE INTO qa"
        " (id, owner, scope, project, question, answer, confidence, at, class)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*answered, number),
    )


def answers_in(connection: Connection, classes: Collection[int]) -> list[Answered]:
    """Questions with their answers in some classes, the latest first."""
    found = connection.execute(
        "SELECT id, owner, scope, project, question, answer, confidence, at FROM qa"
        " WHERE class IN (SELECT value FROM json_each(?)) ORDER BY at DESC, id DESC",
        (json_list(classes),),
    )
    return [Answered(*each) for each in found]


def save_policy(connection: Connection, row: tuple[str, int, int, float, bytes]) -> None:
    """Keep a policy record: id, log, seq, at, packed event."""
    connection.execute(
        "INSERT OR REPLACE INTO policies (id, log, seq, at, body) VALUES (?, ?, ?, ?, ?)", row
    )


def policy_bodies(connection: Connection) -> list[bytes]:
    """The packed events of all policy records, in the order they were written."""
    found = connection.execute("SELECT body FROM policies ORDER BY at, log, seq")
    return [each[0] for each in found]


def save_recall(connection: Connection, session: str, hash_: str, id: str, at: float) -> None:
    """Say that a text was put into a prompt of a session."""
    connection.execute(
        "INSERT OR REPLACE INTO recalls (session, text_hash, id, at) VALUES (?, ?, ?, ?)",
        (session, hash_, id, at),
    )


def find_recall(connection: Connection, session: str, hash_: str) -> float | None:
    """When a text was last put into a prompt of a session."""
    found = connection.execute(
        "SELECT at FROM recalls WHERE session = ? AND text_hash = ?", (session, hash_)
    ).fetchone()
    return None if found is None else found[0]
