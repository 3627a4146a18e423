"""The rules as people read them, and what they say of one command."""

import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from paige.app.person_apps import place_for
from paige.base.actor import Actor
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.guard.compiling import book_for
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot import is_fresh, source_of
from paige.guard.gates import GATES
from paige.guard.rules.loading import Book
from paige.guard.shell.judging import DENY, Judge
from paige.guard.shell.resolving import base_name
from paige.guard.shell.script import UNKNOWN

Layer = Literal["project", "person", "shipped"]
COULD_NOT = "could-not-judge"
_UNKNOWN_SHOWN = "…"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it was written; `name` is what decisions call it."""

    name: str
    decision: str
    loses: str
    instead: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """The rules of one tool, or of tools that are alike, and the file they are in."""

    name: str
    about: str
    commands: tuple[str, ...]
    path: Path
    layer: Layer
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class GateInfo:
    """A gate that is code and not a rule file."""

    name: str
    about: str
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One command that would run, and what was said of it.

    `considered` are the rules for its program that were looked at.
    """

    words: tuple[str, ...]
    decision: str
    rule: str
    reason: str
    family: str
    considered: int


@dataclass(frozen=True, slots=True)
class Explained:
    """What the rules say of a command line, and how they came to it."""

    decision: str
    rule: str
    reason: str
    instead: str
    clear: bool
    unclear: str
    place: Place
    steps: tuple[Step, ...]


class Rules:
    """The rules that hold where the server works; read again when a file of them has changed."""

    def __init__(self, settings: Settings, actor: Actor) -> None:
        self._settings = settings
        self._actor = actor
        self._known: tuple[str, tuple[tuple[str, int, int], ...], Book] | None = None

    def place(self, cwd: str = "") -> Place:
        """A place on this machine: the project, unless another folder is named. Raises: Refused."""
        settings = self._settings
        home = settings.environ.get("HOME", "")
        usual = "" if settings.project_dir or settings.many else home
        found = place_for(settings, self._actor, cwd=cwd or usual)
        if found.apart:
            return found
        return Place(found.cwd, found.root, home or found.home, found.data, found.own)

    def book(self, place: Place) -> Book:
        """The rules of a place."""
        root = place.root if place.own else ""
        if self._known is not None and self._known[0] == root and is_fresh(self._known[1]):
            return self._known[2]
        book = book_for(place)
        sources = tuple(source_of(str(path)) for path in book.sources)
        self._known = root, sources, book
        return book

    def families(self, place: Place) -> list[Family]:
        """Every family with its rules, in the order of the files."""
        return [_family(path, data, place) for path, data in self.book(place).families]

    def explain(self, command: str, cwd: str = "") -> Explained:
        """Judge a command line as a hook would, and say how."""
        place = self.place(cwd)
        book = self.book(place)
        judge = Judge(place, book.compiled)
        try:
            judged = judge.judge(command)
        except Exception as error:  # noqa: BLE001 - a hook denies what it could not judge
            reason = f"Paige failed inside: {type(error).__name__}: {error}"
            return Explained(DENY, COULD_NOT, reason, "", False, reason, place, ())
        said = reason_parts(judged.reason)
        return Explained(
            decision=judged.decision,
            rule=judged.rule,
            reason=said[0],
            instead=said[1],
            clear=judge.clean,
            unclear=judge.why,
            place=place,
            steps=tuple(_step(each, book) for each in judge.steps),
        )


def gates() -> list[GateInfo]:
    """The gates with the events they look at; each says in the head of its file what it is for."""
    events: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    for event, listed in GATES.items():
        for name, gate in listed:
            events.setdefault(name, []).append(event)
            words = inspect.getdoc(sys.modules[gate.__module__]) or ""
            about[name] = words.partition("\n\n")[0].replace("\n", " ")
    return [GateInfo(name, about[name], tuple(found)) for name, found in events.items()]


def reason_parts(reason: str) -> tuple[str, str]:
    """What a rule says, and what it says to do instead."""
    said, _, instead = reason.partition(" Instead: ")
    return said, instead


def _family(path: Path, data: Mapping[str, Any], place: Place) -> Family:
    name = str(data["family"])
    return Family(
        name=name,
        about=str(data.get("about", "")),
        commands=tuple(_texts(data.get("commands", ()))),
        path=path,
        layer=_layer(path, place),
        rules=tuple(_rule(name, each) for each in data.get("rule", ())),
    )


def _rule(family: str, data: Mapping[str, Any]) -> Rule:
    return Rule(
        name=f"{family}.{data['id']}",
        decision=str(data["decision"]),
        loses=str(data.get("reason") or data.get("loses") or ""),
        instead=str(data.get("instead", "")),
        must=tuple(_texts(data.get("must", ()))),
        must_not=tuple(_texts(data.get("must_not", ()))),
    )


def _layer(path: Path, place: Place) -> Layer:
    if path.is_relative_to(SHIPPED):
        return "shipped"
    return "project" if place.root and path.is_relative_to(place.root) else "person"


def _step(step: tuple[tuple[str, ...], str, str, str], book: Book) -> Step:
    words, decision, rule, reason = step
    families = book.compiled["families"].get(base_name(words[0]), ()) if words else ()
    return Step(
        words=tuple(each.replace(UNKNOWN, _UNKNOWN_SHOWN) for each in words),
        decision=decision,
        rule=rule,
        reason=reason.replace(UNKNOWN, _UNKNOWN_SHOWN),
        family=", ".join(dict.fromkeys(each["name"] for each in families)),
        considered=sum(len(each["rules"]) for each in families),
    )


def _texts(value: object) -> Iterable[str]:
    listed = value if isinstance(value, list | tuple) else [value]
    return (str(each) for each in listed)
