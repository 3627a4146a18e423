"""What the tools of the context graph take, and what they answer."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from paige.guard.graph.values import MOST_FOUND, Level, Scope, Source, TraceType

Name = Annotated[str, Field(max_length=400)]
Words = Annotated[str, Field(max_length=4_000)]
Ids = Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=50)]


class Params(BaseModel):
    """How arguments are spelled."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class ContextIn(BaseModel):
    """Who did it, on what."""

    model_config = ConfigDict(extra="forbid")

    agent: Name = Field(default="", description="The agent, for example `coding-agent`.")
    feature: Name = Field(default="", description="The feature, for example `PT-003`.")
    task: Words = Field(default="", description="What was being done.")


class EventIn(BaseModel):
    """What happened."""

    model_config = ConfigDict(extra="forbid")

    what_happened: Words = Field(min_length=1, description="One sentence that stands alone.")
    what_was_correct: Words = Field(default="", description="What would have been right.")
    why: Words = Field(default="", description="Why that is so.")


class StoreParams(Params):
    """Something that happened."""

    type: TraceType = Field(description="What kind of thing it is.")
    event: EventIn = Field(description="What happened.")
    context: ContextIn = Field(default_factory=ContextIn, description="Who did it, on what.")
    project: Name = Field(default="", description="The project; the open one if left out.")
    timestamp: AwareDatetime | None = Field(default=None, description="When; now if left out.")
    source: Source | None = Field(
        default=None, description="Whatever is said, it is stored as `auto_detected`."
    )
    scope: Scope = Field(default="project", description="Whether it holds beyond this project.")
    action: Name = Field(default="", description="What was done, in a few words.")
    reason: Name = Field(default="", description="Which rule or thought decided it.")
    target: Words = Field(default="", description="What it was done to: a command or files.")
    files: list[Name] = Field(
        default_factory=list[str], max_length=50, description="Files it was about."
    )
    session: Name = Field(default="", description="The session it happened in.")
    confidence: float = Field(default=1.0, ge=0, le=1, description="How sure it is.")
    id: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$",
        description="Your own id for it: the same id twice is stored once.",
    )
    led_by: Ids = Field(default_factory=list[str], description="Traces that led to it.")
    corrects: Ids = Field(default_factory=list[str], description="Traces that it corrects.")
    informed_by: Ids = Field(
        default_factory=list[str], description="Memories that were read before it."
    )


class QueryParams(Params):
    """What to look for."""

    query: str = Field(
        default="", max_length=2_000, description="A situation in plain words; may be empty."
    )
    level: Level = Field(
        default="metadata",
        description="`metadata`: what there is, 500 tokens. `summary`: what it was about, 1,000. "
        "`full`: everything, 2,000.",
    )
    type: TraceType | None = Field(default=None, description="Only of this kind.")
    agent: Name | None = Field(default=None, description="Only of this agent.")
    feature: Name | None = Field(default=None, description="Only about this feature.")
    file: Name | None = Field(default=None, description="Only about this file.")
    rule: Name | None = Field(default=None, description="Only decided by this rule.")
    since: AwareDatetime | None = Field(default=None, description="Only from then on.")
    project: Name | None = Field(
        default=None, description="The project; the open one if left out, `*` for all."
    )
    limit: int = Field(default=20, ge=1, le=MOST_FOUND, description="The most traces.")


class QueryOut(BaseModel):
    """What was found; `left_off` did not fit the budget."""

    items: list[dict[str, Any]]
    total: int
    left_off: int
    level: Level
    tokens: int


class GetParams(Params):
    """Which trace, and how much of it."""

    id: str = Field(min_length=1, max_length=80, description="Its id, or the beginning of it.")
    level: Level = Field(default="full", description="How much of it.")


class PatternParams(Params):
    """What to look for in what happened."""

    limit: int = Field(default=10, ge=1, le=50, description="The most patterns.")


class GuardParams(Params):
    """What to make a guard of."""

    pattern: Words = Field(default="", description="The key of a pattern of `extract_patterns`.")
    guard: dict[str, Any] | None = Field(
        default=None, description="Or a whole guard: id, event, matcher, message, must, must_not."
    )
    why: Words = Field(default="", description="Why it is wanted.")


class StoredOut(BaseModel):
    """The trace that was stored."""

    id: str
    project: str
    timestamp: datetime
    type: TraceType
    source: Source
