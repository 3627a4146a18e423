"""What is asked about learned guards and what is answered: stages, trials, patterns, metrics."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from paige.base.wire import wire
from paige.guard.guards.values import (
    GuardDecision,
    GuardEvent,
    LearnedMatcher,
    LearnedShadow,
    Scope,
    Standing,
)
from paige.guard.learning.keep_or_change import LearnedAnswer
from paige.guard.learning.patterns import LearnedPattern
from paige.guard.learning.prompt_files import Move
from paige.guard.learning.report import LearnedSign
from paige.memory.lifecycle.staged import Stage

Why = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class LearnedId:
    """One guard."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedAct(LearnedId):
    """Why a guard is taken back; it is kept in the guard's file."""

    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedMove(LearnedAct):
    """Why a guard goes on; `force` is kept too, and never skips examples or the benign list."""

    force: bool = False


@wire(kw_only=True)
class PatternsRequest:
    """What to look for in what happened."""

    limit: Annotated[int, Field(ge=1, le=50)] = 10
    """The most patterns."""


@wire(kw_only=True)
class GuardProposal:
    """What to make a guard of."""

    pattern: Annotated[str, Field(max_length=4_000)] = ""
    """The key of a pattern of `extract_patterns`."""
    guard: Annotated[
        dict[str, Any] | None,
        Field(description="Or a whole guard: id, event, matcher, message, must, must_not."),
    ] = None
    why: Annotated[str, Field(max_length=4_000)] = ""
    """Why it is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnRequest:
    """Whether proposals are written down, to be tried."""

    apply: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptsRequest:
    """The changes of all prompts, or of an agent's."""

    agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMove:
    """A step of the change of an agent's prompt."""

    agent: str
    how: Move
    why: str


# --- what is given -------------------------------------------------------------------------------


@wire(kw_only=True)
class GuardProposed:
    """A guard that decides nothing yet."""

    id: str
    stage: Stage
    message: str
    blocks: bool
    next: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedExample:
    """One action a guard must meet, or must not; `text` is what it does, in a line."""

    tool: str
    agent: str
    role: str
    text: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedHit:
    """An action of the history or of the benign list."""

    id: str
    at: datetime | None
    tool: str
    text: str
    decision: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedReplay:
    """What a guard would have done to the history, in numbers; `harmless` speaks against it."""

    actions: int
    already: int
    corrected: int
    harmless: int
    unclear: int
    """Too little was kept of them to say."""
    hits: tuple[LearnedHit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedTrial:
    """What a guard was tried on: examples, the benign list, the history.

    Of a trial that was kept with a step the actions themselves and the answers are not known.
    """

    sound: bool
    faults: tuple[str, ...]
    probed: int
    benign: int
    benign_hits: tuple[LearnedHit, ...]
    replay: LearnedReplay
    answers: tuple[LearnedAnswer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedStep:
    """One move of a version; `forced` steps were taken against the criterion."""

    version: int
    stage: Standing
    at: datetime
    why: str
    by: str
    forced: bool


@wire(kw_only=True)
class LearnedGuard:
    """A guard and where it stands."""

    id: str
    standing: Standing
    since: datetime
    version: int
    event: GuardEvent
    decision: GuardDecision
    scope: Scope
    message: str
    pattern: str
    evidence: tuple[str, ...]
    matcher: LearnedMatcher
    must: tuple[LearnedExample, ...]
    must_not: tuple[LearnedExample, ...]
    shadow: LearnedShadow
    trial: LearnedTrial | None
    history: tuple[LearnedStep, ...]


@wire(kw_only=True)
class LearnedGuards:
    """Every guard; `promote` says who may put one into production."""

    guards: tuple[LearnedGuard, ...]
    problems: tuple[str, ...]
    """Files that cannot be read, and why."""
    promote: Literal["person", "policy"]
    folder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedProposal:
    """A guard that could be made of a pattern."""

    id: str
    pattern: str
    why: str
    message: str
    matcher: LearnedMatcher
    must: tuple[LearnedExample, ...]
    must_not: tuple[LearnedExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPrompt:
    """A change of an agent's file that could be made of a pattern, as a unified diff."""

    agent: str
    file: str
    diff: str
    why: str
    tokens: int
    """How much longer the file becomes."""


@wire(kw_only=True)
class LearnedLessons:
    """Patterns, what could be made of them, and how well learning works."""

    patterns: tuple[LearnedPattern, ...]
    proposals: tuple[LearnedProposal, ...]
    prompts: tuple[LearnedPrompt, ...]
    report: tuple[LearnedSign, ...]
