"""The tools of one turn: gates first, then intents, then all of them at once, then their results.

Results enter the history in the order of the calls, whichever ends first. Several gates may be open
at once: what may run, runs; what waits, waits.
"""

from dataclasses import dataclass, field, replace

import anyio

from paige.agent.effects import STOPS, Call, Said, run_call
from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.hooks import Verdict
from paige.agent.interactions import Choices, Option
from paige.agent.journal import MISSING
from paige.agent.segment import GateOpen, NeedsDecision
from paige.agent.turn import Turn
from paige.base.events import Event, PostTool, PostToolFailure, PreTool
from paige.models.messages import ToolResult, ToolUse


@dataclass(slots=True)
class Answered:
    """The results of a turn, and what hooks want the model to read with them.

    `uses` are the calls as the hooks left them.
    """

    uses: tuple[ToolUse, ...] = ()
    results: tuple[ToolResult, ...] = ()
    contexts: list[tuple[str, str]] = field(default_factory=list)


async def run_tools(turn: Turn, uses: tuple[ToolUse, ...]) -> Answered:
    """Run every call of a turn. Raises: HookAborted, GateOpen when a person must decide first."""
    answered = Answered()
    said: dict[str, Said] = {}
    calls: list[Call] = []
    stops: list[Exception] = []
    used = {use.id: use for use in uses}
    for use in uses:
        try:
            judged = await _judge(turn, use, answered)
        except GateOpen as gate:
            stops.append(gate)
            continue
        if isinstance(judged, Call):
            calls.append(judged)
            used[use.id] = replace(use, input=judged.input)
        else:
            said[use.id] = judged
    stops += await _run_all(turn, calls, said)
    if stops:
        # A question can wait; what went wrong must be told first.
        raise min(stops, key=lambda stop: isinstance(stop, GateOpen))
    answered.uses = tuple(used.values())
    for use in answered.uses:
        said[use.id] = await _after(turn, use, said[use.id], answered)
    answered.results = tuple(
        ToolResult(use.id, said[use.id].text, said[use.id].failed) for use in uses
    )
    return answered


async def _judge(turn: Turn, use: ToolUse, answered: Answered) -> Call | Said:
    """Ask the hooks whether a call may run; what may not is answered here."""
    tool = turn.work.tools.get(use.name)
    if tool is None:
        known = ", ".join(sorted(turn.work.tools))
        return Said(f"There is no tool `{use.name}`. There are: {known}.", failed=True)
    if use.broken:
        return Said("The input was not a JSON object. Send it again.", failed=True)
    event = PreTool(tool=use.name, input=dict(use.input), **_common(turn, use))
    verdict = await _decide(turn, use, event, answered)
    if isinstance(verdict, Said):
        return verdict
    step = f"{turn.at}tool/{use.id}"
    if verdict.ask is not None:
        refused = _ask_person(turn, step, use, verdict.ask)
        if refused is not None:
            return refused
    assert isinstance(verdict.event, PreTool)
    return Call(use, tool, verdict.event.input, step)


async def _after(turn: Turn, use: ToolUse, said: Said, answered: Answered) -> Said:
    """Let the hooks see, and perhaps change, what a call answered."""
    common = {"tool": use.name, "input": dict(use.input), **_common(turn, use)}
    event = (
        PostToolFailure(error=said.text, **common)
        if said.failed
        else PostTool(result=said.text, **common)
    )
    verdict = await _decide(turn, use, event, answered)
    if isinstance(verdict, Said):
        return verdict
    changed = verdict.event
    return Said(str(changed.result)) if isinstance(changed, PostTool) else said


async def _decide(turn: Turn, use: ToolUse, event: Event, answered: Answered) -> Verdict | Said:
    """Run the hooks of a call; a refusal is what the call answers."""
    at = f"{turn.at}tool/{use.id}/"
    try:
        verdict = await run_hooks(turn, event, at=at)
    except NeedsDecision as needs:
        return Said(f"Needs decision: {needs.interaction.title}", failed=True)
    answered.contexts += verdict.contexts
    if verdict.abort is not None:
        raise HookAborted(*verdict.abort)
    if verdict.deny is not None:
        return Said(f"Refused: {verdict.deny}", failed=True)
    return verdict


def _ask_person(turn: Turn, step: str, use: ToolUse, reason: str) -> Said | None:
    if turn.work.nested:
        return Said(f"Needs decision: {reason}", failed=True)
    question = Choices(
        title=f"May the agent use `{use.name}`?",
        text=reason,
        options=(Option("allow", "Allow it"), Option("deny", "Refuse it")),
    )
    reply = turn.segment.ask(f"{step}/ask", question)
    return None if reply.option == "allow" else Said(f"Refused by a person: {reason}", failed=True)


async def _run_all(turn: Turn, calls: list[Call], said: dict[str, Said]) -> list[Exception]:
    """Run the calls at the same time, intents kept before the first effect; return what stopped."""
    journal = turn.segment.journal
    begun = {call.step: bool(journal.intents(call.step)) for call in calls}
    fresh = [call for call in calls if journal.result(call.step) is MISSING]
    for call in fresh:
        writes_its_own = call.tool.effect == "file"  # with hashes
        if not begun[call.step] and not writes_its_own:
            once = call.tool.effect == "once"
            journal.intend(call.step, {"tool": call.tool.name}, durable=once)
    if fresh:
        await journal.flush()
    stops: list[Exception] = []

    async def run(call: Call) -> None:
        try:
            said[call.use.id] = await run_call(turn, call, begun=begun[call.step])
        except STOPS as stop:
            stops.append(stop)

    if len(calls) == 1:
        await run(calls[0])
    else:
        async with anyio.create_task_group() as tasks:
            for call in calls:
                tasks.start_soon(run, call)
    return stops


def _common(turn: Turn, use: ToolUse) -> dict[str, str]:
    return {"session": turn.segment.session, "call": use.id, "agent": turn.work.agent.name}
