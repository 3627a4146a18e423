"""Nothing outside the project is read or changed, whatever path or link is tried.

Each test has a canary: a file outside with a secret. Its times tell whether anybody opened it.
"""

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from paige.base.errors import Conflict, NotFound, PaigeError, Refused
from paige.coach.files.folders import HANDLES
from paige.coach.files.project import ProjectFiles
from paige.coach.files.values import CursorPosition
from tests.conftest import NOON

SECRET = "the canary sings"
OUTSIDE = "is outside the project"
AT_START = CursorPosition(1, 1)
WAYS = [
    pytest.param(True, id="handles", marks=pytest.mark.skipif(not HANDLES, reason="no openat")),
    pytest.param(False, id="paths"),
]


@dataclass(frozen=True, slots=True)
class Ground:
    """A project with a file outside it."""

    files: ProjectFiles
    project: Path
    outside: Path

    @property
    def canary(self) -> Path:
        return self.outside / "canary.txt"


@pytest.fixture(params=WAYS)
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Ground:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for folder in (project / "src", project / ".git", outside / "src"):
        folder.mkdir(parents=True)
    (project / "src" / "a.py").write_text("a = 1\n")
    (project / "README.md").write_text("# Project\n")
    (outside / "canary.txt").write_text(SECRET)
    # Next to the project and named like it: a check by the start of a text would be fooled.
    (tmp_path / "project-secret").mkdir()
    (tmp_path / "project-secret" / "canary.txt").write_text(SECRET)
    return Ground(ProjectFiles(project, handles=request.param), project, outside)


@contextmanager
def untouched(ground: Ground) -> Iterator[None]:
    """Fail if anything outside was read, changed or made."""
    before = {path: _rested(path) for path in _outside_files(ground)}
    yield
    assert {path: _seen(path) for path in _outside_files(ground)} == before


def _outside_files(ground: Ground) -> list[Path]:
    folders = (ground.outside, ground.outside.parent / "project-secret")
    return sorted(each for folder in folders for each in folder.rglob("*") if each.is_file())


def _rested(path: Path) -> tuple[int, int, int]:
    # Older than the last change, so that a read sets it on systems that keep it now and then.
    os.utime(path, ns=(1_000, 2_000))
    return _seen(path)


def _seen(path: Path) -> tuple[int, int, int]:
    status = path.stat()
    return status.st_atime_ns, status.st_mtime_ns, status.st_size


TRAVERSALS = [
    "../outside/canary.txt",
    "../../etc/passwd",
    "../../../../../../../../etc/passwd",
    "..",
    "../",
    "../project-secret/canary.txt",
    "./../outside/canary.txt",
    ".//..//outside//canary.txt",
    "src/../../outside/canary.txt",
    "src/../../project/../outside/canary.txt",
    "src/./.././../outside/canary.txt",
    "missing/../../outside/canary.txt",
    "src/a.py/../../../outside/canary.txt",
    "..//outside/canary.txt",
    "src/" + "../" * 60 + "etc/passwd",
    "../outside/./canary.txt",
    "../outside/../outside/canary.txt",
    "../project/../outside/canary.txt",
    "../outside/canary.txt/",
    "/etc/passwd",
    "//etc/passwd",
    "///etc/passwd",
    "/../etc/passwd",
    "/./etc/passwd",
    "/proc/self/root/etc/passwd",
    "/proc/self/environ",
    "/dev/zero",
    "/",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "http://127.0.0.1/x",
    "C:/Windows/win.ini",
    "C:\\Windows\\win.ini",
    "c:canary.txt",
    "\\\\server\\share\\x",
    "//server/share/x",
    "..\\outside\\canary.txt",
    "src\\..\\..\\outside\\canary.txt",
    "..\\/outside/canary.txt",
    "../outside/canary.txt\0",
    "src/a.py\0../../outside/canary.txt",
    "\0",
    "../outside/canary.txt\n",
    "src/a.py\r\n../outside",
    "../outside/canary.txt\x1b[2K",
    "../" * 400 + "etc/passwd",
    "a/" * 2000 + "x",
    "x" * 5000,
    "src/\ud800/../../../outside/canary.txt",
    "",
    ".",
    "./.",
    "src/..",
    "\u2028../outside/canary.txt",
]
INSIDE_AFTER_ALL = [  # odd, but only names of files that are not there
    "%2e%2e/outside/canary.txt",
    "%2e%2e%2foutside%2fcanary.txt",
    "..%2foutside/canary.txt",
    "..%c0%af..%c0%afetc/passwd",
    "\uff0e\uff0e/outside/canary.txt",
    "\u2025/outside/canary.txt",
    ".../outside/canary.txt",
    "..../outside/canary.txt",
    ".. /outside/canary.txt",
    " ../outside/canary.txt",
    "..;/outside/canary.txt",
    "~/canary.txt",
    "~root/canary.txt",
    "$HOME/canary.txt",
    "${OLDPWD}/canary.txt",
    "`pwd`/canary.txt",
    "src/a.py/../outside",
]


