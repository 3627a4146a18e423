"""Reads what Claude Code has noted for itself about projects.

Its notes lie in `~/.claude/projects/<project>/memory/`: `MEMORY.md`, of which it reads the first
200 lines when it starts, and a file per topic. Every bullet and every paragraph becomes one memory,
with the headings above it in its text, because "use tabs" means nothing without "in Go". What
people write into `CLAUDE.md` are instructions, and Claude Code reads them by itself.

The project's folder is named after its path with every character that is not a letter or a digit
turned into `-`, which cannot be turned back by itself. Session files name the path; where there are
none, the folders on this machine are compared; the last resort is a guess.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.memory.event import AgentRef, Draft
from paige.memory.imports.markdown import Block, Note, read_note, split_blocks
from paige.memory.imports.sources import (
    ImportOptions,
    ImportProblem,
    Item,
    Repeats,
    must_exist,
    read_text,
    stable_id,
)
from paige.memory.intake.drafts import IMPORT

KIND = "claude-code"
INDEX = "MEMORY.md"
LOADED_LINES, LOADED_BYTES = 200, 25 * 1024  # of MEMORY.md, whichever ends first
_LISTED = re.compile(r"\[[^\[\]]*+\]\((?P<file>[^()\s]+\.md)\)")
# Notes that Claude Code marks as being about the person.
_ABOUT_PERSON = {"user", "feedback"}
_MOST_LOOKS = 500  # folders listed to decode one name
_SESSIONS, _LINES = 5, 60  # read to find the path of a project


class DecodedPath(NamedTuple):
    """The path of a project, and how it was found: `session`, `disk` or `guess`."""

    path: str
    how: str


def is_claude_code(path: Path) -> str | None:
    """Why a path holds notes of Claude Code, or None."""
    if path.is_dir():
        return f"it holds `{found[0]}`" if (found := _note_folders(path)) else None
    if path.name == INDEX:
        return f"it is named `{INDEX}`"
    beside = path.suffix == ".md" and (path.parent / INDEX).is_file()
    return f"it lies beside a `{INDEX}`" if beside else None


def read_claude_code(path: Path, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories in a folder or file of Claude Code. Raises: NotFound."""
    must_exist(path)
    wishes = options or ImportOptions()
    folders = _note_folders(path) if path.is_dir() else [path.parent]
    if not folders:
        fix = "Give `~/.claude`, or a folder in its `projects`."
        yield ImportProblem(str(path), None, "there are no notes of Claude Code here", fix)
    for memory in folders:
        files = sorted(memory.rglob("*.md"), key=lambda file: (file.name != INDEX, file))
        yield from _Reader(memory, wishes).read([path] if path.is_file() else files)


def _note_folders(path: Path) -> list[Path]:
    """The folders with notes in a folder: itself, a project's, or those of all projects."""
    for folder in (path, path / "memory"):
        if _holds_notes(folder):
            return [folder]
    for projects in (path, path / "projects", path / ".claude" / "projects"):
        below = [each / "memory" for each in sorted(_folders(projects))]
        if found := [memory for memory in below if _holds_notes(memory)]:
            return found
    return []


def _holds_notes(folder: Path) -> bool:
    """Whether a folder holds notes of Claude Code; others call a folder `memory` too."""
    if (folder / INDEX).is_file():
        return True
    named = folder.name == "memory" and folder.resolve().parents[1].name == "projects"
    return named and any(folder.glob("*.md"))


