"""One call of a tool: done as often as its effect class allows, whatever happened before."""

from dataclasses import dataclass
from typing import Any

import anyio
import anyio.to_thread

from paige.agent.asking import RunStopped, count_again
from paige.agent.hook_steps import HookAborted
from paige.agent.interactions import Choices, Option
from paige.agent.journal import MISSING, Span
from paige.agent.notes import ToolEnded, ToolStarted
from paige.agent.segment import GateOpen
from paige.agent.tools import Tool, ToolScope, TryAgain, bounded, read_params
from paige.agent.turn import Turn
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.models.errors import ModelError
from paige.models.messages import ToolUse
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
class Said:
    """What a call answered."""

    text: str
    failed: bool = False


async def run_call(turn: Turn, call: Call, *, begun: bool) -> Said:
    """Run a call, or return what is recorded; `begun` means an earlier segment started it."""
    journal = turn.segment.journal
    known = journal.result(call.step)
    if known is not MISSING:
        if call.tool.effect == "nested":
            count_again(turn.segment, f"{turn.work.path}sub/{call.use.id}/")
        return Said(known["text"], known["failed"])
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


async def _effect(turn: Turn, call: Call) -> Said:
    """Do what a call asks; whatever goes wrong is an answer the model can read."""
    segment, tool = turn.segment, call.tool
    key = f"{segment.run}:{call.step}"
    scope = ToolScope(segment, turn.work, call.step, call.use.id, key, turn.context)
    try:
        params = read_params(tool, call.input)
        with anyio.fail_after(tool.seconds):
            if tool.change is not None:
                return Said(await _apply(scope, call, params))
            assert tool.run is not None, "a tool has `run` or `change`"
            return Said(bounded(await tool.run(scope, params)))
    except STOPS:
        raise
    except TryAgain as error:
        return Said(f"{error.message} Try again.", failed=True)
    except TimeoutError:
        return Said(f"`{tool.name}` did not end within {tool.seconds:g} s.", failed=True)
    except PaigeError as error:
        hint = f" {error.hint}" if error.hint else ""
        return Said(bounded(f"{error.message}{hint}"), failed=True)
    except Exception as error:  # noqa: BLE001 - tool errors are results, never the end of a loop
        return Said(bounded(f"`{tool.name}` failed: {type(error).__name__}: {error}"), failed=True)


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


def _ask_what_happened(turn: Turn, call: Call) -> Said | None:
    """A call that may or may not have happened is never repeated unasked."""
    unknown = f"It is not known whether `{call.tool.name}` happened before Paige was interrupted."
    if turn.work.nested:
        return Said(f"Needs decision: {unknown}", failed=True)
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
            return Said(f"`{call.tool.name}` was done; a person checked. Its output is not known.")
        case _:
            return Said(f"`{call.tool.name}` was not done; a person decided so.", failed=True)


def _span(turn: Turn, call: Call, said: Said, started: int) -> None:
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
