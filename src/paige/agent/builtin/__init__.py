"""The tools every agent may have."""

from pathlib import Path
from typing import Any

from paige.agent.builtin.files import FILE_TOOLS
from paige.agent.builtin.memory import MEMORY_TOOLS
from paige.agent.builtin.past_sessions import SESSION_TOOLS
from paige.agent.builtin.shell import bash_tool
from paige.agent.builtin.skill_reading import SKILL_TOOLS
from paige.agent.builtin.tasks import TASK_TOOLS
from paige.agent.subagents import SPAWN_SUBAGENT
from paige.agent.tools import Tool


def builtin_tools(*, project: Path | None = None) -> dict[str, Tool[Any]]:
    """Every built-in tool by name; `bash` only where there is a project to work in."""
    tools: list[Tool[Any]] = [
        *FILE_TOOLS,
        *SKILL_TOOLS,
        *MEMORY_TOOLS,
        *SESSION_TOOLS,
        *TASK_TOOLS,
        SPAWN_SUBAGENT,
    ]
    if project is not None:
        tools.append(bash_tool(project))
    return {tool.name: tool for tool in tools}