def operations(files: ProjectFiles, path: str) -> list[Callable[[], object]]:
    return [
        lambda: files.relative(path),
        lambda: files.read(path),
        lambda: files.write(path, "changed", now=NOON),
        lambda: files.update_buffer(path, "changed", AT_START, now=NOON),
        lambda: files.buffer(path),
        lambda: files.diff(path),
        lambda: files.forget(path),
    ]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_a_path_out_of_the_project_is_refused_by_every_operation(ground: Ground, path: str) -> None:
    with untouched(ground):
        for operation in operations(ground.files, path):
            with pytest.raises(PaigeError) as refusal:
                operation()
            assert SECRET not in refusal.value.message


def test_absolute_paths_outside_are_refused_and_those_inside_are_not(ground: Ground) -> None:
    secret = ground.outside.parent / "project-secret" / "canary.txt"
    with untouched(ground):
        for path in (ground.canary, secret, ground.project / ".." / "outside" / "canary.txt"):
            for operation in operations(ground.files, str(path)):
                with pytest.raises(Refused, match=OUTSIDE):
                    operation()
    assert ground.files.relative(str(ground.project / "src" / "a.py")) == "src/a.py"
    assert ground.files.read(str(ground.project / "src" / "a.py")).content == "a = 1\n"


@pytest.mark.parametrize("path", INSIDE_AFTER_ALL)
def test_a_path_that_is_only_odd_stays_in_the_project(ground: Ground, path: str) -> None:
    with untouched(ground):
        with pytest.raises(NotFound):
            ground.files.read(path)
        saved = ground.files.write(path, "odd\n", now=NOON)
        assert (ground.project / saved.path).read_text() == "odd\n"


def test_there_are_many_variants() -> None:
    assert len(set(TRAVERSALS)) >= 50
    assert len(set(TRAVERSALS + INSIDE_AFTER_ALL)) >= 60


