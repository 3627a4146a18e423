"""What people write in markdown: agents, commands, skills and plugins, read from front matter.

A definition is a value; reading one touches no disk. Keys that only
Claude Code knows are kept in `metadata`, because the same files must work there;
any other key is a question back to the author, with file and line.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from paige.agent.keys import Keys
from paige.base.frontmatter import Value

Provider = Literal["anthropic", "openai", "openai-compatible", "local"]
Mode = Literal["single", "interactive"]

PROVIDERS: tuple[Provider, ...] = ("anthropic", "openai", "openai-compatible", "local")
MODES: tuple[Mode, ...] = ("single", "interactive")
MAX_TURNS = 1000
_AGENT_KEYS = (
    "model",
    "provider",
    "workspace",
    "skills",
    "tools",
    "hooks",
    "memory",
    "handoffs",
    "outputSchema",
    "maxTurns",
    "maxBudgetUsd",
)


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent: which model it asks, what it may use, and its instructions."""

    name: str
    model: str
    provider: Provider
    body: str
    file: str
    digest: str
    description: str = ""
    workspace: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # empty: every built-in tool but bash
    hooks: tuple[str, ...] = ()
    memory: bool = True
    handoffs: tuple[str, ...] = ()
    output_schema: dict[str, Value] | None = None
    max_turns: int = 25
    max_budget_usd: float | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


@dataclass(frozen=True, slots=True)
class CommandDefinition:
    """A command: which agent carries it out, and the framing of its task."""

    name: str
    agent: str
    description: str
    body: str
    file: str
    digest: str
    mode: Mode = "single"
    writes: str | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)

    def place(self, key: str) -> str:
        """`file:line` of a key, for messages."""
        return f"{self.file}:{self.lines.get(key, 1)}"


@dataclass(frozen=True, slots=True)
class SkillDefinition:
    """A skill: a folder with SKILL.md and reference files, which are read when asked for."""

    name: str
    description: str
    body: str
    folder: Path
    digest: str
    files: tuple[str, ...] = ()
    metadata: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plugin:
    """A folder of agents, commands and skills."""

    name: str
    version: str
    description: str
    body: str
    folder: Path
    agents: Mapping[str, AgentDefinition] = field(default_factory=dict)
    commands: Mapping[str, CommandDefinition] = field(default_factory=dict)
    skills: Mapping[str, SkillDefinition] = field(default_factory=dict)


def read_agent(text: str, file: str) -> AgentDefinition:
    """Read an agent; its name is the file's. Raises: BadInput with file and line."""
    keys = Keys(text, file, _AGENT_KEYS)
    return AgentDefinition(
        name=keys.name(Path(file).stem),
        model=keys.required("model"),
        provider=keys.choice("provider", PROVIDERS),
        body=keys.body,
        file=file,
        digest=_digest(text),
        description=keys.text("description"),
        workspace=keys.paths("workspace"),
        skills=keys.words("skills"),
        tools=keys.words("tools"),
        hooks=keys.words("hooks"),
        memory=keys.flag("memory", default=True),
        handoffs=keys.words("handoffs"),
        output_schema=keys.schema("outputSchema"),
        max_turns=keys.number("maxTurns", default=25, most=MAX_TURNS),
        max_budget_usd=keys.amount("maxBudgetUsd"),
        metadata=keys.metadata(),
        lines=keys.lines,
    )


def read_command(text: str, file: str) -> CommandDefinition:
    """Read a command; its name is the file's. Raises: BadInput with file and line."""
    keys = Keys(text, file, ("agent", "mode", "writes"))
    return CommandDefinition(
        name=keys.name(Path(file).stem),
        agent=keys.required("agent"),
        description=keys.required("description"),
        body=keys.body,
        file=file,
        digest=_digest(text),
        mode=keys.choice("mode", MODES, default="single"),
        writes=keys.path("writes"),
        metadata=keys.metadata(),
        lines=keys.lines,
    )


def read_skill_file(text: str, folder: Path, files: tuple[str, ...] = ()) -> SkillDefinition:
    """Read a SKILL.md; its name is the folder's. Raises: BadInput with file and line."""
    keys = Keys(text, str(folder / "SKILL.md"), ())
    return SkillDefinition(
        name=keys.name(folder.name),
        description=keys.required("description"),
        body=keys.body,
        folder=folder,
        digest=_digest(text),
        files=files,
        metadata=keys.metadata(),
    )


def read_plugin_file(text: str, folder: Path) -> Plugin:
    """Read a PLUGIN.md; what the plugin adds is in its folder. Raises: BadInput."""
    keys = Keys(text, str(folder / "PLUGIN.md"), ("version",))
    return Plugin(
        name=keys.name(keys.required("name")),
        version=keys.required("version"),
        description=keys.required("description"),
        body=keys.body,
        folder=folder,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
