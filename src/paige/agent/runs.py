"""Starting, continuing and answering runs: each works in any process, at any time.

A run that waits for a person has ended as far as the machine is concerned. Continuing it replays
its journal under a lease, so that two processes never work on the same run.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from anyio import to_thread
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.agents import first_work, record_of
from paige.agent.context import RunContext, Task
from paige.agent.interactions import (
    Interaction,
    Reply,
    automatic_reply,
    check_reply,
    dump_reply,
    load_interaction,
    load_reply,
)
from paige.agent.journal import FORMAT, MISSING, Batch, Entry, Journal, Span
from paige.agent.limits import Limits
from paige.agent.loop import LoopResult, run_loop
from paige.agent.memories import Request
from paige.agent.model_step import RunStopped
from paige.agent.queries import branch_before, ended_runs, messages_of
from paige.agent.run_lease import leased, write_fenced
from paige.agent.segment import GateOpen, Note, Runtime, Segment
from paige.agent.tables import GateRow, RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.counters import run_ended
from paige.base.errors import Conflict
from paige.base.ids import new_id
from paige.base.wire import storable
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
            ending = LoopResult("error_hook_abort", "", context, str(stopped))
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


async def _attempt(segment: Segment, run: RunRow) -> LoopResult:
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


async def _loop(segment: Segment, run: RunRow) -> LoopResult:
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


def _kept(ending: LoopResult) -> tuple[Message, ...]:
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


async def _end(segment: Segment, run: RunRow, ending: LoopResult) -> None:
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


def _run_span(segment: Segment, run: RunRow, ending: LoopResult) -> Span:
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


def _store_end(connection: Connection, segment: Segment, run: RunRow, ending: LoopResult) -> None:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """What a door wants done; without a session a new one is made.

    With `before`, that session branches off from the one of another run, in the place of that run.
    """

    agent: str
    prompt: str
    purpose: str
    door: str
    limits: Limits = field(default_factory=Limits)
    hooks: tuple[str, ...] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    session: str | None = None
    before: str | None = None
    plugin: str | None = None
    command: str | None = None
    class_id: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)  # texts the prompt was made from


@dataclass(frozen=True, slots=True)
class OpenGate:
    """A question that waits, as a door shows it."""

    row: GateRow
    interaction: Interaction


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run stands."""

    run: RunRow
    gates: tuple[OpenGate, ...] = ()

    @property
    def waiting(self) -> bool:
        """Whether a person is asked."""
        return bool(self.gates)


async def start_run(
    runtime: Runtime, actor: Actor, new: NewRun, *, observe: Observe | None = None
) -> RunState:
    """Begin a run and work on it until it ends or asks."""
    run = await create_run(runtime, actor, new)
    return await continue_run(runtime, actor, run.id, observe=observe)


async def create_run(runtime: Runtime, actor: Actor, new: NewRun) -> RunRow:
    """Store a run that `continue_run` will work on: a door knows its id before the first step."""
    now = runtime.now()
    id = new_id(now, runtime.randomness(10))
    session = new.session or new_id(now, runtime.randomness(10))
    # In a thread: agents are files, and memory is searched for what the prompt should hold.
    request = Request(new.prompt, session, id)
    prepared = await to_thread.run_sync(runtime.library.prepare, new.agent, request)
    recorded = record_of(prepared)
    # An agent that names a tool or hook nobody has is refused before anything is stored.
    first_work(
        runtime, recorded, purpose=new.purpose, limits=new.limits, extra_hooks=tuple(new.hooks)
    )
    texts = {
        **prepared.files,
        **new.files,
        "source": recorded["source"],
        "system": recorded["system"],
    }
    header = {
        "agent": {"name": prepared.agent.name, "file": recorded["file"]},
        "files": {name: digest(text) for name, text in texts.items()},
        "purpose": new.purpose,
        "limits": asdict(new.limits),
        "hooks": list(new.hooks),
        "inputs": dict(new.inputs),
    }
    run = RunRow(
        id=id,
        person=actor.person,
        session_id=session,
        number=1,
        format=FORMAT,
        header=header,
        prompt=storable(new.prompt),
        state="running",
        source=runtime.provider.name,
        created_at=now,
        updated_at=now,
    )
    blobs = {digest(text): text for text in texts.values()}
    await runtime.db.write(_store_new, actor, new, run, blobs)
    return run


