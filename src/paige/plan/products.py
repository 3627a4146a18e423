"""What a run of a command makes (a lesson, another document, something said), and saving it once.

A file is named by the day, the class and the title. The name is chosen and kept before the file is
written: whoever comes back after a crash finds the file there with the same text, or writes it now;
nothing is ever written over.
"""

import re
import unicodedata
from datetime import date
from pathlib import PurePosixPath
from typing import Literal

from paige.base.errors import Conflict, NotFound, PaigeError
from paige.plan.lessons.sections import SectionText, replace_section, sections
from paige.store.documents import NEW, Documents, version_of

Product = Literal["lesson", "document", "worksheet", "talk"]
REFINE = "refine-lesson"
LESSON_COMMANDS = ("create-lesson", "refine-lesson", "cover-lesson")
TALK_COMMANDS = ("update-memory",)
LESSONS = "lessons"
WORKSHEETS = "worksheets"
WHOLE = "whole"
"""The id of the only section of a text without headings."""
_WORKSHEET = re.compile(r"<!--\s*WORKSHEET\b")
KEY = re.compile(r"<!--\s*ANSWER_KEY\b")
_TITLE = re.compile(r"^ {0,3}#(?!#)\s*(?P<title>.*?)\s*#*\s*$", re.M)
MOST_NAMES = 1000
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_NOT_CLASS = re.compile(r"[^\w.+-]+")
_LONGEST = 50


def product_of(command: str, markdown: str) -> Product:
    """What a text is, by the command that asked for it and by its own marks."""
    if only_remembers(command):
        return "talk"
    name = command.rpartition(":")[2]
    if _WORKSHEET.search(markdown):
        return "worksheet"
    if name == REFINE and not sections(markdown):
        return "talk"  # it says that there is no lesson to refine
    return "lesson" if name in LESSON_COMMANDS else "document"


def only_remembers(command: str) -> bool:
    """Whether a command is there for the memory alone."""
    return command.rpartition(":")[2] in TALK_COMMANDS


def folder_of(product: Product, writes: str) -> str:
    """Where a product is saved: a worksheet among worksheets, whatever command led to it.

    A command that names a file is meant by its folder: nothing is ever written over.
    """
    if product == "worksheet":
        return WORKSHEETS
    place = PurePosixPath(writes.strip("/"))
    folder = place.parent if place.suffix else place
    return LESSONS if str(folder) in ("", ".") else str(folder)


def parts_of(markdown: str) -> list[SectionText]:
    """The sections that a teacher judges; a text without headings is one."""
    found = sections(markdown)
    if found:
        return found
    return [SectionText(WHOLE, "The whole text", markdown, 1, markdown.count("\n") + 1)]


def with_part(markdown: str, id: str, text: str) -> str:
    """The text with one part written anew. Raises: NotFound, BadInput."""
    if id == WHOLE and not sections(markdown):
        return text
    return replace_section(markdown, id, text)


def title_of(markdown: str) -> str:
    """The first heading of the first level, or nothing."""
    found = _TITLE.search(markdown)
    return found["title"] if found else ""


def file_stem(day: date, class_id: str | None, title: str) -> str:
    """Such as `2026-03-02-3B-choosing-a-loop`."""
    parts = [day.isoformat(), _NOT_CLASS.sub("-", class_id or "").strip("-."), slug_of(title)]
    return "-".join(part for part in parts if part)


def slug_of(title: str) -> str:
    """A title as part of a file's name: short, plain, never empty."""
    decomposed = unicodedata.normalize("NFKD", title)
    plain = "".join(part for part in decomposed if not unicodedata.combining(part))
    return _NOT_SLUG.sub("-", plain.casefold()).strip("-")[:_LONGEST].rstrip("-") or "lesson"


def free_path(documents: Documents, folder: str, stem: str, *, first: int = 1) -> str:
    """The first name that no document has. Raises: Conflict when there are far too many."""
    for number in range(first, MOST_NAMES):
        path = f"{folder}/{stem}.md" if number == 1 else f"{folder}/{stem}-{number}.md"
        if not _exists(documents, path):
            return path
    raise Conflict(
        f"`{folder}` has {MOST_NAMES} files called `{stem}`", hint="Move some of them away."
    )


def save_once(documents: Documents, path: str, text: str) -> str:
    """Write a text at its path, or find it there; another text there makes it take the next name.

    Returns where it is.
    """
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    while True:
        try:
            return documents.write(path, text, base=NEW).path
        except Conflict:
            if _version(documents, path) == version_of(text):
                return path  # written before a crash
            path = free_path(documents, folder, stem, first=2)


def _exists(documents: Documents, path: str) -> bool:
    try:
        documents.read(path)
    except NotFound:
        return False
    except PaigeError:  # there, but not text
        return True
    return True


def _version(documents: Documents, path: str) -> str:
    try:
        return documents.read(path).version
    except PaigeError:
        return NEW
