"""What reflection is about: an attempt that failed, the cause, what prevents it."""

from dataclasses import asdict, dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from paige.orchestra.values import CODER, Missing

CAUSE, PREVENTION = "reflect.cause", "reflect.prevention"
UNEXPLAINED = "No model looked for the cause: read what failed before you change anything."


class Cause(BaseModel):
    """Which assumption failed, what shows it, and what it is about."""

    model_config = ConfigDict(extra="forbid")
    assumption: str = Field(min_length=1, max_length=2000)
    because: str = Field(default="", max_length=2000)
    names: list[str] = Field(default_factory=list[str], max_length=20)


class Prevention(BaseModel):
    """What the next attempt does differently, and how it sees that the cause is gone."""

    model_config = ConfigDict(extra="forbid")
    steps: list[str] = Field(min_length=1, max_length=10)
    check: str = Field(default="", max_length=2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt that did not pass, as far as facts are known.

    `failures` are lines the tester or the test tool gave, `said` what the agent reported.
    """

    feature: str
    title: str = ""
    attempt: int = 1
    agent: str = CODER
    missing: tuple[Missing, ...] = ()
    failures: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    said: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CauseGiven:
    """What the second question rests on: the attempt, and the cause that was found."""

    attempt: Attempt
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What came of a failed attempt: the cause, what prevents it, and who thought so.

    Where nobody did, all of it is empty but the attempt.
    """

    attempt: Attempt
    assumption: str = ""
    because: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    check: str = ""
    answered_by: str

    @property
    def what_happened(self) -> str:
        """The cause, or the fact of the failure where nobody found one."""
        missing = ", ".join(self.attempt.missing)
        return self.assumption or f"Attempt {self.attempt.attempt} did not pass: {missing}"

    def dump(self) -> dict[str, Any]:
        """The reflection as JSON."""
        return asdict(self)
