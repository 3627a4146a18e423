"""`concepts.json` of a course: a list whose entries are read one by one.

When the file as a whole is not JSON, the entries around the mistake are still found, so a missing
comma costs at most one concept.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.exercise.values import Domain, bloom_level
from paige.learner.json_files import BrokenFile, StudyProblem
from paige.study.courses.config_file import concept_type, modalities_of
from paige.study.courses.fields import (
    concept_id,
    concept_ids,
    fewer,
    flag_of,
    json_object,
    misspelt,
    moved,
    problem_in,
    shown,
    text_of,
)
from paige.study.courses.values import CourseConcept
from paige.study.matrix import shipped_matrix

PATH = "concepts.json"
_KNOWN = frozenset(
    {
        *("id", "concept_id", "title", "name", "prerequisites", "taught", "concept_type", "bloom"),
        *("unit", "description", "modalities", "confused_with"),
    }
)
_DECODER = json.JSONDecoder()
_BETWEEN = re.compile(r"[\s,]*")
_NEXT = re.compile(r"^[ \t]*\{|(?<=\})\s*,?\s*\{", re.MULTILINE)


class ConceptEntry(NamedTuple):
    """A concept and the line it begins on."""

    concept: CourseConcept
    line: int


@dataclass(frozen=True, slots=True)
class ConceptsFile:
    """What was read; `whole` says that no entry was lost."""

    concepts: tuple[ConceptEntry, ...]
    problems: tuple[StudyProblem, ...]
    whole: bool

    def line_of(self, concept: str) -> int:
        """The line a concept begins on."""
        return next((each.line for each in self.concepts if each.concept.id == concept), 1)


class _Entry(NamedTuple):
    """An entry of the list: where it begins, and its text."""

    line: int
    text: str


def read_concepts(path: str, text: str, domain: Domain) -> ConceptsFile:
    """The concepts in a file, with what is wrong in it."""
    plain = text.removeprefix("\ufeff")
    problems: list[StudyProblem] = []
    try:
        entries = _checked(path, plain)
    except BrokenFile as error:
        problems.append(error.problem)
        entries = list(_entries(plain))
    placed: dict[str, ConceptEntry] = {}
    whole = not problems
    for entry in entries:
        try:
            concept, remarks = _concept(path, entry, domain)
        except BrokenFile as error:
            problems.append(error.problem)
            whole = False
            continue
        problems += remarks
        if concept.id in placed:
            said = f"`{concept.id}` is there twice; the first one counts"
            problems.append(StudyProblem(path, entry.line, said, "Give one of them another id."))
        else:
            placed[concept.id] = ConceptEntry(concept, entry.line)
    if not entries and not problems:
        problems.append(StudyProblem(path, 1, "there are no concepts in it", "Add one."))
    return ConceptsFile(tuple(placed.values()), tuple(fewer(problems)), whole)


def _checked(path: str, text: str) -> list[_Entry]:
    """The entries of a file that is right as a whole. Raises: BrokenFile."""
    start = text.lstrip()[:1]
    if not start:
        wrong = StudyProblem(path, 1, "the file is empty", 'Write a list: [{"id": "loops"}].')
        raise BrokenFile(wrong)
    if start == "{":
        return _named(path, text, json_object(path, text))
    value = json_object(path, f'{{"concepts":{text}}}').get("concepts")
    if not isinstance(value, list):
        raise BrokenFile(StudyProblem(path, 1, "this is not a list", "Begin the file with `[`."))
    return list(_entries(text))


def _named(path: str, text: str, value: Mapping[str, object]) -> list[_Entry]:
    """The entries of an object that holds a list of concepts, or concepts by their ids."""
    listed = value.get("concepts", value)
    if isinstance(listed, Mapping):
        given = [
            (name, {"id": name, **each} if isinstance(each, Mapping) else each)
            for name, each in listed.items()
        ]
    elif isinstance(listed, list):
        given = [(each.get("id") if isinstance(each, dict) else None, each) for each in listed]
    else:
        raise BrokenFile(StudyProblem(path, 1, "`concepts` is not a list", "Begin it with `[`."))
    made: list[_Entry] = []
    for name, fields in given:
        found = text.find(json.dumps(name, ensure_ascii=False)) if name else 0
        line = text.count("\n", 0, max(found, 0)) + 1
        made.append(_Entry(line, json.dumps(fields, ensure_ascii=False)))
    return made


def _entries(text: str) -> Iterator[_Entry]:
    """The entries of a list; after one that cannot be read, the next that can."""
    start = text.find("[")
    place = start + 1 if start >= 0 and not text[:start].strip() else 0
    line, counted = 1, 0
    while True:
        found = _BETWEEN.match(text, place)
        place = found.end() if found else place
        if place >= len(text) or text[place] == "]":
            return
        try:
            _, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            ahead = _NEXT.search(text, place + 1)
            if ahead is None:
                return
            place = ahead.end() - 1
            continue
        line, counted = line + text.count("\n", counted, place), place
        yield _Entry(line, text[place:end])
        place = end


def _concept(path: str, entry: _Entry, domain: Domain) -> tuple[CourseConcept, list[StudyProblem]]:
    """A concept, and what in it was left out. Raises: BrokenFile."""
    if not entry.text.startswith("{"):
        said = f"a concept is an object, not `{shown(entry.text)}`"
        raise BrokenFile(StudyProblem(path, entry.line, said, 'Write {"id": "loops"}.'))
    fields = json_object(path, entry.text, entry.line)
    try:
        made = _read(fields)
    except BadInput as error:
        wrong = moved(problem_in(path, entry.text, (), error), entry.line)
        raise BrokenFile(wrong) from error
    errors = list(misspelt(fields, _KNOWN))
    types = [row.concept_type for row in shipped_matrix().rows[domain]]
    if made.concept_type and made.concept_type not in types:
        errors.append(
            BadInput(
                f"`concept_type` is `{shown(made.concept_type)}`, which a course of the domain "
                f"{domain} does not know",
                hint=f"Use one of: {', '.join(types)}.",
            )
        )
    return made, [moved(problem_in(path, entry.text, (), each), entry.line) for each in errors]


def _read(fields: Mapping[str, object]) -> CourseConcept:
    name = text_of(fields, "id") or text_of(fields, "concept_id")
    if not name:
        raise BadInput("This concept has no `id`", hint='Add "id": "loops".')
    concept_id(name)
    level = text_of(fields, "bloom")
    return CourseConcept(
        id=name,
        title=text_of(fields, "title") or text_of(fields, "name") or name,
        prerequisites=concept_ids(fields, "prerequisites"),
        taught=flag_of(fields, "taught", default=True),
        concept_type=concept_type(text_of(fields, "concept_type")),
        bloom=bloom_level(level) if level else "apply",
        unit=text_of(fields, "unit"),
        description=text_of(fields, "description"),
        modalities=modalities_of(fields, "modalities"),
        confused_with=concept_ids(fields, "confused_with"),
        extra={key: value for key, value in fields.items() if key not in _KNOWN},
    )
