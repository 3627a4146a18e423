"""Memory documents: written by several, read by their owner only, made from the log."""

import shutil
from pathlib import Path

import pytest

from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.memory.documents import queries
from paige.memory.documents.documents import MAX_BYTES
from paige.memory.documents.records import (
    MEMORY_LINES,
    Use,
    entry_of,
    line_count,
    prompt_text,
    read_path,
)
from paige.memory.event import Provenance
from paige.memory.tables import MEMORY_FILES
from paige.store.documents import NEW
from paige.store.engine import Database
from tests.memory.papers import ANNA, ME, NAME, Papers

TOOL = Use(by="tool")


@pytest.fixture
def papers(db: Database, tmp_path: Path) -> Papers:
    return Papers(db, tmp_path)


@pytest.mark.db
def test_a_document_is_written_read_listed_and_shown_as_a_file(papers: Papers) -> None:
    written = papers.write(ME, "MEMORY.md", "- Likes quizzes.\n", base=NEW)
    papers.append(ME, "memory/classes/3B/lessons.md", "- Loops")

    assert papers.read(ME, "memory/MEMORY.md") == written.document
    assert [(row.path, row.scope, row.class_id) for row in papers.files(ME)] == [
        ("MEMORY.md", "teacher", ""),
        ("classes/3B/lessons.md", "class", "3B"),
    ]
    assert papers.shown() == "- Likes quizzes.\n"
    assert papers.shown("classes/3B/lessons.md") == "- Loops\n"
    assert [event.scope for event in papers.log.read()] == ["teacher", "class"]


@pytest.mark.db
def test_the_event_says_who_wrote_which_version_from_which(papers: Papers) -> None:
    first = papers.write(ME, "classes/3B/MEMORY.md", "one\n", base=NEW, use=TOOL).document
    second = papers.append(ME, "classes/3B/MEMORY.md", "two").document

    written, added = papers.log.read()
    assert (written.type, written.owner, written.text) == ("file_written", "me", "one\n")
    assert written.payload == {
        "path": "classes/3B/MEMORY.md",
        "base": "",
        "version": first.version,
        "by": "tool",
        "after": 0,
        "class_id": "3B",
    }
    assert (added.payload["base"], added.payload["version"]) == (first.version, second.version)
    assert (second.seq, second.id, second.written_by) == (2, first.id, "web")


@pytest.mark.db
def test_nobody_sees_or_changes_what_belongs_to_another_person(papers: Papers) -> None:
    mine = papers.write(ME, "MEMORY.md", "mine\n", base=NEW).document
    papers.write(ANNA, "MEMORY.md", "Anna's\n", base=NEW)
    papers.append(ANNA, "only-anna.md", "secret")

    assert papers.read(ANNA, "MEMORY.md").content == "Anna's\n"
    assert [row.path for row in papers.files(ME)] == ["MEMORY.md"]
    with pytest.raises(NotFound):
        papers.read(ME, "only-anna.md")
    with pytest.raises(NotFound):
        papers.delete(ME, "only-anna.md", base=NEW)
    assert papers.text_of(ANNA, "MEMORY.md", mine.version) is None
    assert papers.history(ME, "only-anna.md") == []
    papers.append(ME, "only-anna.md", "mine too")
    assert papers.read(ANNA, "only-anna.md").content == "secret\n"
    assert papers.shown() == "mine\n"
    assert papers.shown("only-anna.md") == "mine too\n"


@pytest.mark.db
def test_files_in_the_workspace_are_never_taken_for_another_persons(papers: Papers) -> None:
    papers.edit("the owner's\n")

    assert papers.files(ANNA) == []
    assert papers.find(ANNA, "MEMORY.md") is None
    assert papers.check(ANNA) == []
    assert papers.read(ME, "MEMORY.md").content == "the owner's\n"


@pytest.mark.db
def test_classes_are_kept_apart(papers: Papers) -> None:
    papers.append(ME, "classes/3B/MEMORY.md", "short starters")
    papers.append(ME, "classes/2C/MEMORY.md", "likes robots")
    papers.append(ME, "MEMORY.md", "bullet points")

    assert [row.path for row in papers.files(ME, class_id="3B")] == ["classes/3B/MEMORY.md"]
    assert [row.path for row in papers.files(ME, class_id="")] == ["MEMORY.md"]
    assert papers.read(ME, entry_of("2C")).content == "likes robots\n"
    assert papers.find(ME, entry_of("1A")) is None


@pytest.mark.db
def test_a_text_made_from_an_older_version_is_merged(papers: Papers) -> None:
    start = papers.write(ME, "MEMORY.md", "a\nb\nc\n", base=NEW).document
    papers.write(ME, "MEMORY.md", "A\nb\nc\n", base=start.version, use=TOOL)
    merged = papers.write(ME, "MEMORY.md", "a\nb\nC\n", base=start.version)

    assert (merged.document.content, merged.merged, merged.conflicts) == ("A\nb\nC\n", True, 0)
    assert papers.shown() == "A\nb\nC\n"
    assert "a\nb\nC\n" in papers.texts()


