import pytest
from sqlalchemy import Connection, text

from paige.base.errors import PaigeError
from paige.store.engine import Database
from paige.store.queries import insert_rows
from tests.store.running import read, write

pytestmark = pytest.mark.db
BLOB = text("INSERT INTO blobs (tenant, hash, text) VALUES (:tenant, :hash, :text)")
ODD = "50 % of :names, `ß`, \N{SNOWMAN}, '; DROP TABLE blobs"


def row(digest: str, content: str | None = "words") -> dict[str, object]:
    return {"tenant": "local", "hash": digest, "text": content}


def texts(connection: Connection) -> list[str]:
    return list(connection.scalars(text("SELECT text FROM blobs ORDER BY hash")))


def test_every_row_is_stored_as_it_was_given(db: Database) -> None:
    write(db, insert_rows, BLOB, [row("a", ODD), row("b", "plain")])

    assert read(db, texts) == [ODD, "plain"]


def test_no_rows_are_no_statement(db: Database) -> None:
    write(db, insert_rows, BLOB, [])

    assert read(db, texts) == []


def test_one_row_that_is_refused_refuses_all(db: Database) -> None:
    with pytest.raises(PaigeError, match="The database refused"):
        write(db, insert_rows, BLOB, [row("a"), row("b", None)])

    assert read(db, texts) == []
