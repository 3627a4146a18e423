"""The catalogue of topics: what learners often lack, how it shows, and a kata for each.

The files are `shipped/coach/topics/*.toml`. A topic is found by its words in what was planned and
said, and by its signs in the code that was worked on: patterns, and constructs of Python that a
syntax tree shows.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.coach.answers import KataConstraint, KataDraft
from paige.language.patterns import LinearPattern
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
    """Something a learner may lack; `general` ones are found by how people work, not by words."""

    id: str
    name: str
    language: str
    words: tuple[str, ...]
    signs: tuple[LinearPattern, ...]
    constructs: frozenset[str]  # as `python_reading` names them
    related: tuple[str, ...]
    kata: TopicKata
    general: bool = False

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


def general_topic(id: str) -> Topic:
    """A topic about how people work."""
    return next(topic for topic in catalogue() if topic.id == id)


def word_hits(topic: Topic, text: str) -> int:
    """How many of a topic's words stand in a text."""
    folded = text.casefold()
    return sum(_has(word, text, folded) for word in topic.words)


def sign_hits(topic: Topic, code: str, constructs: frozenset[str] = frozenset()) -> int:
    """How many of a topic's signs stand in some code that is made of these constructs."""
    return sum(sign.matches(code) for sign in topic.signs) + len(topic.constructs & constructs)


def topics_in(text: str) -> list[Topic]:
    """The topics that a text is about, those with most words first."""
    hits = [(word_hits(topic, text), topic) for topic in catalogue() if not topic.general]
    found = [pair for pair in hits if pair[0]]
    return [topic for _, topic in sorted(found, key=lambda pair: -pair[0])]


@lru_cache(maxsize=4096)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _has(word: str, text: str, folded: str) -> bool:
    # Most words are nowhere in a text, which is found out much faster without a pattern.
    return word.casefold() in folded and _pattern(word).search(text) is not None


def _read(data: Mapping[str, Any], id: str) -> Topic:
    try:
        kata = data["kata"]
        return Topic(
            id=id,
            name=data["name"],
            language=data.get("language", "python"),
            words=tuple(data.get("words", ())),
            signs=tuple(map(LinearPattern, data.get("signs", ()))),
            constructs=frozenset(data.get("constructs", ())),
            related=tuple(data.get("related", ())),
            general=bool(data.get("general", False)),
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
