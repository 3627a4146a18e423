"""What a worksheet is, and what was found in one that came back.

A worksheet has sections; a section has questions. The answer to a question goes where its prompt
has `___`. In a matching section every question wants the letter of one of the section's choices.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from paige.base.errors import BadInput
from paige.exercise.values import Bloom

BLANK = "___"
Status = Literal["pending", "submitted", "evaluated"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `section.number` is its name everywhere."""

    section: int
    number: int
    prompt: str

    @property
    def id(self) -> str:
        """Such as `1.3`: section 1, question 3."""
        return f"{self.section}.{self.number}"

    @property
    def blanks(self) -> int:
        """How many answers it wants; a matching question has no blank in its prompt."""
        return max(1, self.prompt.count(BLANK))


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to match with: `B. Morning greeting`."""

    letter: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """Questions of one form. With `choices` it is a table to match; `header` names its columns."""

    number: int
    title: str
    questions: tuple[Question, ...]
    intro: str = ""
    choices: tuple[Choice, ...] = ()
    header: tuple[str, str, str] = ("Item", "", "Match")

    @property
    def matching(self) -> bool:
        """Whether letters are asked for."""
        return bool(self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worksheet:
    """A worksheet as it is given out.

    `key` maps `1.3` to its accepted answers, alternatives separated by ` / `, the answers to
    several blanks of one question by `; `. Without it the key is kept elsewhere. A `guarded` file
    carries what shows an edited key and where the blanks were.
    """

    course: str
    concept: str
    title: str
    sections: tuple[Section, ...]
    generated: str
    bloom_level: Bloom = "remember"
    status: Status = "pending"
    concept_name: str = ""
    instructions: str = "Fill in the blanks below. Replace each `___` with your answer."
    time_estimate: str = ""
    key: Mapping[str, str] | None = field(default=None, hash=False)
    guarded: bool = True
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question, in order."""
        return tuple(question for section in self.sections for question in section.questions)

    def section(self, number: int) -> Section | None:
        """The section with that number."""
        return next((each for each in self.sections if each.number == number), None)


@dataclass(frozen=True, slots=True)
class Answer:
    """What someone wrote for a question: one part for each blank. Empty: nothing was written."""

    question: str
    parts: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        """All parts in one line."""
        return "; ".join(part for part in self.parts if part)

    @property
    def answered(self) -> bool:
        """Whether anything was written."""
        return any(self.parts)


@dataclass(frozen=True, slots=True)
class SheetProblem:
    """Something in the file that was not understood: where, what, and what to change."""

    line: int
    message: str
    fix: str

    def __str__(self) -> str:
        return f"Line {self.line}: {self.message}. {self.fix}"


@dataclass(frozen=True, slots=True)
class Stray:
    """Text that belongs to no question: a note, or an answer nobody can place."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedSheet:
    """A worksheet that came back: the sheet itself, the answers found, and what was not clear.

    `key_changed` says that the key in the file is not the one it was made with.
    """

    worksheet: Worksheet
    answers: Mapping[str, Answer]
    key_changed: bool = False
    problems: tuple[SheetProblem, ...] = ()
    stray: tuple[Stray, ...] = ()


def make_worksheet(worksheet: Worksheet) -> Worksheet:
    """The worksheet with everything checked that the file format needs. Raises: BadInput."""
    if not worksheet.questions:
        raise BadInput(f"The worksheet `{worksheet.title}` has no questions")
    sections = tuple(_checked(section) for section in worksheet.sections)
    key = worksheet.key
    ids = {question.id for section in sections for question in section.questions}
    if key is not None and set(key) != ids:
        wrong = ", ".join(f"`{name}`" for name in sorted(set(key) ^ ids))
        raise BadInput(
            f"Questions and answer key of `{worksheet.title}` do not agree on {wrong}",
            hint="Give every question exactly one line in the key.",
        )
    return replace(worksheet, sections=sections)


def _checked(section: Section) -> Section:
    for question in section.questions:
        if question.section != section.number:
            raise BadInput(f"Question `{question.id}` stands in section {section.number}")
        if "\n" in question.prompt or not question.prompt.strip():
            raise BadInput(f"The prompt of question `{question.id}` should be one line of text")
        if not section.matching and BLANK not in question.prompt:
            raise BadInput(
                f"Question `{question.id}` has no blank",
                hint=f"Put `{BLANK}` where it is answered.",
            )
    return section
