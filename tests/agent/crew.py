"""A runtime for tests: scripted models, agents from texts, a workspace in a temporary folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from paige.agent.builtin_tools import builtin_tools
from paige.agent.hooks import Hook
from paige.agent.library.definitions import AgentDefinition, SkillDefinition, read_agent
from paige.agent.memories import NO_REQUEST, Request
from paige.agent.runs import NewRun, RunState, start_run
from paige.agent.segment import PreparedAgent, Runtime
from paige.agent.tools import Tool
from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.models.requests import Provider
from paige.models.scripted import Scripted
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database
from tests.conftest import NOON

ME = Actor()
_NUMBERS = count(1)


def agent_text(**front: str) -> str:
    """The file of an agent."""
    values = {"model": "sonnet", "provider": "anthropic", **front}
    return "\n".join(["---", *(f"{key}: {value}" for key, value in values.items()), "---", "Help."])


@dataclass
class Texts:
    """A library of agents given as texts."""

    agents: Mapping[str, str]
    known_skills: Mapping[str, SkillDefinition] = field(default_factory=dict)

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """Read an agent's text."""
        if agent not in self.agents:
            raise NotFound(f"There is no agent `{agent}`")
        source = self.agents[agent]
        return PreparedAgent(read_agent(source, f"{agent}.md"), source, f"You are {agent}.")

    def describe(self, agent: str) -> str:
        """Nothing more is known."""
        return f"The {agent}."

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """All of them."""
        return self.known_skills


class Nothing(BaseModel):
    """No parameters."""


def tool(
    name: str, run: Any, *, effect: Any = "pure", params: Any = Nothing, **more: Any
) -> Tool[Any]:
    """A tool of a test."""
    return Tool(name, f"The tool {name}.", params, effect, run, **more)


def make_runtime(
    db: Database,
    folder: Path,
    script: Any = (),
    *,
    provider: Provider | None = None,
    agents: Mapping[str, str] | None = None,
    tools: tuple[Tool[Any], ...] = (),
    hooks: tuple[Hook, ...] = (),
    **more: Any,
) -> Runtime:
    """A runtime whose clock stands at noon and whose ids are counted."""
    known = builtin_tools() | {tool.name: tool for tool in tools}
    return Runtime(
        db=db,
        provider=provider or Scripted(script),
        library=Texts(agents or {"helper": agent_text()}),
        documents=DirectoryDocuments(folder / "workspace"),
        tools=known,
        hooks={hook.name: hook for hook in hooks},
        now=more.pop("now", lambda: NOON),
        randomness=more.pop("randomness", lambda size: next(_NUMBERS).to_bytes(size)),
        **more,
    )


async def run(runtime: Runtime, prompt: str = "Do it", **more: Any) -> RunState:
    """Start a run of `helper`."""
    new = {"agent": "helper", "prompt": prompt, "purpose": "test", "door": "plan", **more}
    return await start_run(runtime, ME, NewRun(**new))


def at_noon() -> datetime:
    """The clock of the tests."""
    return NOON