def links(ground: Ground) -> dict[str, tuple[str, str]]:
    """Links by name: where each leads, and the path that goes through it."""
    outside, canary = str(ground.outside), str(ground.canary)
    return {
        "absolute_file": (canary, "absolute_file"),
        "relative_file": ("../outside/canary.txt", "relative_file"),
        "absolute_folder": (outside, "absolute_folder/canary.txt"),
        "relative_folder": ("../outside", "relative_folder/canary.txt"),
        "parent": ("..", "parent/outside/canary.txt"),
        "root_of_all": ("/", f"root_of_all{canary}"),
        "src/up": ("../..", "src/up/outside/canary.txt"),
        "src/down_and_up": ("../src/../../outside", "src/down_and_up/canary.txt"),
        "through_missing": ("missing/../../outside/canary.txt", "through_missing"),
        "out_and_in": ("../outside/../project/src/a.py", "out_and_in"),
        "named_alike": ("../project-secret/canary.txt", "named_alike"),
        "named_alike_absolute": (f"{ground.project}-secret/canary.txt", "named_alike_absolute"),
        "chain": ("relative_file", "chain"),
        "long_chain": ("chain", "long_chain"),
        "folder_chain": ("relative_folder", "folder_chain/canary.txt"),
        "with_dots": ("./.././outside/./canary.txt", "with_dots"),
        "with_slashes": ("..//outside///canary.txt", "with_slashes"),
        "trailing": ("../outside/", "trailing/canary.txt"),
        "own_name": (f"{ground.project}/../outside/canary.txt", "own_name"),
        "process": ("/proc/self/cwd", "process/canary.txt"),
        "descriptor": ("/proc/self/fd/0", "descriptor"),
        "new_file": ("../outside/new.txt", "new_file"),
        "new_in_folder": ("../outside", "new_in_folder/new.txt"),
        "new_folder": ("../outside/made", "new_folder/new.txt"),
    }


def test_a_link_out_of_the_project_is_never_followed(ground: Ground) -> None:
    made = links(ground)
    for name, (target, _) in made.items():
        (ground.project / name).symlink_to(target)
    with untouched(ground):
        for _, path in made.values():
            with pytest.raises(PaigeError) as refusal:
                ground.files.read(path)
            assert SECRET not in refusal.value.message
            with pytest.raises(PaigeError):
                ground.files.write(path, "changed", now=NOON)
            ground.files.update_buffer(path, "typed\n", AT_START, now=NOON)
        assert SECRET not in "".join(each.diff for each in ground.files.diffs())
        ground.files.tree()
    assert not (ground.outside / "made").exists()
    assert all((ground.project / name).is_symlink() for name in made)


def test_a_link_out_of_the_project_is_refused_with_a_sentence(ground: Ground) -> None:
    (ground.project / "link").symlink_to(ground.canary)
    with pytest.raises(Refused, match=f"`link` {OUTSIDE}"):
        ground.files.read("link")


def test_links_inside_the_project_work(ground: Ground) -> None:
    project = ground.project
    (project / "to_file").symlink_to("src/a.py")
    (project / "to_folder").symlink_to("src")
    (project / "src" / "back").symlink_to("../README.md")
    (project / "absolute").symlink_to(project / "src" / "a.py")
    (project / "twice").symlink_to("to_folder/../src/./a.py")
    for path in ("to_file", "to_folder/a.py", "absolute", "twice"):
        assert ground.files.read(path).content == "a = 1\n"
    assert ground.files.read("to_folder/back").content == "# Project\n"
    ground.files.write("to_file", "a = 2\n", now=NOON)
    ground.files.write("to_folder/new.py", "new\n", now=NOON)
    assert (project / "src" / "a.py").read_text() == "a = 2\n"
    assert (project / "src" / "new.py").read_text() == "new\n"
    assert (project / "to_file").is_symlink()


def test_a_link_to_a_file_that_is_not_there_yet_is_written_through(ground: Ground) -> None:
    (ground.project / "later").symlink_to("src/later/file.txt")
    with pytest.raises(NotFound):
        ground.files.read("later")
    ground.files.write("later", "now\n", now=NOON)
    assert (ground.project / "src" / "later" / "file.txt").read_text() == "now\n"


def test_links_in_a_circle_are_refused(ground: Ground) -> None:
    (ground.project / "one").symlink_to("two")
    (ground.project / "two").symlink_to("one")
    (ground.project / "self").symlink_to("self")
    (ground.project / "here").symlink_to(".")
    for path in ("one", "self", "self/x"):
        with pytest.raises(Refused, match="circle"):
            ground.files.read(path)
        with pytest.raises(Refused, match="circle"):
            ground.files.write(path, "x", now=NOON)
    assert ground.files.read("here/" * 30 + "README.md").content == "# Project\n"
    with pytest.raises(Refused, match="circle"):
        ground.files.read("here/" * 41 + "README.md")
    with pytest.raises(Refused, match="is a folder"):
        ground.files.read("here")


