"""The MCP door's own tool: what is set up."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from paige.app.setup import describe_setup
from paige.mcp.registry import Tool, ToolCall


class NoParams(BaseModel):
    """The tool takes nothing."""


class _Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class ProviderOut(_Out):
    """Who answers model requests."""

    name: str
    ready: bool
    message: str


class CheckOut(_Out):
    """One check of doctor."""

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str
    fix: str | None


class SetupOut(_Out):
    """What is set up, without secrets."""

    version: str
    provider: ProviderOut
    project: str | None
    checks: list[CheckOut]


async def paige_setup(call: ToolCall, _: NoParams) -> SetupOut:
    """Describe this installation to an agent."""
    return SetupOut.model_validate(await describe_setup(call.app))


SETUP_TOOL = Tool(
    name="paige_setup",
    title="What is set up",
    description="Say what is set up in this Paige: version, provider, project, what needs fixing.",
    params=NoParams,
    result=SetupOut,
    run=paige_setup,
)
