"""The MCP tool that reads a long log in pieces, under a budget of tokens."""

from typing import Literal

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from paige.guard.state import logs
from paige.mcp.registry import Tool, ToolCall

BUDGET = 2_000
MOST_BUDGET = 20_000


class LogParams(BaseModel):
    """Which log, and which part of it."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    path: str = Field(
        min_length=1, max_length=4_096, description="The log, relative to the project's folder."
    )
    mode: Literal["tail", "grep", "summary"] = Field(
        default="summary",
        description="`tail`: the last lines. `grep`: the last lines with some text. "
        "`summary`: how many lines of which kind, what comes most often, the last errors.",
    )
    pattern: str | None = Field(
        default=None,
        max_length=1_000,
        description="For `grep`: texts to look for, separated by `|`; case does not matter.",
    )
    lines: int = Field(default=200, ge=1, le=logs.MOST_LINES, description="The most lines.")
    budget_tokens: int = Field(
        default=BUDGET, ge=50, le=MOST_BUDGET, description="The most tokens the lines may have."
    )


class LineOut(BaseModel):
    """One line."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    text: str


class ShapeOut(BaseModel):
    """Lines that differ in numbers only, and the first of them."""

    model_config = ConfigDict(from_attributes=True)

    count: int
    first: LineOut


class LogOut(BaseModel):
    """A part of a log; `found` are the lines that were asked for, shown or not."""

    path: str
    total: int
    found: int
    skipped_bytes: int
    lines: list[LineOut]
    levels: dict[str, int]
    common: list[ShapeOut]


async def read_log(call: ToolCall, params: LogParams) -> LogOut:
    """Read a part of a log. Raises: Refused, NotFound, BadInput."""
    return await anyio.to_thread.run_sync(_read, call, params)


def _read(call: ToolCall, params: LogParams) -> LogOut:
    settings = call.app.settings
    own = (settings.data_dir / "spool", settings.data_dir / "logs")
    path = logs.find_log(params.path, settings.project_dir, own)
    match params.mode:
        case "tail":
            part = logs.tail(path, params.lines, params.budget_tokens)
        case "grep":
            part = logs.grep(path, params.pattern or "", params.lines, params.budget_tokens)
        case "summary":
            part = logs.summary(path, params.lines, params.budget_tokens)
    return LogOut(
        path=part.path,
        total=part.total,
        found=part.found,
        skipped_bytes=part.skipped,
        lines=[LineOut.model_validate(each) for each in part.lines],
        levels=dict(part.levels),
        common=[ShapeOut.model_validate(each) for each in part.shapes],
    )


LOG_TOOL = Tool(
    name="read_log",
    title="Read a long log",
    description=(
        "Read a log of the project in pieces instead of whole: its last lines, the lines with "
        "some text, or a summary with counts, what comes most often and the last errors."
    ),
    params=LogParams,
    result=LogOut,
    run=read_log,
)
