"""The agents of a run: made ready for work, working for one another, taking over from each other.

What an agent may use follows from its definition and is the same on every replay. A subagent is an
isolated loop inside a tool call, one level deep, that returns a summary. At a handoff the history
stays; prompt and tools are new.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, Field

from paige.agent.context import RunContext
from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.hooks import Verdict, resolve_hooks
from paige.agent.journal import MISSING, Span
from paige.agent.library.definitions import AgentDefinition, read_agent
from paige.agent.limits import SUBAGENT_TURNS, Limits
from paige.agent.memories import Request
from paige.agent.segment import NeedsDecision, PreparedAgent, Runtime, Segment, Turn, Work
from paige.agent.tools import Tool, ToolFailed, ToolScope, choose_tools
from paige.base.events import Event, SubagentStart, SubagentStop
from paige.base.events import Handoff as HandoffEvent
from paige.models.messages import ToolResult, ToolUse, user_message

SPAWN = "spawn_subagent"
SUBAGENT_SECONDS = 3600.0
MOST_REFUSED_STOPS = 3
REPORT = (
    "When you are done, answer with a short summary: what you decided, which constraints you met, "
    "and what is still open."
)
Recorded = Mapping[str, Any]


class Spawn(BaseModel):
    """Give a task to another agent that works alone and reports back."""

    agent: str = Field(description="Name of the agent.")
    task: str = Field(min_length=1, description="The task, with everything it needs to know.")


async def spawn(scope: ToolScope, params: Spawn) -> str:
    """Run a subagent to its end and return what it reports."""
    # The loop runs tools and this tool runs the loop: the two meet here.
    from paige.agent.loop import run_loop  # noqa: PLC0415

    segment, parent = scope.segment, scope.work
    if parent.nested:
        raise ToolFailed("A subagent cannot start another one.")
    step = f"{scope.path}/agent"
    recorded = segment.journal.result(step)
    if recorded is MISSING:
        recorded = record_of(segment.runtime.library.prepare(params.agent, Request(params.task)))
        segment.journal.record(step, recorded)
    path = f"{parent.path}sub/{scope.call}/"
    work = nested_work(segment.runtime, recorded, parent=parent, path=path)
    started = segment.now_us()
    start = SubagentStart(session=segment.session, agent=params.agent, task=params.task)
    turn = Turn(segment, parent, scope.context, path)
    await _decide(turn, start)
    context, task = RunContext(()), f"{params.task}\n\n{REPORT}"
    status, output, reason = "", "", ""
    for number in range(MOST_REFUSED_STOPS + 1):
        again = f"again{number}/" if number else ""
        try:
            ending = await run_loop(segment, replace(work, path=path + again), context, task)
            status, output, reason = ending.status, ending.output, ending.reason
        except NeedsDecision as needs:
            ending = None
            status, output, reason = "needs decision", "", needs.interaction.title
        stop = SubagentStop(session=segment.session, agent=params.agent, again=number > 0)
        verdict = await _decide(replace(turn, at=f"{path}{again}"), stop)
        if ending is None or verdict.keep_working is None:
            break
        context, task = ending.context, verdict.keep_working
    _span(scope, work, started, params, status, output)
    if status == "needs decision":
        raise ToolFailed(f"Needs decision: only a person can answer this: {reason}")
    if status != "success":
        raise ToolFailed(f"The subagent ended with {status}: {reason} {output}".rstrip())
    return output


async def _decide(turn: Turn, event: Event) -> Verdict:
    """Let the parent's hooks judge. Raises: ToolFailed when they refuse, HookAborted."""
    verdict = await run_hooks(turn, event)
    if verdict.abort is not None:
        raise HookAborted(*verdict.abort)
    if verdict.deny is not None:
        raise ToolFailed(f"Refused: {verdict.deny}")
    return verdict


def _span(
    scope: ToolScope, work: Work, started: int, params: Spawn, status: str, output: str
) -> None:
    scope.segment.span(
        Span(
            step=work.path.rstrip("/"),
            parent=scope.path,
            kind="subagent",
            name=params.agent,
            started_us=started,
            ended_us=scope.segment.now_us(),
            failed=status != "success",
            attributes={"task": params.task, "status": status, "summary": output[:2000]},
        )
    )


SPAWN_SUBAGENT = Tool(
    name=SPAWN,
    description=(
        "Give a task to another agent. It sees nothing of this conversation, works alone and "
        "returns a summary."
    ),
    params=Spawn,
    effect="nested",
    run=spawn,
    seconds=SUBAGENT_SECONDS,
)


PREFIX = "transfer_to_"


class HandoffContext(BaseModel):
    """What the next agent must know; it reads this before its first answer."""

    reason: str = Field(min_length=1, description="Why the other agent should take over.")
    decisions: list[str] = Field(description="What has been decided so far.")
    constraints: list[str] = Field(description="What must be kept to.")
    open_questions: list[str] = Field(default_factory=list, description="What is still open.")


@dataclass(frozen=True, slots=True)
class Handoff:
    """A transfer the model asked for and no hook refused."""

    call: str
    target: str
    context: dict[str, Any]

    @classmethod
    def of(
        cls, work: Work, uses: tuple[ToolUse, ...], results: tuple[ToolResult, ...]
    ) -> "Handoff | None":
        """The first transfer of a turn that went through."""
        for use, result in zip(uses, results, strict=True):
            if use.name.startswith(PREFIX) and use.name in work.tools and not result.is_error:
                return cls(use.id, use.name.removeprefix(PREFIX), dict(use.input))
        return None


def handoff_tool(target: str, description: str) -> Tool[HandoffContext]:
    """The tool that transfers to one agent."""
    return Tool(
        name=f"{PREFIX}{target}",
        description=f"Hand the conversation to the agent `{target}`. {description}".strip(),
        params=HandoffContext,
        effect="pure",
        run=_accepted,
    )


async def take_over(
    segment: Segment, work: Work, context: RunContext, handoff: Handoff, *, at: str
) -> tuple[Work, RunContext]:
    """Let the other agent go on. Raises: HookAborted when a hook refuses."""
    block = _block(work.agent.name, HandoffContext.model_validate(handoff.context))
    event = HandoffEvent(
        session=segment.session, source=work.agent.name, target=handoff.target, context=block
    )
    verdict = await run_hooks(Turn(segment, work, context, at), event)
    if verdict.abort is not None or verdict.deny is not None:
        rule, reason = verdict.abort or ("handoff", verdict.deny or "")
        raise HookAborted(rule, reason)
    step = f"{at}handoff"
    known = segment.journal.result(step)
    if known is MISSING:
        prepared = segment.runtime.library.prepare(handoff.target)
        known = record_of(prepared)
        segment.journal.record(step, known)
        now = segment.now_us()
        names = {"from": work.agent.name, "to": handoff.target, "context": block}
        segment.span(
            Span(step, at.rstrip("/"), "handoff", handoff.target, now, now, attributes=names)
        )
    next_work = work_for(segment.runtime, known, like=work)
    return next_work, context.said(user_message(block))


def _block(source: str, context: HandoffContext) -> str:
    parts = [f'<handoff from="{source}">', f"Reason: {context.reason}"]
    for title, items in (
        ("Decisions", context.decisions),
        ("Constraints", context.constraints),
        ("Open questions", context.open_questions),
    ):
        parts += [f"{title}:", *(f"- {item}" for item in items)] if items else []
    return "\n".join([*parts, "</handoff>"])


async def _accepted(scope: ToolScope, params: HandoffContext) -> str:
    return "The other agent takes over."


def record_of(prepared: PreparedAgent) -> dict[str, str]:
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
