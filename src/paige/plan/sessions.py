"""Sessions as doors show them: where each stands, and everything that happened in one.

A run that is neither ended nor waiting is worked on by somebody, or it was interrupted: by a
crash, by a stop, by a provider that did not answer. Who works on a run holds its lease.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.tables import GateRow, RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.platform import UNKNOWN, process_start
from paige.base.wire import wire
from paige.plan import session_queries
from paige.plan.branches import Point, read_branches, read_lineage
from paige.plan.results import PlanSaid, outcome_of, said_in, source_in
from paige.plan.session_queries import PlanSearch, SessionItem
from paige.store.leases import NOBODY, Holder, Lease, this_process
from paige.store.queries import shared_moment

State = Literal["running", "waiting", "ended", "interrupted"]
PAGE = 40
"""So many runs are read together."""


@wire
class PlanOrigin:
    """The session that another one branched off from."""

    id: str
    title: str | None


@wire(kw_only=True)
class PlanSession:
    """A session as lists show it, and where its last run stands."""

    id: str
    title: str | None
    command: str | None
    class_id: str | None
    state: State
    status: str | None
    started_at: datetime
    updated_at: datetime
    branch_of: PlanOrigin | None


@wire(kw_only=True)
class PlanGate:
    """A question of a run with its answer, if there is one."""

    run: str
    gate: str
    revision: int
    hook: str
    """Which hook asks; else `permission`, `lost` or `unknown`, for what the loop itself asks."""
    interaction: dict[str, Any]
    reply: dict[str, Any] | None
    opened_at: datetime
    answered_at: datetime | None


@wire
class PlanWriting:
    """What is being written at this moment; `plan:delta` goes on from here."""

    step: str
    attempt: int
    text: str


@wire(kw_only=True)
class PlanRun:
    """One run of a session; `reason` says why it failed or was interrupted."""

    id: str
    session: str
    """Another one when it was said before the session branched off."""
    number: int
    prompt: str
    state: State
    status: str | None
    reason: str | None
    output: str | None
    source: str
    turns: int
    cost_usd: float | None
    lesson: str | None
    """The path of the lesson that it saved."""
    created_at: datetime
    said: tuple[PlanSaid, ...]
    writing: PlanWriting | None
    gates: tuple[PlanGate, ...]


@wire
class PlanPlace:
    """A run, and the session to read it in."""

    session: str
    run: str


@wire(kw_only=True)
class PlanTranscript:
    """A session with some of its runs; those before it branched off are counted as its own."""

    session: PlanSession
    total: int
    first: int
    """How many runs come before these."""
    runs: tuple[PlanRun, ...]
    branches: Mapping[str, tuple[PlanPlace, ...]]
    """For each run that was said instead of others, all of them, oldest first."""


class RunsWanted(NamedTuple):
    """Which runs of a session: from a place on; else the last page and the one before it."""

    start: int | None = None
    limit: int = PAGE


LATEST = RunsWanted()


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, when, and the runs that this process works on.

    Leases that several servers hold go by the clock of the database (`shared`).
    """

    actor: Actor
    now: datetime
    busy: Collection[str] = ()
    shared: bool = False


def list_sessions(connection: Connection, looking: Viewer, wanted: PlanSearch) -> list[PlanSession]:
    """Sessions that fit, each with where it stands."""
    actor = looking.actor
    items = session_queries.find_sessions(connection, actor, wanted)
    last = session_queries.last_runs(connection, actor, [item.id for item in items])
    open_runs = [run.id for run in last.values() if run.state != "ended"]
    asking = session_queries.runs_that_ask(connection, actor, open_runs)
    working = worked_on(connection, looking, open_runs)
    origins = _origins(connection, actor, items)
    seen: list[PlanSession] = []
    for item in items:
        run, origin = last.get(item.id), origins.get(item.id)
        if run is None:  # a session is stored with its first run; this one has none to show
            seen.append(_session(item, "ended", None, origin))
            continue
        state = state_of(run.state, asks=run.id in asking, works=run.id in working)
        seen.append(_session(item, state, run.status, origin))
    return seen


