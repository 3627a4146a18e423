"""Starting, continuing and answering runs: each works in any process, at any time.

A run that waits for a person has ended as far as the machine is concerned. Continuing it replays
its journal under a lease, so that two processes never work on the same run.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from anyio import to_thread
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.interactions import (
    Interaction,
    Reply,
    automatic_reply,
    check_reply,
    dump_reply,
    load_interaction,
)
from paige.agent.journal import FORMAT
from paige.agent.limits import Limits
from paige.agent.memories import Request
from paige.agent.preparing import first_work, record_of
from paige.agent.records import GateRow, RunRow, SessionRow
from paige.agent.runtime import Runtime
from paige.agent.sessions import branch_before, ended_runs
from paige.agent.working import Observe, work_on
from paige.base.actor import Actor
from paige.base.errors import Conflict
from paige.base.ids import new_id
from paige.base.text import storable


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
