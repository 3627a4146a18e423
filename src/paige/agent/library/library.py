"""Agents from a plugin and a workspace: reads their files and assembles their prompts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paige.agent.context import Task, render_tasks
from paige.agent.library.definitions import (
    AgentDefinition,
    CommandDefinition,
    Plugin,
    SkillDefinition,
    read_agent,
)
from paige.agent.library.plugins import read_inside
from paige.agent.library.prompt import ManifestEntry, Prompt, PromptParts, WorkspaceFile, assemble
from paige.agent.library.skills import manifest
from paige.agent.memories import NO_REQUEST, PromptMemory, Request
from paige.agent.segment import PreparedAgent
from paige.base.errors import NotFound
from paige.store.documents import Documents

IDENTITY = "soul.md"


@dataclass(frozen=True, slots=True)
class PluginLibrary:
    """The agents of one plugin, prompted with one workspace."""

    plugin: Plugin
    documents: Documents
    command: CommandDefinition | None = None
    memory: PromptMemory | None = None
    tasks: tuple[Task, ...] = ()
    more: Callable[[Request], Sequence[WorkspaceFile]] | None = None  # what a request brings along

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """Read an agent's file as it is now and make its prompt. Raises: NotFound."""
        known = self._get(agent)
        file = Path(known.file)
        source = read_inside(file.parent, file.name)
        fresh = read_agent(source, known.file)
        files = {f"workspace/{file.path}": file.text for file in self._workspace(fresh, request)}
        if identity := self._optional(IDENTITY):
            files[f"workspace/{IDENTITY}"] = identity
        if fresh.memory and self.memory is not None:
            files |= self.memory.files
        return PreparedAgent(fresh, source, self.prompt(fresh, request).text, files)

    def describe(self, agent: str) -> str:
        """What an agent is for."""
        return self._get(agent).description

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """The skills an agent may read."""
        known = self.plugin.skills
        for name in agent.skills:
            if name not in known:  # the file was changed since the plugin was loaded
                raise NotFound(f"{agent.place('skills')}: there is no skill `{name}`")
        return {name: known[name] for name in agent.skills}

    def prompt(self, agent: AgentDefinition, request: Request = NO_REQUEST) -> Prompt:
        """The prompt of an agent, by sections."""
        memory = (self.memory if agent.memory else None) or PromptMemory()
        others = [other for other in self.plugin.agents.values() if other.name != agent.name]
        may_spawn = not agent.tools or "spawn_subagent" in agent.tools
        return assemble(
            PromptParts(
                identity=self._optional(IDENTITY),
                instructions=agent.body,
                workspace=tuple(self._workspace(agent, request)),
                teacher_memory=memory.teacher,
                teacher_topics=memory.topics,
                recalled=memory.recall(request) if memory.recall and request.text else "",
                class_memory=memory.of_class,
                skills=manifest(self.skills(agent).values()),
                command=self.command.body if self.command else "",
                commands=tuple(
                    ManifestEntry(name, command.description)
                    for name, command in self.plugin.commands.items()
                ),
                subagents=tuple(_listed(other) for other in others) if may_spawn else (),
                handoffs=tuple(_listed(self._get(name)) for name in agent.handoffs),
                tasks=tuple(render_tasks(self.tasks).splitlines()),
            )
        )

    def _get(self, agent: str) -> AgentDefinition:
        if agent not in self.plugin.agents:
            known = ", ".join(f"`{name}`" for name in self.plugin.agents)
            raise NotFound(f"There is no agent `{agent}`", hint=f"There are: {known}.")
        return self.plugin.agents[agent]

    def _workspace(self, agent: AgentDefinition, request: Request) -> list[WorkspaceFile]:
        """What the agent's file names, then what the request brings along; each file once."""
        try:
            own = [WorkspaceFile(path, self.documents.read(path).text) for path in agent.workspace]
        except NotFound as error:
            raise NotFound(f"{agent.file}: {error.message}", hint="Check `workspace`.") from error
        more = self.more(request) if self.more is not None else ()
        return [*own, *(file for file in more if file.path not in agent.workspace)]

    def _optional(self, path: str) -> str:
        try:
            return self.documents.read(path).text
        except NotFound:
            return ""


def _listed(agent: AgentDefinition) -> ManifestEntry:
    return ManifestEntry(agent.name, agent.description)
