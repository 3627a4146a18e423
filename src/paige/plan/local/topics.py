"""Subject knowledge as data: what there is to teach about a topic, in the order it is taught.

A topic is enough for one lesson: key ideas, words, wrong ideas, and two or three steps, each with
an explanation, a worked example, tasks at three levels and questions with plausible wrong answers.
It names the outcomes it belongs to; where their words stand is looked up in the workspace.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from paige.base.errors import BadInput
from paige.base.paths import shipped
from paige.plan.lesson import Check, Keyword, Question

FOLDER = "plan/topics"


@dataclass(frozen=True, slots=True)
class Task:
    """Something to do, and what comes out."""

    task: str
    answer: str


@dataclass(frozen=True, slots=True)
class Step:
    """One round of teaching: what to say, what to show, what to practise, what to ask."""

    title: str
    explain: str
    example: str
    support: tuple[Task, ...]
    core: tuple[Task, ...]
    stretch: tuple[Task, ...]
    questions: tuple[Check, ...]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Every task, from easy to hard."""
        return (*self.support, *self.core, *self.stretch)


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
    subject: str
    curriculum: str  # the name of the curriculum file it belongs to
    names: tuple[str, ...]  # what a teacher may call it
    outcomes: tuple[str, ...]  # codes, one or two for each level it fits
    after: tuple[str, ...]  # the topics it builds on
    outcome: str  # goes on after "I can"
    criteria: tuple[str, ...]
    prior: tuple[str, ...]
    resources: tuple[str, ...]
    ideas: tuple[str, ...]
    words: tuple[Keyword, ...]
    misconceptions: tuple[Misconception, ...]
    recall: tuple[Question, ...]  # about what comes before it
    steps: tuple[Step, ...]
    eal: str = ""
    asn: str = ""
    stretch: str = ""
    homework: str = ""
    care: str = ""

    @property
    def questions(self) -> tuple[Check, ...]:
        """Every question of every step."""
        return tuple(question for step in self.steps for question in step.questions)


class _Model(BaseModel):
    """Whoever writes a topic gets told about every key that means nothing."""

    model_config = ConfigDict(extra="forbid")


class _StepFile(_Model):
    title: str
    explain: str
    example: str
    support: list[tuple[str, str]]
    core: list[tuple[str, str]]
    stretch: list[tuple[str, str]]
    questions: list[list[str]]


class _TopicFile(_Model):
    id: str
    title: str
    names: list[str]
    outcomes: list[str]
    after: list[str] = []
    outcome: str
    criteria: list[str]
    prior: list[str]
    resources: list[str] = []
    ideas: list[str]
    words: list[tuple[str, str]]
    misconceptions: list[tuple[str, str]]
    recall: list[tuple[str, str]]
    step: list[_StepFile]
    eal: str = ""
    asn: str = ""
    stretch: str = ""
    homework: str = ""
    care: str = ""


class _File(_Model):
    subject: str
    curriculum: str
    topic: list[_TopicFile]


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
        file = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"`{name}` is not TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise BadInput(f"`{name}`: `{place}`: {first['msg']}") from error
    return tuple(_topic(each, file) for each in file.topic)


def _topic(each: _TopicFile, file: _File) -> Topic:
    return Topic(
        id=each.id,
        title=each.title,
        subject=file.subject,
        curriculum=file.curriculum,
        names=tuple(each.names),
        outcomes=tuple(each.outcomes),
        after=tuple(each.after),
        outcome=each.outcome,
        criteria=tuple(each.criteria),
        prior=tuple(each.prior),
        resources=tuple(each.resources),
        ideas=tuple(each.ideas),
        words=tuple(Keyword(*pair) for pair in each.words),
        misconceptions=tuple(Misconception(*pair) for pair in each.misconceptions),
        recall=tuple(Question(*pair) for pair in each.recall),
        steps=tuple(_step(step) for step in each.step),
        eal=each.eal,
        asn=each.asn,
        stretch=each.stretch,
        homework=each.homework,
        care=each.care,
    )


def _step(each: _StepFile) -> Step:
    return Step(
        title=each.title,
        explain=each.explain.strip("\n"),
        example=each.example.strip("\n"),
        support=tuple(Task(*pair) for pair in each.support),
        core=tuple(Task(*pair) for pair in each.core),
        stretch=tuple(Task(*pair) for pair in each.stretch),
        questions=tuple(_check(row) for row in each.questions),
    )


def _check(row: Sequence[str]) -> Check:
    if len(row) < 4:
        raise BadInput(f"The question `{row[0] if row else ''}` needs an answer and two wrong ones")
    question, answer, *wrong = row
    return Check(question, answer, tuple(wrong))
