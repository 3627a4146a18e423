"""Hearing of changes in the project as they happen.

The system tells that something happened in a folder; what happened is found by looking. Only
folders that are shown are watched, one by one where the system allows it (Linux): the watcher would
follow links out of the project otherwise, and spend its watches on `node_modules`. When a folder
comes or goes, or a `.gitignore` changes, the project is looked through again and the watcher starts
anew; a look after its start finds what happened in between.
"""

import math
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from threading import Event
from typing import NamedTuple, TypeVar

import anyio
from anyio import to_thread
from anyio.abc import TaskStatus

from paige.base.errors import Unavailable
from paige.coach.files.folders import Root
from paige.coach.files.scan import GITIGNORE, Entry, Scan, look_at, scan
from paige.coach.files.values import Change, OnChanges, Overflow

Entries = dict[str, Entry]


def changes_between(old: Entries, new: Entries) -> list[Change]:
    """The changes from one look to the next: what went (the deepest first), what came, the rest."""
    gone = [path for path in old if path not in new or new[path].kind != old[path].kind]
    came = [path for path in new if path not in old or new[path].kind != old[path].kind]
    moved = _moved({path: old[path] for path in gone}, {path: new[path] for path in came})
    kept = [path for path in new if path in old and new[path].kind == old[path].kind == "file"]
    removed = [_removed(path, old[path]) for path in sorted(gone, reverse=True)]
    added = [_added(path, new[path], moved) for path in sorted(came)]
    changed = [Change("change", path) for path in sorted(kept) if new[path] != old[path]]
    sources = set(moved.values())
    return [*(each for each in removed if each.path not in sources), *added, *changed]


def _moved(gone: Entries, came: Entries) -> dict[str, str]:
    """Where files came from that are the same ones under another path."""
    before = {entry: path for path, entry in gone.items() if entry.kind == "file"}
    found: dict[str, str] = {}
    for path, entry in came.items():
        if entry.kind == "file" and (source := before.pop(entry, None)) is not None:
            found[path] = source
    return found


def _removed(path: str, entry: Entry) -> Change:
    return Change("unlinkDir" if entry.kind == "directory" else "unlink", path)


def _added(path: str, entry: Entry, moved: dict[str, str]) -> Change:
    if path in moved:
        return Change("rename", moved[path], path)
    return Change("addDir" if entry.kind == "directory" else "add", path)


MAX_CHANGES = 200
"""The most changes told one by one."""
QUIET, LONGEST = 50, 400
"""Milliseconds: nothing more happens for so long, or changes are told all the same."""
_EACH_FOLDER = sys.platform == "linux"
_MODIFIED = 2  # of the three things the watcher tells: added, modified, deleted
_FOR_EVER = 0
Parts = tuple[str, ...]
T = TypeVar("T")


class FileTouch(NamedTuple):
    """Where something happened, and whether an entry came or went there."""

    parts: Parts
    moved: bool


class Look(NamedTuple):
    """What a look found: all that is known now, what changed, and whether folders did."""

    known: Scan
    changes: list[Change]
    restart: bool


class Watcher:
    """Waits for the system to tell of changes in some folders."""

    def __init__(self, root: Root, folders: set[Parts]) -> None:
        from watchfiles._rust_notify import (  # noqa: PLC0415 - a native library; few processes watch
            RustNotify,
        )

        self._root = root.real
        paths = [os.path.join(root.real, *parts) for parts in folders]
        # Not debugging, not polling (its delay does not matter then); folders that may not be
        # looked into are passed over.
        each = _EACH_FOLDER
        self._notify = RustNotify(paths if each else [root.real], False, False, 300, not each, True)

    def wait(self, stop: Event) -> set[FileTouch]:
        """Where something happened since the last call; empty when it was stopped."""
        try:
            found = self._notify.watch(LONGEST, QUIET, _FOR_EVER, stop)
        except (OSError, RuntimeError) as error:
            if _is_about_a_name(error):  # the change is lost, so everything is looked at
                return {FileTouch((), True)}
            raise _cannot_watch(self._root, error) from error
        if not isinstance(found, set):
            return set()
        touched = {(path, kind != _MODIFIED) for kind, path in found}
        return {FileTouch(self._parts(path), moved) for path, moved in touched}

    def close(self) -> None:
        """Stop watching."""
        self._notify.close()

    def _parts(self, path: str) -> Parts:
        below = os.path.relpath(path, self._root)
        return () if below == os.curdir else tuple(below.split(os.sep))


