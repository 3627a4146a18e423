"""The catalogue of topics: what learners often lack, and a kata with tests for each.

The files are `shipped/coach/topics/*.toml`. A topic is found by its name alone.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.coach.answers import KataConstraint, KataDraft
from paige.learner.gaps import find_match

FOLDER = "coach/topics"


@dataclass(frozen=True, slots=True)
class TopicKata:
    """The exercise of a topic, with a solution that is never shown."""

    title: str
    description: str
    scaffolding: str
    solution: str
    imports: tuple[str, ...]
    tests: tuple[str, ...]
    constraints: tuple[tuple[str, str, int], ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Topic:
    """Something a learner may lack."""

    id: str
    name: str
    language: str
    related: tuple[str, ...]
    kata: TopicKata

    def draft(self) -> KataDraft:
        """The kata as an answer carries it."""
        return KataDraft(
            title=self.kata.title,
            knowledge_gap=self.name,
            description=self.kata.description,
            scaffolding_code=self.kata.scaffolding,
            test_cases=list(self.kata.tests),
            constraints=[
                KataConstraint(title=title, description=text, min_level=level)
                for title, text, level in self.kata.constraints
            ],
            follow_up_constraint=None,
            instructor_notes=self.kata.notes,
        )


@lru_cache(maxsize=1)
def catalogue() -> tuple[Topic, ...]:
    """Every topic, by id. Raises: BadInput naming the file."""
    files = sorted(shipped(FOLDER).glob("*.toml"))
    return tuple(
        _read(tomllib.loads(path.read_text(encoding="utf-8")), path.stem) for path in files
    )


def topic_named(name: str) -> Topic | None:
    """The topic that somebody calls so, under these or other words."""
    known = {topic.name: topic for topic in catalogue()}
    match = find_match(name, known)
    return None if match is None else known[match]


def _read(data: Mapping[str, Any], id: str) -> Topic:
    try:
        kata = data["kata"]
        return Topic(
            id=id,
            name=data["name"],
            language=data.get("language", "python"),
            related=tuple(data.get("related", ())),
            kata=TopicKata(
                title=kata["title"],
                description=_text(kata["description"]),
                scaffolding=_code(kata["scaffolding"]),
                solution=_code(kata["solution"]),
                imports=tuple(kata.get("imports", ())),
                tests=tuple(_text(test) for test in kata["tests"]),
                constraints=tuple(_constraints(kata.get("constraints", ()))),
                notes=_text(kata["notes"]),
            ),
        )
    except (KeyError, BadInput, TypeError) as error:
        raise BadInput(f"{FOLDER}/{id}.toml cannot be used: {error!r}") from error


def _constraints(rows: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, str, int]]:
    for row in rows:
        yield row["title"], _text(row["description"]), int(row["min_level"])


def _text(text: str) -> str:
    return text.strip()


def _code(text: str) -> str:
    return text.strip("\n") + "\n"
