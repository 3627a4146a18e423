"""Runs worth looking at: one in which everything happens, and one with ten thousand steps."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, Reply, picked
from paige.agent.journal import Batch, Entry, Span
from paige.agent.runs import RunState, continue_run, reply_to
from paige.agent.segment import Runtime
from paige.agent.tables import RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.events import AddContext, Decision, Deny, KeepWorking, PreTool
from paige.base.ids import new_id
from paige.models.codec import dump_answer
from paige.models.log import ApiCall
from paige.models.messages import Message, Reasoning, Text, ToolUse
from paige.models.queries import insert_api_call
from paige.models.requests import Answer, Usage
from paige.models.scripted import Scripted
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run, tool
from tests.agent.hooking import Word, echo

MODEL = "claude-sonnet-4-5"
PRICED, UNPRICED = Usage(1200, 300, 0, 5400), Usage(80, 20)
THINKING = timedelta(minutes=25)
PROMPT = "Plan a lesson on fractions for class 6b"


def answer(*blocks: Any, model: str = MODEL, cost: float | None = 0.0081) -> Answer:
    """What a model says, and what that costs."""
    message = Message("assistant", tuple(blocks))
    return Answer(
        message=message,
        stop_reason="tool_use" if message.tool_uses else "end_turn",
        answered_by="anthropic",
        model=model,
        usage=PRICED,
        cost_usd=cost,
        latency_ms=1500,
    )


class Ticking:
    """A clock that goes on by 40 ms whenever somebody looks at it."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """What it shows."""
        self.now += timedelta(milliseconds=40)
        return self.now


async def _guard(view: Any, event: Any) -> Decision | None:
    if isinstance(event, PreTool) and event.input.get("word") == "secret":
        return Deny(reason="Names of children stay here.")
    return None


async def _remind(view: Any, event: Any) -> Decision | None:
    return AddContext(text="Class 6b meets on Tuesdays.") if event.turn == 1 else None


async def _show(view: Any, event: Any) -> Choices:
    options = (Option("keep", "Keep it"), Option("change", "Change it", wants_text=True))
    return Choices(title="Is this lesson right?", text="Look at the ending.", options=options)


async def _decide(view: Any, event: Any, reply: Reply) -> Decision | None:
    return KeepWorking(reason=reply.text) if reply.option == "change" else None


def eventful_runtime(db: Database, folder: Path, now: datetime) -> Runtime:
    """A crew whose run thinks, is refused something, asks another agent, and asks a person."""
    script = [
        answer(
            Reasoning("First what is known, then the plan."),
            Text("I look up what is known."),
            ToolUse("c1", "echo", {"word": "fractions"}),
            ToolUse("c2", "echo", {"word": "secret"}),
            ToolUse("c3", "no_such_tool", {}),
        ),
        answer(ToolUse("c4", "spawn_subagent", {"agent": "worker", "task": "Find three tasks"})),
        answer(Text("Halves, quarters, eighths."), model="claude-haiku-4-5", cost=None),
        answer(Text("Start with halves. End with a game.")),
        answer(Text("Start with halves. End with a quiz.")),
    ]
    hooks = (
        Hook("guard", ("pre_tool",), _guard),
        Hook("remind", ("pre_model",), _remind),
        Hook("show", ("post_loop",), _show, _decide),
    )
    names = ", ".join(hook.name for hook in hooks)
    helper = agent_text(tools="[echo, spawn_subagent]", hooks=f"[{names}]")
    return make_runtime(
        db,
        folder,
        provider=Scripted(script, name="anthropic"),
        agents={"helper": helper, "worker": agent_text()},
        tools=(tool("echo", echo, params=Word),),
        hooks=hooks,
        now=Ticking(now),
    )


async def begin(runtime: Runtime) -> RunState:
    """Let the run begin; it stops where a person is asked."""
    return await run(runtime, PROMPT, purpose="plan:lesson")


async def send_back_and_keep(runtime: Runtime, state: RunState) -> RunState:
    """Answer its two questions, the first after a while: change the ending, then keep it."""
    assert isinstance(runtime.now, Ticking)
    runtime.now.now += THINKING
    await reply_to(runtime, ME, state.gates[0], picked("change", "A quiz, please"))
    state = await continue_run(runtime, ME, state.run.id)
    await reply_to(runtime, ME, state.gates[0], picked("keep"))
    return await continue_run(runtime, ME, state.run.id)


def add_long_run(connection: Connection, actor: Actor, now: datetime, turns: int = 1000) -> str:
    """Store a run of ten spans a turn, and the run itself: 10,001 unless told otherwise."""
    id = new_id(now, bytes(10))
    session = SessionRow(f"session-{id}", actor.person, "plan", "active", now, now, title="Long")
    header = {"agent": {"name": "marathon", "file": "marathon.md"}, "purpose": "plan:long"}
    row = RunRow(
        id=id,
        person=actor.person,
        session_id=session.id,
        number=1,
        format=1,
        header=header,
        prompt="Go on for long",
        state="ended",
        source="anthropic",
        created_at=now,
        updated_at=now + timedelta(seconds=4 * turns),
        status="success",
        output="Done",
        turns=turns,
        cost_usd=1.25,
    )
    queries.insert_session(connection, session, actor)
    queries.insert_run(connection, actor, row, {})
    begin = int(now.timestamp() * 1_000_000)
    spans = list(chain.from_iterable(_turn(each, begin) for each in range(1, turns + 1)))
    whole = {"status": "success", "cost_usd": 1.25}
    spans.append(
        Span("", "", "run", "marathon", begin, begin + turns * 4_000_000, attributes=whole)
    )
    entries = _entries([span for span in spans if span.kind in ("model", "tool")])
    queries.write_batch(connection, actor, id, Batch(entries=entries, spans=spans), now=now)
    return id


def _turn(number: int, begin: int) -> Iterator[Span]:
    at, start = f"t{number}", begin + (number - 1) * 4_000_000
    tokens = {"input_tokens": 900, "output_tokens": 120, "cost_usd": 0.00125, "model": MODEL}
    yield Span(f"{at}/model", at, "model", MODEL, start, start + 1_900_000, attributes=tokens)
    for call in range(6):
        step, from_us = f"{at}/tool/c{number}-{call}", start + 1_900_000 + call * 300_000
        failed = number % 40 == 0 and call == 5
        texts = {"input": {"path": f"notes/{number}.md"}, "output": "It says so. " * 20}
        yield Span(step, at, "tool", "read_file", from_us, from_us + 250_000, failed, texts)
    for call in range(3):
        step = f"{at}/tool/c{number}-{call}/hook/pre_tool/guard"
        from_us = start + 1_900_000 + call * 300_000
        said = {"point": "pre_tool", "outcome": "pass"}
        yield Span(step, f"{at}/tool/c{number}-{call}", "hook", "guard", from_us, from_us + 9_000,
                   attributes=said)  # fmt: skip


def _entries(spans: list[Span]) -> list[Entry]:
    uses = (ToolUse("c0", "read_file", {"path": "notes/1.md"}),)
    said = replace(answer(Text("Going on."), *uses), latency_ms=1900)
    model = json.dumps({"answer": dump_answer(said), "attempt": 1})
    read = json.dumps({"text": "It says so.", "failed": False})
    bodies = (model if span.kind == "model" else read for span in spans)
    return [
        Entry(seq, span.step, "result", body)
        for seq, (span, body) in enumerate(zip(spans, bodies, strict=True), 1)
    ]


def add_calls(connection: Connection, actor: Actor, now: datetime, session: str | None) -> None:
    """Two weeks of calls: of a session, of nobody's, and of a model without a price."""
    kinds = (
        (session, "plan:lesson", MODEL, 0.021),
        (None, "study_tutor", "claude-haiku-4-5", 0.0016),
        (None, "coach_agent", "our-own-model", None),
    )
    for back in range(14):
        for number in range(back % 3 + 1):
            owner, purpose, model, cost = kinds[(back + number) % 3]
            at = now - timedelta(days=back, minutes=number)
            call = ApiCall(
                id=new_id(at, (back * 10 + number).to_bytes(10)),
                session_id=owner,
                call_type=purpose,
                model=model,
                input_hash="0" * 16,
                created_at=at,
                provider="anthropic" if cost else "openai",
                latency_ms=-1 if back == 5 else 900,
                input_tokens=1200,
                output_tokens=240,
                cost_estimate=cost,
                billed_usd=cost,
            )
            insert_api_call(connection, actor, call)
