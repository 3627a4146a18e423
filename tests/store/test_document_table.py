"""Documents in a table: as in a folder, and more of them remembered."""

import threading
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.base.settings import Settings
from paige.store.bus import Bus
from paige.store.document_exchange import export_folder, import_folder, who_is_newer
from paige.store.document_table import TableDocuments
from paige.store.documents import (
    MAX_BYTES,
    NEW,
    DirectoryDocuments,
    Document,
    Documents,
    version_of,
)
from paige.store.engine import Database
from paige.store.queries import events_after
from tests.conftest import NOON
from tests.depth import examples
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell
from tests.store.running import read

ME = Actor()
AREAS = count(1)
PATHS = ("a.md", "b.md", "sub/c.md", "sub/../a.md", "./a.md", "sub//c.md", ".hidden", "sub")
PLACES = (*PATHS, "file.md/below.md", "sub/deep/d.md", "a\\b", "/a.md", "")
EDIT_WHEN_TOLD = (
    OPEN_DATABASE
    + """
from datetime import UTC, datetime
from paige.base.actor import Actor
from paige.base.errors import Conflict
from paige.store.document_table import TableDocuments
now = lambda: datetime(2026, 3, 2, 12, tzinfo=UTC)
documents = TableDocuments(database, Actor(), "workspace", now=now)
name = sys.argv[-1]
print("ready", flush=True)
while (round := input()) != "end":
    seen = documents.read("note.md")
    print("seen", flush=True)
    input()
    try:
        documents.write("note.md", f"{round} of {name}", base=seen.version)
        print("written", flush=True)
    except Conflict:
        print("conflict", flush=True)
"""
)
STOP_AT = (
    OPEN_DATABASE
    + """
from datetime import UTC, datetime
from paige.base.actor import Actor
from paige.store import document_table
place = sys.argv[-1]
original = getattr(document_table, place)
def stopping(*args, **named):
    print("here", flush=True)
    input()
    return original(*args, **named)
setattr(document_table, place, stopping)
now = lambda: datetime(2026, 3, 2, 12, tzinfo=UTC)
documents = document_table.TableDocuments(database, Actor(), "workspace", now=now)
documents.write("note.md", "new", base=documents.read("note.md").version)
"""
)


def table(database: Database, area: str = "workspace", actor: Actor = ME, **more) -> TableDocuments:
    return TableDocuments(database, actor, area, now=lambda: NOON, **more)


@pytest.mark.db
def test_what_was_written_is_read_and_listed(db: Database) -> None:
    documents = table(db)
    written = documents.write("plans/é.md", "# Plan\r\n\nText", base=NEW)
    documents.write("a.md", "", base=NEW)
    assert documents.read("plans/é.md") == written
    assert written == Document("plans/é.md", "# Plan\r\n\nText", version_of("# Plan\r\n\nText"))
    assert documents.paths() == ["a.md", "plans/é.md"]
    assert documents.paths("plans") == ["plans/é.md"]
    assert documents.paths("plan") == documents.paths("missing") == documents.paths("a.md") == []


@pytest.mark.db
def test_every_version_is_kept_and_a_deletion_is_one(db: Database) -> None:
    documents = table(db)
    base = NEW
    for text in ("one", "two", "two"):
        base = documents.write("a.md", text, base=base).version
    documents.delete("a.md", base=base)
    documents.write("a.md", "three", base=NEW)
    found = [(each.number, each.text, each.deleted) for each in documents.history("a.md")]
    assert found == [(1, "one", False), (2, "two", False), (3, "", True), (4, "three", False)]
    assert {each.written_by for each in documents.history("a.md")} == {"me"}
    assert documents.history("other.md") == []


@pytest.mark.db
def test_areas_people_and_tenants_are_apart_and_a_shared_area_is_not(db: Database) -> None:
    anna, ben, far = Actor(person="anna"), Actor(person="ben"), Actor("far", "anna")
    table(db, actor=anna).write("a.md", "anna's", base=NEW)
    others = (table(db, actor=ben), table(db, actor=far), table(db, "teaching", anna))
    assert [each.paths() for each in others] == [[], [], []]
    table(db, "school", anna, shared=True).write("a.md", "ours", base=NEW)
    assert table(db, "school", ben, shared=True).read("a.md").text == "ours"
    assert table(db, "school", far, shared=True).paths() == []


