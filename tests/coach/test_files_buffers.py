"""Buffers: what the editor holds, saved or not."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Refused
from paige.coach.files.buffers import Buffers
from paige.coach.files.project import ProjectFiles
from paige.coach.files.text_files import MAX_BYTES
from paige.coach.files.values import BufferEntry, CursorPosition
from tests.conftest import NOON

HERE = CursorPosition(3, 7)
LATER = NOON + timedelta(seconds=1)


def test_an_update_is_kept_as_unsaved_text() -> None:
    buffers = Buffers()
    buffers.update("a.py", "typed", HERE, now=NOON)
    assert buffers.get("a.py") == BufferEntry("a.py", "typed", HERE, True, NOON)
    assert buffers.get("b.py") is None
    assert buffers.dirty_paths() == ["a.py"]


def test_the_last_update_wins() -> None:
    buffers = Buffers()
    for number in range(5):
        buffers.update("a.py", f"typed {number}", HERE, now=NOON)
    entry = buffers.get("a.py")
    assert entry is not None
    assert entry.content == "typed 4"


def test_updates_from_many_threads_leave_one_of_them_and_a_right_count() -> None:
    buffers = Buffers()

    def type_much(mark: str) -> None:
        for number in range(300):
            buffers.update("a.py", mark * number, HERE, now=NOON)
            buffers.update(f"{mark}.py", mark * number, HERE, now=NOON)

    threads = [threading.Thread(target=type_much, args=(mark,)) for mark in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entry = buffers.get("a.py")
    assert entry is not None
    assert len(set(entry.content)) <= 1
    for path in buffers.paths():
        buffers.forget(path)
    assert buffers.characters == 0


def test_a_save_makes_the_buffer_clean_and_keeps_the_cursor(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.update_buffer("a.py", "typed\n", HERE, now=NOON)
    files.write("./a.py", "typed\n", now=LATER)
    assert files.buffer("a.py") == BufferEntry("a.py", "typed\n", HERE, False, LATER)
    assert files.buffers.dirty_paths() == []


def test_a_save_without_a_buffer_makes_a_clean_one(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.write("a.py", "x\n", now=NOON)
    assert files.buffer("a.py") == BufferEntry("a.py", "x\n", CursorPosition(1, 1), False, NOON)


def test_a_save_that_fails_leaves_the_buffer_unsaved(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("old")
    (tmp_path / "a.py").chmod(0o444)
    files = ProjectFiles(tmp_path)
    files.update_buffer("a.py", "typed", HERE, now=NOON)
    with pytest.raises(Refused):
        files.write("a.py", "typed", now=LATER)
    assert files.buffer("a.py") == BufferEntry("a.py", "typed", HERE, True, NOON)


def test_what_is_typed_while_a_save_runs_stays_unsaved() -> None:
    buffers = Buffers()
    before = buffers.update("a.py", "one", HERE, now=NOON)
    typed = buffers.update("a.py", "one two", HERE, now=NOON)
    assert buffers.saved("a.py", "one", now=LATER, before=before) == typed
    assert buffers.dirty_paths() == ["a.py"]
    # The same text sent again meanwhile is the text that was saved.
    again = buffers.update("a.py", "one", HERE, now=NOON)
    assert again.dirty
    assert not buffers.saved("a.py", "one", now=LATER, before=before).dirty


def test_a_save_of_other_text_than_the_buffer_takes_its_place(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.update_buffer("a.py", "typed", HERE, now=NOON)
    files.write("a.py", "formatted", now=LATER)
    assert files.buffer("a.py") == BufferEntry("a.py", "formatted", HERE, False, LATER)


@pytest.mark.parametrize("path", ["logo.png", "deep/archive.tar.gz"])
def test_a_binary_file_has_no_buffer(tmp_path: Path, path: str) -> None:
    files = ProjectFiles(tmp_path)
    with pytest.raises(Refused, match="is not a text file"):
        files.update_buffer(path, "x", HERE, now=NOON)
    assert files.buffer(path) is None


def test_a_text_that_no_file_can_hold_is_refused() -> None:
    buffers = Buffers()
    for content, says in (("x" * (MAX_BYTES + 1), "10 MiB"), ("\ud800", "not Unicode")):
        with pytest.raises(BadInput, match=says):
            buffers.update("a.py", content, HERE, now=NOON)
    with pytest.raises(BadInput, match="cursor"):
        buffers.update("a.py", "x", CursorPosition(-1, 0), now=NOON)
    assert buffers.paths() == []


def test_all_buffers_together_hold_so_much_and_no_more() -> None:
    buffers = Buffers(max_characters=3_000)
    buffers.update("a.py", "x" * 2_000, HERE, now=NOON)
    with pytest.raises(Refused, match="and 3000 is the most") as refusal:
        buffers.update("b.py", "x" * 1_000, HERE, now=NOON)
    assert refusal.value.hint == "Save and close files that are not needed."
    assert buffers.paths() == ["a.py"]
    buffers.update("a.py", "x", HERE, now=NOON)
    buffers.update("b.py", "x" * 1_000, HERE, now=NOON)
    buffers.forget("a.py")
    assert buffers.paths() == ["b.py"]


def test_saved_texts_make_room_for_unsaved_ones() -> None:
    buffers = Buffers(max_characters=3_000)
    for name in ("a.py", "b.py"):
        buffers.saved(name, "x" * 1_000, now=NOON)
    buffers.update("c.py", "x" * 1_000, HERE, now=NOON)
    assert buffers.paths() == ["b.py", "c.py"]
    buffers.update("c.py", "x" * 2_500, HERE, now=NOON)
    assert buffers.paths() == ["c.py"]
    # A text that was just saved is not held at any price, and saving it is no error.
    assert not buffers.saved("d.py", "x" * 1_000, now=NOON).dirty
    assert buffers.paths() == ["c.py"]


def test_many_empty_buffers_are_bounded_too() -> None:
    buffers = Buffers(max_characters=1_000)
    for number in range(3):
        buffers.update(f"file{number}.py", "", HERE, now=NOON)
    with pytest.raises(Refused):
        buffers.update("one-too-many.py", "", HERE, now=NOON)


PATHS = st.sampled_from(["a", "b", "c"])


@given(st.lists(st.tuples(st.sampled_from(["update", "saved", "forget"]), PATHS, st.text())))
def test_the_count_is_always_that_of_what_is_held(steps: list[tuple[str, str, str]]) -> None:
    buffers = Buffers()
    for action, path, text in steps:
        if action == "update":
            buffers.update(path, text, HERE, now=NOON)
        elif action == "saved":
            buffers.saved(path, text, now=NOON, before=buffers.get(path))
        else:
            buffers.forget(path)
    empty = Buffers()
    for path in buffers.paths():
        entry = buffers.get(path)
        assert entry is not None
        empty.update(path, entry.content, HERE, now=NOON)
    assert buffers.characters == empty.characters
