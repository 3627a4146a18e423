"""SQL of sessions, runs, journals, gates and spans."""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Table,
    and_,
    bindparam,
    func,
    insert,
    select,
    text,
    update,
)

from paige.agent.journal import Batch, Entry, Gate, Span
from paige.agent.tables import (
    BLOBS,
    GATES,
    JOURNAL,
    RUNS,
    SESSIONS,
    SPANS,
    GateRow,
    RunRow,
    SessionRow,
    SessionSearch,
    SpanRow,
)
from paige.base.actor import Actor
from paige.base.errors import Conflict, NotFound
from paige.models.codec import load_message
from paige.models.messages import Message
from paige.models.queries import insert_api_call
from paige.store.fulltext import matching
from paige.store.queries import insert_rows

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)


def _columns(table: Table, row: type[Any]) -> list[Column[Any]]:
    return [table.c[name] for name in row.__dataclass_fields__]


# What every run asks for is put together once: that takes longer than running it.
_SESSION = select(*_columns(SESSIONS, SessionRow)).where(
    SESSIONS.c.tenant == bindparam("tenant"),
    SESSIONS.c.person == bindparam("person"),
    SESSIONS.c.id == bindparam("id"),
)
_RUN = select(*_columns(RUNS, RunRow)).where(
    RUNS.c.tenant == bindparam("tenant"),
    RUNS.c.person == bindparam("person"),
    RUNS.c.id == bindparam("id"),
)
_RUNS = (
    select(*_columns(RUNS, RunRow))
    .where(RUNS.c.tenant == bindparam("tenant"), RUNS.c.session_id == bindparam("session"))
    .order_by(RUNS.c.number)
)
_LAST_NUMBER = select(func.max(RUNS.c.number)).where(
    RUNS.c.tenant == bindparam("tenant"), RUNS.c.session_id == bindparam("session")
)
_ENTRIES = (
    select(JOURNAL.c.seq, JOURNAL.c.step, JOURNAL.c.kind, JOURNAL.c.body)
    .where(JOURNAL.c.tenant == bindparam("tenant"), JOURNAL.c.run_id == bindparam("run"))
    .order_by(JOURNAL.c.seq)
)
_GATES = (
    select(*_columns(GATES, GateRow))
    .where(GATES.c.tenant == bindparam("tenant"), GATES.c.run_id == bindparam("run"))
    .order_by(GATES.c.opened_at, GATES.c.gate)
)
_UPDATE_SESSION = update(SESSIONS).where(
    SESSIONS.c.tenant == bindparam("own_tenant"), SESSIONS.c.id == bindparam("own_id")
)
_UPDATE_RUN = update(RUNS).where(
    RUNS.c.tenant == bindparam("own_tenant"), RUNS.c.id == bindparam("own_id")
)
_BLOB = select(BLOBS.c.text).where(
    BLOBS.c.tenant == bindparam("tenant"), BLOBS.c.hash == bindparam("hash")
)
# Plain SQL for the two inserts of every turn: they are on the hot path of the loop.
_INSERT_ENTRY = text(
    "INSERT INTO journal (tenant, run_id, seq, step, kind, body) "
    "VALUES (:tenant, :run, :seq, :step, :kind, :body)"
)
_INSERT_SPAN = text(
    "INSERT INTO spans (tenant, trace, step, parent, kind, name, failed, started_us, ended_us, "
    "attributes) VALUES (:tenant, :trace, :step, :parent, :kind, :name, :failed, :started, :ended, "
    ":attributes) ON CONFLICT DO NOTHING"  # a replay may come by again
)
_INSERT_BLOB = text(
    "INSERT INTO blobs (tenant, hash, text) VALUES (:tenant, :hash, :text) "
    "ON CONFLICT (tenant, hash) DO NOTHING"
)


def write_batch(
    connection: Connection, actor: Actor, run: str, batch: Batch, *, now: datetime
) -> None:
    """Write what a run noted, in the caller's transaction."""
    insert_rows(connection, _INSERT_ENTRY, [_entry(actor, run, entry) for entry in batch.entries])
    insert_rows(connection, _INSERT_SPAN, [_span(actor, run, span) for span in batch.spans])
    for call in batch.calls:
        insert_api_call(connection, actor, call)
    for gate in batch.gates:
        open_gate(connection, actor, run, gate, now=now)