@pytest.mark.db
def test_what_cannot_be_a_document_is_refused_as_in_a_folder(db: Database) -> None:
    documents = table(db)
    for path in ("../x", "/etc/passwd", "", ".", "a\\b", "a\0b", ".git/config", "a\ud800b"):
        for attempt in (
            lambda path=path: documents.read(path),
            lambda path=path: documents.write(path, "x", base=NEW),
            lambda path=path: documents.delete(path, base=NEW),
        ):
            with pytest.raises(Refused):
                attempt()
    with pytest.raises(BadInput, match="at most"):
        documents.write("big.md", "x" * (MAX_BYTES + 1), base=NEW)
    with pytest.raises(BadInput, match="not Unicode"):
        documents.write("x.md", "a\ud800b", base=NEW)
    with pytest.raises(BadInput, match="character 0") as caught:
        documents.write("x.md", "a\0b", base=NEW)
    assert caught.value.hint
    with pytest.raises(Refused, match="255"):
        documents.write("ä" * 200, "x", base=NEW)
    documents.write("a/b.md", "x", base=NEW)
    for path in ("a", "a/b.md/c"):
        with pytest.raises(Unavailable):
            documents.write(path, "x", base=NEW)
        with pytest.raises(NotFound):
            documents.read(path)
    assert documents.paths() == ["a/b.md"]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("read", "write", "write", "write", "delete", "paths")),
        st.sampled_from(PLACES),
        st.text(st.characters(exclude_characters="\0", exclude_categories=()), max_size=4),
        st.sampled_from(("now", "new", "old", "never")),
    ),
    max_size=25,
)


@pytest.mark.db
@given(steps=STEPS)
@settings(max_examples=examples(25))
def test_a_history_of_operations_ends_as_it_does_in_a_folder(
    db: Database, tmp_path: Path, steps: list[tuple[str, str, str, str]]
) -> None:
    name = f"area{next(AREAS)}"
    both: tuple[Documents, Documents] = (DirectoryDocuments(tmp_path / name), table(db, name))
    for each in both:  # a folder that stays and a file that stays: names that are taken
        each.write("sub/stays.md", "x", base=NEW)
        each.write("file.md", "x", base=NEW)
    seen: dict[str, list[str]] = {}
    for step in steps:
        said = [outcome(each, step, seen) for each in both]
        assert said[0] == said[1], step
        remember(both[1], step[1], seen)
    assert both[0].paths() == both[1].paths()


def outcome(documents: Documents, step: tuple[str, str, str, str], seen: dict) -> object:
    what, path, text, based = step
    versions = seen.get(path) or [NEW]
    base = {"now": versions[-1], "new": NEW, "old": versions[0], "never": version_of("?")}[based]
    try:
        if what == "read":
            return documents.read(path)
        if what == "paths":
            return documents.paths(path)
        if what == "write":
            return documents.write(path, text, base=base)
        return documents.delete(path, base=base)
    except Unavailable:
        return Unavailable  # a disk says in its own words that a name is taken
    except PaigeError as error:
        return type(error), error.message, error.hint


def remember(documents: Documents, path: str, seen: dict[str, list[str]]) -> None:
    try:
        seen.setdefault(path, []).append(documents.read(path).version)
    except NotFound:
        seen.setdefault(path, []).append(NEW)
    except Refused:
        pass


@pytest.mark.db
def test_of_two_processes_that_edit_the_same_version_exactly_one_wins(
    db: Database, db_settings: Settings
) -> None:
    documents = table(db)
    documents.write("note.md", "old", base=NEW)
    with ExitStack() as stack:
        arguments = database_arguments(db_settings)
        crowd = [
            stack.enter_context(python(EDIT_WHEN_TOLD, *arguments, name)) for name in ("one", "two")
        ]
        assert [line(each) for each in crowd] == ["ready", "ready"]
        for number in range(10):
            for word, answer in ((str(number), "seen"), ("go", None)):
                for each in crowd:
                    tell(each, word)
                answers = [line(each) for each in crowd]
                assert answer is None or set(answers) == {answer}
            assert sorted(answers) == ["conflict", "written"]
            winner = ("one", "two")[answers.index("written")]
            assert documents.read("note.md").text == f"{number} of {winner}"
        for each in crowd:
            tell(each, "end")
    assert [each.number for each in documents.history("note.md")] == list(range(1, 12))


@pytest.mark.db
@pytest.mark.parametrize("place", ["insert_version", "publish"])
def test_a_writer_killed_in_the_middle_leaves_the_old_text_and_no_lock(
    db: Database, db_settings: Settings, place: str
) -> None:
    documents = table(db)
    first = documents.write("note.md", "old", base=NEW)
    with python(STOP_AT, *database_arguments(db_settings), place) as writer:
        assert line(writer) == "here"
        assert documents.read("note.md") == first
        writer.kill()
        writer.wait(10)
    assert documents.read("note.md") == first
    assert documents.write("note.md", "next", base=first.version).text == "next"
    assert [each.text for each in documents.history("note.md")] == ["old", "next"]
    told = read(db.system, events_after, 0)
    assert [each.payload["version"] for each in told] == [first.version, version_of("next")]


