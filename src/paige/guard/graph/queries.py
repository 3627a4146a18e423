"""SQL of the context graph, the same on both engines."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    or_,
    select,
    text,
    update,
)

from paige.base.actor import Actor
from paige.guard.graph.values import Edge, GraphName, GraphOverview, Group, Node, Trace, TraceQuery
from paige.guard.tables import DECISIONS, EDGES, SESSIONS_HEARD
from paige.store.fulltext import matching_newest
from paige.store.types import UtcTime, engine_insert

MOST_COUNTED = 1_000
"""A count goes no further: nobody reads more, and a count of millions takes its time."""
MOST_FACETS = 50
MOST_NOTES = 5000
_AT_ONCE = 500  # ids in one query
_NAMES = {each.name for each in fields(Trace)}
_TRACE = tuple(each for each in DECISIONS.c if each.name in _NAMES)
_WORDS = tuple(
    DECISIONS.c[name]
    for name in (
        "task", "what_happened", "what_was_correct", "why", "target", "shape", "files", "meta",
    )
)  # fmt: skip
_JUDGED = tuple(
    DECISIONS.c[name]
    for name in (
        "id", "project", "at", "type", "agent", "session", "event", "tool", "rule", "meta",
    )
)  # fmt: skip
_BRIEF = (DECISIONS.c.id, DECISIONS.c.type, DECISIONS.c.at, DECISIONS.c.agent)
_NEWEST = (DECISIONS.c.at.desc(), DECISIONS.c.id.desc())
# Which way cause and effect run along an edge: with it, or against it.
_WITH = ("led_to", "made_guard")
_AGAINST = ("corrected", "informed_by")
_GROUPED = (
    DECISIONS.c.project, DECISIONS.c.agent, DECISIONS.c.action, DECISIONS.c.reason,
    DECISIONS.c.shape, DECISIONS.c.type, DECISIONS.c.session,
)  # fmt: skip


class WalkStep(NamedTuple):
    """A node that a walk came to."""

    kind: str
    id: str
    relation: str
    depth: int


def insert_traces(
    connection: Connection,
    actor: Actor,
    traces: Sequence[Trace],
    vectors: Sequence[bytes | None],
) -> frozenset[str]:
    """Add traces whose id is not there yet; which they are."""
    known = known_ids(connection, actor, [each.id for each in traces])
    rows = {
        trace.id: {"tenant": actor.tenant, **_row(trace), "embedding": vector}
        for trace, vector in zip(traces, vectors, strict=True)
        if trace.id not in known
    }
    if rows:
        # Somebody else may have been faster between the look and the leap.
        done = engine_insert(connection, DECISIONS).on_conflict_do_nothing()
        connection.execute(done, list(rows.values()))
    return frozenset(rows)


def insert_edges(connection: Connection, actor: Actor, edges: Collection[Edge]) -> None:
    """Add edges; those that are there stay as they are."""
    rows = [
        {
            "tenant": actor.tenant,
            "source_kind": each.source.kind,
            "source_id": each.source.id,
            "relation": each.relation,
            "target_kind": each.target.kind,
            "target_id": each.target.id,
            "at": each.at,
        }
        for each in edges
    ]
    if rows:
        connection.execute(engine_insert(connection, EDGES).on_conflict_do_nothing(), rows)


def known_ids(connection: Connection, actor: Actor, ids: Sequence[str]) -> frozenset[str]:
    """Those of the ids that the tenant has."""
    found: set[str] = set()
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        own = (DECISIONS.c.tenant == actor.tenant, DECISIONS.c.id.in_(part))
        found |= set(connection.scalars(select(DECISIONS.c.id).where(*own)))
    return frozenset(found)


def newest(
    connection: Connection, actor: Actor, query: TraceQuery, *, brief: bool = False
) -> list[Trace]:
    """The newest traces that a query asks for; `brief` ones have no texts."""
    found: list[Row[Any]] = []
    parts = _parts(actor, query)
    for wanted in parts:
        asked = select(*(_BRIEF if brief else _TRACE)).where(*wanted).order_by(*_NEWEST)
        found += connection.execute(asked.limit(query.limit)).all()
    if len(parts) > 1:
        found = sorted(found, key=lambda row: (row.at, row.id), reverse=True)[: query.limit]
    return [_trace(row) for row in found]


def count(connection: Connection, actor: Actor, query: TraceQuery) -> int:
    """How many traces a query asks for, up to `MOST_COUNTED`."""
    total = 0
    for wanted in _parts(actor, query):
        asked = select(literal_column("1")).select_from(DECISIONS).where(*wanted)
        # In order, so that it takes the index that the rows themselves are read by.
        some = asked.order_by(DECISIONS.c.at.desc()).limit(MOST_COUNTED).subquery()
        total += connection.scalar(select(func.count()).select_from(some)) or 0
    return min(total, MOST_COUNTED)


def candidates(
    connection: Connection, actor: Actor, query: TraceQuery, most: int
) -> list[tuple[Trace, bytes | None]]:
    """Traces that may answer a text: those with any of its words, and the newest; with vectors."""
    columns = (*_TRACE, DECISIONS.c.embedding)
    found: dict[str, tuple[Trace, bytes | None]] = {}
    worded = matching_newest(connection, DECISIONS, query.text, DECISIONS.c.at, most * 4)
    asks: list[Select[Any]] = []
    for wanted in _parts(actor, query):
        asks.append(select(*columns).where(DECISIONS.c.id.in_(worded), *wanted))
        asks.append(select(*columns).where(*wanted))
    for ask in asks:
        for row in connection.execute(ask.order_by(DECISIONS.c.at.desc()).limit(most)):
            found[row.id] = (_trace(row), row.embedding)
    return list(found.values())


def candidates_for_precedents(
    connection: Connection, actor: Actor, project: str, most: int
) -> list[tuple[Trace, bytes | None]]:
    """The newest corrections and refusals of a project, and those that hold everywhere."""
    columns = (*_TRACE, DECISIONS.c.embedding)
    found: dict[str, tuple[Trace, bytes | None]] = {}
    for wanted in _parts(actor, TraceQuery(project=project)):
        bad = DECISIONS.c.type.in_(("correction", "violation"))
        asked = select(*columns).where(*wanted, bad).order_by(*_NEWEST).limit(most)
        for row in connection.execute(asked):
            found[row.id] = (_trace(row), row.embedding)
    return list(found.values())


def traces_of(connection: Connection, actor: Actor, ids: Sequence[str]) -> dict[str, Trace]:
    """Traces by their ids; those that do not exist are not in it."""
    found: dict[str, Trace] = {}
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        asked = select(*_TRACE).where(DECISIONS.c.tenant == actor.tenant, DECISIONS.c.id.in_(part))
        found |= {row.id: _trace(row) for row in connection.execute(asked)}
    return found


def ids_beginning(connection: Connection, actor: Actor, start: str) -> list[str]:
    """Up to two ids that begin with a text: people write the beginning only."""
    asked = (
        select(DECISIONS.c.id)
        .where(
            DECISIONS.c.tenant == actor.tenant,
            DECISIONS.c.id >= start,
            DECISIONS.c.id < f"{start}\U0010ffff",
        )
        .order_by(DECISIONS.c.id)
        .limit(2)
    )
    return [each for each in connection.scalars(asked) if each.startswith(start)]


def samples(
    connection: Connection, actor: Actor, wanted: Mapping[str, str], limit: int
) -> list[Trace]:
    """The newest traces with exactly these values."""
    asked = (
        select(*_TRACE)
        .where(
            DECISIONS.c.tenant == actor.tenant,
            *(DECISIONS.c[name] == value for name, value in wanted.items()),
        )
        .order_by(*_NEWEST)
        .limit(limit)
    )
    return [_trace(row) for row in connection.execute(asked)]


def judged(connection: Connection, actor: Actor, most: int) -> list[Trace]:
    """The newest traces that say what became of an action, the oldest first."""
    asked = (
        select(*_JUDGED)
        .where(
            DECISIONS.c.tenant == actor.tenant,
            DECISIONS.c.type.in_(("violation", "correction", "approval")),
        )
        .order_by(*_NEWEST)
        .limit(most)
    )
    return [_trace(row) for row in reversed(connection.execute(asked).all())]


def count_retrieval(
    connection: Connection, actor: Actor, ids: Collection[str], now: datetime
) -> None:
    """Note that traces were put before somebody."""
    connection.execute(
        update(DECISIONS)
        .where(DECISIONS.c.tenant == actor.tenant, DECISIONS.c.id.in_(list(ids)))
        .values(retrieved=DECISIONS.c.retrieved + 1, retrieved_at=now)
    )


def walk(
    connection: Connection, actor: Actor, start: Node, *, back: bool, depth: int, most: int
) -> list[WalkStep]:
    """What led to a node (`back`) or came of it, nearest first, at most `most` steps."""
    given = {"kind": start.kind, "id": start.id, "depth": depth, "tenant": actor.tenant}
    rows = connection.execute(_WALKS[back], {**given, "most": most})
    return [WalkStep(*row) for row in rows]


def _walk(*, back: bool) -> str:
    """The recursive query; going back is going the other way along each edge."""
    along, against = ("target", "source") if back else ("source", "target")
    reaches = f"""
        (e.relation IN {_WITH!r}
         AND e.{along}_kind = w.kind AND e.{along}_id = w.id)
        OR ((e.relation IN {_AGAINST!r}
             OR (e.relation = 'by_rule' AND e.target_kind = 'guard'))
            AND e.{against}_kind = w.kind AND e.{against}_id = w.id)"""
    taken = f"""CASE WHEN e.relation IN {_WITH!r} THEN e.{against}_{{0}} ELSE e.{along}_{{0}} END"""
    return f"""
    WITH RECURSIVE walk(kind, id, relation, depth) AS (
        SELECT CAST(:kind AS TEXT), CAST(:id AS TEXT), CAST('' AS TEXT), 0
        UNION
        SELECT {taken.format("kind")}, {taken.format("id")}, e.relation, w.depth + 1
        FROM walk AS w JOIN decision_edges AS e ON e.tenant = :tenant AND ({reaches})
        WHERE w.depth < :depth
    )
    SELECT kind, id, relation, depth FROM walk WHERE depth > 0 LIMIT :most
    """  # noqa: S608 - constants of this page


_WALKS = {back: text(_walk(back=back)) for back in (True, False)}


def edges_of(connection: Connection, actor: Actor, ids: Sequence[str], most: int) -> list[Edge]:
    """The edges that begin or end at traces."""
    columns = (EDGES.c.source_kind, EDGES.c.source_id, EDGES.c.relation)
    ends = (EDGES.c.target_kind, EDGES.c.target_id, EDGES.c.at)
    found: dict[tuple[Any, ...], Edge] = {}
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        touching = or_(
            and_(EDGES.c.source_kind == "decision", EDGES.c.source_id.in_(part)),
            and_(EDGES.c.target_kind == "decision", EDGES.c.target_id.in_(part)),
        )
        asked = select(*columns, *ends).where(EDGES.c.tenant == actor.tenant, touching)
        for row in connection.execute(asked.order_by(*columns, *ends).limit(most)):
            edge = Edge(Node(row[0], row[1]), row[2], Node(row[3], row[4]), row[5])
            found[tuple(row[:5])] = edge
    return list(found.values())[:most]


def groups(
    connection: Connection, actor: Actor, project: str | None, since: datetime | None
) -> list[Group]:
    """How often what happened, by session and day."""
    day = _day(connection).label("day")
    asked = (
        select(
            *_GROUPED,
            day,
            func.count().label("count"),
            func.min(DECISIONS.c.at, type_=UtcTime).label("first"),
            func.max(DECISIONS.c.at, type_=UtcTime).label("last"),
        )
        .where(*_in_project(actor, project, since))
        .group_by(*_GROUPED, day)
        .order_by(*_GROUPED, day)
    )
    rows = connection.execute(asked).mappings().all()
    return [Group(**{**row, "day": date.fromisoformat(str(row["day"]))}) for row in rows]


def overview(connection: Connection, actor: Actor, project: str | None) -> GraphOverview:
    """What there is, and how often."""
    mine = _in_project(actor, project)

    def counted(column: ColumnElement[Any]) -> tuple[GraphName, ...]:
        many = func.count()
        asked = select(column, many).where(*mine, column != "").group_by(column)
        rows = connection.execute(asked.order_by(many.desc(), column).limit(MOST_FACETS))
        return tuple(GraphName(row[0], row[1]) for row in rows)

    types: dict[Any, int] = {each.name: each.count for each in counted(DECISIONS.c.type)}
    return GraphOverview(
        total=sum(types.values()),
        types=types,
        agents=counted(DECISIONS.c.agent),
        features=counted(DECISIONS.c.feature),
        rules=counted(DECISIONS.c.rule),
    )


def read_heard(connection: Connection, actor: Actor, session: str) -> object:
    """What was last heard in a session, as JSON; nothing in a new one."""
    asked = select(SESSIONS_HEARD.c.recent).where(
        SESSIONS_HEARD.c.tenant == actor.tenant, SESSIONS_HEARD.c.session == session
    )
    return connection.scalar(asked.with_for_update())


def write_heard(
    connection: Connection, actor: Actor, session: str, recent: list[dict[str, Any]], at: datetime
) -> None:
    """Keep what was last heard in a session."""
    row = {"tenant": actor.tenant, "session": session, "recent": recent, "at": at}
    made = engine_insert(connection, SESSIONS_HEARD)
    connection.execute(
        made.on_conflict_do_update(
            index_elements=["tenant", "session"],
            set_={"recent": made.excluded.recent, "at": made.excluded.at},
        ),
        row,
    )


def forget_heard(connection: Connection, actor: Actor, before: datetime) -> None:
    """Forget sessions in which nothing was heard for long."""
    old = and_(SESSIONS_HEARD.c.tenant == actor.tenant, SESSIONS_HEARD.c.at < bindparam("before"))
    connection.execute(SESSIONS_HEARD.delete().where(old), {"before": before})


def all_heard(connection: Connection, actor: Actor) -> list[tuple[str, Any]]:
    """What was last heard in every session of a tenant."""
    asked = select(SESSIONS_HEARD.c.session, SESSIONS_HEARD.c.recent).where(
        SESSIONS_HEARD.c.tenant == actor.tenant
    )
    rows = connection.execute(asked.order_by(SESSIONS_HEARD.c.session)).all()
    return [(row.session, row.recent) for row in rows]


def replace_heard(
    connection: Connection, actor: Actor, session: str, recent: list[dict[str, Any]]
) -> None:
    """Put something else in the place of what was heard in a session."""
    own = and_(SESSIONS_HEARD.c.tenant == actor.tenant, SESSIONS_HEARD.c.session == session)
    connection.execute(update(SESSIONS_HEARD).where(own).values(recent=recent))


def traces_in_words(connection: Connection, actor: Actor) -> Iterator[dict[str, Any]]:
    """Every trace of a tenant as far as people's words may stand in it."""
    last = ""
    asked = select(DECISIONS.c.id, *_WORDS).where(DECISIONS.c.tenant == actor.tenant)
    while rows := connection.execute(
        asked.where(DECISIONS.c.id > last).order_by(DECISIONS.c.id).limit(_AT_ONCE)
    ).all():
        last = rows[-1].id
        yield from (dict(row._mapping) for row in rows)


