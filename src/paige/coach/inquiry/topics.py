"""The catalogue of topics: what learners often lack, and a kata with tests for each.

The files are `shipped/coach/topics/*.toml`. A topic is found by its name alone.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated

from pydantic import AfterValidator, TypeAdapter

from paige.base.paths import shipped
from paige.coach.answers import KataConstraint, KataDraft
from paige.learner.gaps import Constraint, find_match

FOLDER = "coach/topics"


def _as_code(text: str) -> str:
    return text.strip("\n") + "\n"


Text = Annotated[str, AfterValidator(str.strip)]
Code = Annotated[str, AfterValidator(_as_code)]


@dataclass(frozen=True, slots=True)
class TopicKata:
    """The exercise of a topic, with a solution that is never shown."""

    title: str
    description: Text
    scaffolding: Code
    solution: Code
    tests: tuple[Text, ...]
    notes: Text
    imports: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """Something a learner may lack."""

    id: str
    name: str
    kata: TopicKata
    language: str = "python"
    related: tuple[str, ...] = ()

    def draft(self) -> KataDraft:
        """The kata as an answer carries it."""
        return KataDraft(
            title=self.kata.title,
            knowledge_gap=self.name,
            description=self.kata.description,
            scaffolding_code=self.kata.scaffolding,
            test_cases=list(self.kata.tests),
            constraints=[KataConstraint.model_validate(each) for each in self.kata.constraints],
            follow_up_constraint=None,
            instructor_notes=self.kata.notes,
        )


@lru_cache(maxsize=1)
def catalogue() -> tuple[Topic, ...]:
    """Every topic, by id."""
    # Names in files are as in Python; one that nobody knows is a mistake.
    read = partial(TypeAdapter(Topic).validate_python, by_name=True, extra="forbid")
    files = sorted(shipped(FOLDER).glob("*.toml"))
    return tuple(
        read({"id": path.stem, **tomllib.loads(path.read_text(encoding="utf-8"))}) for path in files
    )


def topic_named(name: str) -> Topic | None:
    """The topic that somebody calls so, under these or other words."""
    known = {topic.name: topic for topic in catalogue()}
    match = find_match(name, known)
    return None if match is None else known[match]
