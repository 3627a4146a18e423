"""Saving files: all or nothing, and nothing but what the person changed."""

import codecs
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from paige.base.errors import BadInput, Refused
from paige.base.umask import persons_umask
from paige.coach.files.project import ProjectFiles
from paige.coach.files.text_files import MAX_BYTES
from tests.conftest import NOON


def save(folder: Path, path: str, content: str) -> bytes:
    ProjectFiles(folder).write(path, content, now=NOON)
    return (folder / path).read_bytes()


def test_a_save_says_what_it_did(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    first = files.write("./src/new/a.py", "ä = 1\n", now=NOON)
    second = files.write("src/new/a.py", "", now=NOON)
    assert (first.path, first.size, first.created, first.timestamp) == (
        "src/new/a.py",
        7,
        True,
        NOON,
    )
    assert (second.size, second.created) == (0, False)
    assert os.listdir(tmp_path / "src" / "new") == ["a.py"]


@pytest.mark.parametrize(
    ("before", "sent", "after"),
    [
        (b"a\r\nb\r\n", "a\nc\n", b"a\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\r\nc\n", b"a\r\nc\r\n"),
        (b"a\r\nb\r\nc\n", "a\nd\n", b"a\r\nd\r\n"),  # mostly CRLF
        (b"a\nb\n", "a\r\nc\r\n", b"a\nc\n"),
        (b"a\nb\nc\r\n", "a\r\nb\nc\n", b"a\r\nb\nc\n"),  # mixed: as sent
        (b"no line end", "a\r\nb\n", b"a\r\nb\n"),
        (b"", "a\r\n", b"a\r\n"),
        (codecs.BOM_UTF8 + b"a\n", "b\n", codecs.BOM_UTF8 + b"b\n"),
        (codecs.BOM_UTF8 + b"a\n", "\ufeffb\n", codecs.BOM_UTF8 + b"b\n"),
        (b"a\n", "\ufeffb\n", "\ufeffb\n".encode()),
        (
            codecs.BOM_UTF16_LE + "a\r\n".encode("utf-16-le"),
            "é\n",
            codecs.BOM_UTF16_LE + "é\r\n".encode("utf-16-le"),
        ),
    ],
)
def test_encoding_and_line_ends_stay_as_they_were(
    tmp_path: Path, before: bytes, sent: str, after: bytes
) -> None:
    (tmp_path / "a.txt").write_bytes(before)
    assert save(tmp_path, "a.txt", sent) == after


def test_a_new_file_is_written_as_it_was_sent(tmp_path: Path) -> None:
    assert save(tmp_path, "new.txt", "a\r\nb\n") == b"a\r\nb\n"


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o664])
def test_permissions_stay_as_they_were(tmp_path: Path, mode: int) -> None:
    script = tmp_path / "run.sh"
    script.write_text("old")
    script.chmod(mode)
    save(tmp_path, "run.sh", "new")
    assert stat.S_IMODE(script.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_the_owner_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    os.chown(tmp_path / "a.txt", 4321, 4322)
    save(tmp_path, "a.txt", "new")
    status = (tmp_path / "a.txt").stat()
    assert (status.st_uid, status.st_gid) == (4321, 4322)


def test_new_files_and_folders_get_what_the_umask_leaves(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        # 0o027, unless something of Paige's has begun in this process already.
        taken = persons_umask()
        save(tmp_path, "folder/new.txt", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "folder" / "new.txt").stat().st_mode) == 0o666 & ~taken
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o777 & ~taken


def test_a_read_only_file_is_refused_and_kept(tmp_path: Path) -> None:
    (tmp_path / "locked.txt").write_text("old")
    (tmp_path / "locked.txt").chmod(0o444)
    with pytest.raises(Refused) as refusal:
        save(tmp_path, "locked.txt", "new")
    assert "locked.txt" in refusal.value.message
    assert refusal.value.hint
    assert (tmp_path / "locked.txt").read_text() == "old"


@pytest.mark.parametrize(
    ("name", "data"),
    [("logo.png", b"\x89PNG"), ("data.txt", b"a\0b"), ("old.txt", "café".encode("latin-1"))],
)
def test_a_file_that_is_no_text_is_not_overwritten(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Refused, match="is not a text file"):
        save(tmp_path, name, "text")
    assert (tmp_path / name).read_bytes() == data


def test_a_text_that_is_too_large_is_refused_before_a_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="10 MiB"):
        save(tmp_path, "folder/large.txt", "ä" * (MAX_BYTES // 2 + 1))
    assert os.listdir(tmp_path) == []


def test_a_text_that_grows_too_large_by_its_line_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"a\r\n")
    with pytest.raises(BadInput, match="10 MiB"):
        save(tmp_path, "a.txt", "\n" * MAX_BYTES)
    assert (tmp_path / "a.txt").read_bytes() == b"a\r\n"


def test_half_of_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not Unicode"):
        save(tmp_path, "a.txt", "half \ud83d")
    assert os.listdir(tmp_path) == []


def test_a_name_as_long_as_names_may_be_can_be_saved(tmp_path: Path) -> None:
    name = "x" * 251 + ".txt"
    assert save(tmp_path, name, "one") == b"one"
    assert save(tmp_path, name, "two") == b"two"


def test_a_hard_link_outside_keeps_the_old_text(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "outside.txt").write_text("old")
    os.link(tmp_path / "outside.txt", project / "a.txt")
    save(project, "a.txt", "new")
    assert (tmp_path / "outside.txt").read_text() == "old"


FULL_DISK = """
import resource, sys
from datetime import UTC, datetime
from pathlib import Path
from paige.base.errors import Unavailable
from paige.coach.files.project import ProjectFiles

# The kernel itself says no, in the middle of the write, as it does when a disk is full.
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
files, now = ProjectFiles(Path(sys.argv[1])), datetime(2026, 1, 1, tzinfo=UTC)
try:
    files.write("a.txt", "x" * 100_000, now=now)
except Unavailable as error:
    print(error.message)
"""


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "The disk is full: `a.txt` was not written\n", done.stderr
    assert (tmp_path / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


SAVE_FOR_EVER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from paige.coach.files.project import ProjectFiles

files, now = ProjectFiles(Path(sys.argv[1])), datetime(2026, 1, 1, tzinfo=UTC)
for number in range(100_000):
    files.write("a.txt", f"{number % 10}" * 50_000, now=now)
    if number == 3:
        print("saving", flush=True)
"""


def test_a_process_killed_while_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", SAVE_FOR_EVER, str(tmp_path)], stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"saving\n"
            process.send_signal(signal.SIGKILL)
        content = ProjectFiles(tmp_path).read("a.txt").content
        assert content == content[:1] * 50_000
        # What is left over of the save is not shown.
        shown = [node.name for node in ProjectFiles(tmp_path).tree().root.children or ()]
        assert shown == ["a.txt"]


def test_a_reader_never_sees_half_a_save(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path)
    files.write("a.txt", "0" * 50_000, now=NOON)

    def save_often() -> None:
        for number in range(300):
            files.write("a.txt", str(number % 10) * 50_000, now=NOON)

    writer = threading.Thread(target=save_often)
    writer.start()
    for _ in range(2_000):
        content = files.read("a.txt").content
        assert content == content[:1] * 50_000
    writer.join()


NOT_ALLOWED = """
import json, os, sys
from datetime import UTC, datetime
from pathlib import Path
from paige.base.errors import Refused
from paige.coach.files.project import ProjectFiles

if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
files, now = ProjectFiles(Path(sys.argv[1])), datetime(2026, 1, 1, tzinfo=UTC)
said = []
for attempt in (
    lambda: files.read("secret.txt"),
    lambda: files.write("secret.txt", "new", now=now),
    lambda: files.write("closed/new.txt", "new", now=now),
    lambda: files.write("closed/folder/new.txt", "new", now=now),
):
    try:
        attempt()
    except Refused as error:
        said.append(error.message)
print(json.dumps(said))
"""


def test_what_the_system_does_not_allow_is_refused_with_a_sentence() -> None:
    # Not in pytest's own folder: only its owner may go there, and root may do everything.
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        project.chmod(0o777)
        (project / "secret.txt").write_text("old")
        (project / "secret.txt").chmod(0o000)
        (project / "closed").mkdir(mode=0o555)
        done = subprocess.run(
            [sys.executable, "-c", NOT_ALLOWED, folder], capture_output=True, text=True, timeout=60
        )
        assert json.loads(done.stdout or "[]") == [
            "`secret.txt` may not be opened: Permission denied",
            "`secret.txt` may not be opened: Permission denied",
            "`closed/new.txt` may not be written: Permission denied",
            "`closed/folder/new.txt` may not be written: Permission denied",
        ], done.stderr
        assert os.listdir(project / "closed") == []
