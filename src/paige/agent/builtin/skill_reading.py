"""`read_skill`: tiers 2 and 3 of an agent's skills."""

import anyio.to_thread
from pydantic import BaseModel, Field

from paige.agent.skills import read_skill, tier_of
from paige.agent.tools import Tool, ToolFailed, ToolScope


class ReadSkill(BaseModel):
    """A skill, or a file of one."""

    reference: str = Field(description="`name` for a skill, `name/file.md` for a file of it.")


async def read(scope: ToolScope, params: ReadSkill) -> str:
    """The text of a skill with its references expanded; what is missing is said in it."""
    skills = scope.segment.runtime.library.skills(scope.work.agent)
    found = await anyio.to_thread.run_sync(read_skill, skills, params.reference)
    if not found.found:
        raise ToolFailed(found.text)
    return found.text


def _attributes(params: ReadSkill) -> dict[str, object]:
    return {"skill": params.reference, "skill_tier": tier_of(params.reference)}


SKILL_TOOLS = (
    Tool(
        "read_skill",
        "Read a skill (`name`) or one of its reference files (`name/file.md`).",
        ReadSkill,
        "pure",
        read,
        attributes=_attributes,
    ),
)
