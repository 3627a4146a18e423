"""Finds the files of Claude Code in a folder, and the project a folder name stands for.

Claude Code names a project's folder after its path with every character that is not a letter or a
digit turned into `-`, which cannot be turned back by itself. Its session files name the path; where
there are none, the folders on this machine are compared; the last resort is a guess.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import orjson

from paige.memory.importing.sources import ImportOptions

_INDEX = "MEMORY.md"
_FILES = ("CLAUDE.md", "CLAUDE.local.md")
_SKIPPED = {"node_modules", "vendor", "venv", "dist", "build", "target"}
_MOST_FOLDERS = 20_000  # looked into for further CLAUDE.md files
_MOST_LOOKS = 500  # folders listed to decode one name
_SESSIONS, _LINES = 5, 60  # read to find the path of a project


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One file to read, and what its place says about it."""

    file: Path
    identity: str  # names the file in ids: the same after a move where that is possible
    roots: tuple[Path, ...]  # nothing outside of these is read
    project: str | None = None
    shared: bool = True  # whether all who work on the project may see it
    own_notes: bool = False  # written by Claude Code, not by people
    folder: str | None = None  # the project's folder in `~/.claude/projects`
    decoded_by: str | None = None

    def allows(self, file: Path) -> bool:
        """Whether a file (without links in its path) may be read from here."""
        return any(file.is_relative_to(root) for root in self.roots)

    def importing(self, file: Path) -> "Place":
        """The place of a file that this one pulls in."""
        return replace(self, file=file, identity=file.resolve().as_posix())


class Decoded(NamedTuple):
    """The path of a project, and how it was found: `session`, `disk` or `guess`."""

    path: str
    how: str


def is_claude_code(path: Path) -> str | None:
    """Why a path is memory of Claude Code, or None."""
    if path.is_file():
        if path.name in (*_FILES, _INDEX):
            return f"it is named `{path.name}`"
        beside = path.suffix == ".md" and (path.parent / _INDEX).is_file()
        return f"it lies beside a `{_INDEX}`" if beside else None
    for sign in (_INDEX, f"memory/{_INDEX}", *_FILES, ".claude/CLAUDE.md", ".claude/rules"):
        if (path / sign).exists():
            return f"it holds `{sign}`"
    if _is_memory(path) or _is_memory(path / "memory"):
        return "it is a project's folder of Claude Code"
    if _memories_below(path) or _memories_below(path / "projects"):
        return "it holds `memory` folders of projects"
    return None


def find_places(path: Path, options: ImportOptions) -> list[Place]:
    """The files to read, in order."""
    if path.is_file():
        return [_named_file(path, options)]
    if _is_home(path, options):
        return _user_folder(path / ".claude", options)
    if (path / _INDEX).is_file() or _is_memory(path):
        return _own_notes(path, options)
    if _is_memory(path / "memory"):
        return _own_notes(path / "memory", options)
    if below := _memories_below(path):
        return [place for memory in below for place in _own_notes(memory, options)]
    if _memories_below(path / "projects") or _is_home(path.parent, options):
        return _user_folder(path, options)
    if path.name == ".claude":
        files = [path / "CLAUDE.md", *sorted((path / "rules").rglob("*.md"))]
        root = path.resolve().parent
        return [_project_file(file, root, options) for file in files if file.is_file()]
    return _project_folder(path, options)


def _is_home(path: Path, options: ImportOptions) -> bool:
    return options.home is not None and path.resolve() == options.home.resolve()