async def continue_run(
    runtime: Runtime, actor: Actor, run_id: str, *, observe: Observe | None = None
) -> RunState:
    """Work on a run from its journal until it ends or asks. Raises: Conflict, ProviderFailed."""
    run = await runtime.db.read(queries.get_run, actor, run_id)
    if run.state == "ended":
        return RunState(run)
    if run.format != FORMAT:
        raise Conflict(
            f"Run `{run_id}` has format {run.format}; this Paige continues format {FORMAT}",
            hint="It can still be read: `paige trace show` prints it.",
        )
    await work_on(runtime, actor, run, observe)
    return await read_run(runtime, actor, run_id)


async def read_run(runtime: Runtime, actor: Actor, run_id: str) -> RunState:
    """Where a run stands, without working on it."""
    run, gates = await runtime.db.read(_read, actor, run_id)
    if run.state == "ended":
        return RunState(run)
    waiting = (row for row in gates if row.answered_at is None)
    return RunState(run, tuple(OpenGate(row, load_interaction(row.interaction)) for row in waiting))


async def reply_to(runtime: Runtime, actor: Actor, gate: OpenGate, reply: Reply) -> None:
    """Answer a gate, once. Raises: BadInput when the reply does not fit, Conflict when late."""
    check_reply(gate.interaction, reply)
    await runtime.db.write_durably(
        queries.answer_gate, actor, gate.row, dump_reply(reply), now=runtime.now()
    )


async def run_with_automatic_replies(
    runtime: Runtime, actor: Actor, state: RunState, *, observe: Observe | None = None
) -> RunState:
    """Answer every gate with its first option until the run ends; the replies are marked."""
    while state.waiting:
        for gate in state.gates:
            await reply_to(runtime, actor, gate, automatic_reply(gate.interaction))
        state = await continue_run(runtime, actor, state.run.id, observe=observe)
    return state


def digest(text: str) -> str:
    """The name of a text among the blobs."""
    return hashlib.sha256(text.encode()).hexdigest()


def _store_new(
    connection: Connection, actor: Actor, new: NewRun, run: RunRow, blobs: dict[str, str]
) -> None:
    """Store a run with what it continues: both are fixed now, whatever happens to the session."""
    if new.session is None:
        fresh = _new_session(actor, new, run)
        if new.before is not None:
            fresh = branch_before(queries.get_run(connection, actor, new.before), fresh)
        queries.insert_session(connection, fresh, actor)
    session = queries.get_session(connection, actor, run.session_id, lock=True)
    before = [earlier.id for earlier in ended_runs(connection, actor, session.id)]
    header = {**run.header, "history": before, "tasks": session.tasks}
    number = queries.next_number(connection, actor, session.id)
    values = {**asdict(run), "header": header, "number": number}
    queries.insert_run(connection, actor, RunRow(**values), blobs)


def _new_session(actor: Actor, new: NewRun, run: RunRow) -> SessionRow:
    lines = run.prompt.strip().splitlines()
    return SessionRow(
        id=run.session_id,
        person=actor.person,
        door=new.door,
        status="active",
        started_at=run.created_at,
        updated_at=run.created_at,
        title=lines[0][:120] if lines else None,
        plugin=new.plugin,
        command=new.command,
        agent=run.header["agent"]["name"],
        class_id=new.class_id,
    )


def _read(connection: Connection, actor: Actor, run: str) -> tuple[RunRow, list[GateRow]]:
    return queries.get_run(connection, actor, run), queries.gates_of(connection, actor, run)
