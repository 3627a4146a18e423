"""Subagents: an isolated loop inside a tool call, one level deep, that returns a summary."""

from dataclasses import replace

from pydantic import BaseModel, Field

from paige.agent.context import RunContext
from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.hooks import Verdict
from paige.agent.journal import MISSING, Span
from paige.agent.memories import Request
from paige.agent.segment import NeedsDecision
from paige.agent.tools import Tool, ToolFailed, ToolScope
from paige.agent.turn import Turn
from paige.agent.work import Work
from paige.base.events import Event, SubagentStart, SubagentStop

SPAWN = "spawn_subagent"
SUBAGENT_SECONDS = 3600.0
MOST_REFUSED_STOPS = 3
REPORT = (
    "When you are done, answer with a short summary: what you decided, which constraints you met, "
    "and what is still open."
)


class Spawn(BaseModel):
    """Give a task to another agent that works alone and reports back."""

    agent: str = Field(description="Name of the agent.")
    task: str = Field(min_length=1, description="The task, with everything it needs to know.")


async def spawn(scope: ToolScope, params: Spawn) -> str:
    """Run a subagent to its end and return what it reports."""
    # The loop runs tools and this tool runs the loop: the two meet here.
    from paige.agent.loop import run_loop  # noqa: PLC0415
    from paige.agent.preparing import nested_work, record_of  # noqa: PLC0415

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
