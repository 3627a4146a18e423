"""Memory documents as files that people edit with any editor, written so that no save is lost.

Editors take no lock. So a file is never overwritten: it is set aside by its name in one step, and
the new text takes the free name only if nobody else did meanwhile. What was set aside is looked at
again later, because an editor that had the file open may still write into it.

Which versions were put there, and when, is kept beside the files: it says whether a person changed
one, and from which text. It travels with the folder, so a folder that is new, or was put back from
a backup, is never taken for one where everything was deleted.
"""

import contextlib
import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from paige.base.errors import NotFound, Refused
from paige.base.files import make_private, write_atomic, write_error
from paige.memory.documents.records import FOLDER
from paige.store.documents import NEW, DirectoryDocuments, version_of

KEEP = ".paige"
"""The hidden folder beside the documents."""
RENDERS_KEPT = 32
SAME_READS, MOST_READS = 3, 50
BLIND_SECONDS = 3.0
"""Who saves this soon after a render cannot have read it: editors and people need longer."""


@dataclass(frozen=True, slots=True)
class FileVersion:
    """A version that was put on the disk, and the time of the file system then."""

    version: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Aside:
    """A file that was set aside: what had been rendered there, and what is in it now."""

    place: Path
    base: str
    text: str


def _pause() -> None:
    time.sleep(0.02)


class MemoryFolder:
    """The folder `memory` of one workspace. Whoever changes it holds the lock of the documents."""

    def __init__(self, workspace: DirectoryDocuments, pause: Callable[[], None] = _pause) -> None:
        self._files = workspace
        self._root = workspace.root / FOLDER
        self._pause = pause

    def paths(self) -> list[str]:
        """Every file that might be a document."""
        if not self._root.is_dir():
            return []
        below = f"{FOLDER}/"
        return [path.removeprefix(below) for path in self._files.paths(FOLDER)]

    def read(self, path: str) -> str | None:
        """What a file says, or `None` without one. Raises: PaigeError when it cannot be used."""
        if os.path.islink(self._root / path):
            raise Refused(f"`{FOLDER}/{path}` is a link, so it is left alone")
        try:
            return self._files.read(f"{FOLDER}/{path}").text
        except NotFound:
            return None

    def settled(self, path: str) -> str | None:
        """What a file says once nobody is in the middle of saving it."""
        return self._settle(lambda: self.read(path))

    def settled_aside(self, aside: Aside) -> str:
        """The same for a file that was set aside."""
        text = self._settle(lambda: _text_of(aside.place))
        return aside.text if text is None else text

    def _settle(self, read: Callable[[], str | None]) -> str | None:
        text, same = read(), 1
        for _ in range(MOST_READS):
            if same == SAME_READS:
                break
            self._pause()
            before, text = text, read()
            same = same + 1 if text == before else 1
        return text

    def renders(self, path: str) -> list[FileVersion]:
        """The last versions that were put there, newest first; none if the file was never ours."""
        return [FileVersion(version, at) for version, at in self._state().get(path, [])]

    def bases(self, path: str, aside: Aside | None = None) -> list[str]:
        """The versions an editor that saved the file can have begun with, likeliest first."""
        renders = self.renders(path)
        try:
            saved = os.stat(aside.place if aside else self._root / path).st_mtime_ns
        except OSError:
            return [render.version for render in renders[:1]]
        blind = [
            older.version
            for newer, older in pairwise(renders)
            if saved - newer.at_ns < BLIND_SECONDS * 1e9
        ]
        return [render.version for render in renders[:1]] + blind

    def note(self, path: str, version: str) -> None:
        """Remember what is on the disk now; `NEW` when nothing is."""
        state = self._state()
        if version == NEW:
            if state.pop(path, None) is None:
                return
        else:
            try:
                at = os.stat(self._root / path).st_mtime_ns
            except OSError:
                at = 0
            state[path] = [[version, at], *state.get(path, [])][:RENDERS_KEPT]
        self._write_state(state)

    def put(self, path: str, text: str | None) -> Aside | None:
        """Replace a file, or remove it; whatever was there is set aside and returned."""
        renders = self.renders(path)
        base = renders[0].version if renders else NEW
        version = NEW if text is None else version_of(text)
        if base == version:  # so that a crash in between does not look like a deletion
            self.note(path, NEW)
        place = self._root / path
        try:
            if text is None:
                aside = self._set_aside(path, place, base)
            else:
                make_private(place.parent)
                ready = self._keep() / "next"
                write_atomic(ready, text)
                aside = self._set_aside(path, place, base)
                _give_name(ready, place)
        except OSError as error:
            raise write_error(place, error) from error
        self.note(path, version)
        return aside

    def bring_back(self, path: str, aside: Aside) -> None:
        """Put what was set aside where a person sees it, unless they have something there."""
        renders = self.renders(path)
        shown = self.read(path)
        if shown is None or (renders and version_of(shown) == renders[0].version):
            os.replace(aside.place, self._root / path)

    def asides(self, path: str) -> list[Aside]:
        """What was set aside and not looked at again yet, oldest first."""
        return [aside for name in self._names(path) if (aside := self._aside(name)) is not None]

    def drop_asides(self) -> None:
        """Forget everything that was set aside."""
        for file in (self._root / KEEP).glob("*~*~*"):
            drop(file)

    def _names(self, path: str) -> list[str]:
        start = f"{_short(path)}~"
        try:
            names = [name for name in os.listdir(self._root / KEEP) if name.startswith(start)]
        except FileNotFoundError:
            return []
        return sorted(names, key=_number)

    def _aside(self, name: str) -> Aside | None:
        place = self._root / KEEP / name
        text = _text_of(place)
        return None if text is None else Aside(place, name.split("~")[1], text)

    def _set_aside(self, path: str, place: Path, base: str) -> Aside | None:
        others = self._names(path)
        number = _number(others[-1]) + 1 if others else 1
        name = f"{_short(path)}~{base}~{number}"
        try:
            os.rename(place, self._keep() / name)
        except FileNotFoundError:
            return None
        return self._aside(name)

    def _keep(self) -> Path:
        folder = self._root / KEEP
        make_private(folder)
        return folder

    def _state(self) -> dict[str, list[list]]:
        try:
            return json.loads((self._root / KEEP / "rendered.json").read_bytes())
        except (OSError, ValueError):
            return {}

    def _write_state(self, state: dict[str, list[list]]) -> None:
        write_atomic(self._keep() / "rendered.json", json.dumps(state, ensure_ascii=False))


def drop(file: Path) -> None:
    """Remove a file that was set aside."""
    with contextlib.suppress(OSError):
        file.unlink()


def _number(name: str) -> int:
    return int(name.rpartition("~")[2])


def _text_of(place: Path) -> str | None:
    try:
        return place.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None


def _short(path: str) -> str:
    return blake2b(path.encode(), digest_size=8).hexdigest()


def _give_name(ready: Path, place: Path) -> None:
    """Give a file its name unless somebody took it; then theirs stays and is looked at next."""
    try:
        os.link(ready, place)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not place.exists():
            shutil.copyfile(ready, place)
    finally:
        drop(ready)
