"""Shapes of the Guard's part of the REST API."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from paige.server.wire import Asked, Check, Wire

MOST_DECISIONS = 500
MOST_COMMAND = 100_000
Verdict = Literal["denied", "asked", "changed", "passed", "fault"]
Judged = Literal["allow", "pass", "ask", "deny"]
Layer = Literal["project", "person", "shipped"]
Cli = Literal["claude-code", "codex", "gemini", "copilot"]
Level = Literal["user", "project"]
Action = Literal["install", "uninstall"]


class GuardEntry(Wire):
    """One event of a coding CLI and what was decided; `subject` is the command, file or prompt."""

    id: str
    at: datetime
    cli: str
    session: str
    event: str
    host_event: str
    decision: str
    verdict: Verdict
    rule: str
    reason: str
    instead: str
    tool: str
    subject: str
    is_command: bool
    cwd: str
    mode: str
    agent: str


class GuardDecisions(Wire):
    """Decisions, the newest first; `total` is how many there are like these."""

    decisions: list[GuardEntry]
    total: int


class GuardCounts(Wire):
    """How many decisions came to what."""

    denied: int
    asked: int
    changed: int
    passed: int
    fault: int


class GuardDay(Wire):
    """The decisions of a day."""

    day: date
    counts: GuardCounts


class GuardSession(Wire):
    """A session of a coding CLI, and how much was decided in it."""

    cli: str
    session: str
    cwd: str
    last: datetime
    decided: int
    denied: int


class GuardOverview(Wire):
    """The last days in numbers; `complete`: whether everything that was written down is counted."""

    counts: GuardCounts
    days: list[GuardDay]
    sessions: list[GuardSession]
    clis: dict[str, datetime]  # when each was last heard of
    events: list[str]
    rules: list[str]  # that decided
    folder: str
    complete: bool


class GuardHits(Wire):
    """How often a rule decided."""

    rule: str
    count: int
    denied: int
    last: datetime | None
    reason: str


class GuardRule(Wire):
    """A rule with its examples, which are executed when rules are checked."""

    name: str
    decision: Judged
    loses: str
    instead: str
    must: list[str]
    must_not: list[str]
    hits: GuardHits


class GuardFamily(Wire):
    """The rules of one tool, or of tools that are alike."""

    name: str
    about: str
    commands: list[str]
    path: str
    layer: Layer
    count: int  # how often its rules decided
    rules: list[GuardRule]


class GuardGate(Wire):
    """A gate that is code and not a rule file."""

    name: str
    about: str
    events: list[str]


class GuardProblem(Wire):
    """Something in a rule file that needs a hand."""

    path: str
    rule: str
    message: str


class GuardRules(Wire):
    """Every rule; `others` decided without being in a rule file."""

    families: list[GuardFamily]
    gates: list[GuardGate]
    others: list[GuardHits]
    problems: list[GuardProblem]


class GuardStep(Wire):
    """One command that would run; `considered` is how many rules of its program were looked at."""

    words: list[str]
    decision: Judged
    rule: str
    reason: str
    instead: str
    family: str
    considered: int


class GuardExplained(Wire):
    """What the rules say of a command line; `clear`: whether all that it does could be proved."""

    decision: Judged
    rule: str
    reason: str
    instead: str
    clear: bool
    unclear: str
    cwd: str
    root: str
    steps: list[GuardStep]


class GuardHost(Wire):
    """A coding CLI: where Paige is installed in it, and what doctor says of that."""

    cli: Cli
    title: str
    found: bool  # whether its program is on this machine
    version: str
    levels: list[Level]  # where Paige is in its settings
    checks: list[Check]
    last: datetime | None  # when it was last heard of


class GuardHosts(Wire):
    """The coding CLIs that can be guarded; `project` is where a project's settings would go."""

    hosts: list[GuardHost]
    project: str | None


class GuardFileChange(Wire):
    """What would happen to a file, as a unified diff; secrets in it are left out."""

    path: str
    kind: Literal["created", "changed", "removed"]
    diff: str


class GuardPlan(Wire):
    """What an installation would change; `digest` names exactly this plan."""

    cli: Cli
    action: Action
    level: Level
    digest: str
    changes: list[GuardFileChange]
    notes: list[str]


class GuardDone(Wire):
    """What an installation changed."""

    cli: Cli
    action: Action
    level: Level
    paths: list[str]
    notes: list[str]


class GuardDecisionsAsked(Asked):
    """Which decisions; without `event` those where there was something to decide."""

    verdict: Verdict | None = None
    cli: str | None = Field(default=None, max_length=100)
    session: str | None = Field(default=None, max_length=500)
    rule: str | None = Field(default=None, max_length=500)
    event: str | None = Field(default=None, max_length=100)
    query: str = Field(default="", max_length=2000)
    limit: int = Field(default=50, ge=1, le=MOST_DECISIONS)


class GuardExplain(Asked):
    """A command to be judged; without `cwd` it would run in the project."""

    command: str = Field(min_length=1, max_length=MOST_COMMAND)
    cwd: str = Field(default="", max_length=4000)


class GuardPlanAsked(Asked):
    """An installation to be planned."""

    action: Action
    level: Level = "user"


class GuardCarryOut(Asked):
    """An installation to be carried out as it was planned."""

    action: Action
    level: Level = "user"
    digest: str = Field(min_length=1, max_length=100)


OUT = (
    GuardOverview,
    GuardDecisions,
    GuardRules,
    GuardExplained,
    GuardHosts,
    GuardPlan,
    GuardDone,
)
IN = (GuardExplain, GuardPlanAsked, GuardCarryOut)
