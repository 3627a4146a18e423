"""A changed way of cutting words changes the signature of the index, and makes old files anew."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paige.memory.access import Reader
from paige.memory.index import schema
from paige.memory.index.index import Index
from tests.memory.indexing import EMBEDDER, ListLog, found

ANNA = Reader(person="anna")
OTHER: dict[str, Callable[..., Any]] = {
    "indexed_text": lambda text: f"{text} teapot",
    "length_of": lambda text: len(text.split()),
    "told_of": lambda text, speaker: 0,
}


@pytest.mark.parametrize("name", OTHER)
def test_a_changed_way_of_cutting_words_makes_another_signature(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = schema.signature()
    monkeypatch.setattr(schema, name, OTHER[name])
    assert schema.signature() != before


@pytest.mark.parametrize(
    "older",
    ["PRAGMA user_version = 0", "UPDATE meta SET value = 'older' WHERE name = 'signature'"],
    ids=["version", "signature"],
)
def test_an_index_of_older_words_is_made_anew_by_whoever_asks(tmp_path: Path, older: str) -> None:
    log = ListLog()
    log.add("The gate is blue")
    first = Index(tmp_path, EMBEDDER, logs=[log])
    assert found(first, "gate", ANNA) == ["The gate is blue"]
    with first.writing() as connection:
        connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
        connection.execute(older)
    first.close()

    second = Index(tmp_path, EMBEDDER, logs=[log])

    assert found(second, "gate", ANNA) == ["The gate is blue"]
    assert second.verify() == []
    with second.reading() as connection:
        kept = connection.execute("SELECT value FROM meta WHERE name = 'signature'").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    assert (kept, version) == (schema.signature(), schema.VERSION)
