"""The MCP tool that searches behind all doors: the one search, for whoever the agent works for."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from paige.app.finding import DOORS, MOST_HITS, MOST_QUERY, Door, Found, Kind, Ranked, Source
from paige.mcp.registry import Tool, ToolCall


class FindParams(BaseModel):
    """Words to look for."""

    model_config = ConfigDict(extra="forbid")

    words: str = Field(
        min_length=1, max_length=MOST_QUERY, description="All of them must be there."
    )
    limit: int = Field(default=10, ge=1, le=MOST_HITS, description="How many hits.")


class HitOut(BaseModel):
    """Something that was found, where it is from and why it was found."""

    door: Door
    kind: Kind
    id: str
    title: str
    snippet: str
    origin: str
    why: str
    score: float
    at: datetime | None


class UnsearchedOut(BaseModel):
    """Something that could not be searched, and why."""

    source: Source
    message: str


class FindOut(BaseModel):
    """Hits of all doors in one list, the best first."""

    hits: list[HitOut]
    problems: list[UnsearchedOut]


async def find_anything(call: ToolCall, params: FindParams) -> FindOut:
    """Search everything that the person of this call may see. Raises: BadInput."""
    # It brings the rooms of all doors along.
    from paige.app.finding_sources import open_finder  # noqa: PLC0415

    found = await open_finder(call.app).find(params.words, limit=params.limit)
    return FindOut(
        hits=[_hit(each) for each in found.best_first[: params.limit]],
        problems=_problems(found),
    )


def _hit(each: Ranked) -> HitOut:
    hit = each.hit
    return HitOut(
        door=DOORS[hit.kind],
        kind=hit.kind,
        id=hit.id,
        title=hit.title,
        snippet="".join(part.text for part in hit.snippet),
        origin=each.origin,
        why=each.why,
        score=each.score,
        at=hit.at,
    )


def _problems(found: Found) -> list[UnsearchedOut]:
    return [UnsearchedOut(source=each.source, message=each.message) for each in found.problems]


FIND_TOOL = Tool(
    name="find_anything",
    title="Search behind all doors",
    description="Find lessons, courses, sessions, gaps, guards, traces and memories that hold the "
    "words, in one list, each with where it is from and why it was found.",
    params=FindParams,
    result=FindOut,
    run=find_anything,
)