def encode_project(path: str) -> str:
    """A path as Claude Code names the folder of its project."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def decode_project(folder: Path, root: Path = Path("/")) -> Decoded:
    """The path of the project whose sessions and memory lie in a folder."""
    if found := _from_sessions(folder):
        return Decoded(found, "session")
    name = folder.name
    if name.startswith("-") and (found := _from_disk(root, name[1:])):
        return Decoded(found, "disk")
    if drive := re.match(r"(?P<letter>[A-Za-z])--(?P<rest>.*)$", name):
        return Decoded(f"{drive['letter']}:/{drive['rest'].replace('-', '/')}", "guess")
    return Decoded(name.replace("-", "/") if name.startswith("-") else name, "guess")


def _from_sessions(folder: Path) -> str | None:
    for session in sorted(folder.glob("*.jsonl"), reverse=True)[:_SESSIONS]:
        with session.open("rb") as lines:
            for line in islice(lines, _LINES):
                path = _cwd(line) if b'"cwd"' in line else None
                # Who changes folders within a session leaves other paths there too.
                if path and encode_project(path) == folder.name:
                    return path
    return None


def _cwd(line: bytes) -> str | None:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    path = found.get("cwd") if isinstance(found, dict) else None
    return path if isinstance(path, str) else None


def _from_disk(root: Path, name: str) -> str | None:
    """The one folder of this machine whose path has that name; None if none or several have."""
    found: list[str] = []
    waiting = [(root, name)]
    looks = 0
    while waiting and looks < _MOST_LOOKS:
        folder, rest = waiting.pop()
        looks += 1
        for child in _folders(folder):
            code = encode_project(child.name)
            if rest == code:
                found.append(str(child))
            elif rest.startswith(f"{code}-"):
                waiting.append((child, rest[len(code) + 1 :]))
    return found[0] if len(found) == 1 else None


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir()]
    except OSError:
        return []


def _memories_below(path: Path) -> list[Path]:
    """The `memory` folders of the projects in a folder like `~/.claude/projects`."""
    if not path.is_dir():
        return []
    return [each for child in sorted(_folders(path)) if _is_memory(each := child / "memory")]


def _is_memory(folder: Path) -> bool:
    """Whether a folder holds notes of Claude Code; others call a folder `memory` too."""
    if folder.name != "memory" or not any(folder.glob("*.md")):
        return False
    return (folder / _INDEX).is_file() or folder.resolve().parents[1].name == "projects"


def _own_notes(memory: Path, options: ImportOptions) -> list[Place]:
    files = sorted(memory.rglob("*.md"), key=lambda file: (file.name != _INDEX, file))
    model = _own_place(memory, options)
    return [
        replace(model, file=file, identity=f"{model.identity}/{file.relative_to(memory)}")
        for file in files
    ]


def _own_place(memory: Path, options: ImportOptions) -> Place:
    folder = memory.parent if memory.name == "memory" else memory
    decoded = decode_project(folder)
    known = decoded.how != "guess"
    return Place(
        file=memory,
        identity=folder.name,
        roots=(memory.resolve(),),
        project=options.name_project(Path(decoded.path)) if known else decoded.path,
        own_notes=True,
        folder=folder.name,
        decoded_by=decoded.how,
    )


def _named_file(path: Path, options: ImportOptions) -> Place:
    if path.name == _INDEX or (path.parent / _INDEX).is_file():
        model = _own_place(path.parent, options)
        # Whoever names a file wants it read, also where it is a link to another place.
        roots = (*model.roots, path.resolve())
        return replace(model, file=path, identity=f"{model.identity}/{path.name}", roots=roots)
    folder = path.resolve().parent
    if options.home is not None and folder == (options.home / ".claude").resolve():
        return _user_file(path, options)
    project = folder.parent if folder.name == ".claude" else folder
    return _project_file(path, project, options, named=path.resolve())


def _user_folder(path: Path, options: ImportOptions) -> list[Place]:
    files = [path / "CLAUDE.md", *sorted((path / "rules").rglob("*.md"))]
    places = [_user_file(file, options) for file in files if file.is_file()]
    for memory in _memories_below(path / "projects"):
        places += _own_notes(memory, options)
    return places


def _user_file(file: Path, options: ImportOptions) -> Place:
    """A file a person wrote for all their projects: it may pull in what lies in their home."""
    roots = [file.resolve().parent, *([options.home.resolve()] if options.home else [])]
    return Place(file=file, identity=file.resolve().as_posix(), roots=tuple(roots), shared=False)


def _project_folder(path: Path, options: ImportOptions) -> list[Place]:
    root = path.resolve()
    files = [
        *(path / name for name in _FILES),
        path / ".claude" / "CLAUDE.md",
        *sorted((path / ".claude" / "rules").rglob("*.md")),
        *_further(path),
    ]
    return [_project_file(file, root, options) for file in files if file.is_file()]


def _project_file(
    file: Path, root: Path, options: ImportOptions, *, named: Path | None = None
) -> Place:
    """A file of a project. It may come from anywhere, so it reads nothing outside of it."""
    return Place(
        file=file,
        identity=file.resolve().as_posix(),
        roots=(root, *([named] if named else [])),
        project=options.name_project(root),
        shared=file.name != "CLAUDE.local.md",
    )


def _further(path: Path) -> Iterator[Path]:
    """The CLAUDE.md files in the folders below, without those of other people's code."""
    for count, (folder, folders, files) in enumerate(os.walk(path)):
        folders[:] = sorted(f for f in folders if f not in _SKIPPED and not f.startswith("."))
        if count >= _MOST_FOLDERS:
            return
        if count:
            yield from (Path(folder) / name for name in _FILES if name in files)
