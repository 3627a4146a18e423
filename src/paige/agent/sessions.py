"""Sessions: what was said, continuing one, and branching off from one."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.records import RunRow, SessionRow
from paige.agent.runtime import Runtime
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.base.ids import new_id
from paige.models.codec import load_message
from paige.models.messages import Message


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session with everything that was said in it."""

    session: SessionRow
    runs: tuple[RunRow, ...]
    messages: tuple[Message, ...]


def ended_runs(connection: Connection, actor: Actor, session: str) -> list[RunRow]:
    """The runs whose messages a session's next run continues, a fork's origin first."""
    row = queries.get_session(connection, actor, session)
    before: list[RunRow] = []
    if row.forked_from:
        origin, _, upto = row.forked_from.rpartition("#")
        before = [
            run
            for run in ended_runs(connection, actor, origin)
            if run.session_id != origin or run.number <= int(upto)  # numbers are a session's own
        ]
    own = [run for run in queries.runs_of(connection, actor, session) if run.state == "ended"]
    return [*before, *own]


def messages_of(connection: Connection, actor: Actor, runs: list[str]) -> tuple[Message, ...]:
    """What was said in some runs, in their order."""
    messages: list[Message] = []
    for run in runs:
        end = queries.journal_result(connection, actor, run, "end") or {"messages": []}
        messages += [load_message(data) for data in end["messages"]]
    return tuple(messages)


def read_session(connection: Connection, actor: Actor, session: str) -> Transcript:
    """A session and everything that was said in it. Raises: NotFound."""
    row = queries.get_session(connection, actor, session)
    runs = ended_runs(connection, actor, session)
    said = messages_of(connection, actor, [run.id for run in runs])
    return Transcript(row, tuple(runs), said)


def branch_before(replaced: RunRow, fresh: SessionRow) -> SessionRow:
    """A session that begins where a run began, with the tasks of that moment."""
    return replace(
        fresh,
        tasks=list(replaced.header.get("tasks", ())),
        forked_from=f"{replaced.session_id}#{replaced.number - 1}",
    )


async def fork_session(
    runtime: Runtime, actor: Actor, session: str, *, after: int | None = None
) -> SessionRow:
    """A new session that continues another one after its run number `after` (the last one).

    0 is before its first run: what the session itself has branched off from is still there.
    """
    runs = await runtime.db.read(ended_runs, actor, session)
    numbers = [run.number for run in runs if run.session_id == session]
    last = after if after is not None else max(numbers, default=0)
    if after and after not in numbers:
        raise BadInput(f"Session `{session}` has no ended run {after}")
    origin = await runtime.db.read(queries.get_session, actor, session)
    now = runtime.now()
    forked = replace(
        origin,
        id=new_id(now, runtime.randomness(10)),
        status="active",
        started_at=now,
        updated_at=now,
        ended_at=None,
        forked_from=f"{session}#{last}",
    )
    await runtime.db.write(queries.insert_session, forked, actor)
    return forked
