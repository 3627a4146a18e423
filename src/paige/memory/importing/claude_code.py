"""Reads what Claude Code remembers: its own notes per project, and the `CLAUDE.md` files.

Its notes lie in `~/.claude/projects/<project>/memory/`: `MEMORY.md`, of which it reads the first
200 lines when it starts, and a file per topic. `CLAUDE.md` files are written by people and may pull
in others with `@path`. Every bullet and every paragraph becomes one memory, with the headings above
it in its text, because "use tabs" means nothing without "in Go".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paige.memory.event import AgentRef, Draft, Scope
from paige.memory.importing.claude_layout import Place, find_places
from paige.memory.importing.markdown import (
    Block,
    Note,
    read_note,
    split_blocks,
    without_code,
)
from paige.memory.importing.report import Item, Problem
from paige.memory.importing.sources import (
    PRIVATE,
    ImportOptions,
    Repeats,
    must_exist,
    read_text,
    stable_id,
)
from paige.memory.intake.drafts import IMPORT

KIND = "claude-code"
INDEX = "MEMORY.md"
MOST_HOPS = 5  # how deep `@path` is followed, as Claude Code does
LOADED_LINES, LOADED_BYTES = 200, 25 * 1024  # of MEMORY.md, whichever ends first
_IMPORT = re.compile(r"(?:(?<=\s)|^)@(?P<path>(?:\\ |[^\s\\`])+)", re.MULTILINE)
_LISTED = re.compile(r"\[[^\[\]]*+\]\((?P<file>[^()\s]+\.md)\)")
_TEXTS = {"", ".md", ".markdown", ".txt"}
# Notes that Claude Code marks as being about the person.
_ABOUT_PERSON = {"user", "feedback"}


def read_claude_code(path: Path, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories in a folder or file of Claude Code. Raises: NotFound."""
    must_exist(path)
    reader = _Reader(options or ImportOptions())
    places = find_places(path, reader.options)
    if not places:
        fix = "Give `~/.claude`, a folder in its `projects`, or a project with a `CLAUDE.md`."
        yield Problem(str(path), None, "there is no memory of Claude Code here", fix)
    for place in places:
        yield from reader.read(place)


@dataclass(slots=True)
class _Reader:
    """Reads places one after the other; a file that two of them pull in is read once."""

    options: ImportOptions
    repeats: Repeats = field(default_factory=Repeats)
    seen: set[Path] = field(default_factory=set)
    listed: dict[Path, str] = field(default_factory=dict)

    def read(self, place: Place, hops: int = 0) -> Iterator[Item]:
        real = place.file.resolve()
        if real in self.seen:
            return
        self.seen.add(real)
        if not place.allows(real):
            yield _outside(str(place.file), None, str(real))
            return
        text = read_text(place.file)
        if isinstance(text, Problem):
            yield text
            return
        note = read_note(text, str(place.file))
        if note.problem:
            yield note.problem
        yield from self.memories(place, note)
        if not place.own_notes:
            yield from self.imports(place, note, hops)

    def memories(self, place: Place, note: Note) -> Iterator[Item]:
        blocks = list(split_blocks(note.body, first_line=note.first_line))
        loaded = _loaded_lines(note) if place.file.name == INDEX else None
        if loaded is not None and any(block.line > loaded for block in blocks):
            what = f"Claude Code reads only the first {loaded} lines of this file"
            fix = "The rest was read too; its memories are marked `loaded: false`."
            yield Problem(str(place.file), loaded + 1, what, fix, lost=False)
        prefix = _prefixes(blocks)
        for block in blocks:
            if self.is_listing(place, block) or _only_imports(block.text):
                continue
            draft = self.draft(place, block, prefix(block))
            yield _marked(draft, note, loaded=loaded is None or block.line <= loaded)

    def is_listing(self, place: Place, block: Block) -> bool:
        """Whether a bullet only points to a topic file; its words go to the topic's memories."""
        found = _LISTED.search(block.text)
        if place.file.name != INDEX or found is None or not block.bullet:
            return False
        topic = place.file.parent / found["file"]
        if not topic.is_file() or not block.text.lstrip("*").startswith("["):
            return False
        self.listed[topic.resolve()] = block.text
        return True

    def draft(self, place: Place, block: Block, prefix: str) -> Draft:
        where = (KIND, place.identity, *block.headings, block.text)
        listed = self.listed.get(place.file.resolve())
        origin: dict[str, Any] = {
            "kind": KIND,
            "file": str(place.file),
            "line": block.line,
            "headings": list(block.headings),
            **({"folder": place.folder} if place.folder else {}),
            **({"decoded_by": place.decoded_by} if place.decoded_by else {}),
            **({"listed_as": listed} if listed else {}),
        }
        scope: Scope = "project" if place.shared else PRIVATE
        return Draft(
            text=f"{prefix}{block.text}",
            scope=self.options.scope_or(scope),
            project=self.options.project or place.project,
            agent=AgentRef(tool=KIND) if place.own_notes else AgentRef(),
            payload={"source": IMPORT, "origin": origin},
            evidence=(f"{place.file}:{block.line}",),
            at=datetime.fromtimestamp(place.file.stat().st_mtime, UTC),
            id=stable_id(*where, self.repeats.number(*where)),
        )

    def imports(self, place: Place, note: Note, hops: int) -> Iterator[Item]:
        for named in _imported(note.body):
            target = self.target(place, named)
            if target is None:
                continue
            line = _line_of(note, named)
            if hops >= MOST_HOPS:
                what = f"`@{named}` is more than {MOST_HOPS} files deep"
                fix = "Claude Code does not read it either; import that file by itself."
                yield Problem(str(place.file), line, what, fix)
            elif not target.is_file():
                fix = "Correct the path or take the line out."
                yield Problem(str(place.file), line, f"there is no file `{named}`", fix, False)
            elif not place.allows(target.resolve()):
                yield _outside(str(place.file), line, named)
            elif target.suffix.lower() not in _TEXTS:
                fix = "Only markdown and text are taken over."
                yield Problem(str(place.file), line, f"`{named}` is not a text of words", fix)
            else:
                yield from self.read(place.importing(target), hops + 1)

    def target(self, place: Place, named: str) -> Path | None:
        """The file that `@named` means, or None where it only looks like one, as in `@anna`."""
        home = named.startswith("~/")
        if home and self.options.home is None:
            return None
        base = self.options.home if home and self.options.home else place.file.parent
        target = base / named.removeprefix("~/")
        meant = named.startswith(("./", "../", "~/", "/")) or target.suffix in (".md", ".markdown")
        return target if meant or target.is_file() else None