@pytest.mark.db
def test_a_quarrel_keeps_both_texts_and_says_so(papers: Papers) -> None:
    start = papers.write(ME, "MEMORY.md", "Likes quizzes.\n", base=NEW).document
    papers.write(ME, "MEMORY.md", "Likes short quizzes.\n", base=start.version, use=TOOL)
    merged = papers.write(ME, "MEMORY.md", "Likes long quizzes.\n", base=start.version)

    assert merged.conflicts == 1
    assert merged.document.content.splitlines() == [
        "[Both texts are kept. Written by tool:]",
        "Likes short quizzes.",
        "[Written by web:]",
        "Likes long quizzes.",
        "[End of both texts]",
    ]


def test_two_who_make_the_same_document_do_not_overwrite_each_other(papers: Papers) -> None:
    papers.write(ME, "MEMORY.md", "one\n", base=NEW)
    second = papers.write(ME, "MEMORY.md", "two\n", base=NEW)

    assert second.document.content == "one\ntwo\n"


def test_writing_the_same_text_again_writes_no_event(papers: Papers) -> None:
    first = papers.write(ME, "MEMORY.md", "one\n", base=NEW)
    again = papers.write(ME, "MEMORY.md", "one\n", base=first.document.version)

    assert (first.changed, again.changed) == (True, False)
    assert papers.log.last_seq() == 1


@pytest.mark.db
def test_a_write_with_a_key_happens_once(papers: Papers) -> None:
    use = Use(by="tool", key="run:t1/tool/a")
    papers.append(ME, "MEMORY.md", "- note", use=use)
    papers.append(ME, "MEMORY.md", "- other")
    again = papers.append(ME, "MEMORY.md", "- note", use=use)

    assert again.document.content == "- note\n- other\n"
    assert papers.log.last_seq() == 2
    papers.append(ANNA, "MEMORY.md", "- note", use=use)
    assert papers.read(ANNA, "MEMORY.md").content == "- note\n"


@pytest.mark.db
def test_a_deleted_document_is_gone_and_its_texts_are_not(papers: Papers) -> None:
    row = papers.write(ME, "old.md", "text\n", base=NEW).document
    with pytest.raises(Conflict):
        papers.delete(ME, "old.md", base="another")
    papers.delete(ME, "old.md", base=row.version)

    assert papers.files(ME) == []
    assert papers.shown("old.md") is None
    assert [each.version for each in papers.history(ME, "old.md")] == ["", row.version]
    assert papers.text_of(ME, "old.md", row.version) == "text\n"
    papers.write(ME, "old.md", "text\n", base=NEW)
    assert papers.shown("old.md") == "text\n"


def test_a_name_is_refused_and_nothing_is_stored(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "- fine")
    with pytest.raises(Refused, match="name of a pupil"):
        papers.append(ME, "MEMORY.md", f"- {NAME} reads slowly")

    assert papers.read(ME, "MEMORY.md").content == papers.shown() == "- fine\n"
    assert papers.log.last_seq() == 1


@pytest.mark.parametrize(
    "path",
    [
        "../MEMORY.md",
        "/MEMORY.md",
        "memory/../x.md",
        "classes/../x.md",
        "classes/3B/../2C/MEMORY.md",
        "classes/3B.md",
        "classes/3B/a/b.md",
        "classes//MEMORY.md",
        ".hidden.md",
        "notes.txt",
        "notes",
        ".md",
        "",
        "a\\b.md",
        "a\0.md",
        "a\n.md",
        "memory.md",
        "classes/3B/Memory.md",
        "con:.md",
        f"{'x' * 200}.md",
        "\ud800.md",
    ],
)
def test_only_memory_documents_have_paths(papers: Papers, path: str) -> None:
    with pytest.raises(BadInput):
        papers.write(ME, path, "x", base=NEW)
    assert papers.log.last_seq() == 0


@pytest.mark.parametrize(
    ("path", "class_id", "expected"),
    [
        ("MEMORY.md", None, "MEMORY.md"),
        ("memory/style preferences.md", None, "style preferences.md"),
        ("MEMORY.md", "3B", "classes/3B/MEMORY.md"),
        ("memory/classes/3B/lessons.md", "3B", "classes/3B/lessons.md"),
        ("übung.md", None, "übung.md"),
        ("u\u0308bung.md", None, "übung.md"),
    ],
)
def test_a_path_has_one_spelling(path: str, class_id: str | None, expected: str) -> None:
    assert read_path(path, class_id).path == expected


