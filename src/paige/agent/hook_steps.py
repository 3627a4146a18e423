"""Running the hooks of one point: in order, recorded, each a span."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import anyio

from paige.agent.hooks import (
    Hook,
    HookView,
    Proposal,
    Verdict,
    dump_decision,
    load_decision,
)
from paige.agent.interactions import Interaction
from paige.agent.journal import MISSING, Span
from paige.agent.model_step import ask_in_hook, count_again
from paige.agent.segment import GateOpen, NeedsDecision, Segment, Turn
from paige.base.errors import PaigeError
from paige.base.events import (
    Abort,
    AddContext,
    Ask,
    Decision,
    Deny,
    Event,
    KeepWorking,
    Modify,
)


@dataclass(frozen=True, slots=True)
class _Proposal:
    """What a hook proposed, and the fault if it could not."""

    proposal: Proposal
    fault: str = ""


class HookAborted(Exception):
    """A hook ended the loop."""

    def __init__(self, hook: str, reason: str) -> None:
        super().__init__(reason)
        self.hook = hook
        self.reason = reason


async def run_hooks(turn: Turn, event: Event, *, at: str | None = None) -> Verdict:
    """Run the hooks of an event's point; `at` is the path of the call, if it is about one.

    Raises: GateOpen, NeedsDecision.
    """
    hooks = [hook for hook in turn.work.hooks_at(event.name) if hook.concerns(event)]
    if not hooks:
        return Verdict(event)
    journal = turn.segment.journal
    step = f"{turn.at if at is None else at}hook/{event.name}"
    known = journal.result(step)
    if known is not MISSING:
        if any(hook.asks_models for hook in hooks):
            count_again(turn.segment, f"{step}/")
        return _fold(event, {name: load_decision(data) for name, data in known.items()})
    decisions: dict[str, Decision | None] = {}
    seen = event
    for hook in hooks:
        if hook.resolve is not None and _sent_back(decisions):
            continue  # nobody is asked about an answer that goes back to the model
        try:
            decisions[hook.name] = await _one(turn, hook, seen, f"{step}/{hook.name}")
        except (GateOpen, NeedsDecision):
            # The hooks before this one must not change their minds when the run goes on.
            for name, decision in decisions.items():
                journal.record(f"{step}/{name}", dump_decision(decision))
            raise
        match decisions[hook.name]:
            case Abort() | Deny():
                break
            case Modify() as decision:
                seen = _modified(seen, decision)
    journal.record(step, {name: dump_decision(made) for name, made in decisions.items()})
    return _fold(event, decisions)


async def _one(turn: Turn, hook: Hook, event: Event, step: str) -> Decision | None:
    known = turn.segment.journal.result(step)
    if known is not MISSING:
        if hook.asks_models:
            count_again(turn.segment, f"{step}/")
        return load_decision(known)
    view = _view(turn, step)
    started = turn.segment.now_us()
    judged = await _guarded(hook, event, partial(hook.propose, view, event))
    for number in range(1, hook.questions + 1):
        if not isinstance(judged.proposal, Interaction):
            break
        if turn.work.nested:
            raise NeedsDecision(judged.proposal)
        if hook.resolve is None:
            reason = "it asked a question it cannot take an answer to"
            judged = _Proposal(Abort(rule=hook.name, reason=reason))
            break
        reply = turn.segment.ask(f"{step}/{number}", judged.proposal)
        judged = await _guarded(hook, event, partial(hook.resolve, view, event, reply))
    decision = judged.proposal
    if isinstance(decision, Interaction):
        decision = Abort(rule=hook.name, reason=f"it asked more than {hook.questions} questions")
    turn.segment.span(
        Span(
            step=step,
            parent=f"/{step}".partition("/hook/")[0][1:],
            kind="hook",
            name=hook.name,
            started_us=started,
            ended_us=turn.segment.now_us(),
            failed=bool(judged.fault) or isinstance(decision, Abort),
            attributes={**view.notes, **_attributes(event, decision, judged.fault)},
        )
    )
    return decision


async def _guarded(hook: Hook, event: Event, call: Callable[[], Any]) -> _Proposal:
    """Run a hook; its fault denies at a gate, ends the run if required, else is recorded."""
    try:
        with anyio.move_on_after(hook.seconds):
            return _Proposal(await call())
        reason = f"the hook `{hook.name}` did not answer in {hook.seconds:g} s"
    except PaigeError as error:
        reason = f"the hook `{hook.name}` failed: {error.message}"
    except Exception as error:  # noqa: BLE001 - a crash here must not let a call through
        reason = f"the hook `{hook.name}` failed: {type(error).__name__}: {error}"
    if event.gate:
        return _Proposal(Deny(reason=reason), reason)
    return _Proposal(Abort(rule=hook.name, reason=reason) if hook.required else None, reason)


def _fold(event: Event, decisions: dict[str, Decision | None]) -> Verdict:
    verdict = Verdict(event, decisions=decisions)
    for name, decision in decisions.items():
        match decision:
            case Deny():
                verdict = replace(verdict, deny=decision.reason)
            case Ask():
                verdict = replace(verdict, ask=decision.reason)
            case Modify():
                verdict = replace(verdict, event=_modified(verdict.event, decision))
            case AddContext():
                verdict = replace(verdict, contexts=(*verdict.contexts, (name, decision.text)))
            case KeepWorking():
                reasons = (verdict.keep_working, decision.reason)
                verdict = replace(verdict, keep_working="\n\n".join(filter(None, reasons)))
            case Abort():
                verdict = replace(verdict, abort=(decision.rule, decision.reason))
    return verdict


def _sent_back(decisions: dict[str, Decision | None]) -> bool:
    return any(isinstance(decision, KeepWorking) for decision in decisions.values())


def _modified(event: Event, decision: Modify) -> Event:
    """The event as later hooks and the tool see it: another input, prompt, or result."""
    values = event.fields()
    if "result" in values:
        values["result"] = decision.input.get("result", values["result"])
    elif "input" in values:
        values["input"] = decision.input
    elif "prompt" in values:
        values["prompt"] = decision.input.get("prompt", values["prompt"])
    elif "output" in values:
        values["output"] = decision.input.get("output", values["output"])
    return type(event)(**values)


def _view(turn: Turn, step: str) -> HookView:
    segment = turn.segment
    return HookView(
        run=segment.run,
        session=segment.session,
        agent=turn.work.agent.name,
        path=step,
        context=turn.context,
        inputs=segment.inputs,
        step=partial(_step, segment, step),
        ask=lambda name, request: ask_in_hook(segment, request, step=f"{step}/ask/{name}/model"),
        source=segment.provider.name,
        nested=turn.work.nested,
    )


async def _step(segment: Segment, hook: str, name: str, call: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401 - JSON
    """Do something once; what a known step asked of a model, under its own name, was spent too."""
    path = f"{hook}/step/{name}"
    if segment.journal.result(path) is not MISSING:
        count_again(segment, f"{hook}/ask/{name}/")
    return await segment.step(path, call)


def _attributes(event: Event, decision: Decision | None, fault: str) -> dict[str, str]:
    outcome = ("fault" if fault else "pass") if decision is None else decision.name
    attributes = {"point": event.name, "outcome": outcome}
    if isinstance(decision, Deny | Abort | KeepWorking | Ask):
        attributes["reason"] = decision.reason
    elif fault:
        attributes["reason"] = fault
    return attributes
