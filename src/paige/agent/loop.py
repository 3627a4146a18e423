"""The loop: ask the model, run the tools, decide to stop.

New behaviour is a hook or a tool, not a flag here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from paige.agent.agents import Handoff, take_over
from paige.agent.context import RunContext
from paige.agent.hook_steps import HookAborted, run_hooks
from paige.agent.hooks import Verdict
from paige.agent.interactions import Choices, Option
from paige.agent.limits import LoopEnd, Status, check_limits
from paige.agent.model_step import ask_for_the_end, ask_model, unpriced_model
from paige.agent.segment import NeedsDecision, Segment, Turn, Work
from paige.agent.tool_steps import run_tools
from paige.base.events import Event, PostLoop, PostModel, PreLoop, PreModel
from paige.language.patterns import LinearPattern
from paige.models.budget import PriceUnknown
from paige.models.messages import Message, Text, user_message
from paige.models.requests import Answer

CUT_OFF = "Your answer was cut off. Go on exactly where it stopped, without repeating anything."


@dataclass(frozen=True, slots=True)
class LoopResult:
    """How a loop ended, what it said, and everything it knew."""

    status: Status
    output: str
    context: RunContext
    reason: str = ""


async def run_loop(segment: Segment, work: Work, context: RunContext, prompt: str) -> LoopResult:
    """Run an agent on a prompt until it is done or must stop. Raises: GateOpen, ProviderFailed."""
    try:
        context, prompt = await _begin(segment, work, context, prompt)
    except HookAborted as abort:
        return _aborted(context, abort)
    return await _turns(segment, work, context.said(user_message(prompt)))


async def _begin(
    segment: Segment, work: Work, context: RunContext, prompt: str
) -> tuple[RunContext, str]:
    event = PreLoop(session=segment.session, agent=work.agent.name, prompt=prompt)
    verdict = await _decide(segment, work, context, event, at=work.path)
    assert isinstance(verdict.event, PreLoop)
    return _with_contexts(context, verdict), verdict.event.prompt


async def _turns(segment: Segment, work: Work, context: RunContext) -> LoopResult:
    while True:
        at = f"{work.path}t{context.turn + 1}/"
        ended = _check(segment, work, context, at=at)
        if ended is not None:
            return await _end_early(segment, work, context, ended)
        try:
            event = PreModel(session=segment.session, agent=work.agent.name, turn=context.turn + 1)
            context = _with_contexts(context, await _decide(segment, work, context, event, at=at))
            answer = await ask_model(segment, work, context, at=at)
            context = context.asked(answer)
            judged = await _judge_answer(segment, work, context, answer, at=at)
            if answer.tool_uses:
                work, context = await _use_tools(segment, work, context, answer, at=at)
            # Not before the tools have answered: nothing may stand between a call and its result.
            context = _with_contexts(context, judged, silently=not answer.tool_uses)
            # A pause is the provider's own tool at work.
            if not answer.tool_uses and answer.stop_reason != "pause_turn":
                finished = await _finish(segment, work, context, answer, at=at)
                if isinstance(finished, LoopResult):
                    return finished
                context = finished
        except HookAborted as abort:
            return _aborted(context, abort)


async def _judge_answer(
    segment: Segment, work: Work, context: RunContext, answer: Answer, *, at: str
) -> Verdict:
    event = PostModel(
        session=segment.session, agent=work.agent.name, turn=context.turn, answer=answer.text
    )
    return await _decide(segment, work, context, event, at=at)


async def _use_tools(
    segment: Segment, work: Work, context: RunContext, answer: Answer, *, at: str
) -> tuple[Work, RunContext]:
    answered = await run_tools(Turn(segment, work, context, at), answer.tool_uses)
    context = context.answered(answer.tool_uses, answered.results)
    for use, result in zip(answered.uses, answered.results, strict=True):
        tool = work.tools.get(use.name)
        if tool is not None and tool.fold is not None and not result.is_error:
            context = tool.fold(context, tool.params.model_validate(use.input))
    for name, text in answered.contexts:
        context = _told(context, name, text)
    handoff = Handoff.of(work, answered.uses, answered.results)
    if handoff is None:
        return work, context
    return await take_over(segment, work, context, handoff, at=at)


async def _finish(
    segment: Segment, work: Work, context: RunContext, answer: Answer, *, at: str
) -> LoopResult | RunContext:
    """End with this answer, or go on because it is not good enough yet."""
    if answer.stop_reason == "refusal":
        reason = f"the model refused: {answer.refusal or answer.text or 'it gave no reason'}"
        return LoopResult("error_no_progress", "", context.told("loop", reason), reason)
    if answer.stop_reason == "max_tokens":
        return context.cut_off(answer.text).said(user_message(CUT_OFF))
    output = context.partial + answer.text
    wrong = what_is_wrong(output, work.agent.output_schema)
    if wrong is not None:
        return context.talked().said(
            user_message(f"Your answer does not fit: {wrong}. Answer again.")
        )
    event = PostLoop(session=segment.session, agent=work.agent.name, output=output)
    verdict = await _decide(segment, work, context, event, at=at)
    context = _with_contexts(context, verdict, silently=True)
    if verdict.keep_working is not None:
        # A person who sends an answer back is progress; a hook that always does is not.
        going_on = context if segment.was_asked(f"{at}hook/") else context.talked()
        return going_on.said(user_message(verdict.keep_working))
    assert isinstance(verdict.event, PostLoop)
    return LoopResult("success", verdict.event.output, context)


def _aborted(context: RunContext, abort: HookAborted) -> LoopResult:
    reason = f"`{abort.hook}`: {abort.reason}"
    return LoopResult("error_hook_abort", "", context.told(abort.hook, abort.reason), reason)


def _check(segment: Segment, work: Work, context: RunContext, *, at: str) -> LoopEnd | None:
    if work.limits.max_budget_usd is not None:
        if unpriced := unpriced_model(segment, work, context, at=at):
            error = PriceUnknown(unpriced)
            return LoopEnd("error_max_budget", f"{error.message}. {error.hint}")
        if not segment.spend.known:
            return LoopEnd("error_max_budget", "what it spent so far is not known")
    return check_limits(context, work.limits, spent_usd=segment.spend.usd)


async def _end_early(
    segment: Segment, work: Work, context: RunContext, ended: LoopEnd
) -> LoopResult:
    context = context.told("loop", ended.reason)
    if not ended.finalize:
        return LoopResult(ended.status, "", context, ended.reason)
    answer = await ask_for_the_end(segment, work, context, at=f"{work.path}end/")
    return LoopResult(
        ended.status,
        answer.text,
        replace(context, usage=context.usage + answer.usage),
        ended.reason,
    )


async def _decide(
    segment: Segment, work: Work, context: RunContext, event: Event, *, at: str
) -> Verdict:
    """Run hooks where a refusal ends the loop."""
    verdict = await run_hooks(Turn(segment, work, context, at), event)
    if verdict.abort is not None:
        raise HookAborted(*verdict.abort)
    if verdict.deny is not None:
        raise HookAborted(event.name, verdict.deny)
    if verdict.ask is not None:
        _ask_person(segment, work, event, verdict.ask, gate=f"{at}hook/{event.name}/ask")
    return verdict


def _ask_person(segment: Segment, work: Work, event: Event, reason: str, *, gate: str) -> None:
    """Let a person decide whether the run goes on. Raises: HookAborted when it does not."""
    options = (Option("allow", "Go on"), Option("deny", "End the run"))
    question = Choices(title="May the run go on?", text=reason, options=options)
    if work.nested:
        raise NeedsDecision(question)
    if segment.ask(gate, question).option == "deny":
        raise HookAborted(event.name, f"refused by a person: {reason}")


def _with_contexts(context: RunContext, verdict: Verdict, *, silently: bool = False) -> RunContext:
    for name, text in verdict.contexts:
        context = context.told(name, text) if silently else _told(context, name, text)
    return context


def _told(context: RunContext, name: str, text: str) -> RunContext:
    """Let the model read what a hook adds, in a message of its own or at the end of an open one."""
    told = context.told(name, text)
    if not told.history or told.history[-1].role != "user":
        return told.said(user_message(f"<context from={name!r}>\n{text}\n</context>"))
    return told.said(Message("user", (Text(f"<context from={name!r}>\n{text}\n</context>"),)))


def what_is_wrong(text: str, schema: Mapping[str, Any] | None) -> str | None:
    """Why an answer does not fit the schema an agent declares; `None` when it does."""
    if schema is None:
        return None
    # jsonschema builds its validators at import; most agents declare no schema.
    from jsonschema import Draft202012Validator, ValidationError, validators  # noqa: PLC0415

    def matched(_: object, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
        if isinstance(value, str) and not LinearPattern(pattern).matches(value):
            yield ValidationError(f"{value!r} does not match {pattern!r}")

    # Schema and answer come from others: the pattern of one must not hold up the other.
    kind = validators.extend(Draft202012Validator, {"pattern": matched})
    try:
        value = json.loads(text)
    except ValueError:
        return "it is not JSON"
    error = next(kind(schema).iter_errors(value), None)
    return None if error is None else f"{error.json_path}: {error.message}"
