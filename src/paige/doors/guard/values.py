"""What the Guard is asked for and what it answers, where its room has no value for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from paige.base.checks import Status
from paige.base.wire import wire
from paige.guard.decision_log import GuardEntry, Verdict
from paige.guard.rules.loader import GuardProblem
from paige.guard.state.logs import MAX_LINES

MAX_DECISIONS = 500
MAX_COMMAND = 100_000
MAX_LOG_TOKENS = 20_000
ANY_EVENT = "any"
Decided = Literal["allow", "pass", "ask", "deny"]
Layer = Literal["project", "person", "shipped"]
Cli = Literal["claude-code", "codex", "gemini", "copilot"]
Level = Literal["user", "project"]
Action = Literal["install", "uninstall"]


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class GuardDecisionsRequest:
    """Which decisions; without `event` those where there was something to decide."""

    verdict: Verdict | None = None
    cli: Annotated[str | None, Field(max_length=100)] = None
    session: Annotated[str | None, Field(max_length=500)] = None
    rule: Annotated[str | None, Field(max_length=500)] = None
    event: Annotated[str | None, Field(max_length=100)] = None
    query: Annotated[str, Field(max_length=2000)] = ""
    limit: Annotated[int, Field(ge=1, le=MAX_DECISIONS)] = 50

    def wants(self, entry: GuardEntry) -> bool:
        """Whether an entry fits."""
        if self.event is None:
            if not entry.decided:
                return False
        elif self.event not in (ANY_EVENT, entry.event):
            return False
        names = ("verdict", "cli", "session", "rule")
        pairs = ((getattr(self, name), getattr(entry, name)) for name in names)
        return all(want in (None, has) for want, has in pairs) and entry.mentions(self.query)


@wire(kw_only=True)
class GuardDecisionId:
    """One decision."""

    id: str


@wire(kw_only=True)
class GuardExplain:
    """A command to be judged; without `cwd` it would run in the project."""

    command: Annotated[str, Field(min_length=1, max_length=MAX_COMMAND)]
    cwd: Annotated[str, Field(max_length=4000)] = ""


@wire(kw_only=True)
class GuardPlanRequest:
    """An installation to be planned."""

    cli: Cli
    action: Action
    level: Level = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardCarryOut(GuardPlanRequest):
    """An installation to be carried out as it was planned."""

    digest: Annotated[str, Field(min_length=1, max_length=100)]


@wire(kw_only=True)
class LogRequest:
    """Which log, and which part of it."""

    path: Annotated[str, Field(min_length=1, max_length=4_096)]
    """The log, relative to the project's folder."""
    mode: Annotated[
        Literal["tail", "grep", "summary"],
        Field(
            description="`tail`: the last lines. `grep`: the last lines with some text. `summary`: "
            "how many lines of which kind, what comes most often, the last errors."
        ),
    ] = "summary"
    pattern: Annotated[str | None, Field(max_length=1_000)] = None
    """For `grep`: texts to look for, separated by `|`; case does not matter."""
    lines: Annotated[int, Field(ge=1, le=MAX_LINES)] = 200
    """The most lines."""
    budget_tokens: Annotated[int, Field(ge=50, le=MAX_LOG_TOKENS)] = 2_000
    """The most tokens the lines may have."""


# --- what is given -------------------------------------------------------------------------------


@wire
class GuardDecisions:
    """Decisions, the newest first; `total` is how many there are like these."""

    decisions: tuple[GuardEntry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class GuardCounts:
    """How many decisions came to what."""

    denied: int
    asked: int
    changed: int
    passed: int
    fault: int


@dataclass(frozen=True, slots=True)
class GuardDay:
    """The decisions of a day."""

    day: date
    counts: GuardCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardSession:
    """A session of a coding CLI, and how much was decided in it."""

    cli: str
    session: str
    cwd: str
    last: datetime
    decided: int
    denied: int


@wire(kw_only=True)
class GuardOverview:
    """The last days in numbers; `complete`: whether everything that was written down is counted."""

    counts: GuardCounts
    days: tuple[GuardDay, ...]
    sessions: tuple[GuardSession, ...]
    clis: Mapping[str, datetime]
    """When each was last heard of."""
    events: tuple[str, ...]
    rules: tuple[str, ...]
    """Those that decided."""
    folder: str
    complete: bool


@wire
class GuardHits:
    """How often a rule decided."""

    rule: str
    count: int = 0
    denied: int = 0
    last: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRule:
    """A rule with its examples, which are executed when rules are checked."""

    name: str
    decision: Decided
    loses: str
    instead: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    hits: GuardHits


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardFamily:
    """The rules of one tool, or of tools that are alike."""

    name: str
    about: str
    commands: tuple[str, ...]
    path: str
    layer: Layer
    count: int
    """How often its rules decided."""
    rules: tuple[GuardRule, ...]


@dataclass(frozen=True, slots=True)
class GuardGate:
    """A gate that is code and not a rule file."""

    name: str
    about: str
    events: tuple[str, ...]


@wire(kw_only=True)
class GuardRules:
    """Every rule; `others` decided without being in a rule file."""

    families: tuple[GuardFamily, ...]
    gates: tuple[GuardGate, ...]
    others: tuple[GuardHits, ...]
    problems: tuple[GuardProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardStep:
    """One command that would run; `considered` is how many rules of its program were looked at."""

    words: tuple[str, ...]
    decision: Decided
    rule: str
    reason: str
    instead: str
    family: str
    considered: int


@wire(kw_only=True)
class GuardExplained:
    """What the rules say of a command line; `clear`: whether all that it does could be proved."""

    decision: Decided
    rule: str
    reason: str
    instead: str
    clear: bool
    unclear: str
    cwd: str
    root: str
    steps: tuple[GuardStep, ...] = ()


@dataclass(frozen=True, slots=True)
class GuardCheck:
    """What doctor says of a coding CLI."""

    name: str
    status: Status
    message: str
    fix: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardHost:
    """A coding CLI: where Paige is installed in it, and what doctor says of that."""

    cli: Cli
    title: str
    found: bool
    """Whether its program is on this machine."""
    version: str
    levels: tuple[Level, ...]
    """Where Paige is in its settings."""
    checks: tuple[GuardCheck, ...]
    last: datetime | None
    """When it was last heard of."""


@wire
class GuardHosts:
    """The coding CLIs that can be guarded; `project` is where a project's settings would go."""

    hosts: tuple[GuardHost, ...]
    project: str | None


@dataclass(frozen=True, slots=True)
class GuardFileChange:
    """What would happen to a file, as a unified diff; secrets in it are left out."""

    path: str
    kind: Literal["created", "changed", "removed"]
    diff: str


@wire(kw_only=True)
class GuardPlan:
    """What an installation would change; `digest` names exactly this plan."""

    cli: Cli
    action: Action
    level: Level
    digest: str
    changes: tuple[GuardFileChange, ...]
    notes: tuple[str, ...]


@wire(kw_only=True)
class GuardDone:
    """What an installation changed."""

    cli: Cli
    action: Action
    level: Level
    paths: tuple[str, ...]
    notes: tuple[str, ...]
