"""The model step: intent, question, answer, exactly as often as the journal allows."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any

import anyio

from paige.agent.context import RunContext
from paige.agent.interactions import Choices, Option
from paige.agent.journal import MISSING, Span
from paige.agent.segment import AnswerPiece, Segment, TurnTaken, Work
from paige.base.errors import PaigeError
from paige.base.ids import new_id
from paige.models.budget import check_spending, payable
from paige.models.codec import dump_answer, load_answer
from paige.models.errors import BadAnswer, ModelError
from paige.models.local import LOCAL
from paige.models.log import ApiCall, answered_call, failed_call, input_hash
from paige.models.messages import user_message
from paige.models.prices import guessed_usage
from paige.models.requests import Answer, Request

MOST_ATTEMPTS = 2
MAX_TOKENS = 16_000
FINAL = (
    "You are going in circles. Do not use any more tools. Give your best final answer now, "
    "and say what is missing."
)


class RunStopped(Exception):
    """A person ended the run at a gate."""


async def ask_model(segment: Segment, work: Work, context: RunContext, *, at: str) -> Answer:
    """Ask the model for the next turn; a recorded answer is returned as it was.

    Raises: ProviderFailed, and GateOpen when the answer was lost too often.
    """
    step = f"{at}model"
    known = segment.journal.result(step)
    if known is not MISSING:
        return _counted(segment, known)
    begun = len(segment.journal.intents(step))
    failed = segment.journal.count(f"{step}/failed/") if begun else 0
    attempt = begun - failed + 1  # a call that failed cost nothing; one that was lost may have
    # A subagent opens no gate; the budget, where each attempt counts, bounds what it may lose.
    if attempt > MOST_ATTEMPTS and not work.nested:
        _ask_whether_to_go_on(segment, step, attempt)
    request = _request(work, context)
    started = segment.now_us()
    answer = await _ask_once(
        segment, request, step, attempt, lambda: _answer(segment, request, step)
    )
    _span(segment, step, answer, started, context.summary)
    segment.note(TurnTaken(step, context.turn + 1, answer.cost_usd))
    return answer


async def ask_in_hook(segment: Segment, request: Request, *, step: str) -> Answer:
    """Ask whoever answers this run on behalf of a hook; a recorded answer is returned as it was.

    Raises: ModelError. An answer that was lost is asked for again, and counted as spent.
    """
    known = segment.journal.result(step)
    if known is not MISSING:
        return _counted(segment, known)
    begun = len(segment.journal.intents(step))
    attempt = begun - segment.journal.count(f"{step}/failed/") + 1
    started = segment.now_us()
    answer = await _ask_once(segment, request, step, attempt, lambda: segment.provider.ask(request))
    _span(segment, step, answer, started, {"purpose": request.purpose})
    return answer


async def _ask_once(
    segment: Segment,
    request: Request,
    step: str,
    attempt: int,
    ask: Callable[[], Awaitable[Answer]],
) -> Answer:
    """One question: the intent is kept before it, the answer and its price after."""
    await _check_spending(segment, request)
    segment.journal.intend(step, {"key": f"{segment.run}:{step}", "attempt": attempt})
    await segment.journal.flush()
    asked = _asked(segment, request)
    try:
        answer = await ask()
    except ModelError as error:
        _log(segment, failed_call(asked, error, now=segment.runtime.now()))
        number = len(segment.journal.intents(step))
        segment.journal.record(f"{step}/failed/{number}", error.code)
        await segment.journal.flush()
        raise
    except BaseException as error:
        # Whoever breaks off pays for what was asked: the provider has it already.
        cost = segment.runtime.prices.cost(asked.model, guessed_usage(request))
        row = failed_call(asked, error, now=segment.runtime.now())
        _log(segment, replace(row, billed_usd=cost))
        with anyio.CancelScope(shield=True), suppress(PaigeError):  # somebody else may hold the run
            await segment.journal.flush()
        raise
    segment.spend.add(answer.cost_usd, times=attempt)
    segment.journal.record(step, {"answer": dump_answer(answer), "attempt": attempt})
    row = answered_call(asked, answer, now=segment.runtime.now())
    if answer.cost_usd is not None:  # attempts that were lost cost the same
        row = replace(row, billed_usd=answer.cost_usd * attempt)
    _log(segment, row)
    return answer


async def _check_spending(segment: Segment, request: Request) -> None:
    """Whoever has used up their limit is told before the model is asked."""
    if segment.provider.name != LOCAL:  # local rules cost nothing
        if segment.journal.owes:
            await segment.journal.flush()  # what the last answer cost counts
        runtime = segment.runtime
        await check_spending(
            runtime.db,
            segment.actor,
            own_day=runtime.spend_limit_day,
            now=runtime.now(),
            asked=payable(segment.provider, request, runtime.prices),
        )


def unpriced_model(segment: Segment, work: Work, context: RunContext, *, at: str) -> str:
    """The model that would be asked next, if nobody knows what that costs; else empty."""
    if segment.journal.result(f"{at}model") is not MISSING:
        return ""
    asked = payable(segment.provider, _request(work, context), segment.runtime.prices)
    return asked.model if asked.unpriced else ""


def count_again(segment: Segment, below: str) -> None:
    """Count what was spent by a subagent or hook that is not replayed: its result is known."""
    for known in segment.journal.results(below, end="/model"):
        _counted(segment, known)


async def ask_for_the_end(segment: Segment, work: Work, context: RunContext, *, at: str) -> Answer:
    """Ask once more, without tools, for whatever the model has."""
    without_tools = Work(
        agent=work.agent,
        system=work.system,
        tools={},
        specs=(),
        hooks=(),
        limits=work.limits,
        purpose=work.purpose,
        path=work.path,
        nested=work.nested,
    )
    return await ask_model(segment, without_tools, context.said(user_message(FINAL)), at=at)


def _counted(segment: Segment, known: dict[str, Any]) -> Answer:
    answer = load_answer(known["answer"])
    segment.spend.add(answer.cost_usd, times=known["attempt"])
    return answer


async def _answer(segment: Segment, request: Request, step: str) -> Answer:
    if segment.observe is None:
        return await segment.provider.ask(request)
    answer: Answer | None = None
    async with aclosing(segment.provider.stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Answer):
                answer = piece
            else:
                # The journal's count, because it also grows when another provider takes over.
                segment.note(AnswerPiece(step, len(segment.journal.intents(step)), piece))
    if answer is None:
        raise BadAnswer(f"`{segment.provider.name}` ended its stream without an answer")
    return answer


def _log(segment: Segment, call: ApiCall) -> None:
    if call.provider != LOCAL:  # local rules are no API
        segment.journal.call(call)


def _request(work: Work, context: RunContext) -> Request:
    return Request(
        purpose=work.purpose,
        messages=context.history,
        system=work.system,
        model=work.agent.model,
        tools=work.specs,
        max_tokens=MAX_TOKENS,
        cache=True,
    )


def _asked(segment: Segment, request: Request) -> ApiCall:
    last = request.messages[-1].text if request.messages else ""
    now = segment.runtime.now()
    return ApiCall(
        id=new_id(now, segment.runtime.randomness(10)),
        created_at=now,
        session_id=segment.session,
        call_type=request.purpose,
        model=segment.provider.model_for(request),
        provider=segment.provider.name,
        input_hash=input_hash(last),
    )


def _ask_whether_to_go_on(segment: Segment, step: str, attempt: int) -> None:
    question = Choices(
        title="The model was asked and its answer lost",
        text=f"This happened {attempt - 1} times in a row; each time may have been paid for.",
        options=(Option("again", "Ask once more"), Option("stop", "End the run")),
    )
    if segment.ask(f"{step}/lost/{attempt}", question).option == "stop":
        raise RunStopped("it was ended after the model's answer was lost")


def _span(
    segment: Segment, step: str, answer: Answer, started: int, summary: Mapping[str, Any]
) -> None:
    usage = answer.usage
    attributes = {
        "provider": answer.answered_by,
        "model": answer.model,
        "stop_reason": answer.stop_reason,
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_write_tokens": usage.cache_write,
        "cache_read_tokens": usage.cache_read,
        "cost_usd": answer.cost_usd,
        "summary": dict(summary),
    }
    segment.span(
        Span(
            step=step,
            parent=step.rpartition("/")[0],
            kind="model",
            name=answer.model,
            started_us=started,
            ended_us=segment.now_us(),
            attributes=attributes,
        )
    )