@dataclass(slots=True)
class _Reader:
    """Reads the notes about one project, its index first."""

    memory: Path
    options: ImportOptions
    repeats: Repeats = field(default_factory=Repeats)
    listed: dict[Path, str] = field(default_factory=dict)  # topic files, as the index names them
    project: str = ""
    origin: dict[str, Any] = field(default_factory=dict)

    def read(self, files: list[Path]) -> Iterator[Item]:
        folder = self.memory.parent if self.memory.name == "memory" else self.memory
        decoded = decode_project(folder)
        known = decoded.how != "guess"
        self.project = self.options.name_project(Path(decoded.path)) if known else decoded.path
        self.origin = {"kind": KIND, "folder": folder.name, "decoded_by": decoded.how}
        # Whoever names a file wants it read, also where it is a link to another place.
        named = files[0].resolve() if len(files) == 1 else None
        for file in files:
            real = file.resolve()
            if not real.is_relative_to(self.memory.resolve()) and real != named:
                what = f"`{real}` is outside of the folder and was not read"
                fix = "If you want it, import that file by itself."
                yield ImportProblem(str(file), None, what, fix)
                continue
            text = read_text(file)
            if isinstance(text, ImportProblem):
                yield text
            else:
                yield from self.memories(file, read_note(text, str(file)))

    def memories(self, file: Path, note: Note) -> Iterator[Item]:
        if note.problem:
            yield note.problem
        blocks = list(split_blocks(note.body, first_line=note.first_line))
        loaded = _loaded_lines(note) if file.name == INDEX else None
        if loaded is not None and any(block.line > loaded for block in blocks):
            what = f"Claude Code reads only the first {loaded} lines of this file"
            fix = "The rest was read too; its memories are marked `loaded: false`."
            yield ImportProblem(str(file), loaded + 1, what, fix, lost=False)
        prefix = _prefixes(blocks)
        for block in blocks:
            if not self.is_listing(file, block):
                beyond = loaded is not None and block.line > loaded
                draft = self.draft(file, block, prefix(block), {"loaded": False} if beyond else {})
                yield _marked(draft, note)

    def is_listing(self, file: Path, block: Block) -> bool:
        """Whether a bullet only points to a topic file; its words go to the topic's memories."""
        found = _LISTED.search(block.text)
        if file.name != INDEX or found is None or not block.bullet:
            return False
        topic = file.parent / found["file"]
        if not topic.is_file() or not block.text.lstrip("*").startswith("["):
            return False
        self.listed[topic.resolve()] = block.text
        return True

    def draft(self, file: Path, block: Block, prefix: str, more: dict[str, Any]) -> Draft:
        name = f"{self.origin['folder']}/{file.relative_to(self.memory)}"
        where = (KIND, name, *block.headings, block.text)
        listed = self.listed.get(file.resolve())
        origin = {
            **self.origin,
            "file": str(file),
            "line": block.line,
            "headings": list(block.headings),
            **({"listed_as": listed} if listed else {}),
            **more,
        }
        return Draft(
            text=f"{prefix}{block.text}",
            scope=self.options.scope_or("project"),
            project=self.options.project or self.project,
            agent=AgentRef(tool=KIND),
            payload={"source": IMPORT, "origin": origin},
            evidence=(f"{file}:{block.line}",),
            at=datetime.fromtimestamp(file.stat().st_mtime, UTC),
            id=stable_id(*where, self.repeats.number(*where)),
        )


def _marked(draft: Draft, note: Note) -> Draft:
    """The draft with what the file says about all its memories."""
    if not note.values:
        return draft
    kind = "preference" if note.values.get("type") in _ABOUT_PERSON else draft.type
    return replace(draft, type=kind, payload={**draft.payload, "front_matter": note.values})


def _prefixes(blocks: list[Block]) -> Callable[[Block], str]:
    """The headings as words before a memory; a title above all others says nothing new."""
    tops = {block.headings[:1] for block in blocks}
    nested = any(len(block.headings) > 1 for block in blocks)
    title = tops.pop() if nested and len(tops) == 1 else None

    def prefix(block: Block) -> str:
        below = block.headings[1:] if block.headings[:1] == title else block.headings
        return f"{' > '.join(below)}: " if below else ""

    return prefix


def _loaded_lines(note: Note) -> int:
    """How many lines of MEMORY.md Claude Code reads when it starts."""
    size = 0
    for number, line in enumerate(note.body.split("\n"), note.first_line):
        size += len(line.encode()) + 1
        if size > LOADED_BYTES or number > LOADED_LINES:
            return number - 1
    return LOADED_LINES


def encode_project(path: str) -> str:
    """A path as Claude Code names the folder of its project."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def decode_project(folder: Path, root: Path = Path("/")) -> DecodedPath:
    """The path of the project whose sessions and memory lie in a folder."""
    if found := _from_sessions(folder):
        return DecodedPath(found, "session")
    name = folder.name
    if name.startswith("-") and (found := _from_disk(root, name[1:])):
        return DecodedPath(found, "disk")
    if drive := re.match(r"(?P<letter>[A-Za-z])--(?P<rest>.*)$", name):
        return DecodedPath(f"{drive['letter']}:/{drive['rest'].replace('-', '/')}", "guess")
    return DecodedPath(name.replace("-", "/") if name.startswith("-") else name, "guess")


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