def test_a_path_of_another_class_is_refused() -> None:
    with pytest.raises(BadInput, match="another class"):
        read_path("classes/2C/MEMORY.md", "3B")


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "x" * (MAX_BYTES + 1)])
def test_what_nobody_can_keep_is_refused(papers: Papers, text: str) -> None:
    with pytest.raises(BadInput):
        papers.append(ME, "MEMORY.md", text)
    assert papers.log.last_seq() == 0


@pytest.mark.db
def test_the_table_is_made_again_from_the_log(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one", use=Use(by="tool", provenance=Provenance("s", "t")))
    papers.append(ME, "old.md", "x")
    papers.delete(ME, "old.md", base=papers.read(ME, "old.md").version)
    papers.append(ANNA, "MEMORY.md", "hers")
    before = (papers.files(ME), papers.files(ANNA), papers.history(ME, "old.md"))

    assert papers.rebuild(ME) == []

    assert (papers.files(ME), papers.files(ANNA), papers.history(ME, "old.md")) == before
    assert papers.log.last_seq() == 4


@pytest.mark.db
def test_a_new_database_gets_the_documents_from_the_log(
    db: Database, sqlite_db: Database, tmp_path: Path
) -> None:
    Papers(sqlite_db, tmp_path).append(ME, "MEMORY.md", "one")

    moved = Papers(db, tmp_path)

    assert moved.read(ME, "MEMORY.md").content == "one\n"
    assert moved.log.last_seq() == 1


def test_what_was_written_and_not_applied_before_a_crash_is_applied_later(
    sqlite_db: Database, tmp_path: Path
) -> None:
    Papers(sqlite_db, tmp_path).append(ME, "MEMORY.md", "one")
    with sqlite_db.transaction(write=True) as connection:
        connection.execute(MEMORY_FILES.delete())
        queries.clear_documents(connection, ME)
    (tmp_path / "workspace" / "memory" / "MEMORY.md").unlink()

    again = Papers(sqlite_db, tmp_path)

    assert again.append(ME, "MEMORY.md", "two").document.content == "one\ntwo\n"


def test_another_log_is_another_memory_and_the_files_move_into_it(
    sqlite_db: Database, tmp_path: Path
) -> None:
    Papers(sqlite_db, tmp_path).append(ME, "MEMORY.md", "one")
    shutil.rmtree(tmp_path / "memory")

    papers = Papers(sqlite_db, tmp_path)

    assert papers.read(ME, "MEMORY.md").content == "one\n"
    assert [event.payload["by"] for event in papers.log.read()] == ["disk"]


def test_a_forgotten_text_is_nowhere_any_more(sqlite_db: Database, tmp_path: Path) -> None:
    papers = Papers(sqlite_db, tmp_path)
    papers.append(ME, "MEMORY.md", "harmless")
    secret = papers.append(ME, "MEMORY.md", "the secret").document
    papers.log.forget([event.id for event in papers.log.read(after=secret.seq - 1)])

    papers.rebuild(ME)

    assert papers.read(ME, "MEMORY.md").content == papers.shown() == "harmless\n"
    assert papers.text_of(ME, "MEMORY.md", secret.version) is None
    places = [place for place in papers.folder.rglob("*") if place.is_file()]
    assert not [place for place in places if b"secret" in place.read_bytes()]


def test_events_of_other_kinds_are_no_documents(sqlite_db: Database, tmp_path: Path) -> None:
    papers = Papers(sqlite_db, tmp_path)
    papers.append(ME, "MEMORY.md", "one")
    for event in [next(iter(papers.log.read()))] * 3:
        papers.log.append(
            lambda seq, event=event: [
                type(event)(
                    id=f"n{seq}",
                    seq=seq,
                    at=event.at,
                    type="note",
                    scope="teacher",
                    owner="me",
                    payload={"path": "MEMORY.md"},
                    text="a note",
                )
            ]
        )

    assert papers.read(ME, "MEMORY.md").content == "one\n"


@pytest.mark.parametrize(("lines", "note"), [(199, False), (200, False), (201, True), (950, True)])
def test_a_prompt_shows_the_first_lines_and_says_what_is_missing(lines: int, note: bool) -> None:
    text = "".join(f"- note {number}\n" for number in range(1, lines + 1))
    shown = prompt_text(text, ["style.md", "lessons.md"]).split("\n")

    assert shown[: min(lines, MEMORY_LINES)] == text.splitlines()[:MEMORY_LINES]
    assert ("- note 201" in shown) is False
    assert (f"(The first 200 of {lines} lines; `read_memory` reads all.)" in shown) is note
    assert shown[-1] == "(More is in `style.md`, `lessons.md`: `read_memory` reads them.)"
    assert line_count(text) == lines


def test_an_empty_memory_shows_nothing() -> None:
    assert prompt_text("\n \n") == ""
    assert line_count("") == 0