def replace_trace(connection: Connection, actor: Actor, id: str, told: Mapping[str, Any]) -> None:
    """Put other words into a trace; it is no longer found by the meaning of the old ones."""
    own = and_(DECISIONS.c.tenant == actor.tenant, DECISIONS.c.id == id)
    connection.execute(update(DECISIONS).where(own).values(**told, embedding=None))


class Retrievals(NamedTuple):
    """How many traces were stored, and how many of them somebody looked up."""

    stored: int
    retrieved: int


def count_retrievals(
    connection: Connection, actor: Actor, project: str | None, since: datetime, until: datetime
) -> Retrievals:
    """The traces between two moments, and those of them that were looked up."""
    looked_up = case((DECISIONS.c.retrieved > 0, 1), else_=0)
    query = select(func.count(), func.coalesce(func.sum(looked_up), 0)).where(
        *_in_project(actor, project, since), DECISIONS.c.at < until
    )
    stored, retrieved = connection.execute(query).one()
    return Retrievals(int(stored), int(retrieved))


def notes_of(
    connection: Connection,
    actor: Actor,
    project: str | None,
    since: datetime,
    actions: Sequence[str],
) -> list[Trace]:
    """The newest decisions with one of some actions, the oldest first."""
    asked = (
        select(*_TRACE)
        .where(
            *_in_project(actor, project, since),
            DECISIONS.c.type == "decision",
            DECISIONS.c.action.in_(actions),
        )
        .order_by(*_NEWEST)
        .limit(MOST_NOTES)
    )
    return [_trace(row) for row in reversed(connection.execute(asked).all())]