def test_the_project_folder_may_itself_be_reached_by_a_link(ground: Ground) -> None:
    alias = ground.outside.parent / "alias"
    alias.symlink_to(ground.project)
    (ground.project / "by_alias").symlink_to(alias / "src" / "a.py")
    files = ProjectFiles(alias)
    assert files.read("src/a.py").content == "a = 1\n"
    assert files.read("by_alias").content == "a = 1\n"
    assert files.relative(str(ground.project / "README.md")) == "README.md"
    assert files.relative(str(alias / "README.md")) == "README.md"


OF_GIT = [".git/config", ".git/hooks/post-commit", ".GIT/config", ".git", ".git./x"]
OF_GIT += ["git~1/config", "src/../.git/config", "sub/.git/config", ".g\u200cit/config"]


@pytest.mark.parametrize("path", [*OF_GIT, "by_link/config"])
def test_what_belongs_to_git_cannot_be_saved(ground: Ground, path: str) -> None:
    (ground.project / ".git" / "config").write_text("[core]\n")
    (ground.project / "by_link").symlink_to(".git")
    with pytest.raises(Refused, match="belongs to git"):
        ground.files.write(path, "changed", now=NOON)
    assert (ground.project / ".git" / "config").read_text() == "[core]\n"
    assert sorted(os.listdir(ground.project / ".git")) == ["config"]
    assert not (ground.project / "sub" / ".git").exists()


