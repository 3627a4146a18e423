"""Reads notes of basic-memory: markdown with front matter, observations and relations.

An observation is `- [category] text #tag (context)`, a relation `- type [[Target]] (context)`; both
may stand anywhere in a note. Every observation becomes a memory that begins with the note's title;
the whole note becomes one more, which names its observations and holds the relations.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.base.frontmatter import Value
from paige.memory.event import Draft
from paige.memory.importing.markdown import Note, read_note
from paige.memory.importing.moments import read_moment
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

KIND = "basic-memory"
_BULLET = re.compile(r"\s*+[-*+]\s++(?P<text>(?:\S++|\s++(?!$))++)\s*+$")
_CATEGORY = re.compile(r"\[(?P<category>[^\[\]()]+)\]\s+(?P<text>.+)$")
_CLOCK = re.compile(r"[\d:.,\s-]+$")
_RELATION = re.compile(
    r"(?:\"(?P<quoted>[^\"]+)\"|'(?P<single>[^']+)'|(?P<plain>[^\s\[\]]+))\s+"
    r"\[\[(?P<target>[^\[\]]+)\]\](?:\s+\((?P<context>.*)\))?$"
)
_LINK = re.compile(r"\[\[(?P<target>[^\[\]]+)\]\]")
_TAG = re.compile(r"(?:(?<=\s)|^)#(?P<tag>[^\s#]+)")
_CONTEXT = re.compile(r"\((?P<context>[^()]*)\)$")


class Observation(NamedTuple):
    """One categorised fact of a note."""

    line: int
    category: str | None
    text: str
    tags: tuple[str, ...]
    context: str | None


class Relation(NamedTuple):
    """What a note says about another."""

    type: str
    target: str
    context: str | None


class Content(NamedTuple):
    """What stands in the body of a note."""

    observations: list[Observation]
    relations: list[Relation]


def read_basic_memory(path: Path, options: ImportOptions | None = None) -> Iterator[Item]:
    """The memories of one note, or of all notes below a folder. Raises: NotFound."""
    must_exist(path)
    wishes = options or ImportOptions()
    root = path if path.is_dir() else path.parent
    files = list_notes(path) if path.is_dir() else [path]
    if not files:
        fix = "Give the folder in which basic-memory keeps its notes."
        yield Problem(str(path), None, "there are no notes in this folder", fix)
    for file in files:
        yield from _read_note(file, file.relative_to(root).as_posix(), wishes)


def list_notes(folder: Path) -> list[Path]:
    """The markdown files below a folder, without hidden ones and links that lead elsewhere."""
    root = folder.resolve()
    return [
        file
        for file in sorted(folder.rglob("*.md"))
        if not any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.is_file() and file.resolve().is_relative_to(root)
    ]


def is_basic_memory(text: str) -> str | None:
    """Why a text is a note of basic-memory, or None."""
    note = read_note(text, "note")
    if "permalink" in note.values:
        return "its front matter has a `permalink`"
    found = read_content(note)
    if any(observation.category for observation in found.observations) and note.values:
        return "it has observations with a category"
    if note.values and any(relation.type != "links_to" for relation in found.relations):
        return "it has relations to other notes"
    return None


def read_content(note: Note) -> Content:
    """The observations and relations of a note, wherever they stand outside of code and quotes."""
    found = Content([], [])
    fenced = False
    for number, line in enumerate(note.body.split("\n"), note.first_line):
        if not line:
            continue
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith(">"):
            _read_line(number, line, found)
    return found


def _read_line(number: int, line: str, found: Content) -> None:
    bullet = _BULLET.match(line)
    text = bullet["text"] if bullet else line
    if bullet and (relation := _RELATION.match(text)):
        kind = relation["quoted"] or relation["single"] or relation["plain"]
        found.relations.append(Relation(kind, relation["target"].strip(), relation["context"]))
        return
    links = (match["target"].strip() for match in _LINK.finditer(text))
    found.relations.extend(Relation("links_to", target, None) for target in links)
    if bullet and (observation := _observation(number, text)):
        found.observations.append(observation)


def _observation(number: int, text: str) -> Observation | None:
    category = None
    tags = tuple(match["tag"] for match in _TAG.finditer(text))
    if found := _CATEGORY.match(text):
        category = found["category"].strip()
        # A task's box and the time in a transcript have the same shape.
        if (len(category) < 2 and category not in "abcdefghijklmnopqrstuvw") or _is_mark(category):
            return None
        text = found["text"].strip()
    elif not tags or text.startswith("["):
        return None
    context = _CONTEXT.search(text)
    return Observation(number, category, text, tags, context["context"] if context else None)


def _is_mark(category: str) -> bool:
    return bool(_CLOCK.match(category)) or not category.strip()


def _read_note(file: Path, name: str, options: ImportOptions) -> Iterator[Item]:
    text = read_text(file)
    if isinstance(text, Problem):
        yield text
        return
    note = read_note(text, str(file))
    if note.problem:
        yield note.problem
    found = read_content(note)
    model = _model(file, name, note, options)
    ids: list[str] = []
    repeats = Repeats()
    for observation in found.observations:
        where = (KIND, model.identity, observation.category, observation.text)
        ids.append(stable_id(*where, repeats.number(*where)))
        yield model.observation(observation, ids[-1])
    yield model.whole(note, found.relations, ids)


class _Model(NamedTuple):
    """What all memories of one note have in common."""

    file: Path
    identity: str
    title: str
    origin: dict[str, Any]
    tags: list[str]
    at: datetime
    options: ImportOptions

    def observation(self, found: Observation, known: str) -> Draft:
        payload: dict[str, Any] = {
            "source": IMPORT,
            "origin": {**self.origin, "line": found.line},
            "title": self.title,
            "tags": list(dict.fromkeys([*self.tags, *found.tags])),
        }
        if found.category:
            payload["category"] = found.category
        if found.context:
            payload["context"] = found.context
        return self.draft(f"{self.title}: {found.text}", payload, found.line, known)

    def whole(self, note: Note, relations: list[Relation], ids: list[str]) -> Draft:
        payload = {
            "source": IMPORT,
            "origin": {**self.origin, "line": 1},
            "title": self.title,
            "tags": self.tags,
            "front_matter": note.values,
            "relations": [relation._asdict() for relation in relations],
            "of": ids,
        }
        body = note.body.strip()
        text = body if self.title in body.split("\n", 1)[0] else f"{self.title}\n\n{body}".strip()
        return self.draft(text, payload, 1, stable_id(KIND, self.identity, "note", text))

    def draft(self, text: str, payload: dict[str, Any], line: int, known: str) -> Draft:
        return Draft(
            text=text,
            scope=self.options.scope_or(PRIVATE),
            project=self.options.project,
            payload=payload,
            evidence=(f"{self.file}:{line}",),
            at=self.at,
            id=known,
        )


def _model(file: Path, name: str, note: Note, options: ImportOptions) -> _Model:
    values = note.values
    permalink = values.get("permalink")
    identity = permalink if isinstance(permalink, str) and permalink else name
    title = str(values.get("title") or file.stem)
    moments = (read_moment(values.get(key)) for key in ("modified", "updated", "created", "date"))
    at = next((moment for moment in moments if moment), None)
    origin = {"kind": KIND, "file": str(file), "note": name}
    if identity is permalink:
        origin["permalink"] = identity
    modified = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    return _Model(file, identity, title, origin, _tags(values.get("tags")), at or modified, options)


def _tags(found: Value) -> list[str]:
    listed = found.split(",") if isinstance(found, str) else found
    if not isinstance(listed, list):
        return []
    names = (each if isinstance(each, str) else orjson.dumps(each).decode() for each in listed)
    return [name.strip().lstrip("#") for name in names if name.strip()]
