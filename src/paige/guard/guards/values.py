"""A guard and everything around it, as values.

A guard is data: an event, a matcher, what the agent is told, and examples of what it must and must
not meet. It runs no code of its own. Where it stands (tried, in shadow, in production, rolled back)
is a `Lineage` whose version 0 is "no guard", so that a rollback has something to go back to.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from paige.base.wire import SNAKE
from paige.memory.lifecycle.staged import Lineage, StagedVersion

GuardEvent = Literal["pre_tool", "permission_request", "stop", "subagent_stop"]
GuardDecision = Literal["deny", "ask"]
Scope = Literal["project", "universal"]
# How a stage is called where people read it.
Standing = Literal["proposed", "shadow", "production", "rolled_back", "retired"]
EVENTS: tuple[GuardEvent, ...] = get_args(GuardEvent)
# What only the slow path knows; a matcher names it in `unless`.
FACTS = ("evidence", "tests-ran")
MOST_EXAMPLES = 50
MOST_MESSAGE = 2000
MOST_LIST = 50
Short = Annotated[str, Field(max_length=500)]
Said = Annotated[str, Field(max_length=MOST_MESSAGE)]
Text = Annotated[str, Field(max_length=MOST_MESSAGE, pattern=r"\S")]
Texts = Annotated[tuple[Text, ...], Field(max_length=MOST_LIST)]
GuardId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
RULE_PREFIX = "guard:"
ALLOWED = ("", "none", "allow", "modify", "add_context")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedMatcher:
    """What a guard is about: every part that is given has to fit.

    `tools` are kinds (`shell`, `write`, `read`, …) or names of tools, `agents` and `roles` who
    acts; of each one has to fit, and `*` and `?` stand for any letters. `command` is the beginning
    of a command, word for word, each a glob; `**` stands for any number of words. `paths` are
    globs over the files a call would change; one has to fit. `fields` are values the call's input
    has, `contains` texts that all stand in what would be written or run. Where a fact of `unless`
    holds the guard says nothing.
    """

    __pydantic_config__ = SNAKE

    tools: Texts = ()
    agents: Texts = ()
    roles: Texts = ()
    command: Texts = ()
    paths: Texts = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    contains: Texts = ()
    unless: Texts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One action: the tool and its input, who acts, and the facts that hold."""

    __pydantic_config__ = SNAKE

    tool: Short = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    agent: Short = ""
    role: Short = ""
    facts: Texts = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A guard: at which event, about what, what is said, and the examples it is tried on.

    `pattern` is the key of the pattern it was learned from, `evidence` the traces behind it.
    """

    __pydantic_config__ = SNAKE

    id: GuardId
    event: GuardEvent = "pre_tool"
    matcher: LearnedMatcher
    message: Text
    decision: GuardDecision = "deny"
    must: Annotated[tuple[Example, ...], Field(max_length=MOST_EXAMPLES)] = ()
    must_not: Annotated[tuple[Example, ...], Field(max_length=MOST_EXAMPLES)] = ()
    scope: Scope = "project"
    pattern: Short = ""
    evidence: Annotated[tuple[Text, ...], Field(max_length=1000)] = ()

    @property
    def rule(self) -> str:
        """The rule its decisions are known by."""
        return f"{RULE_PREFIX}{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """That a person let one refused action pass once."""

    __pydantic_config__ = SNAKE

    decision: Text  # the id of what was refused
    at: datetime
    by: Short = ""
    why: Said = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardRecord:
    """A guard with all its versions and steps; the file it lies in is the audit trail.

    Every step's `metrics` hold `by`, `forced` and the numbers it was decided by.
    """

    id: str
    lineage: Lineage[Guard | None]
    overrides: tuple[Override, ...] = ()

    @property
    def current(self) -> StagedVersion[Guard | None]:
        """The version people mean: the one being tried, else the newest."""
        return self.lineage.tried or self.lineage.versions[-1]

    @property
    def guard(self) -> Guard:
        """The guard of the current version."""
        newest = next(
            (each.value for each in reversed(self.lineage.versions) if each.value is not None), None
        )
        value = self.current.value or newest
        assert value is not None, "a record is made with a guard"
        return value

    @property
    def blocking(self) -> Guard | None:
        """The guard in production, if there is one."""
        return self.lineage.production.value

    @property
    def shadowing(self) -> Guard | None:
        """The guard that only notes what it would have said, if there is one."""
        tried = self.lineage.tried
        return tried.value if tried is not None and tried.stage == "validate" else None

    @property
    def standing(self) -> Standing:
        """Where the current version stands, in the words people read."""
        return STANDINGS[self.current.stage]


STANDINGS: Mapping[str, Standing] = {
    "experiment": "proposed",
    "validate": "shadow",
    "production": "production",
    "rolled_back": "rolled_back",
    "retired": "retired",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAction:
    """One action of the history, as replay and probe see it.

    `decision` is what was said then (`allow` when nothing was), `rule` what said it. `corrected`
    says that a person said afterwards that it was wrong, `approved` that one let it pass. `whole`
    is false where the text that was written is no longer known.
    """

    id: str
    event: str
    example: Example
    at: datetime | None = None
    session: str = ""
    cwd: str = ""
    decision: str = "allow"
    rule: str = ""
    corrected: bool = False
    approved: bool = False
    whole: bool = True

    @property
    def allowed(self) -> bool:
        """Whether it went on."""
        return self.approved or self.decision in ALLOWED


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What a guard would have done to a history.

    `already` are actions that were refused anyway, `corrected` those a person corrected, and
    `harmless` those that were allowed and stayed so: any of these speaks against the guard. Of the
    `unclear` ones too little is known: a text that was not kept, or a fact of that moment.
    """

    actions: int
    already: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    harmless: tuple[PastAction, ...] = ()
    unclear: tuple[str, ...] = ()

    @property
    def hits(self) -> int:
        """How many actions it would have met."""
        return len(self.already) + len(self.corrected) + len(self.harmless)

    @property
    def clean(self) -> bool:
        """Whether it would have stopped nothing that was fine."""
        return not self.harmless


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Everything a guard was tried on: its examples, the benign list and the history."""

    faults: tuple[str, ...] = ()  # what is wrong with the examples, one sentence each
    probed: int = 0
    benign: tuple[PastAction, ...] = ()  # harmless actions of the list that it would meet
    replay: Replay = Replay(actions=0)

    @property
    def sound(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.faults and not self.benign and self.replay.clean


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedShadow:
    """What was seen of a guard in shadow or in production.

    `events` are actions it looked at, `hits` those it met, `harmless` hits that were allowed and
    stayed so, `overridden` hits that a person let pass.
    """

    events: int = 0
    hits: int = 0
    harmless: int = 0
    overridden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowHistory(LearnedShadow):
    """The same with the newest hits, the oldest first: whether each was overridden."""

    last: tuple[bool, ...] = ()