def journal_entries(connection: Connection, actor: Actor, run: str) -> list[Entry]:
    """The journal of a run, in order."""
    rows = connection.execute(_ENTRIES, {"tenant": actor.tenant, "run": run})
    return [Entry(row.seq, row.step, row.kind, row.body) for row in rows]


def journal_result(connection: Connection, actor: Actor, run: str, step: str) -> Any:  # noqa: ANN401 - JSON
    """What a step of a run came to, or `None`."""
    query = select(JOURNAL.c.body).where(
        JOURNAL.c.tenant == actor.tenant,
        JOURNAL.c.run_id == run,
        JOURNAL.c.step == step,
        JOURNAL.c.kind == "result",
    )
    body = connection.scalar(query)
    return None if body is None else json.loads(body)


def insert_session(connection: Connection, session: SessionRow, actor: Actor) -> None:
    """Store a new session."""
    connection.execute(insert(SESSIONS), {"tenant": actor.tenant, **asdict(session)})


def get_session(
    connection: Connection, actor: Actor, session: str, *, lock: bool = False
) -> SessionRow:
    """One session of a person; `lock` keeps others from changing it meanwhile. Raises: NotFound."""
    query = _SESSION.with_for_update() if lock else _SESSION
    row = connection.execute(query, _own(actor, session)).one_or_none()
    if row is None:
        raise NotFound(f"There is no session `{session}`", hint="`paige plan sessions` lists them.")
    return SessionRow(*row)


def recent_sessions(
    connection: Connection, actor: Actor, *, plugin: str | None = None, limit: int = 20
) -> list[SessionRow]:
    """Sessions of a person, newest first."""
    query = select(*_columns(SESSIONS, SessionRow)).where(
        SESSIONS.c.tenant == actor.tenant, SESSIONS.c.person == actor.person
    )
    if plugin is not None:
        query = query.where(SESSIONS.c.plugin == plugin)
    query = query.order_by(SESSIONS.c.updated_at.desc(), SESSIONS.c.id).limit(limit)
    return [SessionRow(*row) for row in connection.execute(query)]


def search_sessions(
    connection: Connection, actor: Actor, wanted: SessionSearch
) -> list[SessionRow]:
    """Sessions of a person that hold all words, best first; filters alone give the newest."""
    own = [SESSIONS.c.tenant == actor.tenant, SESSIONS.c.person == actor.person]
    if wanted.class_id is not None:
        own.append(SESSIONS.c.class_id == wanted.class_id)
    if wanted.since is not None:
        own.append(SESSIONS.c.updated_at >= wanted.since)
    if wanted.until is not None:
        own.append(SESSIONS.c.updated_at < wanted.until)
    query = select(*_columns(SESSIONS, SessionRow)).where(*own)
    if wanted.words.strip():
        found = matching(connection, SESSIONS, actor, wanted.words).subquery()
        query = query.join(found, found.c.id == SESSIONS.c.id).order_by(found.c.score.desc())
    query = query.order_by(SESSIONS.c.updated_at.desc(), SESSIONS.c.id).limit(wanted.limit)
    return [SessionRow(*row) for row in connection.execute(query)]


def update_session(
    connection: Connection, actor: Actor, session: str, *, now: datetime, **values: object
) -> None:
    """Change some columns of a session."""
    own = {"own_tenant": actor.tenant, "own_id": session}
    connection.execute(_UPDATE_SESSION, {**own, **values, "updated_at": now})


def insert_run(connection: Connection, actor: Actor, run: RunRow, blobs: dict[str, str]) -> None:
    """Store a new run and the texts it was made from."""
    connection.execute(insert(RUNS), {"tenant": actor.tenant, **asdict(run)})
    for digest, content in blobs.items():
        connection.execute(_INSERT_BLOB, {"tenant": actor.tenant, "hash": digest, "text": content})


def get_run(connection: Connection, actor: Actor, run: str) -> RunRow:
    """One run of a person. Raises: NotFound."""
    row = connection.execute(_RUN, _own(actor, run)).one_or_none()
    if row is None:
        raise NotFound(f"There is no run `{run}`", hint="`paige trace list` lists them.")
    return RunRow(*row)


