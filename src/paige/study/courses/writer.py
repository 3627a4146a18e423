"""Writing courses: a new one from a template, and additions to one that is there.

An addition never changes what somebody wrote: items are appended to files, concepts go to the end
of the list as it stands, and whatever has an id that the course knows already is left out.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from paige.base.errors import BadInput, Conflict, NotFound
from paige.store.documents import NEW, Document, Documents
from paige.study.courses import items_file, teaching_file
from paige.study.courses import vocabulary_file as words_file
from paige.study.courses.catalogue import checked_name, course_names, load_course, shipped_documents
from paige.study.courses.concepts_file import PATH as CONCEPTS
from paige.study.courses.concepts_file import read_concepts
from paige.study.courses.config_file import PATH as CONFIG
from paige.study.courses.fields import json_object, shown
from paige.study.courses.reader import FOLDER
from paige.study.courses.values import Course, Word, word_items
from paige.study.courses.vocabulary_file import columns_of, write_row

TEMPLATES = "course-templates"
_TRIES = 20
_ID = re.compile(r'"id"\s*:\s*"([^"\\]*)"')  # ids hold nothing that JSON would escape
Record = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """What should be in a course: its config, concepts, items by concept, words, texts."""

    config: Record = field(default_factory=dict)
    concepts: tuple[Record, ...] = ()
    items: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)
    words: tuple[Word, ...] = ()
    teaching: Mapping[str, str] = field(default_factory=dict)


def template_names() -> list[str]:
    """The templates for a new course."""
    theirs = shipped_documents()
    parts = (path.split("/") for path in theirs.paths(TEMPLATES))
    return sorted({part[1] for part in parts if len(part) > 2})


def new_course(
    documents: Documents, name: str, template: str, *, shipped: Documents | None = None
) -> Course:
    """A new course made from a template, or from another course.

    Raises: NotFound for a template, Conflict when there is a course of that name.
    """
    checked_name(name)
    own = f"{FOLDER}/{name}"
    there = documents.paths(own)
    if f"{own}/{CONFIG}" in there or (not there and name in course_names(documents)):
        raise _taken(name)
    # A course that was only begun has no config yet: the same template completes it.
    for path, text in _template(documents, template).items():
        _write(documents, f"{own}/{path}", lambda old, text=text: _first(name, old, text))
    return load_course(documents, name)


def retitle(documents: Documents, name: str, title: str) -> Course:
    """Give a course of the person's own another title. Raises: NotFound, BadInput."""
    path = f"{FOLDER}/{checked_name(name)}/{CONFIG}"
    documents.read(path)  # a course that comes with Paige has no such file here

    def change(old: str) -> str:
        fields = json_object(path, old)
        rest = {key: value for key, value in fields.items() if key != "title"}
        return _dump({"title": title, **rest})

    _write(documents, path, change)
    return load_course(documents, name)


def _first(name: str, old: str, text: str) -> str:
    """A text for a file that nobody wrote yet. Raises: Conflict."""
    if old and old != text:
        raise _taken(name)
    return text


def _taken(name: str) -> Conflict:
    hint = f"Give the new one another name, or delete the folder {FOLDER}/{name}."
    return Conflict(f"There is a course `{name}` already", hint=hint)


def _template(documents: Documents, name: str) -> dict[str, str]:
    """The files of a template by their paths; `config.json` comes last, so it marks the end."""
    theirs = shipped_documents()
    places = [(theirs, TEMPLATES), (documents, FOLDER), (theirs, FOLDER)]
    for holder, folder in places:
        below = f"{folder}/{checked_name(name)}/"
        paths = holder.paths(below.removesuffix("/"))
        if paths:
            texts = {path.removeprefix(below): holder.read(path).text for path in paths}
            ordered = sorted(texts, key=lambda path: (path == CONFIG, path))
            return {path: _unnamed(path, texts[path]) for path in ordered}
    known = ", ".join(f"`{each}`" for each in template_names())
    raise NotFound(
        f"There is no template or course `{name}`", hint=f"Templates: {known}. Or name a course."
    )


def _unnamed(path: str, text: str) -> str:
    """A config without the name of the course it was made for."""
    if path != CONFIG:
        return text
    try:
        fields = json.loads(text)
    except ValueError:
        return text
    if not isinstance(fields, dict) or "name" not in fields:
        return text
    return _dump({key: value for key, value in fields.items() if key != "name"})