@pytest.mark.db
def test_many_threads_that_add_lines_lose_none(db: Database) -> None:
    documents = table(db)
    documents.write("list.md", "", base=NEW)

    def add(name: str) -> None:
        for number in range(8):
            for _ in range(500):
                seen = documents.read("list.md")
                try:
                    text = f"{seen.text}{name}{number}\n"
                    documents.write("list.md", text, base=seen.version)
                    break
                except Conflict:
                    continue

    threads = [threading.Thread(target=add, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = documents.read("list.md").text.split()
    assert sorted(lines) == sorted(f"{name}{number}" for name in "abc" for number in range(8))
    assert [each for each in lines if each[0] == "a"] == [f"a{number}" for number in range(8)]


@pytest.mark.db
@pytest.mark.anyio
@pytest.mark.parametrize("told", [True, False])
async def test_changes_are_heard_once_they_are_there(db: Database, told: bool) -> None:
    bus = Bus(db, look_seconds=0.01)
    documents = table(db, bus=bus if told else None)
    other = table(db, actor=Actor(person="ben"))
    with anyio.fail_after(20):
        async with bus.running():
            changes = documents.watch()
            heard: set[str] = set()
            async with anyio.create_task_group() as tasks:

                async def write() -> None:
                    # The watcher starts in its own time, so there is something new until it hears.
                    for number in range(10_000):
                        await anyio.to_thread.run_sync(change, number)

                def change(number: int) -> None:
                    other.write(f"not-mine-{number}.md", "x", base=NEW)
                    documents.write(f"mine-{number}.md", "x", base=NEW)

                tasks.start_soon(write)
                heard |= await anext(changes)
                heard |= await anext(changes)
                tasks.cancel_scope.cancel()
            await changes.aclose()  # type: ignore[attr-defined]
    assert heard
    assert all(path.startswith("mine-") for path in heard)
    assert heard <= set(documents.paths())


@pytest.mark.db
def test_a_folder_goes_into_a_table_and_out_again(db: Database, tmp_path: Path) -> None:
    source = DirectoryDocuments(tmp_path / "source")
    for path in ("a.md", "sub/b.md", "sub/deep/ö.txt"):
        source.write(path, f"text of {path}", base=NEW)
    (source.root / "picture.png").write_bytes(b"\x89PNG\xff")
    (source.root / ".git").mkdir()
    (source.root / ".git" / "config").write_text("hidden")
    documents = table(db)
    done = import_folder(documents, source.root)
    assert done.taken == ["a.md", "sub/b.md", "sub/deep/ö.txt"]
    assert done.problems == ["picture.png:1: this is not UTF-8 text"]
    assert import_folder(documents, source.root).same == done.taken
    target = tmp_path / "target"
    assert export_folder(documents, target).taken == done.taken
    assert export_folder(documents, target).same == done.taken
    for path in done.taken:
        assert (target / path).read_bytes() == (source.root / path).read_bytes()
    assert documents.paths() == done.taken


@pytest.mark.db
def test_what_is_newer_is_kept_and_what_both_changed_is_told(db: Database, tmp_path: Path) -> None:
    documents = table(db)
    for path in ("both.md", "folder.md", "gone.md", "gone-but-edited.md", "table.md"):
        documents.write(path, "old", base=NEW)
    export_folder(documents, tmp_path)
    old = version_of("old")
    for path in ("both.md", "table.md"):
        documents.write(path, "new in the table", base=old)
    for path in ("gone.md", "gone-but-edited.md"):
        documents.delete(path, base=old)
    for path in ("both.md", "folder.md", "gone-but-edited.md", "only-here.md"):
        (tmp_path / path).write_text("new in the folder")
    done = export_folder(documents, tmp_path)
    assert done.taken == ["table.md"]
    assert done.removed == ["gone.md"]
    assert done.kept == ["folder.md", "only-here.md"]
    assert done.conflicts == ["both.md", "gone-but-edited.md"]
    assert (tmp_path / "table.md").read_text() == "new in the table"
    assert (tmp_path / "both.md").read_text() == "new in the folder"
    done = import_folder(documents, tmp_path)
    assert done.taken == ["folder.md", "only-here.md"]
    assert done.conflicts == ["both.md", "gone-but-edited.md"]
    assert documents.read("folder.md").text == "new in the folder"
    assert documents.read("both.md").text == "new in the table"
    (tmp_path / "folder.md").write_text("and newer")
    assert import_folder(documents, tmp_path).taken == ["folder.md"]


def test_without_a_list_an_old_version_is_known_and_a_strange_one_is_a_conflict() -> None:
    assert who_is_newer("a", "b", base=None, known={"a", "b"}) == "table"
    assert who_is_newer("c", "b", base=None, known={"a", "b"}) == "both"
    assert who_is_newer("a", "", base=None, known={"a"}) == "table"
    assert who_is_newer("a", None, base=None, known=set()) == "folder"
    assert who_is_newer("a", "a", base="b", known={"a", "b"}) == "same"
    # Taken back to an older text in the folder: that is a change, for the list says what was there.
    assert who_is_newer("a", "b", base="b", known={"a", "b"}) == "folder"