def runs_of(connection: Connection, actor: Actor, session: str) -> list[RunRow]:
    """The runs of a session, in order."""
    rows = connection.execute(_RUNS, {"tenant": actor.tenant, "session": session})
    return [RunRow(*row) for row in rows]


def recent_runs(connection: Connection, actor: Actor, *, limit: int = 20) -> list[RunRow]:
    """Runs of a person, newest first."""
    query = (
        select(*_columns(RUNS, RunRow))
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.person == actor.person)
        .order_by(RUNS.c.created_at.desc(), RUNS.c.id)
        .limit(limit)
    )
    return [RunRow(*row) for row in connection.execute(query)]


def update_run(
    connection: Connection, actor: Actor, run: str, *, now: datetime, **values: object
) -> None:
    """Change some columns of a run."""
    own = {"own_tenant": actor.tenant, "own_id": run}
    connection.execute(_UPDATE_RUN, {**own, **values, "updated_at": now})


def next_number(connection: Connection, actor: Actor, session: str) -> int:
    """The place of the next run in a session."""
    known = connection.scalar(_LAST_NUMBER, {"tenant": actor.tenant, "session": session})
    return (known or 0) + 1


def find_blob(connection: Connection, actor: Actor, digest: str) -> str | None:
    """A text by its hash."""
    return connection.scalar(_BLOB, {"tenant": actor.tenant, "hash": digest})


def open_gate(connection: Connection, actor: Actor, run: str, gate: Gate, *, now: datetime) -> None:
    """Open a gate; one that is open already stays as it is."""
    if any(known.gate == gate.gate for known in gates_of(connection, actor, run)):
        return
    row = {"tenant": actor.tenant, "run_id": run, "gate": gate.gate, "revision": gate.revision}
    asked = {"person": actor.person, "interaction": dict(gate.interaction), "opened_at": now}
    connection.execute(insert(GATES), {**row, **asked})


def gates_of(connection: Connection, actor: Actor, run: str) -> list[GateRow]:
    """Every gate of a run, in the order they opened."""
    rows = connection.execute(_GATES, {"tenant": actor.tenant, "run": run})
    return [GateRow(*row) for row in rows]


def answer_gate(
    connection: Connection, actor: Actor, asked: GateRow, reply: dict[str, Any], *, now: datetime
) -> None:
    """Store the reply to a gate that is still open at that revision. Raises: Conflict."""
    still_open = (
        GATES.c.tenant == actor.tenant,
        GATES.c.run_id == asked.run_id,
        GATES.c.gate == asked.gate,
        GATES.c.revision == asked.revision,
        GATES.c.answered_at.is_(None),
    )
    done = connection.execute(update(GATES).where(*still_open).values(reply=reply, answered_at=now))
    if done.rowcount != 1:
        raise Conflict(
            "This question was answered meanwhile", hint="Open the run again to see how it goes on."
        )


def waiting_gates(connection: Connection, actor: Actor) -> list[GateRow]:
    """Every gate that waits for a person, oldest first."""
    query = (
        select(*_columns(GATES, GateRow))
        .where(
            GATES.c.tenant == actor.tenant,
            GATES.c.person == actor.person,
            GATES.c.answered_at.is_(None),
            GATES.c.run_id.in_(select(RUNS.c.id).where(RUNS.c.state != "ended")),
        )
        .order_by(GATES.c.opened_at, GATES.c.gate)
    )
    return [GateRow(*row) for row in connection.execute(query)]


def spans_of(connection: Connection, actor: Actor, trace: str) -> list[SpanRow]:
    """The spans of a run, in the order they began."""
    query = (
        select(*_columns(SPANS, SpanRow))
        .where(SPANS.c.tenant == actor.tenant, SPANS.c.trace == trace)
        .order_by(SPANS.c.started_us, SPANS.c.step)
    )
    return [SpanRow(*row) for row in connection.execute(query)]


def _own(actor: Actor, identity: str) -> dict[str, str]:
    return {"tenant": actor.tenant, "person": actor.person, "id": identity}


