"""Saving what a teacher accepted: under a name that tells the day, the class and the title, once.

The name is chosen and kept before the file is written. Whoever comes back after a crash finds the
file there with the same text, or writes it now; nothing is ever written over.
"""

import re
import unicodedata
from datetime import date

from paige.base.errors import Conflict, NotFound, PaigeError
from paige.store.documents import NEW, Documents, version_of

MOST_NAMES = 1000
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_NOT_CLASS = re.compile(r"[^\w.+-]+")
_LONGEST = 50


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
