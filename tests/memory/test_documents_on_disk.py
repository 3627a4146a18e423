"""Files that people edit: what they changed is taken in, whatever else was written meanwhile."""

import os
import shutil
import threading
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Refused
from paige.memory.documents.document_files import KEEP, MemoryFolder
from paige.memory.documents.documents import MemoryDocuments
from paige.memory.documents.records import Use
from paige.memory.documents.three_way_merge import split_lines
from paige.store.documents import NEW, DirectoryDocuments
from paige.store.engine import Database, open_sqlite
from tests.memory.papers import ME, NAME, Papers
from tests.processes import line, python, tell

TOOL = Use(by="tool")


@pytest.fixture
def papers(sqlite_db: Database, tmp_path: Path) -> Papers:
    return Papers(sqlite_db, tmp_path)


def writers(papers: Papers) -> list[str]:
    return [event.payload["by"] for event in papers.log.read()]


def test_an_edit_is_taken_in_by_the_next_reader(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.edit("one\ntwo\n")

    assert papers.read(ME, "MEMORY.md").content == "one\ntwo\n"
    assert writers(papers) == ["web", "disk"]
    assert papers.read(ME, "MEMORY.md").content == "one\ntwo\n"
    assert papers.log.last_seq() == 2


def test_a_new_file_becomes_a_document(papers: Papers) -> None:
    papers.edit("- by hand\n", "classes/3B/lessons.md")

    assert [row.path for row in papers.files(ME)] == ["classes/3B/lessons.md"]
    assert papers.shown("classes/3B/lessons.md") == "- by hand\n"


def test_an_edit_is_taken_in_before_it_is_written_over(papers: Papers) -> None:
    start = papers.append(ME, "MEMORY.md", "one\ntwo").document
    papers.edit("ONE\ntwo\n")

    merged = papers.write(ME, "MEMORY.md", "one\nTWO\n", base=start.version)

    assert (
        merged.document.content
        == papers.shown()
        == (
            "[Both texts are kept. Written by disk:]\n"
            "ONE\ntwo\n[Written by web:]\none\nTWO\n[End of both texts]\n"
        )
    )
    assert {"ONE\ntwo\n", "one\nTWO\n"} <= set(papers.texts())


def test_a_person_may_correct_what_an_agent_has_just_written(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.append(ME, "MEMORY.md", "rong", use=TOOL)
    papers.edit("one\nright\n")
    assert papers.read(ME, "MEMORY.md").content == "one\nright\n"

    papers.edit("one\n")
    assert papers.read(ME, "MEMORY.md").content == "one\n"


def test_a_text_saved_over_one_that_nobody_can_have_read_keeps_both(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    seen = papers.shown()
    papers.append(ME, "MEMORY.md", "of the agent", use=TOOL)
    (papers.folder / "MEMORY.md").write_text(f"{seen}of the person\n")

    assert set(split_lines(papers.read(ME, "MEMORY.md").content)) == {
        "one",
        "of the agent",
        "of the person",
    }


def test_a_deleted_file_deletes_the_document_and_the_log_still_has_it(papers: Papers) -> None:
    row = papers.append(ME, "old.md", "text").document
    (papers.folder / "old.md").unlink()

    assert papers.find(ME, "old.md") is None
    assert papers.files(ME) == []
    assert writers(papers) == ["web", "disk"]
    assert papers.text_of(ME, "old.md", row.version) == "text\n"


def test_a_file_that_is_deleted_while_somebody_writes_comes_back(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    (papers.folder / "MEMORY.md").unlink()

    papers.append(ME, "MEMORY.md", "two")

    assert papers.shown() == "one\ntwo\n"


def test_an_emptied_file_empties_the_document_unless_somebody_writes(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.edit("")
    assert papers.append(ME, "MEMORY.md", "two").document.content == "one\ntwo\n"

    papers.edit("")
    assert papers.read(ME, "MEMORY.md").content == ""


@pytest.mark.parametrize("what", ["folder", "workspace", "notes"])
def test_a_folder_that_is_gone_is_shown_again_not_forgotten(
    papers: Papers, what: Literal["folder", "workspace", "notes"]
) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.append(ME, "classes/3B/MEMORY.md", "two")
    gone = {
        "folder": papers.folder,
        "workspace": papers.folder.parent,
        "notes": papers.folder / KEEP,
    }
    shutil.rmtree(gone[what])
    if what == "notes":
        (papers.folder / "MEMORY.md").unlink()

    assert len(papers.files(ME)) == 2
    assert papers.shown() == "one\n"


def test_a_name_in_a_file_stays_in_the_file_and_is_reported(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.edit(f"one\n{NAME}\n")

    [problem] = papers.check(ME)

    assert (problem.path, problem.reason) == ("MEMORY.md", f"`{NAME}` is the name of a pupil")
    assert papers.read(ME, "MEMORY.md").content == "one\n"
    papers.append(ME, "MEMORY.md", "two", use=TOOL)
    assert papers.shown() == f"one\n{NAME}\n"
    assert papers.read(ME, "MEMORY.md").content == "one\ntwo\n"

    papers.edit("one\nThe advanced group\n")

    assert papers.read(ME, "MEMORY.md").content == "one\ntwo\nThe advanced group\n"
    assert papers.shown() == "one\ntwo\nThe advanced group\n"
    assert papers.check(ME) == []
    assert not any(NAME in text for text in papers.texts())


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("notes.txt", b"x"),
        ("memory.md", b"x"),
        ("a/b.md", b"x"),
        ("MEMORY.md", b"\xff\xfe"),
        ("MEMORY.md", b"a\0b"),
    ],
)
def test_a_file_that_cannot_be_a_document_is_left_alone_and_reported(
    papers: Papers, path: str, data: bytes
) -> None:
    place = papers.folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)

    assert [problem.path for problem in papers.check(ME)] == [path]
    assert place.read_bytes() == data
    assert papers.log.last_seq() == 0


def test_a_link_is_left_alone(papers: Papers, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("the secret")
    papers.folder.mkdir()
    (papers.folder / "MEMORY.md").symlink_to(tmp_path / "secret.md")

    assert papers.files(ME) == []
    papers.append(ME, "MEMORY.md", "one")
    assert papers.read(ME, "MEMORY.md").content == "one\n"
    assert (tmp_path / "secret.md").read_text() == "the secret"


def test_line_endings_of_another_system_are_kept(papers: Papers) -> None:
    papers.edit("one\r\ntwo\r\n")

    assert papers.read(ME, "MEMORY.md").content == papers.shown() == "one\r\ntwo\r\n"


def test_a_rebuild_takes_in_the_files_first(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    papers.edit("one\ntwo\n")
    papers.edit("- new\n", "new.md")

    papers.rebuild(ME)

    assert {row.path: row.content for row in papers.files(ME)} == {
        "MEMORY.md": "one\ntwo\n",
        "new.md": "- new\n",
    }


def test_files_of_a_new_database_and_a_new_folder_are_brought_together(
    papers: Papers, sqlite_db: Database, tmp_path: Path
) -> None:
    papers.append(ME, "MEMORY.md", "one\ntwo")
    shutil.rmtree(papers.folder / KEEP)
    papers.edit("one\ntwo\nthree\n")

    assert papers.read(ME, "MEMORY.md").content == "one\ntwo\nthree\n"


# An editor may be anywhere in the middle of saving when the file is replaced.


def test_what_an_editor_writes_into_a_file_that_was_just_replaced_is_taken_in(
    papers: Papers,
) -> None:
    papers.append(ME, "MEMORY.md", "one")
    with open(papers.folder / "MEMORY.md", "a") as editor:
        papers.append(ME, "MEMORY.md", "two", use=TOOL)
        editor.write("by hand\n")

    assert set(split_lines(papers.read(ME, "MEMORY.md").content)) == {"one", "two", "by hand"}
    assert papers.shown() == papers.read(ME, "MEMORY.md").content


def test_an_editor_that_has_only_emptied_the_file_yet_loses_nothing(papers: Papers) -> None:
    papers.append(ME, "MEMORY.md", "one")
    with open(papers.folder / "MEMORY.md", "w") as editor:
        papers.append(ME, "MEMORY.md", "two", use=TOOL)
        editor.write("one\nby hand\n")

    assert set(split_lines(papers.read(ME, "MEMORY.md").content)) == {"one", "two", "by hand"}


class Meddler(MemoryFolder):
    """A disk on which somebody saves at the worst moment."""

    def __init__(self, workspace: DirectoryDocuments, text: str) -> None:
        super().__init__(workspace, pause=lambda: None)
        self.text: str | None = text

    def _set_aside(self, path: str, place: Path, base: str):
        if self.text is not None and place.exists():
            text, self.text = self.text, None
            place.with_suffix(".tmp").write_text(text)
            os.replace(place.with_suffix(".tmp"), place)
        return super()._set_aside(path, place, base)


@pytest.mark.parametrize("text", ["one\nby hand\n", f"one\n{NAME}\n"])
def test_a_save_in_the_moment_of_a_render_is_not_overwritten(
    sqlite_db: Database, tmp_path: Path, text: str
) -> None:
    Papers(sqlite_db, tmp_path).append(ME, "MEMORY.md", "one")
    meddler = Meddler(DirectoryDocuments(tmp_path / "workspace"), text)
    papers = Papers(sqlite_db, tmp_path, rendering=lambda _: meddler)

    papers.append(ME, "MEMORY.md", "two", use=TOOL)

    content = papers.read(ME, "MEMORY.md").content
    if NAME in text:
        assert content == "one\ntwo\n"
        assert papers.shown() == text
        assert papers.check(ME)
    else:
        assert set(split_lines(content)) == {"one", "two", "by hand"}
        assert papers.shown() == content


NOTES = st.integers(0, 10**6).map(lambda number: f"- note {number}")
STEPS = st.lists(
    st.tuples(st.sampled_from(["web", "stale web", "tool", "disk", "read"]), NOTES),
    max_size=12,
    unique_by=lambda step: step[1],
)


@given(STEPS, st.data())
def test_no_note_is_lost_whoever_writes_in_whichever_order(
    sqlite_db: Database, tmp_path_factory: pytest.TempPathFactory, steps: list, data: st.DataObject
) -> None:
    workspace = DirectoryDocuments(tmp_path_factory.mktemp("w") / "workspace")
    quick = MemoryFolder(workspace, pause=lambda: None)
    papers = Papers(sqlite_db, workspace.root.parent, rendering=lambda _: quick)
    seen = [(NEW, "")]
    for who, note in steps:
        base, text = data.draw(st.sampled_from(seen)) if who == "stale web" else seen[-1]
        match who:
            case "web" | "stale web":
                row = papers.write(ME, "MEMORY.md", f"{text}{note}\n", base=base).document
                seen.append((row.version, row.content))
            case "tool":
                row = papers.append(ME, "MEMORY.md", note, use=TOOL).document
                seen.append((row.version, row.content))
            case "disk":
                papers.edit(f"{papers.shown() or ''}{note}\n")
            case _:
                papers.find(ME, "MEMORY.md")
    row = papers.find(ME, "MEMORY.md")

    written = [note for who, note in steps if who != "read"]
    assert {*written} <= {*split_lines(row.content if row else "")}
    if row is not None:
        assert papers.shown() == row.content
        assert "[Both texts" not in row.content


WRITER = """
import sys
from contextlib import closing
from pathlib import Path
import os
from paige.memory.documents.records import Use
from paige.store.documents import NEW
from paige.store.engine import open_sqlite
from tests.memory.papers import ME, Papers
database, folder, who, count = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
place = folder / "workspace" / "memory" / "MEMORY.md"

def save(text):
    if who == "atomic disk":
        place.with_suffix(".swp").write_text(text)
        os.replace(place.with_suffix(".swp"), place)
    else:
        place.write_text(text)

def read():
    while True:
        try:
            text = place.read_text()
        except FileNotFoundError:
            continue
        if text:
            return text

with closing(open_sqlite(database)) as db:
    papers = Papers(db, folder, randomness=os.urandom)
    print("ready", flush=True)
    input()
    for number in range(count):
        note = f"- {who} {number}"
        match who:
            case "web":
                row = papers.read(ME, "MEMORY.md")
                papers.write(ME, "MEMORY.md", f"{row.content}{note}\\n", base=row.version)
            case "tool":
                papers.append(ME, "MEMORY.md", note, use=Use(by="tool"))
            case _:
                save(f"{read()}{note}\\n")
                papers.read(ME, "MEMORY.md")
    print("done", flush=True)
"""


@pytest.mark.parametrize("disk", ["disk", "atomic disk"])
def test_processes_that_write_at_once_lose_no_text(
    sqlite_db: Database, tmp_path: Path, disk: str
) -> None:
    papers = Papers(sqlite_db, tmp_path)
    papers.append(ME, "MEMORY.md", "- start")
    arguments = (sqlite_db.location, tmp_path)
    with (
        python(WRITER, *arguments, "web", 8) as web,
        python(WRITER, *arguments, "tool", 8) as tool,
        python(WRITER, *arguments, disk, 8) as editor,
    ):
        for process in (web, tool, editor):
            assert line(process) == "ready"
        for process in (web, tool, editor):
            tell(process)
        assert [line(process) for process in (web, tool, editor)] == ["done"] * 3
    lines = split_lines(papers.read(ME, "MEMORY.md").content)

    expected = [f"- {who} {number}" for who in ("web", "tool", disk) for number in range(8)]
    assert [note for note in ["- start", *expected] if note not in lines] == []
    assert papers.shown() == papers.read(ME, "MEMORY.md").content
    assert papers.log.verify().ok


def test_threads_that_write_at_once_lose_no_text(papers: Papers) -> None:
    failures: list[BaseException] = []

    def write(name: str) -> None:
        try:
            for number in range(5):
                row = papers.find(ME, "MEMORY.md")
                text = f"{row.content if row else ''}- {name} {number}\n"
                papers.write(ME, "MEMORY.md", text, base=row.version if row else NEW)
                papers.append(ME, "MEMORY.md", f"- added {name} {number}")
        except BaseException as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c", "d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    lines = split_lines(papers.read(ME, "MEMORY.md").content)
    notes = [f"- {name} {number}" for name in "abcd" for number in range(5)]
    assert [note for note in notes if lines.count(note) != 1] == []
    assert [note for note in notes if lines.count(f"- added {note[2:]}") != 1] == []


DIE = """
import os, sys
from contextlib import closing
from pathlib import Path
from paige.memory.documents.records import Use
from paige.store.engine import open_sqlite
from tests.memory.papers import ME, Papers
import os
from paige.memory.documents import document_files
from paige.memory.documents import projection
step = int(sys.argv[3])
calls = 0

def counting(function):
    def call(*arguments, **named):
        global calls
        calls += 1
        if calls == step:
            os._exit(9)
        return function(*arguments, **named)
    return call

for name in ("rename", "link", "replace", "fsync", "fdatasync"):
    setattr(os, name, counting(getattr(os, name)))
import paige.memory.log.log as log
log._sync = counting(log._sync)
projection.apply_event = counting(projection.apply_event)
with closing(open_sqlite(Path(sys.argv[1]))) as db:
    papers = Papers(db, Path(sys.argv[2]), randomness=os.urandom)
    papers.append(ME, "MEMORY.md", "new", use=Use(by="tool", key="k"))
print("done", flush=True)
"""


def test_a_crash_anywhere_loses_nothing_and_a_repeated_write_counts_once(
    sqlite_template: Path, tmp_path: Path
) -> None:
    before, folder = tmp_path / "before", tmp_path / "now"
    before.mkdir()
    shutil.copy(sqlite_template, before / "paige.db")
    done = False
    crashes = 0
    for step in range(40):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        if step == 0:  # the same paths from now on: it is the same log
            with closing(open_sqlite(folder / "paige.db")) as db:
                Papers(db, folder).append(ME, "MEMORY.md", "old")
            shutil.rmtree(before)
            shutil.copytree(folder, before)
            continue
        with python(DIE, folder / "paige.db", folder, step) as process:
            printed, complaint = process.communicate(timeout=60)
        done = printed.strip() == "done"
        crashes += not done
        assert process.returncode == (0 if done else 9), complaint
        _check_after_crash(folder)
        if done:
            break
    assert done
    assert crashes > 5


def _check_after_crash(folder: Path) -> None:
    with closing(open_sqlite(folder / "paige.db")) as db:
        papers = Papers(db, folder)
        assert papers.read(ME, "MEMORY.md").content in ("old\n", "old\nnew\n")
        again = papers.append(ME, "MEMORY.md", "new", use=Use(by="tool", key="k"))
        assert again.document.content == papers.shown() == "old\nnew\n"
        assert papers.files(ME) == [again.document]


def test_a_workspace_that_may_not_be_written_does_not_stop_the_memory(
    sqlite_db: Database, tmp_path: Path
) -> None:
    class ReadOnly(MemoryFolder):
        def put(self, path: str, text: str | None):
            raise Refused(f"`{path}` may not be written")

    rendering = ReadOnly(DirectoryDocuments(tmp_path / "workspace"))
    papers: MemoryDocuments = Papers(sqlite_db, tmp_path, rendering=lambda _: rendering)

    assert papers.append(ME, "MEMORY.md", "one").document.content == "one\n"
    assert [problem.path for problem in papers.check(ME)] == ["MEMORY.md"]
