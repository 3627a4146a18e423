"""Sessions: what was said, continuing one, and branching off from one."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.records import RunRow, SessionRow
from paige.base.actor import Actor
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