async def watch(
    root: Root,
    on_changes: OnChanges,
    *,
    task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
) -> None:
    """Tell of every change until cancelled; a task group's `start` returns when it hears them.

    Raises: Unavailable, NotFound when the project folder is gone.
    """
    # The watcher always holds a thread; it must not be one of those that others wait for.
    threads = anyio.CapacityLimiter(math.inf)
    known = await _in_thread(partial(scan, root), threads)
    started = False
    with ExitStack() as closing:
        while True:
            watcher, look = await _in_thread(partial(_start, root, known), threads)
            closing.close()  # the one before, now that no gap is left
            closing.callback(watcher.close)
            if not started:
                started = True
                task_status.started()
            while True:
                await _tell(on_changes, look.changes)
                known = look.known
                if look.restart:
                    break
                touched = await _touched(watcher, threads)
                look = await _in_thread(partial(_look, root, known, touched), threads)


def _is_about_a_name(error: Exception) -> bool:
    """Whether the watcher could not tell of a change because a name is not UTF-8."""
    return "Unable to decode path" in str(error)


def _start(root: Root, known: Scan) -> tuple[Watcher, Look]:
    """Watch the folders known, and look at what changed before the watch began."""
    folders = known.folders
    try:
        watcher = Watcher(root, folders)
    except FileNotFoundError:  # a folder went meanwhile; the project folder is watched in any case
        folders = {()}
        watcher = _watcher_of_root(root)
    except (OSError, RuntimeError) as error:
        raise _cannot_watch(root.real, error) from error
    look = _look_everywhere(root, known)
    return watcher, look._replace(restart=_EACH_FOLDER and look.known.folders != folders)


def _watcher_of_root(root: Root) -> Watcher:
    try:
        return Watcher(root, {()})
    except (OSError, RuntimeError) as error:
        raise _cannot_watch(root.real, error) from error


def _cannot_watch(folder: str, error: Exception) -> Unavailable:
    return Unavailable(
        f"Changes in `{folder}` cannot be watched: {error}",
        hint="On Linux the number of watches may be used up: raise fs.inotify.max_user_watches.",
    )


def _look(root: Root, known: Scan, touched: set[FileTouch]) -> Look:
    """Look where something happened, or everywhere when that tells more."""
    near = {each for each in touched if each.parts[:-1] in known.folders}
    if len(near) > MAX_CHANGES or any(_matters_to_all(each, known) for each in near):
        return _look_everywhere(root, known)._replace(restart=True)
    before, after = {}, {}
    for parts in {each.parts for each in near}:
        path = "/".join(parts)
        old, new = known.entries.get(path), look_at(root, known.ignores, parts)
        if any(entry and entry.kind == "directory" for entry in (old, new)) and old != new:
            return _look_everywhere(root, known)._replace(restart=True)
        if old is not None:
            before[path] = old
        if new is not None:
            after[path] = new
    entries = {path: entry for path, entry in known.entries.items() if path not in before} | after
    return Look(replace(known, entries=entries), changes_between(before, after), False)


def _matters_to_all(touched: FileTouch, known: Scan) -> bool:
    parts = touched.parts
    if not parts or parts[-1] == GITIGNORE:
        return True
    # A folder of the same name may be another folder now, which nobody watches yet.
    return touched.moved and parts in known.folders


def _look_everywhere(root: Root, known: Scan) -> Look:
    now = scan(root)
    return Look(now, changes_between(known.entries, now.entries), False)


async def _tell(on_changes: OnChanges, changes: list[Change]) -> None:
    if len(changes) > MAX_CHANGES:
        await on_changes(Overflow(len(changes)))
    elif changes:
        await on_changes(changes)


async def _touched(watcher: Watcher, threads: anyio.CapacityLimiter) -> set[FileTouch]:
    """Wait for something to happen; when cancelled, the waiting thread ends at its next turn."""
    stop = Event()
    found: set[FileTouch] = set()

    async def stop_at_the_end() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            stop.set()

    async with anyio.create_task_group() as group:
        group.start_soon(stop_at_the_end)
        found = await to_thread.run_sync(watcher.wait, stop, limiter=threads)
        group.cancel_scope.cancel()
    return found


async def _in_thread(work: Callable[[], T], threads: anyio.CapacityLimiter) -> T:
    # Looking changes nothing, so nobody waits for its end when it is no longer wanted.
    return await to_thread.run_sync(work, limiter=threads, abandon_on_cancel=True)