def test_pipes_sockets_and_devices_are_refused_without_waiting(ground: Ground) -> None:
    os.mkfifo(ground.project / "pipe")
    here = os.open(ground.project, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(f"/proc/self/fd/{here}/socket")  # a short name, however deep the folder is
    finally:
        os.close(here)
    (ground.project / "link_to_pipe").symlink_to("pipe")
    for path in ("pipe", "socket", "link_to_pipe"):
        with pytest.raises(Refused, match="a device, a pipe or a socket"):
            ground.files.read(path)
        with pytest.raises(Refused, match="a device, a pipe or a socket"):
            ground.files.write(path, "x", now=NOON)
    assert "pipe" not in {node.name for node in ground.files.tree().root.children or ()}


def test_a_folder_is_neither_read_nor_saved(ground: Ground) -> None:
    for path in ("src", "src/"):
        with pytest.raises(Refused, match="is a folder"):
            ground.files.read(path)
        with pytest.raises(Refused, match="is a folder"):
            ground.files.write(path, "x", now=NOON)


def test_a_file_is_no_folder(ground: Ground) -> None:
    with pytest.raises(NotFound):
        ground.files.read("README.md/x")
    with pytest.raises(NotFound):
        ground.files.write("README.md/x", "x", now=NOON)
    assert (ground.project / "README.md").read_text() == "# Project\n"


def test_a_project_folder_that_is_gone_is_said_to_be_gone(tmp_path: Path) -> None:
    files = ProjectFiles(tmp_path / "gone")
    for operation in (lambda: files.read("a"), files.tree, lambda: files.write("a", "", now=NOON)):
        with pytest.raises(NotFound, match="project folder"):
            operation()


@pytest.mark.skipif(not HANDLES, reason="without openat the race cannot be closed")
def test_a_project_folder_swapped_for_a_link_is_not_followed(ground: Ground) -> None:
    files = ProjectFiles(ground.project)
    ground.project.rename(ground.project.with_name("moved"))
    ground.project.symlink_to(ground.outside)
    with untouched(ground), pytest.raises(NotFound):
        files.read("canary.txt")


def test_no_handle_stays_open(ground: Ground) -> None:
    (ground.project / "out").symlink_to(ground.outside)
    (ground.project / "self").symlink_to("self")
    paths = ["src/a.py", "out/canary.txt", "self", "src", "gone/x", "README.md/x", ".git/x", "../x"]
    for path in paths:
        _try_all(ground.files, path)
    before = len(os.listdir("/dev/fd"))
    for _ in range(20):
        for path in paths:
            _try_all(ground.files, path)
        ground.files.tree()
    assert len(os.listdir("/dev/fd")) == before


def _try_all(files: ProjectFiles, path: str) -> None:
    for operation in operations(files, path):
        with suppress(PaigeError):
            operation()


# Somebody swaps a folder, or a file, for a link while Paige reads and saves.

ROUNDS = 2_000


@contextmanager
def swapping(swap: Callable[[], None]) -> Iterator[list[int]]:
    """Swap as often as possible, at most a bounded number of times, until the block ends."""
    done, count = threading.Event(), [0]

    def work() -> None:
        while not done.is_set() and count[0] < 500_000:
            swap()
            count[0] += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield count
    finally:
        done.set()
        thread.join()


@pytest.mark.skipif(not HANDLES, reason="without openat the race cannot be closed")
@pytest.mark.parametrize("swapped", ["folder", "link", "file"])
def test_swapping_what_is_on_the_way_for_a_link_never_leads_out(
    tmp_path: Path, swapped: str
) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    for folder in (project / "way", outside):
        folder.mkdir(parents=True)
    (project / "way" / "file.txt").write_text("inside")
    (outside / "file.txt").write_text(SECRET)
    swaps_of = {"folder": _swap_folder, "link": _swap_link, "file": _swap_file}
    swap = swaps_of[swapped](project, outside)
    files = ProjectFiles(project)
    outcomes: dict[str, int] = {}
    with swapping(swap) as swaps:
        for number in range(ROUNDS):
            outcome = _read(files)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            _write(files, f"inside {number}")
    assert swaps[0] > 0
    assert (outside / "file.txt").read_text() == SECRET
    assert os.listdir(outside) == ["file.txt"]
    assert set(outcomes) <= {"read", "refused"}


def _swap_folder(project: Path, outside: Path) -> Callable[[], None]:
    way, aside, link = project / "way", project / "aside", project / "link"
    steps: list[Callable[[], object]] = [
        lambda: link.symlink_to(outside),
        lambda: way.rename(aside),
        lambda: link.rename(way),
        way.unlink,
        lambda: aside.exists() and shutil.rmtree(way),  # a save made it while it was away
        lambda: aside.rename(way),
    ]

    def swap() -> None:
        for step in steps:
            with suppress(OSError):  # a save may be quicker; the next round puts it right
                step()

    return swap


def _swap_link(project: Path, outside: Path) -> Callable[[], None]:
    way, real, link = project / "way", project / "real", project / "link"
    way.rename(real)
    way.symlink_to("real")

    def swap() -> None:
        for target in (outside, real):
            link.symlink_to(target)
            link.replace(way)

    return swap


def _swap_file(project: Path, outside: Path) -> Callable[[], None]:
    file, link, plain = (project / "way" / name for name in ("file.txt", "link", "plain"))

    def swap() -> None:
        link.symlink_to(outside / "file.txt")
        link.replace(file)
        plain.write_text("inside")
        plain.replace(file)

    return swap


def _read(files: ProjectFiles) -> str:
    try:
        assert files.read("way/file.txt").content.startswith("inside")
    except (NotFound, Refused, Conflict):
        return "refused"
    return "read"


def _write(files: ProjectFiles, content: str) -> None:
    try:
        files.write("way/file.txt", content, now=NOON)
    except PaigeError:
        return


def test_reading_the_canary_would_be_noticed(ground: Ground) -> None:
    before = _rested(ground.canary)
    ground.canary.read_text()
    if _seen(ground.canary) == before:
        pytest.skip("this file system does not note when a file is read")
