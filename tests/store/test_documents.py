import os
import select
from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.store.documents import MAX_BYTES, NEW, DirectoryDocuments, Document, version_of
from tests.processes import line, obeying_permissions, python, run_python, tell

EDIT_WHEN_TOLD = """
import sys
from pathlib import Path
from paige.base.errors import Conflict
from paige.store.documents import DirectoryDocuments
documents = DirectoryDocuments(Path(sys.argv[1]))
base = documents.read("note.md").version
print("ready", flush=True)
input()
try:
    documents.write("note.md", sys.argv[2], base=base)
    print("written", flush=True)
except Conflict:
    print("conflict", flush=True)
"""
STOP_AT_REPLACE = """
import os, sys
from pathlib import Path
from paige.store.documents import DirectoryDocuments
documents = DirectoryDocuments(Path(sys.argv[1]))
replace = os.replace
def stop(*arguments):
    print("here", flush=True)
    input()
    replace(*arguments)
os.replace = stop
documents.write("note.md", "new", base=documents.read("note.md").version)
print("written", flush=True)
"""
WRITE = """
import sys
from pathlib import Path
from paige.base.errors import PaigeError
from paige.store.documents import NEW, DirectoryDocuments
try:
    DirectoryDocuments(Path(sys.argv[1])).write("note.md", "x", base=NEW)
except PaigeError as error:
    print(type(error).__name__, error.message)
"""


@pytest.fixture
def documents(tmp_path: Path) -> DirectoryDocuments:
    return DirectoryDocuments(tmp_path / "folder")


def test_what_was_written_is_read_and_listed(documents: DirectoryDocuments) -> None:
    written = documents.write("plans/é.md", "# Plan\r\n\nText", base=NEW)
    documents.write("a.md", "", base=NEW)
    assert documents.read("plans/é.md") == written
    assert written == Document("plans/é.md", "# Plan\r\n\nText", version_of("# Plan\r\n\nText"))
    assert (documents.root / "plans" / "é.md").read_bytes() == b"# Plan\r\n\nText"
    assert documents.paths() == ["a.md", "plans/é.md"]
    assert documents.paths("plans") == ["plans/é.md"]
    assert documents.paths("missing") == []


@given(text=st.text(max_size=50))
def test_any_text_comes_back_or_is_refused(tmp_path: Path, text: str) -> None:
    documents = DirectoryDocuments(tmp_path)
    base = documents.read("x.md").version if documents.paths() else NEW
    try:
        documents.write("x.md", text, base=base)
    except BadInput:
        assert any("\ud800" <= character <= "\udfff" for character in text)
    else:
        assert documents.read("x.md").text == text


def test_half_of_a_character_is_bad_input_and_changes_nothing(
    documents: DirectoryDocuments,
) -> None:
    with pytest.raises(BadInput, match="not Unicode"):
        documents.write("x.md", "a\ud800b", base=NEW)
    assert documents.paths() == []


def test_a_write_on_an_old_version_is_a_conflict_and_changes_nothing(
    documents: DirectoryDocuments,
) -> None:
    first = documents.write("note.md", "one", base=NEW)
    (documents.root / "note.md").write_text("edited elsewhere")
    with pytest.raises(Conflict, match=r"note\.md") as caught:
        documents.write("note.md", "two", base=first.version)
    assert "Read it again" in (caught.value.hint or "")
    assert documents.read("note.md").text == "edited elsewhere"
    edited = documents.read("note.md").version
    assert documents.write("note.md", "two", base=edited).text == "two"


def test_a_new_document_does_not_overwrite_one_that_exists(documents: DirectoryDocuments) -> None:
    documents.write("note.md", "one", base=NEW)
    with pytest.raises(Conflict):
        documents.write("note.md", "two", base=NEW)
    assert documents.read("note.md").text == "one"


