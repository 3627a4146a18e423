import os
import stat
from pathlib import Path

import pytest

from paige.base.errors import Unavailable
from paige.base.files import make_private, write_atomic
from tests.processes import line, obeying_permissions, python, run_python

STOP_AT = """
import os, sys
from pathlib import Path
from paige.base.files import write_atomic
path, function, when = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
original = getattr(os, function)
def stop(*arguments):
    if when == "after":
        original(*arguments)
    print("here", flush=True)
    input()
setattr(os, function, stop)
write_atomic(path, "new" * 100_000)
"""
BIG_WRITE = """
import resource, sys
from pathlib import Path
from paige.base.errors import Unavailable
from paige.base.files import write_atomic
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomic(Path(sys.argv[1]), "new" * 1000)
except Unavailable as error:
    print(error.message)
"""
WRITE = """
import sys
from pathlib import Path
from paige.base.errors import Refused
from paige.base.files import write_atomic
try:
    write_atomic(Path(sys.argv[1]), "new")
except Refused as error:
    print(error.message)
"""


def test_a_write_replaces_the_whole_text_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file.md"
    write_atomic(path, "a longer text é")
    write_atomic(path, b"short")
    assert path.read_bytes() == b"short"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("function", "when", "content"),
    [
        ("fsync", "before", "old"),
        ("replace", "before", "old"),
        ("replace", "after", "new" * 100_000),
    ],
)
def test_a_writer_killed_in_the_middle_leaves_the_old_or_the_new_text(
    tmp_path: Path, function: str, when: str, content: str
) -> None:
    path = tmp_path / "file.md"
    path.write_text("old")
    with python(STOP_AT, path, function, when) as writer:
        assert line(writer) == "here"
        writer.kill()
        writer.wait(10)
    assert path.read_text() == content
    write_atomic(path, "next")
    assert path.read_text() == "next"


def test_a_full_disk_is_unavailable_and_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file.md"
    path.write_text("old")
    assert run_python(BIG_WRITE, path) == f"The disk is full: `{path}` was not written"
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "file.md").write_text("old")
    folder.chmod(0o555)
    said = run_python(WRITE, folder / "file.md", prefix=obeying_permissions())
    folder.chmod(0o755)
    assert said == f"`{folder / 'file.md'}` may not be written: Permission denied"
    assert (folder / "file.md").read_text() == "old"


def test_a_folder_in_the_place_of_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "file.md").mkdir()
    with pytest.raises(Unavailable, match=r"file\.md` could not be written"):
        write_atomic(tmp_path / "file.md", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["file.md"]


def test_an_existing_file_keeps_its_mode_and_a_new_one_is_private(tmp_path: Path) -> None:
    old, new, chosen = tmp_path / "old", tmp_path / "new", tmp_path / "chosen"
    old.touch()
    old.chmod(0o640)
    write_atomic(old, "x")
    write_atomic(new, "x")
    write_atomic(chosen, "x", mode=0o755)
    modes = [stat.S_IMODE(os.stat(path).st_mode) for path in (old, new, chosen)]
    assert modes == [0o640, 0o600, 0o755]
    write_atomic(old, "x", mode=0o600)
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


def test_a_private_folder_is_for_its_owner_only_and_an_old_one_keeps_its_mode(
    tmp_path: Path,
) -> None:
    make_private(tmp_path / "a" / "b")
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    (tmp_path / "a" / "b").chmod(0o750)
    make_private(tmp_path / "a" / "b")
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o750
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="file` could not be written"):
        make_private(tmp_path / "file")
