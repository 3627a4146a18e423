"""Reads CASE packages, version 1.0 or 1.1: the exchange format of 1EdTech for standards.

Outcomes are the items that nothing stands under, and those that call themselves outcomes or
standards; `isChildOf` says what they stand under, `precedes` is progression. An item without a code
cannot be pointed at, so it is a problem and not an outcome.
"""

import html
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from paige.base.errors import BadInput
from paige.plan.curriculum.codes import normal_code
from paige.plan.curriculum.document_text import MOST_BYTES
from paige.plan.curriculum.outcome_file import level_name
from paige.plan.curriculum.values import Curriculum, Outcome, WorkspaceProblem

_BREAK = re.compile(r"</?(?:p|br|li|ul|ol|div|tr|td|th|h\d)\b[^<>]{0,200}>", re.I)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_STATED = ("outcome", "standard", "learning outcome", "benchmark", "component")
_LEVELS = ("level", "grade level", "grade", "stage", "year", "phase")
OneLine = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
Listed = Annotated[list[str], BeforeValidator(lambda value: [] if value is None else value)]


class Node(BaseModel):
    """The end of an association."""

    identifier: str


class CFDocument(BaseModel):
    """What a package says about itself."""

    identifier: str
    title: str
    version: OneLine = ""
    subject: Listed = []
    description: OneLine = ""
    creator: OneLine = ""


class CFItem(BaseModel):
    """A level, an organiser or an outcome."""

    identifier: str
    full_statement: OneLine = Field(default="", alias="fullStatement")
    code: OneLine = Field(default="", alias="humanCodingScheme")
    kind: OneLine = Field(default="", alias="CFItemType")
    education_level: Listed = Field(default=[], alias="educationLevel")
    keywords: Listed = Field(default=[], alias="conceptKeywords")
    notes: OneLine = ""


class CFAssociation(BaseModel):
    """A link from one item to another."""

    kind: str = Field(alias="associationType")
    origin: Node = Field(alias="originNodeURI")
    destination: Node = Field(alias="destinationNodeURI")


class CFPackage(BaseModel):
    """A document with its items and associations."""

    document: CFDocument = Field(alias="CFDocument")
    items: list[CFItem] = Field(default=[], alias="CFItems")
    associations: list[CFAssociation] = Field(default=[], alias="CFAssociations")


def read_case(data: bytes, path: str, file: str) -> Curriculum:
    """The outcomes of a package, to be written at `path`. Raises: BadInput."""
    package = _package(data, file)
    lines = _Lines(data.decode("utf-8-sig"), file)
    tree = _Tree(package)
    problems: list[WorkspaceProblem] = []
    outcomes: dict[str, Outcome] = {}
    for item in package.items:
        if not tree.is_outcome(item):
            continue
        outcome = _outcome(item, tree, path, package.document.version)
        if outcome is None:
            problems.append(lines.problem(item, "has no code or no statement, so it is left out"))
        elif outcome.code in outcomes:
            problems.append(lines.problem(item, f"has the code {outcome.code} a second time"))
        else:
            outcomes[outcome.code] = outcome
    document = package.document
    return Curriculum(
        path=path,
        framework=plain(document.title),
        subject=next((plain(each) for each in document.subject if plain(each)), ""),
        edition=plain(document.version),
        source=plain(document.creator),
        about=plain(document.description),
        outcomes=tuple(outcomes.values()),
        problems=tuple(problems),
    )


def plain(text: str) -> str:
    """A statement in one line, without mark-up."""
    return " ".join(html.unescape(_TAG.sub("", _BREAK.sub(" ", text))).replace("**", "").split())


class _Lines:
    """Finds the line of an item in the file, for messages."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file

    def problem(self, item: CFItem, said: str) -> WorkspaceProblem:
        at = max(self.text.find(item.identifier), 0)
        line = self.text.count("\n", 0, at) + 1
        return WorkspaceProblem(self.file, line, f"The item `{item.identifier}` {said}.")


class _Tree:
    """The items of a package with what they stand under and what they lead to."""

    def __init__(self, package: CFPackage) -> None:
        self.items = {each.identifier: each for each in package.items}
        self.parents: dict[str, str] = {}
        self.before: dict[str, list[str]] = defaultdict(list)
        self.after: dict[str, list[str]] = defaultdict(list)
        for link in package.associations:
            origin, destination = link.origin.identifier, link.destination.identifier
            if link.kind == "isChildOf":
                self.parents.setdefault(origin, destination)
            elif link.kind == "precedes" and origin in self.items and destination in self.items:
                self.after[origin].append(destination)
                self.before[destination].append(origin)
        self.filled = {each for each in self.parents.values() if each in self.items}

    def is_outcome(self, item: CFItem) -> bool:
        kind = item.kind.strip().lower()
        if kind in _LEVELS or kind == "organiser":
            return False
        return item.identifier not in self.filled or kind in _STATED

    def above(self, item: CFItem) -> Iterator[CFItem]:
        """What an item stands under, nearest first; a circle is walked once."""
        seen = {item.identifier}
        at = self.parents.get(item.identifier)
        while at in self.items and at not in seen:
            seen.add(at)
            yield self.items[at]
            at = self.parents.get(at)

    def codes(self, identifiers: list[str]) -> tuple[str, ...]:
        codes = (_code(self.items[each]) for each in identifiers)
        return tuple(dict.fromkeys(code for code in codes if code))


def _package(data: bytes, file: str) -> CFPackage:
    if len(data) > MOST_BYTES:
        raise BadInput(f"`{file}` has {len(data)} bytes; at most {MOST_BYTES} are read")
    try:
        value: object = json.loads(data.decode("utf-8-sig"))
        return CFPackage.model_validate(value)
    except json.JSONDecodeError as error:
        raise BadInput(f"{file}:{error.lineno}: this is not JSON: {error.msg}") from error
    except (UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"`{file}` is not JSON in UTF-8") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(each) for each in first["loc"])
        raise BadInput(
            f"`{file}` is not a CASE package: {place}: {first['msg']}",
            hint="A package has `CFDocument`, `CFItems` and `CFAssociations`.",
        ) from error


def _outcome(item: CFItem, tree: _Tree, path: str, edition: str) -> Outcome | None:
    code, about = _code(item), plain(item.full_statement)
    if not code or not about:
        return None
    above = list(tree.above(item))
    named = next((each for each in above if each.kind.strip().lower() in _LEVELS), None)
    organiser = next((each for each in above if each is not named), None)
    level = plain(named.full_statement) if named else ", ".join(item.education_level)
    return Outcome(
        code=code,
        about=about,
        subject="",
        level=level_name(level),
        organiser=plain(organiser.full_statement) if organiser else "",
        grade="B-",
        edition=plain(edition),
        path=path,
        start=1,
        end=1,
        about_end=1,
        progression_from=tree.codes(tree.before[item.identifier]),
        progression_to=tree.codes(tree.after[item.identifier]),
        topics=tuple(word for each in item.keywords if (word := plain(each.replace(",", " ")))),
        notes=tuple(filter(None, [plain(item.notes)])),
    )


def _code(item: CFItem) -> str:
    return normal_code(plain(item.code).replace("*", ""))