def test_deleting_needs_the_version_that_was_seen(documents: DirectoryDocuments) -> None:
    first = documents.write("note.md", "one", base=NEW)
    with pytest.raises(Conflict):
        documents.delete("note.md", base=version_of("another"))
    documents.delete("note.md", base=first.version)
    assert documents.paths() == []
    with pytest.raises(NotFound, match=r"note\.md"):
        documents.delete("note.md", base=NEW)
    with pytest.raises(NotFound, match=r"note\.md"):
        documents.read("note.md")


OUTSIDE = ["../x", "a/../../x", "..", "/etc/passwd", "", ".", "./", "a\\..\\b", "..\\x", "a\0b"]
HIDDEN = [".git/config", "a/.env", ".lock", "./.env", "a/.b/c"]


@pytest.mark.parametrize("path", [*OUTSIDE, *HIDDEN, "a\ud800b"])
def test_a_path_out_of_the_folder_or_hidden_is_refused(
    documents: DirectoryDocuments, path: str
) -> None:
    before = sorted(documents.root.parent.rglob("*"))
    for attempt in (
        lambda: documents.read(path),
        lambda: documents.write(path, "x", base=NEW),
        lambda: documents.delete(path, base=NEW),
    ):
        with pytest.raises(Refused) as caught:
            attempt()
        caught.value.message.encode()
    assert sorted(documents.root.parent.rglob("*")) == before


@given(
    path=st.text(max_size=30) | st.lists(st.sampled_from(["..", ".", "/", "\\", "a"])).map("".join)
)
def test_no_path_reaches_out_of_the_folder_or_breaks(tmp_path: Path, path: str) -> None:
    documents = DirectoryDocuments(tmp_path / "inside")
    refused = False
    try:
        documents.write(path, "text", base=NEW)
    except PaigeError:
        refused = True
    assert [entry.name for entry in tmp_path.iterdir()] == ["inside"]
    if not refused:
        place = next(p for p in documents.root.rglob("*") if p.is_file() and p.name != ".lock")
        assert documents.paths() == [place.relative_to(documents.root).as_posix()]
        place.unlink()


def test_links_that_lead_out_are_refused_and_not_listed(
    documents: DirectoryDocuments, tmp_path: Path
) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "file").write_text("secret")
    (documents.root / "link").symlink_to(tmp_path / "secret" / "file")
    (documents.root / "folder").symlink_to(tmp_path / "secret")
    for path in ("link", "folder/file", "folder/new"):
        with pytest.raises(Refused, match="leads out"):
            documents.read(path)
        with pytest.raises(Refused, match="leads out"):
            documents.write(path, "x", base=NEW)
    assert documents.paths() == []
    assert os.listdir(tmp_path / "secret") == ["file"]
    assert (tmp_path / "secret" / "file").read_text() == "secret"


def test_a_link_inside_the_folder_is_a_document(documents: DirectoryDocuments) -> None:
    documents.write("a.md", "text", base=NEW)
    (documents.root / "b.md").symlink_to("a.md")
    assert documents.paths() == ["a.md", "b.md"]
    assert documents.read("b.md").text == "text"


def test_links_in_a_circle_are_refused(documents: DirectoryDocuments) -> None:
    (documents.root / "a").symlink_to("b")
    (documents.root / "b").symlink_to("a")
    with pytest.raises(PaigeError):
        documents.read("a")


def test_hidden_files_and_half_written_ones_are_not_listed(documents: DirectoryDocuments) -> None:
    for name in (".hidden", ".git/config", "a/.env", ".note.md.abc123"):
        (documents.root / name).parent.mkdir(exist_ok=True)
        (documents.root / name).touch()
    documents.write("a/b.md", "x", base=NEW)
    assert documents.paths() == ["a/b.md"]


def test_a_file_that_is_not_utf8_is_named_with_its_line_and_not_overwritten(
    documents: DirectoryDocuments,
) -> None:
    (documents.root / "old.md").write_bytes(b"one\ntwo \xe9\n")
    with pytest.raises(BadInput) as caught:
        documents.read("old.md")
    assert caught.value.message == "old.md:2: this is not UTF-8 text"
    with pytest.raises(BadInput):
        documents.write("old.md", "new", base=NEW)
    assert (documents.root / "old.md").read_bytes() == b"one\ntwo \xe9\n"


