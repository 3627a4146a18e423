"""Sessions as doors show them: where each stands, and everything that happened in one.

A run that is neither ended nor waiting is worked on by somebody, or it was interrupted: by a
crash, by a stop, by a provider that did not answer. Who works on a run holds its lease.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.records import GateRow, RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.platform import UNKNOWN, process_start
from paige.plan import session_queries
from paige.plan.branches import Point, read_branches, read_lineage
from paige.plan.results import outcome_of
from paige.plan.said import Said, said_in, source_in
from paige.plan.session_queries import RunPlace, SessionItem, SessionsWanted
from paige.store.leases import NOBODY, Holder, Lease, this_process
from paige.store.queries import shared_moment

State = Literal["running", "waiting", "ended", "interrupted"]
PAGE = 40
"""So many runs are read together."""


class Origin(NamedTuple):
    """The session that another one branched off from."""

    id: str
    title: str | None


@dataclass(frozen=True, slots=True)
class SeenSession:
    """A session and where its last run stands."""

    item: SessionItem
    state: State
    status: str | None
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class SeenRun:
    """One run with everything that a person may look at."""

    row: RunRow
    state: State
    source: str
    said: tuple[Said, ...]
    gates: tuple[GateRow, ...]
    lesson: str | None


@dataclass(frozen=True, slots=True)
class SeenTranscript:
    """A session with some of its runs; those before it branched off are counted as its own."""

    session: SeenSession
    runs: tuple[SeenRun, ...]
    first: int = 0  # how many runs come before these
    total: int = 0
    branches: Mapping[str, tuple[RunPlace, ...]] = field(default_factory=dict)  # of all runs


class RunsWanted(NamedTuple):
    """Which runs of a session: from a place on; else the last page and the one before it."""

    start: int | None = None
    limit: int = PAGE


LATEST = RunsWanted()


@dataclass(frozen=True, slots=True)
class Looking:
    """Who looks, when, and the runs that this process works on.

    Leases that several servers hold go by the clock of the database (`shared`).
    """

    actor: Actor
    now: datetime
    busy: Collection[str] = ()
    shared: bool = False


def list_sessions(
    connection: Connection, looking: Looking, wanted: SessionsWanted
) -> list[SeenSession]:
    """Sessions that fit, each with where it stands."""
    actor = looking.actor
    items = session_queries.find_sessions(connection, actor, wanted)
    last = session_queries.last_runs(connection, actor, [item.id for item in items])
    open_runs = [run.id for run in last.values() if run.state != "ended"]
    asking = session_queries.runs_that_ask(connection, actor, open_runs)
    working = worked_on(connection, looking, open_runs)
    origins = _origins(connection, actor, items)
    seen: list[SeenSession] = []
    for item in items:
        run, origin = last.get(item.id), origins.get(item.id)
        if run is None:  # a session is stored with its first run; this one has none to show
            seen.append(SeenSession(item, "ended", None, origin))
            continue
        state = state_of(run.state, asks=run.id in asking, works=run.id in working)
        seen.append(SeenSession(item, state, run.status, origin))
    return seen


def read_transcript(
    connection: Connection, looking: Looking, session: str, wanted: RunsWanted = LATEST
) -> SeenTranscript:
    """A session with what happened in it, also before it branched off. Raises: NotFound."""
    actor = looking.actor
    item = _item(queries.get_session(connection, actor, session))
    lineage = read_lineage(connection, actor, session)
    total = len(lineage.places)
    first = first_of(wanted, total)
    end = total if wanted.start is None else first + wanted.limit
    rows = [queries.get_run(connection, actor, each.id) for each in lineage.places[first:end]]
    working = worked_on(connection, looking, [run.id for run in rows if run.state != "ended"])
    runs = tuple(_run(connection, looking, run, works=run.id in working) for run in rows)
    state, status = "ended", None
    if lineage.places:
        last = queries.get_run(connection, actor, lineage.places[-1].id)
        state, status = run_state(connection, looking, last), last.status
    origin = _origins(connection, actor, [item]).get(item.id)
    seen = SeenSession(item, state, status, origin)
    return SeenTranscript(seen, runs, first, total, read_branches(connection, actor, lineage))


def first_of(wanted: RunsWanted, total: int) -> int:
    """The place of the first run that is wanted.

    Pages begin at fixed places: what was read of one stays right when the session goes on.
    """
    if wanted.start is not None:
        return min(wanted.start, total)
    return max(0, ((total - 1) // wanted.limit - 1) * wanted.limit)


def run_state(connection: Connection, looking: Looking, run: RunRow) -> State:
    """Where one run stands."""
    asks = any(gate.answered_at is None for gate in _gates(connection, looking, run))
    works = bool(worked_on(connection, looking, [run.id]))
    return state_of(run.state, asks=asks, works=works)


def state_of(stored: str, *, asks: bool, works: bool) -> State:
    """What the stored state, an open gate and a worker mean together."""
    if stored == "ended":
        return "ended"
    if works:
        return "running"
    return "waiting" if asks else "interrupted"


def worked_on(connection: Connection, looking: Looking, runs: Iterable[str]) -> set[str]:
    """Those of some runs that a living process works on."""
    names = {f"run/{run}": run for run in runs}
    leases = session_queries.leases_of(connection, looking.actor, names)
    now = shared_moment(connection, looking.now) if leases and looking.shared else looking.now
    held = {names[lease.name] for lease in leases if _is_held(lease, this_process(), now)}
    return held | {run for run in names.values() if run in looking.busy}


def _is_held(lease: Lease, here: Holder, now: datetime) -> bool:
    if lease.holder == NOBODY or lease.until <= now:
        return False
    # Nobody sees the processes of another host: there only the time counts.
    if lease.holder.host != here.host:
        return True
    return process_start(lease.holder.pid) in (lease.holder.started, UNKNOWN)


def _run(connection: Connection, looking: Looking, run: RunRow, *, works: bool) -> SeenRun:
    gates = tuple(_gates(connection, looking, run))
    entries = queries.journal_entries(connection, looking.actor, run.id)
    asks = any(gate.answered_at is None for gate in gates)
    return SeenRun(
        run,
        state_of(run.state, asks=asks, works=works),
        source_in(entries, run.source),
        said_in(run.prompt, entries),
        gates,
        outcome_of(entries, None).path,
    )


def _gates(connection: Connection, looking: Looking, run: RunRow) -> list[GateRow]:
    return queries.gates_of(connection, looking.actor, run.id)


def _origins(
    connection: Connection, actor: Actor, items: Iterable[SessionItem]
) -> dict[str, Origin]:
    points = {item.id: Point.read(item.forked_from) for item in items if item.forked_from}
    titles = session_queries.titles_of(connection, actor, {at.session for at in points.values()})
    return {id: Origin(at.session, titles.get(at.session)) for id, at in points.items()}


def _item(row: SessionRow) -> SessionItem:
    return SessionItem(
        row.id,
        row.title,
        row.plugin,
        row.command,
        row.class_id,
        row.started_at,
        row.updated_at,
        row.forked_from,
    )