def _marked(draft: Draft, note: Note, *, loaded: bool) -> Draft:
    """The draft with what the file says about all its memories."""
    payload = dict(draft.payload)
    if note.values:
        payload["front_matter"] = note.values
    if not loaded:
        payload["origin"] = {**payload["origin"], "loaded": False}
    about = note.values.get("type")
    kind = "preference" if draft.agent.tool and about in _ABOUT_PERSON else draft.type
    return replace(draft, payload=payload, type=kind)


def _prefixes(blocks: list[Block]) -> "_Prefix":
    tops = {block.headings[:1] for block in blocks}
    nested = any(len(block.headings) > 1 for block in blocks)
    return _Prefix(title=tops.pop() if nested and len(tops) == 1 else None)


@dataclass(frozen=True, slots=True)
class _Prefix:
    """The headings as words before a memory; a title above all others says nothing new."""

    title: tuple[str, ...] | None

    def __call__(self, block: Block) -> str:
        below = block.headings[1:] if block.headings[:1] == self.title else block.headings
        return f"{' > '.join(below)}: " if below else ""


def _loaded_lines(note: Note) -> int:
    """How many lines of MEMORY.md Claude Code reads when it starts."""
    size = 0
    for number, line in enumerate(note.body.split("\n"), note.first_line):
        size += len(line.encode()) + 1
        if size > LOADED_BYTES or number > LOADED_LINES:
            return number - 1
    return LOADED_LINES


def _imported(body: str) -> list[str]:
    """The paths after `@`, outside of code, each once."""
    found = (_path(match["path"]) for match in _IMPORT.finditer(without_code(body)))
    return list(dict.fromkeys(path for path in found if path))


def _path(written: str) -> str:
    return written.replace("\\ ", " ").rstrip(".,;:!?)'\"]*")


def _only_imports(text: str) -> bool:
    return "@" in text and not _IMPORT.sub("", text).strip()


def _line_of(note: Note, named: str) -> int:
    written = "@" + named.replace(" ", "\\ ")
    lines = enumerate(note.body.split("\n"), note.first_line)
    return next((number for number, line in lines if written in line), note.first_line)


def _outside(file: str, line: int | None, target: str) -> Problem:
    what = f"`{target}` is outside of the project and was not read"
    return Problem(file, line, what, "If you want it, import that file by itself.")
