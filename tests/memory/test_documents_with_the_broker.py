"""Memory documents through the real way into the log: names, secrets, and quick changes of mind."""

from pathlib import Path

import pytest

from paige.base.errors import Refused
from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.documents.documents import MemoryDocuments, rendered_for
from paige.memory.documents.projection import LogEvents
from paige.memory.documents.records import Use
from paige.memory.event import Event
from paige.memory.intake.broker import Broker
from paige.memory.intake.fingerprints import fingerprint
from paige.memory.log.log import Log
from paige.memory.setup import through
from paige.store.documents import NEW, DirectoryDocuments
from paige.store.engine import Database
from tests.memory.papers import ANNA, ME, at_noon, counted


class Remembers:
    """An index that has read everything."""

    def __init__(self, log: Log) -> None:
        self.log = log

    def follow(self, log: Log) -> None:
        """It reads the one log it was made with."""

    def has_id(self, id: str) -> bool:
        return any(event.id == id for event in self.log.read())

    def find_duplicate(self, wanted: str) -> str | None:
        same = (event.id for event in self.log.read() if fingerprint(event) == wanted)
        return next(same, None)

    def current_fact(self, slot: str) -> str | None:
        return None

    def event(self, id: str, reader: Reader) -> Event | None:
        return None

    def recently_recalled(self, session: str, text_hash: str) -> bool:
        return True

    def novelty(self, text: str, reader: Reader, *, project: str | None = None) -> float:
        return 1.0


@pytest.fixture
def documents(sqlite_db: Database, tmp_path: Path) -> MemoryDocuments:
    log = Log(tmp_path / "memory" / "events.jsonl")
    broker = Broker(log, Remembers(log), now=at_noon, randomness=counted, names=NameGate())
    return MemoryDocuments(
        sqlite_db,
        LogEvents(log, through(broker)),
        lock=tmp_path / "memory" / "documents.lock",
        rendering=rendered_for(ME, DirectoryDocuments(tmp_path / "workspace")),
        now=at_noon,
        randomness=counted,
    )


def test_a_pupil_who_is_named_is_refused_with_the_reason(documents: MemoryDocuments) -> None:
    with pytest.raises(Refused, match="names people"):
        documents.append(ME, "classes/3B/MEMORY.md", "- Olivia Martinez reads slowly.")

    documents.append(ME, "classes/3B/MEMORY.md", "- The EAL pair reads slowly.")
    assert [row.content for row in documents.files(ME)] == ["- The EAL pair reads slowly.\n"]


def test_a_file_that_names_a_pupil_is_left_and_reported(
    documents: MemoryDocuments, tmp_path: Path
) -> None:
    place = tmp_path / "workspace" / "memory" / "MEMORY.md"
    place.parent.mkdir()
    place.write_text("- Olivia Martinez reads slowly.\n")

    [problem] = documents.check(ME)

    assert "Olivia" in problem.reason
    assert place.read_text() == "- Olivia Martinez reads slowly.\n"
    assert documents.files(ME) == []


def test_changing_ones_mind_within_a_second_is_no_duplicate(documents: MemoryDocuments) -> None:
    base = NEW
    for text in ("a\n", "b\n", "a\n", "b\n"):
        base = documents.write(ME, "MEMORY.md", text, base=base).document.version
    for path in ("one.md", "two.md", "one.md"):
        row = documents.append(ME, path, "x").document
        documents.delete(ME, path, base=row.version)

    assert [row.content for row in documents.files(ME)] == ["b\n"]


def test_a_secret_is_blotted_out_everywhere(documents: MemoryDocuments, tmp_path: Path) -> None:
    place = tmp_path / "workspace" / "memory" / "MEMORY.md"
    secret = "sk-ant-api03-" + "a1B2c3D4" * 6
    place.parent.mkdir()
    place.write_text(f"one\nkey: {secret}\n")

    row = documents.read(ME, "MEMORY.md")

    assert secret not in row.content
    assert place.read_text() == row.content
    assert row.content.startswith("one\nkey: ")
    assert documents.read(ME, "MEMORY.md") == row


def test_a_key_makes_a_write_happen_once(documents: MemoryDocuments) -> None:
    use = Use(by="tool", key="run:t1/tool/a")
    for _ in range(2):
        documents.append(ME, "MEMORY.md", "- note", use=use)
    documents.append(ANNA, "MEMORY.md", "- note", use=use)

    assert documents.read(ME, "MEMORY.md").content == "- note\n"
    assert documents.read(ANNA, "MEMORY.md").content == "- note\n"
