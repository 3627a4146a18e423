"""Sensitive topics in a lesson: found by words, judged by the age of the class, without a model.

The topics are data (`shipped/plan/sensitive.toml`). A topic that a class is too young for is a
fault; one it is old enough for comes with a line for the teacher.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.base.paths import shipped

NEVER = 99
DEFAULT_AGE = 11
"""The age when nobody says which class it is: the youngest of a secondary school."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something a lesson may speak of only from an age."""

    id: str
    name: str
    from_age: int
    words: re.Pattern[str]
    begins: frozenset[str]  # what one of its phrases begins with
    unless: re.Pattern[str] | None
    care: str = ""


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text speaks of a topic: the first words that say so, and their line."""

    topic: Topic
    words: str
    line: int

    def too_young(self, age: int) -> bool:
        """Whether a class of this age may not have it."""
        return age < self.topic.from_age


@lru_cache(maxsize=1)
def shipped_topics() -> tuple[Topic, ...]:
    """The topics Paige comes with."""
    return read_topics(shipped("plan/sensitive.toml").read_text("utf-8"))


def read_topics(text: str) -> tuple[Topic, ...]:
    """Topics from their file."""
    return tuple(
        Topic(
            id=each["id"],
            name=each["name"],
            from_age=each["from_age"],
            words=_pattern(each["words"]),
            begins=frozenset(words.split()[0].rstrip("*").casefold() for words in each["words"]),
            unless=_pattern(each["unless"]) if each.get("unless") else None,
            care=each.get("care", ""),
        )
        for each in tomllib.loads(text)["topic"]
    )


def find_topics(text: str, topics: Sequence[Topic] | None = None) -> tuple[Mention, ...]:
    """Every topic a text speaks of, each where it does so first."""
    folded = text.casefold()
    # Most topics are nowhere in a text, which is found out much faster without their patterns.
    near = [
        topic
        for topic in (shipped_topics() if topics is None else topics)
        if any(each in folded for each in topic.begins)
    ]
    found = (_first(text, topic) for topic in near)
    return tuple(each for each in found if each is not None)


def _first(text: str, topic: Topic) -> Mention | None:
    excused = [match.span() for match in topic.unless.finditer(text)] if topic.unless else []
    for match in topic.words.finditer(text):
        inside = any(start <= match.start() and match.end() <= end for start, end in excused)
        if not inside:
            return Mention(topic, match[0], text.count("\n", 0, match.start()) + 1)
    return None


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(_phrase, words))})(?!\w)", re.I)


def _phrase(words: str) -> str:
    """Words in a row, whatever space or line end stands between them."""
    return r"\s+".join(
        re.escape(word[:-1]) + r"\w*" if word.endswith("*") else re.escape(word)
        for word in words.split()
    )
