"""Shapes of the learned guards' part of the REST API: stages, trials, patterns, metrics."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import StringConstraints

from paige.server.wire import Asked, Wire

Standing = Literal["proposed", "shadow", "production", "rolled_back", "retired"]
GuardEventName = Literal["pre_tool", "permission_request", "stop", "subagent_stop"]
Scope = Literal["project", "universal"]
Why = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]


class LearnedMatcher(Wire):
    """What a guard is about: every part that is given has to fit."""

    tools: list[str]
    agents: list[str]
    roles: list[str]
    command: list[str]
    paths: list[str]
    fields: dict[str, Any]
    contains: list[str]
    unless: list[str]


class LearnedExample(Wire):
    """One action a guard must meet, or must not; `text` is what it does, in a line."""

    tool: str
    agent: str
    role: str
    text: str
    facts: list[str]


class LearnedHit(Wire):
    """An action of the history or of the benign list."""

    id: str
    at: datetime | None
    tool: str
    text: str
    decision: str
    rule: str


class LearnedReplay(Wire):
    """What a guard would have done to the history, in numbers; `harmless` speaks against it."""

    actions: int
    already: int
    corrected: int
    harmless: int
    unclear: int  # too little was kept of them to say
    hits: list[LearnedHit]


class LearnedAnswer(Wire):
    """One row of the table that decides whether to keep things or to change them."""

    row: str
    side: Literal["keep", "update"]
    question: str
    holds: bool
    why: str


class LearnedTrial(Wire):
    """What a guard was tried on: examples, the benign list, the history.

    Of a trial that was kept with a step the actions themselves and the answers are not known.
    """

    sound: bool
    faults: list[str]
    probed: int
    benign: int
    benign_hits: list[LearnedHit]
    replay: LearnedReplay
    answers: list[LearnedAnswer]


class LearnedShadow(Wire):
    """What was seen of a guard in shadow or in production."""

    events: int
    hits: int
    harmless: int
    overridden: int


class LearnedStep(Wire):
    """One move of a version; `forced` steps were taken against the criterion."""

    version: int
    stage: Standing
    at: datetime
    why: str
    by: str
    forced: bool


class LearnedGuard(Wire):
    """A guard and where it stands."""

    id: str
    standing: Standing
    since: datetime
    version: int
    event: GuardEventName
    decision: Literal["deny", "ask"]
    scope: Scope
    message: str
    pattern: str
    evidence: list[str]
    matcher: LearnedMatcher
    must: list[LearnedExample]
    must_not: list[LearnedExample]
    shadow: LearnedShadow
    trial: LearnedTrial | None
    history: list[LearnedStep]


class LearnedGuards(Wire):
    """Every guard; `promote` says who may put one into production."""

    guards: list[LearnedGuard]
    problems: list[str]  # files that cannot be read, and why
    promote: Literal["person", "policy"]
    folder: str


class LearnedPattern(Wire):
    """Something an agent did again and again; `weight` is its count, the old counting less."""

    key: str
    agent: str
    action: str
    reason: str
    shape: str
    count: int
    sessions: int
    first: datetime
    last: datetime
    weight: float
    scope: Scope
    traces: list[str]
    overridden: int


class LearnedProposal(Wire):
    """A guard that could be made of a pattern."""

    id: str
    pattern: str
    why: str
    message: str
    matcher: LearnedMatcher
    must: list[LearnedExample]
    must_not: list[LearnedExample]


class LearnedPrompt(Wire):
    """A change of an agent's file that could be made of a pattern, as a unified diff."""

    agent: str
    file: str
    diff: str
    why: str
    tokens: int  # how much longer the file becomes


class LearnedSign(Wire):
    """One line of the anti-pattern report: what was measured over how many cases."""

    name: str
    symptom: str
    detection: str
    measured: float | None
    threshold: float
    cases: int
    verdict: Literal["ok", "warning", "unknown"]
    advice: str


class LearnedLessons(Wire):
    """Patterns, what could be made of them, and how well learning works."""

    patterns: list[LearnedPattern]
    proposals: list[LearnedProposal]
    prompts: list[LearnedPrompt]
    report: list[LearnedSign]


class LearnedMetric(Wire):
    """A success metric before and after; `better` says which way it should go."""

    name: str
    how: str
    unit: Literal["", "share", "tokens"]
    before: float | None
    after: float | None
    target: float
    better: Literal["lower", "higher"]
    met: bool | None


class LearnedMetrics(Wire):
    """Whether work goes better since the first guard blocked; `since` is empty before that."""

    since: datetime | None
    sessions_before: int
    sessions_after: int
    metrics: list[LearnedMetric]


class LearnedAct(Asked):
    """Why a guard is taken back; it is kept in the guard's file."""

    why: Why


class LearnedMove(Asked):
    """Why a guard goes on; `force` is kept too, and never skips examples or the benign list."""

    why: Why
    force: bool = False


OUT = (LearnedGuards, LearnedGuard, LearnedLessons, LearnedMetrics)
IN = (LearnedAct, LearnedMove)
