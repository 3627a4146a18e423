"""From a prepared agent to work: its tools, hooks and limits, the same on every replay."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from paige.agent.definitions import AgentDefinition, read_agent
from paige.agent.handoffs import handoff_tool
from paige.agent.hooks import resolve_hooks
from paige.agent.limits import SUBAGENT_TURNS, Limits
from paige.agent.runtime import Prepared, Runtime
from paige.agent.subagents import SPAWN
from paige.agent.tools import Tool, choose_tools
from paige.agent.work import Work

Recorded = Mapping[str, Any]
TOOL_POINTS = ("pre_tool", "post_tool", "post_tool_failure")


def record_of(prepared: Prepared) -> dict[str, str]:
    """What the journal keeps of a prepared agent, so that a replay does not depend on files."""
    agent = prepared.agent
    system = prepared.system
    if agent.output_schema is not None:
        schema = json.dumps(agent.output_schema, ensure_ascii=False)
        asked = f"Answer with JSON alone, for this schema:\n{schema}"
        system += f"\n\n<answer_format>\n{asked}\n</answer_format>"
    return {"source": prepared.source, "file": agent.file, "system": system}


def first_work(
    runtime: Runtime,
    recorded: Recorded,
    *,
    purpose: str,
    limits: Limits,
    extra_hooks: tuple[str, ...],
) -> Work:
    """The work of the agent a run starts with; the caller's hooks run after its own."""
    agent = read_agent(recorded["source"], recorded["file"])
    tools = _tools(runtime, agent, nested=False)
    named = resolve_hooks(extra_hooks, runtime.hooks)
    return Work(
        agent=agent,
        system=recorded["system"],
        tools=tools,
        specs=tuple(tool.spec() for tool in tools.values()),
        hooks=resolve_hooks(agent.hooks, runtime.hooks, named),
        limits=limits,
        purpose=purpose,
        caller_hooks=named,
    )


def work_for(runtime: Runtime, recorded: Recorded, *, like: Work) -> Work:
    """The work of an agent that takes over; limits and the caller's hooks stay."""
    agent = read_agent(recorded["source"], recorded["file"])
    tools = _tools(runtime, agent, nested=like.nested)
    return replace(
        like,
        agent=agent,
        system=recorded["system"],
        tools=tools,
        specs=tuple(tool.spec() for tool in tools.values()),
        hooks=resolve_hooks(agent.hooks, runtime.hooks, like.caller_hooks),
    )


def nested_work(runtime: Runtime, recorded: Recorded, *, parent: Work, path: str) -> Work:
    """The work of a subagent: its own turns, the budget of the whole tree, no further agents."""
    turns = min(SUBAGENT_TURNS, read_agent(recorded["source"], recorded["file"]).max_turns)
    limits = replace(parent.limits, max_turns=turns)
    # What the caller forbids is forbidden to whomever an agent asks for help.
    gates = tuple(hook for hook in parent.caller_hooks if "pre_tool" in hook.points)
    alone = replace(parent, nested=True, path=path, limits=limits, caller_hooks=gates)
    return work_for(runtime, recorded, like=alone)


def limits_of(agent: AgentDefinition, *, max_turns: int | None = None) -> Limits:
    """The limits an agent declares; a caller may set the turns."""
    return Limits(
        max_turns=agent.max_turns if max_turns is None else max_turns,
        max_budget_usd=agent.max_budget_usd,
    )


def _tools(runtime: Runtime, agent: AgentDefinition, *, nested: bool) -> dict[str, Tool[Any]]:
    memory = agent.memory and runtime.memory is not None
    tools = choose_tools(dict(runtime.tools), agent.tools, memory=memory)
    if nested:
        tools.pop(SPAWN, None)
        return tools
    for target in agent.handoffs:
        tool = handoff_tool(target, runtime.library.describe(target))
        tools[tool.name] = tool
    return tools
