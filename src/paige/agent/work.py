"""The work of one agent inside a run: its prompt, tools, hooks, limits, and its path."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paige.agent.definitions import AgentDefinition
from paige.agent.hooks import Hook
from paige.agent.limits import Limits
from paige.agent.tools import Tool
from paige.models.requests import ToolSpec


@dataclass(frozen=True, slots=True)
class Work:
    """One agent at work; `path` is the prefix of its steps, `nested` means a subagent."""

    agent: AgentDefinition
    system: str
    tools: Mapping[str, Tool[Any]]
    specs: tuple[ToolSpec, ...]
    hooks: tuple[Hook, ...]
    limits: Limits
    purpose: str
    caller_hooks: tuple[Hook, ...] = ()  # also among `hooks`; they stay when another takes over
    path: str = ""
    nested: bool = False

    def hooks_at(self, point: str) -> tuple[Hook, ...]:
        """The hooks of one point, in their order."""
        return tuple(hook for hook in self.hooks if point in hook.points)
