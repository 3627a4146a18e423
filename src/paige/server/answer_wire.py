"""Shapes of handouts: what somebody with a token sees and sends, and what the teacher sees.

A pupil's side knows questions and their own answers. There is no field for a key in it.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from paige.server.plan_wire import PlanProposal
from paige.server.wire import Asked, Wire

MOST_QUESTIONS = 200
Part = Annotated[str, Field(max_length=2000)]


class AnswerOption(Wire):
    """One thing to choose."""

    letter: str
    text: str


class AnswerQuestion(Wire):
    """A question of a worksheet; with options, the answer is a letter."""

    id: str
    prompt: str
    blanks: int
    options: list[AnswerOption]


class AnswerSection(Wire):
    """Questions that belong together."""

    number: int
    title: str
    intro: str
    questions: list[AnswerQuestion]


class AnswerSheet(Wire):
    """A worksheet as its token opens it, with what was written under the token so far."""

    title: str
    instructions: str
    sections: list[AnswerSection]
    answers: dict[str, list[str]]
    version: int
    open: bool
    closes_at: datetime
    handed_in_at: datetime | None


class AnswerSave(Asked):
    """Answers made from a version: a draft, or handed in."""

    answers: dict[str, list[Part]] = Field(max_length=MOST_QUESTIONS)
    version: int = Field(ge=0, le=1_000_000)
    hand_in: bool = False


class HandoutItem(Wire):
    """A handout as lists show it."""

    id: str
    class_id: str
    title: str
    source: str
    created_at: datetime
    closes_at: datetime
    open: bool
    kept: bool  # its figures were handed to the memory of the class
    tokens: int
    handed_in: int


class HandoutQuestion(Wire):
    """How one question went."""

    id: str
    asked: str
    right: int
    partly: int
    wrong: int
    unanswered: int


class HandoutError(Wire):
    """What several got wrong in one way."""

    question: str
    asked: str
    right: str
    count: int
    answer: str | None
    same: int


class HandoutSeen(Wire):
    """A handout with what came back; questions are told from `fewest` worksheets on."""

    item: HandoutItem
    codes: list[str]
    share: float
    fewest: int
    questions: list[HandoutQuestion]
    errors: list[HandoutError]


class HandoutMake(Asked):
    """A lesson or worksheet of the workspace to hand out."""

    path: str = Field(min_length=1, max_length=1000)
    class_id: str = Field(min_length=1, max_length=80)
    tokens: int = Field(ge=1, le=200)
    days: int = Field(default=7, ge=1, le=120)


class HandoutKept(Wire):
    """What is proposed for the memory of the class and waits for a decision."""

    item: HandoutItem
    proposals: list[PlanProposal]


OUT = (AnswerSheet, HandoutItem, HandoutSeen, HandoutKept)
IN = (AnswerSave, HandoutMake)
