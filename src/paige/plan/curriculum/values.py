"""What the curriculum folder holds: outcomes with code, words, grade and place, and tagged papers.

An outcome is one row of a file. Its words are a paraphrase or an official statement, whichever the
file has; its code is what the outside world knows it by; its grade says how far the pairing of the
two can be trusted. Where it stands is part of the value, because a lesson has to point at it.
"""

from dataclasses import dataclass
from typing import Literal

from paige.plan.curriculum.codes import same_code

FOLDER = "curriculum"
Grade = Literal["A", "A-", "B", "B-", "C"]
GRADES: tuple[Grade, ...] = ("A", "A-", "B", "B-", "C")
TRUSTED: frozenset[Grade] = frozenset({"A", "A-", "B"})
MaterialKind = Literal["specification", "paper", "marking", "guidance"]
MATERIAL_KINDS: tuple[MaterialKind, ...] = ("specification", "paper", "marking", "guidance")


@dataclass(frozen=True, slots=True)
class WorkspaceProblem:
    """What is wrong with a file, and where."""

    path: str
    line: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"

    @property
    def sentence(self) -> str:
        """The whole problem as a person reads it."""
        return f"{self} {self.hint}".rstrip()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome: its code, what it is about, and the lines it stands in."""

    code: str
    about: str
    subject: str
    level: str  # "Third", "National 5"
    organiser: str
    grade: Grade
    edition: str
    path: str
    start: int  # the line with the code
    end: int  # the last line of the row
    about_end: int  # the last line of the words themselves
    progression_from: tuple[str, ...] = ()
    progression_to: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    assessment: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()  # words a teacher would say; never quoted as the outcome
    notes: tuple[str, ...] = ()
    own_label: bool = False  # the code is the file's own name for a part that has no official one

    @property
    def verified(self) -> bool:
        """Whether code and words may be shown without a warning."""
        return self.grade in TRUSTED

    @property
    def lines(self) -> str:
        """The lines of the words, such as `12-12`."""
        return f"{self.start}-{self.about_end}"

    @property
    def quote(self) -> str:
        """The words as a lesson quotes them: double quotation marks would end the quote."""
        return self.about.translate({ord(mark): "'" for mark in '"\u201c\u201d'})

    @property
    def citation(self) -> str:
        """The pointer a lesson writes to claim this outcome."""
        place = f"{self.path}#L{self.start}-L{self.about_end}"
        return f'[{self.code}]({place}) "{self.quote}"'


@dataclass(frozen=True, slots=True)
class Curriculum:
    """One file of outcomes, with what could be read and what could not."""

    path: str
    framework: str = ""
    subject: str = ""
    edition: str = ""
    also: tuple[str, ...] = ()  # other names of the subject
    source: str = ""
    about: str = ""
    own_labels: bool = False
    outcomes: tuple[Outcome, ...] = ()
    problems: tuple[WorkspaceProblem, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without folder and ending, as class files use it."""
        return self.path.rsplit("/", 1)[-1].removesuffix(".md")


@dataclass(frozen=True, slots=True)
class Part:
    """One question of a paper, or one section of a document, and the codes it belongs to."""

    title: str
    start: int
    end: int
    codes: tuple[str, ...] = ()
    suggested: bool = False  # found by words; a person has not confirmed it


@dataclass(frozen=True, slots=True)
class Material:
    """A specification, paper or marking instruction that was imported."""

    path: str
    title: str
    kind: MaterialKind
    subject: str = ""
    edition: str = ""
    original: str = ""
    parts: tuple[Part, ...] = ()
    problems: tuple[WorkspaceProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Library:
    """Everything in the curriculum folder."""

    curricula: tuple[Curriculum, ...] = ()
    materials: tuple[Material, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome of every file, in order."""
        return tuple(each for file in self.curricula for each in file.outcomes)

    @property
    def problems(self) -> tuple[WorkspaceProblem, ...]:
        """What is wrong with any file."""
        own = (each for file in self.curricula for each in file.problems)
        return (*own, *(each for file in self.materials for each in file.problems))

    def file(self, path: str) -> Curriculum | None:
        """The outcomes of one file, by its path in the workspace or by its name."""
        return next((each for each in self.curricula if path in (each.path, each.name)), None)

    def named(self, code: str) -> tuple[Outcome, ...]:
        """The outcomes with a code: one, or one for each file that has it."""
        return tuple(each for each in self.outcomes if same_code(each.code, code))

    def material(self, code: str) -> tuple[tuple[Material, Part], ...]:
        """The questions and sections that are tagged with a code."""
        return tuple(
            (material, part)
            for material in self.materials
            for part in material.parts
            if any(same_code(code, tag) for tag in part.codes)
        )
