"""Changes in the project are told as they happen, and only those that can be seen in the tree."""

import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from paige.base.errors import NotFound
from paige.coach.files.project import ProjectFiles
from paige.coach.files.scan import Entry
from paige.coach.files.values import Change, Overflow, TreeNode
from paige.coach.files.watcher import MAX_CHANGES, changes_between
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
LAST = "the-last-one"
Check = Callable[[], bool]


@dataclass(slots=True)
class Heard:
    """What the watcher told so far."""

    project: Path
    batches: list[list[Change] | Overflow] = field(default_factory=list)
    more: anyio.Event = field(default_factory=anyio.Event)

    async def note(self, batch: list[Change] | Overflow) -> None:
        self.batches.append(batch)
        self.more.set()
        self.more = anyio.Event()

    @property
    def changes(self) -> list[tuple[str, str]]:
        lists = [batch for batch in self.batches if isinstance(batch, list)]
        return [(each.action, each.path) for batch in lists for each in batch]

    @property
    def overflows(self) -> int:
        return sum(isinstance(batch, Overflow) for batch in self.batches)

    async def until(self, check: Check) -> None:
        with anyio.fail_after(60):
            while True:
                more = self.more
                if check():
                    return
                await more.wait()

    async def expect(self, *changes: tuple[str, str]) -> None:
        """Wait for changes, in any order, and forget all that was told before."""
        await self.until(lambda: set(changes) <= set(self.changes))
        self.batches.clear()

    async def all_until_now(self) -> list[tuple[str, str]]:
        """What was told of all that happened before, shown by one more change after it."""
        (self.project / LAST).write_text("x")
        await self.until(lambda: ("add", LAST) in self.changes)
        return [each for each in self.changes if each[1] != LAST]


@asynccontextmanager
async def watching(project: Path) -> AsyncIterator[Heard]:
    heard = Heard(project)
    async with anyio.create_task_group() as group:
        with anyio.fail_after(60):
            await group.start(ProjectFiles(project).watch, heard.note)
        yield heard
        group.cancel_scope.cancel()


