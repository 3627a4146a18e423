"""Working on a run: one segment under a lease, replayed from the journal."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.asking import RunStopped
from paige.agent.context import RunContext, Task
from paige.agent.holding import leased, write_fenced
from paige.agent.interactions import load_reply
from paige.agent.journal import MISSING, Batch, Entry, Journal, Span
from paige.agent.limits import Limits
from paige.agent.loop import Ending, run_loop
from paige.agent.notes import Note
from paige.agent.preparing import first_work
from paige.agent.records import GateRow, RunRow
from paige.agent.runtime import Runtime
from paige.agent.segment import GateOpen, Segment
from paige.agent.sessions import messages_of
from paige.base.actor import Actor
from paige.base.counting import run_ended
from paige.base.errors import Conflict
from paige.base.text import storable
from paige.models.codec import dump_message
from paige.models.errors import ModelError, ProviderFailed
from paige.models.messages import Message, assistant_message
from paige.store.leases import Lease

Observe = Callable[[Note], None]


async def work_on(runtime: Runtime, actor: Actor, run: RunRow, observe: Observe | None) -> None:
    """Continue a run; where it stands afterwards is in its row and its gates.

    Raises: Conflict when another process works on it, ProviderFailed when nobody answers.
    """
    async with leased(runtime, actor, run.id) as lease:
        segment = await _segment(runtime, actor, run, lease, observe)
        try:
            ending = await _attempt(segment, run)
        except GateOpen:
            await segment.journal.flush()
            await _update(segment, run, state="waiting")
            return
        except RunStopped as stopped:
            context = RunContext((), task_progress=_tasks(run))
            ending = Ending("error_hook_abort", "", context, str(stopped))
        except ModelError:
            await segment.journal.flush()
            await _update(segment, run, state="running")
            raise
        await _end(segment, run, ending)


async def _segment(
    runtime: Runtime, actor: Actor, run: RunRow, lease: Lease, observe: Observe | None
) -> Segment:
    entries, gates = await runtime.db.read(_journal, actor, run.id)

    async def commit(batch: Batch) -> None:
        write = runtime.db.write_durably if batch.durable else runtime.db.write
        await write(write_fenced, actor, lease, batch, now=runtime.now())

    return Segment(
        runtime=runtime,
        actor=actor,
        run=run.id,
        session=run.session_id,
        provider=runtime.provider,
        journal=Journal(entries, commit),
        replies={row.gate: load_reply(row.reply) for row in gates if row.answered_at is not None},
        inputs=run.header["inputs"],
        observe=observe,
    )


async def _attempt(segment: Segment, run: RunRow) -> Ending:
    """Run the loop; if nobody answered its first question, let local rules do the whole run."""
    local = segment.runtime.local
    if segment.journal.result("fallback") is not MISSING:
        if local is None:
            raise Conflict(
                "This run was taken over by local rules, which are not set up now",
                hint="Set `PAIGE_FALLBACK=local` to go on with it.",
            )
        segment.provider = local
    try:
        return await _loop(segment, run)
    except ProviderFailed as error:
        begun = segment.journal.result("t1/model") is not MISSING
        if local is None or begun or segment.provider is local:
            raise
        segment.journal.record("fallback", {"to": local.name, "reason": error.message})
        segment.provider = local
        return await _loop(segment, run)


async def _loop(segment: Segment, run: RunRow) -> Ending:
    header = run.header
    texts = await segment.runtime.db.read(_texts, segment.actor, header["files"])
    work = first_work(
        segment.runtime,
        {"file": header["agent"]["file"], **texts},
        purpose=header["purpose"],
        limits=Limits(**header["limits"]),
        extra_hooks=tuple(header["hooks"]),
    )
    history = await segment.runtime.db.read(messages_of, segment.actor, header["history"])
    context = RunContext(history, task_progress=_tasks(run), before=len(history))
    return await run_loop(segment, work, context, run.prompt)


def _tasks(run: RunRow) -> tuple[Task, ...]:
    return tuple(Task(**task) for task in run.header["tasks"])


def _kept(ending: Ending) -> tuple[Message, ...]:
    """What the next run of the session reads: every call answered, the last word the agent's."""
    own = ending.context.own
    refused = ending.status == "error_hook_abort"
    if ending.status == "success" and own and own[-1].role == "assistant":
        drafted = ending.context.partial + own[-1].text
        # What a person accepted counts, not the draft it was made from.
        return own if drafted == ending.output else (*own[:-1], assistant_message(ending.output))
    if own and own[-1].role == "assistant" and (own[-1].tool_uses or refused):
        own = own[:-1]
    if not own or own[-1].role == "assistant":
        return own
    return (*own, assistant_message(ending.output or f"[This run ended: {ending.reason}]"))


async def _end(segment: Segment, run: RunRow, ending: Ending) -> None:
    own = [dump_message(message) for message in _kept(ending)]
    end = {"status": ending.status, "output": ending.output, "reason": ending.reason}
    segment.journal.record("end", {**end, "messages": own})
    segment.span(_run_span(segment, run, ending))
    await segment.journal.flush()
    await segment.runtime.db.write(_store_end, segment, run, ending)
    run_ended(segment.actor, run.id, ending.status)


async def _update(segment: Segment, run: RunRow, **values: object) -> None:
    now = segment.runtime.now()
    cost = segment.spend.total
    await segment.runtime.db.write(
        queries.update_run, segment.actor, run.id, now=now, cost_usd=cost, **values
    )


def _run_span(segment: Segment, run: RunRow, ending: Ending) -> Span:
    return Span(
        step="",
        parent="",
        kind="run",
        name=run.header["agent"]["name"],
        started_us=int(run.created_at.timestamp() * 1_000_000),
        ended_us=segment.now_us(),
        failed=ending.status != "success",
        attributes={
            "status": ending.status,
            "session": run.session_id,
            "cost_usd": segment.spend.total,
            **ending.context.summary,
        },
    )


def _store_end(connection: Connection, segment: Segment, run: RunRow, ending: Ending) -> None:
    now, actor = segment.runtime.now(), segment.actor
    output = storable(ending.output)
    queries.update_run(
        connection,
        actor,
        run.id,
        now=now,
        state="ended",
        status=ending.status,
        reason=ending.reason or None,
        output=output,
        turns=ending.context.turn,
        source=segment.provider.name,
        cost_usd=segment.spend.total,
    )
    session = queries.get_session(connection, actor, run.session_id, lock=True)
    said = "\n\n".join(part for part in (session.messages_text, run.prompt, output) if part)
    decided = [_decision(row) for row in queries.gates_of(connection, actor, run.id)]
    queries.update_session(
        connection,
        actor,
        session.id,
        now=now,
        messages_text=said,
        tasks=[asdict(task) for task in ending.context.task_progress],
        decisions=[*session.decisions, *decided],
    )


def _decision(row: GateRow) -> dict[str, Any]:
    return {
        "run": row.run_id,
        "gate": row.gate,
        "title": row.interaction.get("title"),
        "reply": row.reply,
        "at": row.answered_at.isoformat() if row.answered_at else None,
    }


def _journal(connection: Connection, actor: Actor, run: str) -> tuple[list[Entry], list[GateRow]]:
    entries = queries.journal_entries(connection, actor, run)
    return entries, queries.gates_of(connection, actor, run)


def _texts(connection: Connection, actor: Actor, files: Mapping[str, str]) -> dict[str, str]:
    return {
        name: queries.find_blob(connection, actor, files[name]) or ""
        for name in ("source", "system")
    }
