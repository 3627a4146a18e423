"""Progress as JSON values and back; fields that are not known here are kept.

The first modalities are always listed, with null for those that were never used; newer ones only
once they were used.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson
from pydantic import TypeAdapter

from paige.base.errors import BadInput
from paige.exercise.values import MODALITIES, Modality, modality
from paige.learner.cards import load_card
from paige.learner.json_files import BrokenFile, field_problem, parse, read_object, write_object
from paige.learner.progress import Performance, Progress
from paige.store.documents import MAX_BYTES, Document

ALWAYS_LISTED: tuple[Modality, ...] = (
    *("worksheet", "conversation", "code", "long_form", "image_review"),
)
_PROGRESS = TypeAdapter(Progress)
_PERFORMANCE = TypeAdapter(Performance)
_OWN: Any = {"modality_performance", "other_modalities", "extra"}
"""Fields of progress that stand otherwise in the file."""
_KNOWN = (
    *("concept_id", "status", "bloom_level", "mastery_score", "modality_performance"),
    *("fsrs_card", "unaided_successes", "success_days", "recent_scores"),
    *("error_history", "exercise_history"),
)
_PERFORMANCE_FIELDS = {"attempts", "avg_score", "last_used"}


def dump_progress(progress: Progress) -> dict[str, object]:
    """Progress as JSON values."""
    plain = _PROGRESS.dump_python(progress, mode="json", by_alias=True, exclude=_OWN)
    plain["modality_performance"] = _dump_performances(progress)
    return {**{name: plain[name] for name in _KNOWN}, **progress.extra}


def load_progress(concept_id: str, record: Mapping[str, object]) -> Progress:
    """The progress in a record; what is left out is as for something new. Raises: BadInput."""
    given = {name: record[name] for name in _KNOWN if record.get(name) is not None}
    given["modality_performance"] = _load_performances(record.get("modality_performance"))
    if "fsrs_card" in given:
        given["fsrs_card"] = load_card(_mapping(given["fsrs_card"], "fsrs_card"))
    return replace(
        parse(_PROGRESS, {**given, "concept_id": concept_id}),
        other_modalities=_others(record),
        extra={name: value for name, value in record.items() if name not in _KNOWN},
    )


def shortened(progress: Progress, kept: int) -> Progress:
    """The same progress with less history, for files that would grow too large."""
    return replace(
        progress,
        error_history=progress.error_history[-kept:] if kept else (),
        exercise_history=progress.exercise_history[-kept:] if kept else (),
    )


def with_extras(progress: Progress, earlier: Mapping[str, object]) -> Progress:
    """Progress with the fields that others had written beside it."""
    performances = dict(progress.modality_performance)
    for name, record in _records(earlier.get("modality_performance")).items():
        known = next((each for each in MODALITIES if each == name), None)
        if known in performances and isinstance(record, Mapping):
            extra = {key: value for key, value in record.items() if key not in _PERFORMANCE_FIELDS}
            performances[known] = replace(performances[known], extra=extra)
    extra = {name: value for name, value in earlier.items() if name not in _KNOWN}
    return replace(
        progress,
        extra=extra,
        modality_performance=performances,
        other_modalities=_others(earlier),
    )


def _dump_performances(progress: Progress) -> dict[str, object]:
    listed: dict[str, object] = {}
    for name in MODALITIES:
        known = progress.modality_performance.get(name)
        if known is None and name in ALWAYS_LISTED:
            listed[name] = None
        if known is not None:
            listed[name] = {**_PERFORMANCE.dump_python(known, mode="json"), **known.extra}
    return {**listed, **progress.other_modalities}


def _load_performances(value: object) -> dict[Modality, Performance]:
    found: dict[Modality, Performance] = {}
    for name, record in _records(value).items():
        if record is None or name not in MODALITIES:
            continue
        fields = _mapping(record, name)
        known = {key: fields[key] for key in _PERFORMANCE_FIELDS if key in fields}
        made = parse(_PERFORMANCE, known)
        if made.attempts:
            extra = {key: each for key, each in fields.items() if key not in known}
            found[modality(name)] = replace(made, extra=extra)
    return found


def _others(record: Mapping[str, object]) -> dict[str, object]:
    """Modalities that others know and Paige does not."""
    listed = _records(record.get("modality_performance"))
    return {name: value for name, value in listed.items() if name not in MODALITIES}


def _records(value: object) -> Mapping[str, object]:
    return {} if value is None else _mapping(value, "modality_performance")


def _mapping(value: object, name: str) -> Mapping[str, object]:
    if isinstance(value, Mapping):
        return value
    raise BadInput(f"`{name}` should be an object, not `{value!r}`")


TOP = {"course", "updated", "made_from", "last_result_at", "concepts", "imported"}
_SEAL = re.compile(r'"made_from": ?"([0-9a-f]*)"')
_SEAL_WITHIN = 1000
"""The seal stands among the first characters; a course or a concept may be called anything."""


@dataclass(frozen=True, slots=True)
class KnownCourse:
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


def read_known(document: Document) -> KnownCourse:
    """Everything in a file that anybody may have edited. Raises: BrokenFile."""
    if not document.version:
        return KnownCourse({}, {}, {})
    record = read_object(document.path, document.text)
    return KnownCourse(
        record, _load(document, record, "concepts"), _load(document, record, "imported")
    )


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