def make(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")


async def test_a_file_that_is_made_changed_and_deleted_is_told(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py")
    async with watching(tmp_path) as heard:
        make(tmp_path, "src/new.py")
        await heard.expect(("add", "src/new.py"))
        (tmp_path / "src" / "new.py").write_text("longer")
        await heard.expect(("change", "src/new.py"))
        (tmp_path / "src" / "new.py").unlink()
        await heard.expect(("unlink", "src/new.py"))


async def test_a_save_is_one_change_without_its_temporary_file(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    async with watching(tmp_path) as heard:
        ProjectFiles(tmp_path).write("a.py", "saved\n", now=NOON)
        assert await heard.all_until_now() == [("change", "a.py")]


async def test_folders_that_come_and_go_are_told_with_all_that_is_in_them(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    async with watching(tmp_path) as heard:
        make(tmp_path, "one/two/three/x.py", "one/y.py")
        added = {"addDir": ["one", "one/two", "one/two/three"]}
        added["add"] = ["one/two/three/x.py", "one/y.py"]
        await heard.expect(*((action, path) for action, paths in added.items() for path in paths))
        make(tmp_path, "one/two/three/later.py")  # the new folder is watched, too
        await heard.expect(("add", "one/two/three/later.py"))
        shutil.rmtree(tmp_path / "one")
        await heard.expect(("unlinkDir", "one"), ("unlink", "one/two/three/x.py"))


async def test_a_folder_deleted_and_made_again_is_watched_still(tmp_path: Path) -> None:
    make(tmp_path, "src/a.py")
    async with watching(tmp_path) as heard:
        for number in range(3):
            shutil.rmtree(tmp_path / "src")
            make(tmp_path, f"src/b{number}.py")
            await heard.until(lambda number=number: ("add", f"src/b{number}.py") in heard.changes)
            make(tmp_path, f"src/c{number}.py")
            await heard.until(lambda number=number: ("add", f"src/c{number}.py") in heard.changes)


async def test_a_renamed_file_is_told_with_both_paths(tmp_path: Path) -> None:
    make(tmp_path, "src/old.py", "a.py")
    async with watching(tmp_path) as heard:
        (tmp_path / "src" / "old.py").rename(tmp_path / "new.py")
        await heard.until(lambda: bool(heard.batches))
        assert heard.batches == [[Change("rename", "src/old.py", "new.py")]]


async def test_what_is_not_in_the_tree_is_not_told(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "node_modules/x/index.js", "dist/a.js", "logs/a.log", ".git/HEAD")
    (tmp_path / ".gitignore").write_text("*.log\ntmp/\n")
    async with watching(tmp_path) as heard:
        make(tmp_path, "node_modules/y/index.js", ".git/index", "b.log", "tmp/x", "logs/b.log")
        make(tmp_path, "src/__pycache__/a.pyc")
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "link").symlink_to("/etc")
        shutil.rmtree(tmp_path / "dist")
        assert await heard.all_until_now() == [("addDir", "src")]


async def test_a_new_rule_in_gitignore_takes_files_out_of_the_tree(tmp_path: Path) -> None:
    make(tmp_path, "a.log", "src/b.log", "c.py")
    async with watching(tmp_path) as heard:
        (tmp_path / ".gitignore").write_text("*.log\n")
        await heard.expect(("add", ".gitignore"), ("unlink", "a.log"), ("unlink", "src/b.log"))
        (tmp_path / ".gitignore").unlink()
        await heard.expect(("unlink", ".gitignore"), ("add", "a.log"), ("add", "src/b.log"))


async def test_a_link_out_of_the_project_is_not_watched(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    make(project, "a.py")
    make(outside, "deep/x")
    (project / "link").symlink_to(outside)
    async with watching(project) as heard:
        make(outside, "deep/y", "z")
        (project / "another").symlink_to(outside)
        make(outside, "deep/w")
        assert await heard.all_until_now() == []


async def test_many_changes_at_once_are_told_as_one(tmp_path: Path) -> None:
    make(tmp_path, *(f"src/{number}.py" for number in range(MAX_CHANGES + 50)))
    async with watching(tmp_path) as heard:
        shutil.rmtree(tmp_path / "src")
        await heard.until(lambda: heard.overflows > 0)
        assert len(heard.changes) <= MAX_CHANGES


@pytest.mark.soak
async def test_a_checkout_of_ten_thousand_files_is_followed_to_its_end(tmp_path: Path) -> None:
    project = tmp_path / "project"
    make(project, "README.md")
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    commit(project, "small")
    git(project, "checkout", "-q", "-b", "large")
    make(project, *(f"pkg{number % 100}/mod{number % 7}/f{number}.py" for number in range(10_000)))
    git(project, "add", ".")
    commit(project, "large")
    git(project, "checkout", "-q", "main")
    files = ProjectFiles(project)
    known: set[str] = {"README.md"}

    async def follow(batch: list[Change] | Overflow) -> None:
        # What a browser does: keep the tree by the changes, or take it anew.
        if isinstance(batch, Overflow):
            tree = await anyio.to_thread.run_sync(files.tree)
            known.clear()
            known.update(paths(tree.root))
        else:
            for each in batch:
                if each.action in ("unlink", "unlinkDir", "rename"):
                    known.discard(each.path)
                if each.action in ("add", "addDir", "rename"):
                    known.add(each.new_path or each.path)
        seen.set()

    async with anyio.create_task_group() as group:
        seen = anyio.Event()
        await group.start(files.watch, follow)
        for branch in ("large", "main", "large"):
            await anyio.to_thread.run_sync(git, project, "checkout", "-q", branch)
            wanted = set(paths(files.tree().root))
            assert (len(wanted) > 10_000) == (branch == "large")
            with anyio.fail_after(100):
                while known != wanted:
                    await seen.wait()
                    seen = anyio.Event()
        group.cancel_scope.cancel()


async def test_a_slow_listener_loses_nothing(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    held, told = anyio.Event(), anyio.Event()
    paths_told: set[str] = set()

    async def slow(batch: list[Change] | Overflow) -> None:
        assert isinstance(batch, list)
        paths_told.update(each.path for each in batch)
        told.set()
        await held.wait()

    async with anyio.create_task_group() as group:
        await group.start(ProjectFiles(tmp_path).watch, slow)
        make(tmp_path, "first.py")
        with anyio.fail_after(60):
            await told.wait()
        make(tmp_path, *(f"{number}.py" for number in range(50)))
        told = anyio.Event()
        held.set()
        with anyio.fail_after(60):
            while len(paths_told) < 51:
                await told.wait()
                told = anyio.Event()
        group.cancel_scope.cancel()


async def test_it_stops_when_cancelled_and_discards_what_came_last(tmp_path: Path) -> None:
    make(tmp_path, "a.py")
    async with watching(tmp_path) as heard:
        make(tmp_path, "b.py")
    count = len(heard.batches)
    make(tmp_path, "c.py")
    async with watching(tmp_path) as other:  # a second one hears, the first one does not
        make(tmp_path, "d.py")
        await other.expect(("add", "d.py"))
    assert len(heard.batches) == count


async def test_a_listener_that_fails_ends_the_watch_with_its_error(tmp_path: Path) -> None:
    async def fail(batch: list[Change] | Overflow) -> None:
        raise ValueError("no more")

    async def watch() -> None:
        async with anyio.create_task_group() as group:
            await group.start(ProjectFiles(tmp_path).watch, fail)
            make(tmp_path, "a.py")

    with pytest.raises(ExceptionGroup) as failure:
        await watch()
    assert failure.group_contains(ValueError, match="no more")


async def test_without_the_project_folder_there_is_nothing_to_watch(tmp_path: Path) -> None:
    async def ignore(batch: list[Change] | Overflow) -> None:
        return None

    with pytest.raises(NotFound, match="project folder"):
        await ProjectFiles(tmp_path / "gone").watch(ignore)
    project = tmp_path / "project"
    make(project, "a.py")

    async def watch() -> None:
        async with anyio.create_task_group() as group:
            await group.start(ProjectFiles(project).watch, ignore)
            shutil.rmtree(project)

    with pytest.raises(ExceptionGroup) as failure, anyio.fail_after(60):
        await watch()
    assert failure.group_contains(NotFound, match="project folder")


def entry(kind: str, inode: int, changed: int = 0) -> Entry:
    return Entry("directory" if kind == "directory" else "file", inode, changed, 1)


def test_what_went_comes_before_what_came() -> None:
    old = {"a": entry("directory", 1), "a/b": entry("file", 2), "c": entry("file", 3)}
    new = {"c": entry("file", 3, 9), "d": entry("directory", 4), "d/e": entry("file", 5)}
    assert changes_between(old, new) == [
        Change("unlink", "a/b"),
        Change("unlinkDir", "a"),
        Change("addDir", "d"),
        Change("add", "d/e"),
        Change("change", "c"),
    ]


def test_a_file_in_place_of_a_folder_is_told_as_both() -> None:
    assert changes_between({"a": entry("directory", 1)}, {"a": entry("file", 1)}) == [
        Change("unlinkDir", "a"),
        Change("add", "a"),
    ]


def test_nothing_changed_is_nothing_to_tell() -> None:
    entries = {"a": entry("file", 1), "b": entry("directory", 2)}
    assert changes_between(entries, dict(entries)) == []


def paths(node: TreeNode) -> list[str]:
    own = [node.path] if node.path else []
    return own + [path for child in node.children or () for path in paths(child)]


def commit(folder: Path, message: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@localhost")
    git(folder, *who, "commit", "-q", "-m", message)


def git(folder: Path, *arguments: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
    }
    subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep names in Unicode")
async def test_a_name_that_is_no_text_does_not_end_the_watch(tmp_path: Path) -> None:
    async with watching(tmp_path) as heard:
        os.close(os.open(os.fsencode(tmp_path) + b"/\xff.txt", os.O_CREAT | os.O_WRONLY))
        (tmp_path / "after.txt").write_text("x", encoding="utf-8")
        await heard.expect(("add", "after.txt"))
