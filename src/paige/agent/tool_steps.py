"""The tools of one turn: gates first, then intents, then all of them at once, then their results.

Results enter the history in the order of the calls, whichever ends first. Several gates may be open
at once: what may run, runs; what waits, waits. A call is done as often as its effect class allows,
whatever happened before.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import anyio
import anyio.to_thread

from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.hooks import Verdict
from paige.agent.interactions import Choices, Option
from paige.agent.journal import MISSING, Span
from paige.agent.model_step import RunStopped, count_again
from paige.agent.segment import GateOpen, NeedsDecision, ToolEnded, ToolStarted, Turn
from paige.agent.tools import Tool, ToolScope, TryAgain, bounded, read_params
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.events import Event, PostTool, PostToolFailure, PreTool
from paige.models.errors import ModelError
from paige.models.messages import ToolResult, ToolUse
from paige.store.documents import NEW, Documents, version_of

STOPS = (GateOpen, HookAborted, RunStopped, ModelError)


"""What ends a segment, also from inside a subagent; everything else is a tool's answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that may run: the tool and the input the hooks left it."""

    use: ToolUse
    tool: Tool[Any]
    input: dict[str, Any]
    step: str


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a call answered."""

    text: str
    failed: bool = False


async def run_call(turn: Turn, call: Call, *, begun: bool) -> CallAnswer:
    """Run a call, or return what is recorded; `begun` means an earlier segment started it."""
    journal = turn.segment.journal
    known = journal.result(call.step)
    if known is not MISSING:
        if call.tool.effect == "nested":
            count_again(turn.segment, f"{turn.work.path}sub/{call.use.id}/")
        return CallAnswer(known["text"], known["failed"])
    if begun and call.tool.effect == "once":
        skipped = _ask_what_happened(turn, call)
        if skipped is not None:
            journal.record(call.step, {"text": skipped.text, "failed": skipped.failed})
            return skipped
        # Another intent: if this attempt is cut off too, the old answer does not count for it.
        journal.intend(call.step, {"tool": call.tool.name})
        await journal.flush()
    turn.segment.note(ToolStarted(call.step, call.tool.name))
    started = turn.segment.now_us()
    said = await _effect(turn, call)
    journal.record(call.step, {"text": said.text, "failed": said.failed})
    _span(turn, call, said, started)
    turn.segment.note(ToolEnded(call.step, call.tool.name, said.failed))
    if call.tool.effect in ("once", "file"):
        await journal.flush()  # what cannot be repeated is kept at once
    return said


async def _effect(turn: Turn, call: Call) -> CallAnswer:
    """Do what a call asks; whatever goes wrong is an answer the model can read."""
    segment, tool = turn.segment, call.tool
    key = f"{segment.run}:{call.step}"
    scope = ToolScope(segment, turn.work, call.step, call.use.id, key, turn.context)
    try:
        params = read_params(tool, call.input)
        with anyio.fail_after(tool.seconds):
            if tool.change is not None:
                return CallAnswer(await _apply(scope, call, params))
            assert tool.run is not None, "a tool has `run` or `change`"
            return CallAnswer(bounded(await tool.run(scope, params)))
    except STOPS:
        raise
    except TryAgain as error:
        return CallAnswer(f"{error.message} Try again.", failed=True)
    except TimeoutError:
        return CallAnswer(f"`{tool.name}` did not end within {tool.seconds:g} s.", failed=True)
    except PaigeError as error:
        hint = f" {error.hint}" if error.hint else ""
        return CallAnswer(bounded(f"{error.message}{hint}"), failed=True)
    except Exception as error:  # noqa: BLE001 - tool errors are results, never the end of a loop
        return CallAnswer(
            bounded(f"`{tool.name}` failed: {type(error).__name__}: {error}"), failed=True
        )


async def _apply(scope: ToolScope, call: Call, params: Any) -> str:  # noqa: ANN401 - the tool's own
    """Write a document so that a crash at any moment leaves it written once or not at all."""
    journal, documents = scope.segment.journal, scope.segment.runtime.documents
    for intent in journal.intents(call.step):
        now = await anyio.to_thread.run_sync(_version, documents, intent["path"])
        if now == intent["after"]:
            return intent["said"]  # it was written before the crash
        if now != intent["before"]:
            raise TryAgain(f"`{intent['path']}` was changed meanwhile. Read it again.")
    assert call.tool.change is not None
    change = await call.tool.change(scope, params)
    after = version_of(change.text)
    intent = {"path": change.path, "before": change.base, "after": after, "said": change.said}
    journal.intend(call.step, intent)
    await journal.flush()

    def write() -> None:
        documents.write(change.path, change.text, base=change.base)

    try:
        await anyio.to_thread.run_sync(write)
    except Conflict as error:
        raise TryAgain(f"`{change.path}` was changed meanwhile. Read it again.") from error
    return change.said


def _version(documents: Documents, path: str) -> str:
    try:
        return documents.read(path).version
    except NotFound:
        return NEW


def _ask_what_happened(turn: Turn, call: Call) -> CallAnswer | None:
    """A call that may or may not have happened is never repeated unasked."""
    unknown = f"It is not known whether `{call.tool.name}` happened before Paige was interrupted."
    if turn.work.nested:
        return CallAnswer(f"Needs decision: {unknown}", failed=True)
    question = Choices(
        title="Outcome unknown",
        text=f"{unknown} Its input was `{call.input}`.",
        options=(
            Option("happened", "It happened; go on"),
            Option("again", "It did not; do it now"),
            Option("skip", "Leave it; tell the agent"),
        ),
    )
    attempts = len(turn.segment.journal.intents(call.step))
    gate = f"{call.step}/unknown" + (f"/{attempts}" if attempts > 1 else "")
    match turn.segment.ask(gate, question).option:
        case "again":
            return None
        case "happened":
            return CallAnswer(
                f"`{call.tool.name}` was done; a person checked. Its output is not known."
            )
        case _:
            return CallAnswer(f"`{call.tool.name}` was not done; a person decided so.", failed=True)


def _span(turn: Turn, call: Call, said: CallAnswer, started: int) -> None:
    attributes: dict[str, Any] = {"input": call.input, "output": said.text[:2000]}
    if call.tool.attributes is not None and not said.failed:
        attributes |= call.tool.attributes(call.tool.params.model_validate(call.input))
    turn.segment.span(
        Span(
            step=call.step,
            parent=call.step.partition("/tool/")[0],
            kind="tool",
            name=call.tool.name,
            started_us=started,
            ended_us=turn.segment.now_us(),
            failed=said.failed,
            attributes=attributes,
        )
    )


@dataclass(slots=True)
class ToolAnswers:
    """The results of a turn, and what hooks want the model to read with them.

    `uses` are the calls as the hooks left them.
    """

    uses: tuple[ToolUse, ...] = ()
    results: tuple[ToolResult, ...] = ()
    contexts: list[tuple[str, str]] = field(default_factory=list)


async def run_tools(turn: Turn, uses: tuple[ToolUse, ...]) -> ToolAnswers:
    """Run every call of a turn. Raises: HookAborted, GateOpen when a person must decide first."""
    answered = ToolAnswers()
    said: dict[str, CallAnswer] = {}
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


async def _judge(turn: Turn, use: ToolUse, answered: ToolAnswers) -> Call | CallAnswer:
    """Ask the hooks whether a call may run; what may not is answered here."""
    tool = turn.work.tools.get(use.name)
    if tool is None:
        known = ", ".join(sorted(turn.work.tools))
        return CallAnswer(f"There is no tool `{use.name}`. There are: {known}.", failed=True)
    if use.broken:
        return CallAnswer("The input was not a JSON object. Send it again.", failed=True)
    event = PreTool(tool=use.name, input=dict(use.input), **_common(turn, use))
    verdict = await _decide(turn, use, event, answered)
    if isinstance(verdict, CallAnswer):
        return verdict
    step = f"{turn.at}tool/{use.id}"
    if verdict.ask is not None:
        refused = _ask_person(turn, step, use, verdict.ask)
        if refused is not None:
            return refused
    assert isinstance(verdict.event, PreTool)
    return Call(use, tool, verdict.event.input, step)


async def _after(turn: Turn, use: ToolUse, said: CallAnswer, answered: ToolAnswers) -> CallAnswer:
    """Let the hooks see, and perhaps change, what a call answered."""
    common = {"tool": use.name, "input": dict(use.input), **_common(turn, use)}
    event = (
        PostToolFailure(error=said.text, **common)
        if said.failed
        else PostTool(result=said.text, **common)
    )
    verdict = await _decide(turn, use, event, answered)
    if isinstance(verdict, CallAnswer):
        return verdict
    changed = verdict.event
    return CallAnswer(str(changed.result)) if isinstance(changed, PostTool) else said


async def _decide(
    turn: Turn, use: ToolUse, event: Event, answered: ToolAnswers
) -> Verdict | CallAnswer:
    """Run the hooks of a call; a refusal is what the call answers."""
    at = f"{turn.at}tool/{use.id}/"
    try:
        verdict = await run_hooks(turn, event, at=at)
    except NeedsDecision as needs:
        return CallAnswer(f"Needs decision: {needs.interaction.title}", failed=True)
    answered.contexts += verdict.contexts
    if verdict.abort is not None:
        raise HookAborted(*verdict.abort)
    if verdict.deny is not None:
        return CallAnswer(f"Refused: {verdict.deny}", failed=True)
    return verdict


def _ask_person(turn: Turn, step: str, use: ToolUse, reason: str) -> CallAnswer | None:
    if turn.work.nested:
        return CallAnswer(f"Needs decision: {reason}", failed=True)
    question = Choices(
        title=f"May the agent use `{use.name}`?",
        text=reason,
        options=(Option("allow", "Allow it"), Option("deny", "Refuse it")),
    )
    reply = turn.segment.ask(f"{step}/ask", question)
    return (
        None
        if reply.option == "allow"
        else CallAnswer(f"Refused by a person: {reason}", failed=True)
    )


async def _run_all(turn: Turn, calls: list[Call], said: dict[str, CallAnswer]) -> list[Exception]:
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
