"""`progress.json`: what is known of every concept of a course, and from which logs it was made.

The file carries a seal over its own text and the logs it came from. While the seal holds, the file
says exactly what the logs say, and it can be read without looking into them; after an edit by hand
it does not hold, and everything is looked at again.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from paige.base.errors import BadInput
from paige.learner.json_files import BrokenFile, field_problem, read_object, write_object
from paige.learner.progress import Progress
from paige.learner.progress_json import dump_progress, load_progress, shortened
from paige.store.documents import MAX_BYTES, Document

TOP = {"course", "updated", "made_from", "last_result_at", "concepts", "imported"}
_SEAL = re.compile(r'"made_from": ?"([0-9a-f]*)"')
_SEAL_WITHIN = 1000
"""The seal stands among the first characters; a course or a concept may be called anything."""


@dataclass(frozen=True, slots=True)
class Known:
    """What `progress.json` holds, checked."""

    record: Mapping[str, object]
    concepts: dict[str, Progress]
    imported: dict[str, Progress]

    def earlier(self, concept: str) -> Mapping[str, object]:
        """What the file says about a concept, with the fields of others."""
        concepts = self.record.get("concepts")
        entry = concepts.get(concept) if isinstance(concepts, Mapping) else None
        return entry if isinstance(entry, Mapping) else {}


def is_sealed(document: Document, stamp: str) -> bool:
    """Whether a file is exactly as it was written, and was made from what the stamp stands for."""
    found = _SEAL.search(document.text, 0, _SEAL_WITHIN)
    if found is None:
        return False
    start, end = found.span(1)
    blank = document.text[:start] + document.text[end:]
    return found.group(1) == _sum(blank, stamp)


def read_sealed(document: Document) -> dict[str, object]:
    """The record in a file whose seal holds."""
    return orjson.loads(document.text)


def read_known(document: Document) -> Known:
    """Everything in a file that anybody may have edited. Raises: BrokenFile."""
    if not document.version:
        return Known({}, {}, {})
    record = read_object(document.path, document.text)
    return Known(record, _load(document, record, "concepts"), _load(document, record, "imported"))


def load_entries(record: Mapping[str, object], key: str) -> dict[str, Progress]:
    """Progress by concept, from a record that is known to be right."""
    return {name: load_progress(name, entry) for name, entry in entries_of(record, key).items()}


def entries_of(record: Mapping[str, object], key: str) -> Mapping[str, Mapping[str, object]]:
    """The entries of a record by concept."""
    entries = record.get(key)
    if not isinstance(entries, Mapping):
        return {}
    return {name: each for name, each in entries.items() if isinstance(each, Mapping)}


def render(record: Mapping[str, object], stamp: str | None) -> str:
    """The text of a file; with a stamp it is sealed. Raises: BadInput when it is too large."""
    text = ""
    for history, indent in ((None, True), (None, False), (5, False), (0, False)):
        shorter = _with_history(record, history)
        options = orjson.OPT_APPEND_NEWLINE | (orjson.OPT_INDENT_2 if indent else 0)
        try:
            text = orjson.dumps(shorter, option=options).decode()
            sealed = text if stamp is None else _seal(text, stamp)
        except TypeError:
            # A number or a text that only Python knows, in a field of others: it would not be read
            # as it was, so it gets no seal.
            text = sealed = write_object(shorter, compact=not indent)
        if len(sealed.encode()) <= MAX_BYTES:
            return sealed
    raise BadInput(f"`progress.json` would have {len(text)} characters; that is too many")


def _seal(text: str, stamp: str) -> str:
    found = _SEAL.search(text, 0, _SEAL_WITHIN)
    if found is None:  # the name of the course is longer than anybody's
        return text
    return text[: found.start(1)] + _sum(text, stamp) + text[found.end(1) :]


def _sum(text: str, stamp: str) -> str:
    return hashlib.sha256(f"{stamp}\n{text}".encode("utf-8", "replace")).hexdigest()[:32]


def _with_history(record: Mapping[str, object], history: int | None) -> Mapping[str, object]:
    """The record with shorter histories, for courses that would grow too large."""
    if history is None:
        return record
    cut = {
        key: {
            name: dump_progress(shortened(load_progress(name, entry), history))
            for name, entry in entries_of(record, key).items()
        }
        for key in ("concepts", "imported")
        if key in record
    }
    return {**record, **cut}


def _load(document: Document, record: Mapping[str, object], key: str) -> dict[str, Progress]:
    path, text = document.path, document.text
    entries = record.get(key) or {}
    if not isinstance(entries, Mapping):
        wrong = BadInput(f"`{key}` should be an object with the concepts by their ids")
        raise BrokenFile(field_problem(path, text, (key,), wrong))
    found: dict[str, Progress] = {}
    for name, entry in entries.items():
        try:
            if not isinstance(entry, Mapping):
                raise BadInput(f"`{name}` should be an object")
            found[name] = load_progress(name, entry)
        except BadInput as error:
            raise BrokenFile(field_problem(path, text, (key, name), error)) from error
    return found