def _parts(actor: Actor, query: TraceQuery) -> list[list[ColumnElement[bool]]]:
    """The conditions of a query; with a project two sets, for what holds everywhere holds there.

    One condition with an `or` would use neither index.
    """
    wanted = _wanted(actor, query)
    if query.project is None:
        return [wanted]
    here = [*wanted, DECISIONS.c.project == query.project]
    if query.scope is not None:
        return [here]
    there = [DECISIONS.c.scope == "universal", DECISIONS.c.project != query.project]
    return [here, [*wanted, *there]]


def _wanted(actor: Actor, query: TraceQuery) -> list[ColumnElement[bool]]:
    wanted = [DECISIONS.c.tenant == actor.tenant]
    for name in ("type", "agent", "feature", "rule", "scope"):
        value = getattr(query, name)
        if value is not None:
            wanted.append(DECISIONS.c[name] == value)
    if query.since is not None:
        wanted.append(DECISIONS.c.at >= query.since)
    if query.file is not None:
        touching = select(EDGES.c.source_id).where(
            EDGES.c.tenant == actor.tenant,
            EDGES.c.target_kind == "file",
            EDGES.c.target_id == query.file,
            EDGES.c.relation == "touched",
        )
        wanted.append(DECISIONS.c.id.in_(touching))
    return wanted


def _day(connection: Connection) -> ColumnElement[Any]:
    if connection.dialect.name == "postgresql":
        return func.date(func.timezone("UTC", DECISIONS.c.at))
    return func.substr(DECISIONS.c.at, 1, 10)


def _row(trace: Trace) -> dict[str, Any]:
    found = {each.name: getattr(trace, each.name) for each in _TRACE}
    return {**found, "files": list(trace.files), "meta": dict(trace.meta)}


def _trace(row: Row[Any]) -> Trace:
    found = dict(row._mapping)
    found.pop("embedding", None)
    found.setdefault("project", "")
    if "files" in found:
        found["files"] = tuple(found["files"])
    return Trace(**found)


def _in_project(
    actor: Actor, project: str | None, since: datetime | None = None
) -> list[ColumnElement[bool]]:
    wanted = [DECISIONS.c.tenant == actor.tenant]
    wanted += [] if project is None else [DECISIONS.c.project == project]
    return wanted if since is None else [*wanted, DECISIONS.c.at >= since]