def add_to_course(documents: Documents, name: str, addition: Addition) -> Course:
    """Put what is missing into a course, which is made when there is none. Raises: BadInput.

    Doing it again changes nothing.
    """
    own = f"{FOLDER}/{checked_name(name)}"
    known = load_course(documents, name) if documents.paths(own) else None
    taken = ids_of(known) if known else frozenset()
    # Concepts before items: whoever was interrupted in between finds the places for the rest.
    _write(documents, f"{own}/{CONFIG}", lambda old: old or _dump(addition.config))
    _write(documents, f"{own}/{CONCEPTS}", lambda old: _with_concepts(old, addition))
    for concept, text in addition.teaching.items():
        path = f"{own}/{teaching_file.FOLDER}/{concept}{teaching_file.ENDING}"
        _write(documents, path, lambda old, text=text: old or text)
    lines = {concept: list(items) for concept, items in addition.items.items()}
    words = [word for word in addition.words if word.id not in taken]
    for word in _add_words(documents, f"{own}/{words_file.PATH}", words):
        lines.setdefault(word.concept_id, []).extend(_as_items(word))
    for concept, items in lines.items():
        path = f"{own}/{items_file.FOLDER}/{concept}{items_file.ENDING}"
        new = [item for item in items if item.get("id") not in taken]
        _write(documents, path, lambda old, new=new: _with_lines(old, new))
    return load_course(documents, name)


def ids_of(course: Course) -> frozenset[str]:
    """Every id that is taken in a course."""
    items = [each for found in course.items.values() for each in found]
    words = [each for word in course.vocabulary for each in word_items(word)]
    every = [*items, *(one for each in items for one in each.variants), *words, *course.vocabulary]
    return frozenset(each.id for each in every)


def _add_words(documents: Documents, path: str, words: list[Word]) -> list[Word]:
    """Add rows for words; what is returned has no place there and becomes items."""
    rest: list[Word] = []

    def change(old: str) -> str:
        rest.clear()
        if not words:
            return old
        columns = columns_of(old) if old.strip() else words_file.ALL_COLUMNS
        if "id" not in columns:  # without ids nobody could tell later which words are there
            rest.extend(words)
            return old
        head = old if old.strip() else "\t".join(columns) + "\n"
        there = {word.id for word in words_file.read_vocabulary(path, old).words}
        rows = [write_row(word, columns) for word in words if word.id not in there]
        return _ended(head) + "".join(f"{row}\n" for row in rows)

    _write(documents, path, change)
    return rest


def _as_items(word: Word) -> list[Record]:
    return [
        {
            "id": item.id,
            "kind": "translate",
            "prompt": item.prompt,
            "answer": list(item.answers),
            "direction": item.direction,
            **({"explanation": item.explanation} if item.explanation else {}),
        }
        for item in word_items(word)
    ]


def _with_lines(old: str, items: Iterable[Record]) -> str:
    """A file of items with more of them; what is there already by its id stays out."""
    there = {found[1] for found in _ID.finditer(old)}
    new = (item for item in items if item.get("id") not in there)
    return _ended(old) + "".join(f"{json.dumps(item, ensure_ascii=False)}\n" for item in new)


def _with_concepts(old: str, addition: Addition) -> str:
    """The list with more concepts at its end, otherwise as somebody wrote it."""
    there = {found[1] for found in _ID.finditer(old)}
    new = [concept for concept in addition.concepts if concept.get("id") not in there]
    if not new and old.strip():
        return old
    found = read_concepts(CONCEPTS, old, "conceptual") if old.strip() else None
    if found and not found.whole:
        raise found.problems[0].error()
    lines = ",\n".join(f"  {json.dumps(concept, ensure_ascii=False)}" for concept in new)
    if not old.strip():
        return f"[\n{lines}\n]\n"
    end = old.rstrip().rfind("]")
    before = old[:end].rstrip() if old.lstrip().startswith("[") else ""
    if not before or old[end + 1 :].strip():
        raise BadInput(
            f"{CONCEPTS} is not a list, so nothing can be added to it",
            hint="Make it a list first: [{\u2026}, {\u2026}].",
        )
    comma = "" if before.endswith("[") else ","
    return f"{before}{comma}\n{lines}\n]\n"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _dump(fields: Record) -> str:
    return json.dumps(fields, ensure_ascii=False, indent=2) + "\n"


def _write(documents: Documents, path: str, change: Callable[[str], str]) -> None:
    """Change a file; when somebody else wrote meanwhile, change what they wrote."""
    for _ in range(_TRIES):
        try:
            old = documents.read(path)
        except NotFound:
            old = Document(path, "", NEW)
        text = change(old.text)
        if text == old.text:
            return
        with suppress(Conflict):
            documents.write(path, text, base=old.version)
            return
    raise Conflict(f"`{shown(path)}` is being changed all the time", hint="Try again later.")