def read_transcript(
    connection: Connection, looking: Viewer, session: str, wanted: RunsWanted = LATEST
) -> PlanTranscript:
    """A session with what happened in it, also before it branched off. Raises: NotFound."""
    actor = looking.actor
    item = queries.get_session(connection, actor, session)
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
    branches = read_branches(connection, actor, lineage)
    return PlanTranscript(
        session=_session(item, state, status, origin),
        total=total,
        first=first,
        runs=runs,
        branches={
            run: tuple(PlanPlace(each.session, each.id) for each in places)
            for run, places in branches.items()
        },
    )


def first_of(wanted: RunsWanted, total: int) -> int:
    """The place of the first run that is wanted.

    Pages begin at fixed places: what was read of one stays right when the session goes on.
    """
    if wanted.start is not None:
        return min(wanted.start, total)
    return max(0, ((total - 1) // wanted.limit - 1) * wanted.limit)


def run_state(connection: Connection, looking: Viewer, run: RunRow) -> State:
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


def worked_on(connection: Connection, looking: Viewer, runs: Iterable[str]) -> set[str]:
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


def _run(connection: Connection, looking: Viewer, run: RunRow, *, works: bool) -> PlanRun:
    gates = _gates(connection, looking, run)
    entries = queries.journal_entries(connection, looking.actor, run.id)
    state = state_of(run.state, asks=any(each.answered_at is None for each in gates), works=works)
    return PlanRun(
        id=run.id,
        session=run.session_id,
        number=run.number,
        prompt=run.prompt,
        state=state,
        status=run.status,
        # It was interrupted once and goes on by now: that is no news any more.
        reason=run.reason if state in ("ended", "interrupted") else None,
        output=run.output,
        source=source_in(entries, run.source),
        turns=run.turns,
        cost_usd=run.cost_usd,
        lesson=outcome_of(entries, None).path,
        created_at=run.created_at,
        said=said_in(run.prompt, entries),
        writing=None,
        gates=tuple(map(gate_of, gates)),
    )


def gate_of(row: GateRow) -> PlanGate:
    """A question with its answer."""
    return PlanGate(
        run=row.run_id,
        gate=row.gate,
        revision=row.revision,
        hook=hook_of(row.gate),
        interaction=row.interaction,
        reply=row.reply,
        opened_at=row.opened_at,
        answered_at=row.answered_at,
    )


def hook_of(gate: str) -> str:
    """Which hook asks; else `permission`, `lost` or `unknown`, for what the loop itself asks."""
    *_, last = f"/{gate}".split("/hook/")
    parts = gate.split("/")
    if last != f"/{gate}" and not last.endswith("/ask"):
        return last.split("/")[1]
    if parts[-1] == "ask":
        return "permission"
    return "lost" if "lost" in parts else "unknown"


def _session(
    item: SessionItem | SessionRow, state: State, status: str | None, origin: PlanOrigin | None
) -> PlanSession:
    named = item.plugin and item.command
    return PlanSession(
        id=item.id,
        title=item.title,
        command=f"{item.plugin}:{item.command}" if named else None,
        class_id=item.class_id,
        state=state,
        status=status,
        started_at=item.started_at,
        updated_at=item.updated_at,
        branch_of=origin,
    )


def _gates(connection: Connection, looking: Viewer, run: RunRow) -> list[GateRow]:
    return queries.gates_of(connection, looking.actor, run.id)


def _origins(
    connection: Connection, actor: Actor, items: Iterable[SessionItem | SessionRow]
) -> dict[str, PlanOrigin]:
    points = {item.id: Point.read(item.forked_from) for item in items if item.forked_from}
    titles = session_queries.titles_of(connection, actor, {at.session for at in points.values()})
    return {id: PlanOrigin(at.session, titles.get(at.session)) for id, at in points.items()}