def _entry(actor: Actor, run: str, entry: Entry) -> dict[str, object]:
    return {
        "tenant": actor.tenant,
        "run": run,
        "seq": entry.seq,
        "step": entry.step,
        "kind": entry.kind,
        "body": entry.body,
    }


def _span(actor: Actor, run: str, span: Span) -> dict[str, object]:
    return {
        "tenant": actor.tenant,
        "trace": run,
        "step": span.step,
        "parent": span.parent,
        "kind": span.kind,
        "name": span.name,
        "failed": span.failed,
        "started": span.started_us,
        "ended": span.ended_us,
        "attributes": _ENCODER.encode(span.attributes),
    }


@dataclass(frozen=True, slots=True)
class WordedSession:
    """A session that holds the words, with what was said in it."""

    id: str
    title: str | None
    messages_text: str
    status: str
    updated_at: datetime
    issue_number: int | None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question of a run that nobody has answered, and the session it was asked in."""

    run: str
    gate: str
    revision: int
    interaction: dict[str, Any]
    opened_at: datetime
    session: str
    title: str | None
    door: str


_WORDED = [SESSIONS.c[name] for name in WordedSession.__dataclass_fields__]


def worded_sessions(
    connection: Connection, actor: Actor, *, door: str, words: str, limit: int
) -> list[WordedSession]:
    """A person's sessions of one door that hold all words, best first."""
    found = matching(connection, SESSIONS, actor, words).subquery()
    query = (
        select(*_WORDED)
        .join(found, found.c.id == SESSIONS.c.id)
        .where(
            SESSIONS.c.tenant == actor.tenant,
            SESSIONS.c.person == actor.person,
            SESSIONS.c.door == door,
        )
        .order_by(found.c.score.desc(), SESSIONS.c.updated_at.desc(), SESSIONS.c.id)
        .limit(limit)
    )
    return [WordedSession(*row) for row in connection.execute(query)]


def open_questions(connection: Connection, actor: Actor, *, limit: int) -> list[OpenQuestion]:
    """Every question that waits for a person, oldest first, with its session."""
    own_run = and_(RUNS.c.tenant == GATES.c.tenant, RUNS.c.id == GATES.c.run_id)
    own_session = and_(SESSIONS.c.tenant == RUNS.c.tenant, SESSIONS.c.id == RUNS.c.session_id)
    query = (
        select(
            GATES.c.run_id,
            GATES.c.gate,
            GATES.c.revision,
            GATES.c.interaction,
            GATES.c.opened_at,
            SESSIONS.c.id,
            SESSIONS.c.title,
            SESSIONS.c.door,
        )
        .join(RUNS, own_run)
        .join(SESSIONS, own_session)
        .where(
            GATES.c.tenant == actor.tenant,
            GATES.c.person == actor.person,
            GATES.c.answered_at.is_(None),
            RUNS.c.state != "ended",
        )
        .order_by(GATES.c.opened_at, GATES.c.gate)
        .limit(limit)
    )
    return [OpenQuestion(*row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session with everything that was said in it."""

    session: SessionRow
    runs: tuple[RunRow, ...]
    messages: tuple[Message, ...]


def ended_runs(connection: Connection, actor: Actor, session: str) -> list[RunRow]:
    """The runs whose messages a session's next run continues, a fork's origin first."""
    row = get_session(connection, actor, session)
    before: list[RunRow] = []
    if row.forked_from:
        origin, _, upto = row.forked_from.rpartition("#")
        before = [
            run
            for run in ended_runs(connection, actor, origin)
            if run.session_id != origin or run.number <= int(upto)  # numbers are a session's own
        ]
    own = [run for run in runs_of(connection, actor, session) if run.state == "ended"]
    return [*before, *own]


def messages_of(connection: Connection, actor: Actor, runs: list[str]) -> tuple[Message, ...]:
    """What was said in some runs, in their order."""
    messages: list[Message] = []
    for run in runs:
        end = journal_result(connection, actor, run, "end") or {"messages": []}
        messages += [load_message(data) for data in end["messages"]]
    return tuple(messages)


def read_session(connection: Connection, actor: Actor, session: str) -> Transcript:
    """A session and everything that was said in it. Raises: NotFound."""
    row = get_session(connection, actor, session)
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