def test_a_document_has_a_limit_of_size(documents: DirectoryDocuments) -> None:
    with pytest.raises(BadInput, match="at most"):
        documents.write("big.md", "x" * (MAX_BYTES + 1), base=NEW)
    assert documents.paths() == []


def test_a_folder_is_not_a_document(documents: DirectoryDocuments) -> None:
    documents.write("a/b.md", "x", base=NEW)
    with pytest.raises(NotFound):
        documents.read("a")
    with pytest.raises(NotFound):
        documents.read("a/b.md/c")
    with pytest.raises(Unavailable):
        documents.write("a", "x", base=NEW)
    assert documents.paths() == ["a/b.md"]


def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed").chmod(0o555)
    said = run_python(WRITE, tmp_path / "closed", prefix=obeying_permissions())
    assert said == f"Refused `{tmp_path / 'closed'}` may not be written: Permission denied"
    (tmp_path / "file").touch()
    with pytest.raises(PaigeError, match="file"):
        DirectoryDocuments(tmp_path / "file" / "below")


def test_a_new_document_is_for_its_owner_and_an_old_one_keeps_its_mode(
    documents: DirectoryDocuments,
) -> None:
    first = documents.write("a.md", "1", base=NEW)
    assert (documents.root / "a.md").stat().st_mode & 0o777 == 0o600
    (documents.root / "a.md").chmod(0o644)
    documents.write("a.md", "2", base=first.version)
    assert (documents.root / "a.md").stat().st_mode & 0o777 == 0o644


def test_of_two_processes_that_edit_the_same_version_one_wins(
    documents: DirectoryDocuments,
) -> None:
    documents.write("note.md", "old", base=NEW)
    with (
        python(EDIT_WHEN_TOLD, documents.root, "of one") as one,
        python(EDIT_WHEN_TOLD, documents.root, "of other") as other,
    ):
        assert [line(one), line(other)] == ["ready", "ready"]
        tell(one)
        tell(other)
        answers = {line(one): "of one", line(other): "of other"}
    assert sorted(answers) == ["conflict", "written"]
    assert documents.read("note.md").text == answers["written"]


def test_a_second_writer_waits_until_the_first_is_done_and_then_sees_its_text(
    documents: DirectoryDocuments,
) -> None:
    documents.write("note.md", "old", base=NEW)
    with (
        python(EDIT_WHEN_TOLD, documents.root, "of other") as other,
        python(STOP_AT_REPLACE, documents.root) as one,
    ):
        assert [line(other), line(one)] == ["ready", "here"]
        tell(other)
        answered, _, _ = select.select([other.stdout], [], [], 0.2)
        assert answered == []
        tell(one)
        assert [line(one), line(other)] == ["written", "conflict"]
    assert documents.read("note.md").text == "new"


def test_a_writer_killed_in_the_middle_leaves_the_old_text_and_no_lock(
    documents: DirectoryDocuments,
) -> None:
    first = documents.write("note.md", "old", base=NEW)
    with python(STOP_AT_REPLACE, documents.root) as writer:
        assert line(writer) == "here"
        writer.kill()
        writer.wait(10)
    assert documents.read("note.md") == first
    assert documents.paths() == ["note.md"]
    assert documents.write("note.md", "next", base=first.version).text == "next"


@pytest.mark.anyio
async def test_an_edit_from_outside_is_reported_and_a_hidden_one_is_not(
    documents: DirectoryDocuments,
) -> None:
    (documents.root / "sub").mkdir()
    changes = documents.watch()
    seen: set[str] = set()

    async def edit_until_seen() -> None:
        # The watcher starts in its own time, so the edit is made again until it is noticed.
        while True:
            (documents.root / ".hidden").touch()
            (documents.root / "sub" / "note.md").touch()
            await checkpoint()

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(edit_until_seen)
            seen |= await anext(changes)
            tasks.cancel_scope.cancel()
    await changes.aclose()  # type: ignore[attr-defined]
    assert seen == {"sub/note.md"}
