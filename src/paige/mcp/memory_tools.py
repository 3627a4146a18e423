"""The MCP tools of the memory: find what is known, and remember something."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic.alias_generators import to_camel

from paige.app.memory_use import Note, draft_of, reader_of, tell, with_memory, writer_of
from paige.base.errors import Refused
from paige.mcp.registry import Tool, ToolCall
from paige.memory.event import AgentRef, Scope
from paige.memory.search_values import Ask

if TYPE_CHECKING:
    from paige.memory.intake.broker import Remembered
    from paige.memory.memory import Memory

MOST_RESULTS = 500
MCP = AgentRef(tool="mcp")
# Said in full: some clients take a schema without a type for a mistake.
KINDS = ("object", "array", "string", "number", "boolean", "null")
ANYTHING = {"anyOf": [{"type": kind} for kind in KINDS]}


class _Params(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class SearchParams(_Params):
    """A question to the memory."""

    query: str = Field(max_length=10_000, description="What to look for, in plain words.")
    k: int | None = Field(
        default=None,
        ge=1,
        le=MOST_RESULTS,
        description="How many; 10 unless there is a budget, then as many as fit.",
    )
    budget_tokens: int | None = Field(
        default=None, ge=1, description="The most tokens the texts may have together."
    )
    scope: Scope | None = Field(default=None, description="Only memories of this scope.")
    project: str | None = Field(default=None, description="Only memories of this project.")


class FoundOut(BaseModel):
    """One memory; `meta` is what whoever imported it said about it."""

    id: str
    text: str
    score: float
    scope: Scope
    meta: Annotated[Any, WithJsonSchema(ANYTHING)]


class SearchOut(BaseModel):
    """What was found, the best first."""

    results: list[FoundOut]
    took_ms: float


class AddParams(_Params):
    """Something to remember."""

    text: str = Field(min_length=1, description="One thing, in a sentence that stands alone.")
    scope: Scope | None = Field(
        default=None, description="Who it is for; the project Paige was started for if left out."
    )
    project: str | None = Field(default=None, description="The project it is about.")
    type: str | None = Field(default=None, description="note, fact, preference, episode, …")
    key: str | None = Field(
        default=None, description="What a fact states; a later one with the same key replaces it."
    )
    importance: float | None = Field(default=None, ge=0, le=1, description="From 0 to 1.")
    session: str | None = Field(default=None, description="The session it was said in.")


class AddOut(BaseModel):
    """What became of it; a duplicate has the id of the memory that was there already."""

    model_config = ConfigDict(from_attributes=True)

    id: str | None
    status: Literal["stored", "duplicate", "recalled"]
    reason: str | None


async def memory_search(call: ToolCall, params: SearchParams) -> SearchOut:
    """Find memories that the person of this Paige may see."""
    ask = Ask(**params.model_dump())
    found = await with_memory(call.app, lambda memory: memory.search(ask, reader_of(call.app)))
    results = [
        FoundOut(id=each.id, text=each.text, score=each.score, scope=each.scope, meta=each.meta)
        for each in found.results
    ]
    return SearchOut(results=results, took_ms=round(found.took_ms, 3))


async def memory_add(call: ToolCall, params: AddParams) -> AddOut:
    """Remember one thing. Raises: Refused with the reason."""
    draft = draft_of(Note(**params.model_dump()))

    def write(memory: "Memory") -> "Remembered":
        [result] = memory.remember([draft], writer_of(call.app, MCP))
        return result

    result = await with_memory(call.app, write)
    if result.status == "refused":
        raise Refused(f"This is not kept: {result.reason or 'a rule says no'}")
    if result.status == "stored" and result.id is not None:
        await tell(call.app, "added", [result.id])
    return AddOut.model_validate(result)


SEARCH_TOOL = Tool(
    name="memory_search",
    title="Search the memory",
    description="Find what is remembered about a question: decisions, facts, earlier talks.",
    params=SearchParams,
    result=SearchOut,
    run=memory_search,
)
ADD_TOOL = Tool(
    name="memory_add",
    title="Remember something",
    description="Remember one thing for later: a decision, a fact, a preference, what worked.",
    params=AddParams,
    result=AddOut,
    run=memory_add,
    read_only=False,
)
