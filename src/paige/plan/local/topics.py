"""Subject knowledge as data: what there is to teach about a topic, in the order it is taught.

A topic is enough for one lesson: key ideas, words, wrong ideas, and two or three steps, each with
an explanation, a worked example, tasks at three levels and questions with plausible wrong answers.
It names the outcomes it belongs to; where their words stand is looked up in the workspace.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.plan.lessons.lesson import Check, Keyword, Question

FOLDER = "plan/topics"
T = TypeVar("T")


def _row(kind: type[T]) -> BeforeValidator:
    """How a file writes a small value: its parts in a row."""
    names = [each.name for each in fields(kind)]  # pyright: ignore[reportArgumentType] - a dataclass

    def named(row: object) -> object:
        return dict(zip(names, row, strict=True)) if isinstance(row, list) else row

    return BeforeValidator(named)


def _check(row: object) -> object:
    if not isinstance(row, list):
        return row
    if len(row) < 4:
        raise ValueError(
            f"the question `{row[0] if row else ''}` needs an answer and two wrong ones"
        )
    return {"question": row[0], "answer": row[1], "distractors": row[2:]}


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, and what comes out."""

    task: str
    answer: str


Tasks = tuple[Annotated[Task, _row(Task)], ...]
Text = Annotated[str, AfterValidator(lambda text: text.strip("\n"))]


@dataclass(frozen=True, slots=True)
class Step:
    """One round of teaching: what to say, what to show, what to practise, what to ask."""

    title: str
    explain: Text
    example: Text
    support: Tasks
    core: Tasks
    stretch: Tasks
    questions: tuple[Annotated[Check, BeforeValidator(_check)], ...]


@dataclass(frozen=True, slots=True)
class Misconception:
    """A wrong idea that pupils bring, and how to meet it."""

    idea: str
    response: str

    @property
    def sentence(self) -> str:
        """Both, as a lesson shows them."""
        return f'"{self.idea}": {self.response}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What is known about one topic of a subject."""

    id: str
    title: str
    subject: str = ""  # of its file, as the next one
    curriculum: str = ""  # the name of the curriculum file it belongs to
    names: tuple[str, ...]  # what a teacher may call it
    outcomes: tuple[str, ...]  # codes, one or two for each level it fits
    after: tuple[str, ...] = ()  # the topics it builds on
    outcome: str  # goes on after "I can"
    criteria: tuple[str, ...]
    prior: tuple[str, ...]
    resources: tuple[str, ...] = ()
    ideas: tuple[str, ...]
    words: tuple[Annotated[Keyword, _row(Keyword)], ...]
    misconceptions: tuple[Annotated[Misconception, _row(Misconception)], ...]
    recall: tuple[Annotated[Question, _row(Question)], ...]  # about what comes before it
    steps: Annotated[tuple[Step, ...], Field(alias="step")]
    eal: str = ""
    asn: str = ""
    stretch: str = ""
    homework: str = ""
    care: str = ""


@dataclass(frozen=True, slots=True)
class _File:
    """Whoever writes a topic gets told about every key that means nothing."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    subject: str
    curriculum: str
    topic: tuple[Topic, ...]


_FILES = TypeAdapter(_File)


@lru_cache(maxsize=1)
def shipped_topics() -> tuple[Topic, ...]:
    """The topics Paige comes with, in the order of their files."""
    return load_topics(sorted(shipped(FOLDER).glob("*.toml")))


def load_topics(files: Sequence[Path]) -> tuple[Topic, ...]:
    """The topics of some files. Raises: BadInput when two share an id or one builds on nothing."""
    topics = tuple(
        topic for file in files for topic in read_topics(file.read_text("utf-8"), file.name)
    )
    known: dict[str, Topic] = {}
    for topic in topics:
        if topic.id in known:
            raise BadInput(f"Two topics have the id `{topic.id}`")
        known[topic.id] = topic
    for topic in topics:
        for before in topic.after:
            if before not in known:
                raise BadInput(f"The topic `{topic.id}` builds on `{before}`, which is not there")
    return topics


def read_topics(text: str, name: str) -> tuple[Topic, ...]:
    """The topics in one file. Raises: BadInput naming file and key."""
    try:
        file = _FILES.validate_python(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"`{name}` is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"`{name}`: `{place}`: {first['msg']}") from error
    return tuple(
        replace(each, subject=file.subject, curriculum=file.curriculum) for each in file.topic
    )
