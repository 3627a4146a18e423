"""The context graph of an installation: store what happened, find it again, see what led to it.

Everything here is synchronous and in one transaction per call; doors that serve many call it in a
thread. What is put before an agent is counted, so that traces nobody ever reads can be told.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, NotFound
from paige.guard.graph import queries
from paige.guard.graph.budgets import fit, outside
from paige.guard.graph.corrections import Words, shipped_words
from paige.guard.graph.intake import Entry, dump_entries, load_entries, take
from paige.guard.graph.lines import Line, clean, cleaned, read_line
from paige.guard.graph.precedents import (
    BUDGET,
    CONSIDERED,
    Case,
    choose,
    likeness,
    text_of,
    vectors_of,
)
from paige.guard.graph.values import (
    GUARD,
    MOST_DEPTH,
    MOST_FOUND,
    SCOPES,
    SOURCES,
    TYPES,
    Edge,
    GraphOverview,
    Group,
    IntakeCounts,
    Level,
    NewTrace,
    Node,
    Precedents,
    Relation,
    Step,
    Trace,
    TraceNeighbourhood,
    TraceQuery,
    TracesFound,
)
from paige.store.engine import Database

CANDIDATES = 200
MOST_SHOWN = 500  # for people, who have no budget
MOST_STEPS = 500
MOST_JUDGED = 20_000
MOST_EDGES = 5000
HEARD = timedelta(days=30)  # a session that was silent for longer is over
_WORDED = 0.3  # what it is worth that a word of the question stands there
ProjectOf = Callable[[str], str | None]


class ContextGraph:
    """Traces and edges of one tenant. `project` is where traces belong that name no other."""

    def __init__(
        self,
        db: Database,
        actor: Actor,
        now: Clock,
        *,
        project: str = "",
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.db = db
        self.actor = actor
        self.project = project
        self._now = now
        self._randomness = randomness

    def store(self, new: NewTrace) -> Trace:
        """Store one trace; one with a known id is not stored again. Raises: BadInput, NotFound."""
        return self.store_many([new])[0]

    def store_many(self, news: Sequence[NewTrace]) -> tuple[Trace, ...]:
        """Store traces with their edges, all or none. Raises: BadInput, NotFound."""
        now = self._now()
        made = self._made(news, now)
        with self.db.of(self.actor).transaction(write=True, durable=True) as connection:
            linked = {each for new in news for each in (*new.led_by, *new.corrects)}
            here = {each.id for each in made}
            known = queries.known_ids(connection, self.actor, sorted(linked - here))
            missing = sorted(linked - here - known)
            if missing:
                raise NotFound(
                    f"There is no trace `{missing[0][:100]}`",
                    hint="Look for the one that is meant with `paige guard traces find`.",
                )
            self._add(connection, made, news)
            stored = queries.traces_of(connection, self.actor, [each.id for each in made])
        return tuple(stored.get(each.id, each) for each in made)

    def link(self, edges: Sequence[Edge]) -> None:
        """Add edges, such as that a trace made a guard."""
        with self.db.of(self.actor).transaction(write=True) as connection:
            queries.insert_edges(connection, self.actor, edges)

    def query(
        self, query: TraceQuery, level: Level = "metadata", *, budget: bool = True
    ) -> TracesFound:
        """What a query finds, within the budget of the level; without one for people to read.

        Summaries and whole traces that are read under a budget count as retrieved.
        """
        most = MOST_FOUND if budget else MOST_SHOWN
        asked = replace(query, limit=max(1, min(query.limit, most)))
        with self.db.of(self.actor).transaction(write=False) as connection:
            if asked.text.strip():
                rows = queries.candidates(connection, self.actor, asked, CANDIDATES)
                traces = _ranked(asked, rows)
                total = len(rows)
            else:
                brief = level == "metadata"
                traces = queries.newest(connection, self.actor, asked, brief=brief)
                whole = len(traces) < asked.limit
                total = len(traces) if whole else queries.count(connection, self.actor, asked)
        if not budget:
            items = tuple(outside(each, level) for each in traces)
            return TracesFound(items=items, total=total, tokens=0, level=level)
        found = fit(traces, level, total)
        if level != "metadata":
            self._retrieved([item["id"] for item in found.items])
        return found

    def get(self, id: str, level: Level = "full", *, budget: bool = True) -> dict[str, Any]:
        """One trace as it is shown outside, within the budget of the level. Raises: NotFound."""
        trace = self.trace(id)
        if not budget:
            return outside(trace, level)
        if level != "metadata":
            self._retrieved([trace.id])
        return fit([trace], level, 1).items[0]

    def trace(self, id: str) -> Trace:
        """One trace; the beginning of an id is enough when there is one. Raises: NotFound."""
        with self.db.of(self.actor).transaction(write=False) as connection:
            found = queries.traces_of(connection, self.actor, [id])
            if not found and len(id) >= _LEAST_BEGINNING:
                begun = queries.ids_beginning(connection, self.actor, id)
                if len(begun) > 1:
                    raise BadInput(
                        f"More than one trace begins with `{id[:100]}`", hint="Write more of it."
                    )
                found = queries.traces_of(connection, self.actor, begun)
        if not found:
            raise NotFound(f"There is no trace `{id[:100]}`", hint="`query_traces` finds ids.")
        return next(iter(found.values()))

    def led_to(self, id: str, depth: int = 5) -> tuple[Step, ...]:
        """What led to a trace, the nearest first. Raises: NotFound, BadInput."""
        return self._steps(id, depth, back=True)

    def came_of(self, id: str, depth: int = 5) -> tuple[Step, ...]:
        """What came of a trace, the nearest first. Raises: NotFound, BadInput."""
        return self._steps(id, depth, back=False)

    def around(self, id: str, depth: int = 3, most: int = 2000) -> TraceNeighbourhood:
        """A trace with what led to it, what came of it, and all their edges. Raises: NotFound."""
        root = self.trace(id)
        before = self._steps(root.id, depth, back=True)
        after = self._steps(root.id, depth, back=False)
        near = {each.trace.id: each.trace for each in (*before, *after) if each.trace is not None}
        near.pop(root.id, None)
        kept = list(near.values())[: max(0, most - 1)]
        with self.db.of(self.actor).transaction(write=False) as connection:
            ids = [root.id, *(each.id for each in kept)]
            edges = queries.edges_of(connection, self.actor, ids, MOST_EDGES)
        return TraceNeighbourhood(
            root=root,
            before=before,
            after=after,
            traces=(root, *kept),
            edges=tuple(edges),
            left_out=len(near) - len(kept),
        )

    def overview(self, project: str | None = None) -> GraphOverview:
        """What there is to choose from."""
        with self.db.of(self.actor).transaction(write=False) as connection:
            return queries.overview(connection, self.actor, project)

    def groups(
        self, project: str | None = None, since: datetime | None = None
    ) -> tuple[Group, ...]:
        """How often what happened, by session and day, with how often it was let pass."""
        with self.db.of(self.actor).transaction(write=False) as connection:
            found = queries.groups(connection, self.actor, project, since)
        passed: dict[tuple[str, ...], int] = {}
        for each in found:
            if each.type == "approval":
                key = (each.project, each.agent, each.action, each.shape, each.reason)
                passed[key] = passed.get(key, 0) + each.count
        return tuple(
            replace(
                each,
                overridden=passed.get(
                    (each.project, each.agent, each.action, each.shape, each.reason), 0
                ),
            )
            for each in found
        )

    def samples(
        self,
        *,
        agent: str,
        action: str,
        reason: str,
        shape: str,
        project: str | None = None,
        limit: int = 20,
    ) -> tuple[Trace, ...]:
        """The newest traces of a pattern, whole and not counted as retrieved."""
        wanted = {"agent": agent, "action": action, "reason": reason, "shape": shape}
        wanted |= {} if project is None else {"project": project}
        with self.db.of(self.actor).transaction(write=False) as connection:
            return tuple(queries.samples(connection, self.actor, wanted, limit))

    def judged(self) -> list[Trace]:
        """What became of actions, the oldest first, as far as guards are tried on it."""
        with self.db.of(self.actor).transaction(write=False) as connection:
            return queries.judged(connection, self.actor, MOST_JUDGED)

    def precedents(
        self,
        agent: str = "",
        feature: str = "",
        text: str = "",
        budget_tokens: int = BUDGET,
        *,
        project: str | None = None,
    ) -> Precedents:
        """What went wrong before in a case like this, as a text within a budget; it is counted."""
        here = self.project if project is None else project
        case = Case(agent=agent, feature=feature, text=text, now=self._now())
        with self.db.of(self.actor).transaction(write=False) as connection:
            rows = queries.candidates_for_precedents(connection, self.actor, here, CONSIDERED)
        chosen = choose(case, rows, budget_tokens)
        self._retrieved(chosen.ids)
        return chosen

    def take_in(
        self,
        lines: Iterable[Mapping[str, Any]],
        *,
        project_of: ProjectOf | None = None,
        feature_of: Callable[[Line], str] | None = None,
        words: Words | None = None,
    ) -> IntakeCounts:
        """Make traces of lines of hooks; a line that comes again adds nothing.

        `project_of` names the project of a folder, `feature_of` the feature a line belongs to.
        Raises: PaigeError.
        """
        now = self._now()
        read = [each for said in lines if (each := read_line(said, now)) is not None]
        sessions: dict[str, list[Line]] = {}
        for line in read:
            named = feature_of(line) if feature_of is not None and not line.feature else ""
            sessions.setdefault(line.session, []).append(
                replace(line, feature=named) if named else line
            )
        taken = IntakeCounts()
        with self.db.of(self.actor).transaction(write=True) as connection:
            for session, each in sessions.items():
                before = load_entries(queries.read_heard(connection, self.actor, session))
                recent, news = self._understood(before, each, project_of, words)
                made, edges = self._add(connection, self._made(news, now), news)
                if session and recent != before:
                    entries = dump_entries(recent)
                    queries.write_heard(connection, self.actor, session, entries, now)
                taken = IntakeCounts(
                    stored=taken.stored + made,
                    known=taken.known + len(news) - made,
                    edges=taken.edges + edges,
                )
            queries.forget_heard(connection, self.actor, now - HEARD)
        return taken

    def _made(self, news: Sequence[NewTrace], now: datetime) -> list[Trace]:
        return [trace_of(new, id=self._new_id(), now=now, project=self.project) for new in news]

    def _add(
        self, connection: Connection, made: Sequence[Trace], news: Sequence[NewTrace]
    ) -> tuple[int, int]:
        """Add the traces that are new, with their edges; how many of each."""
        vectors = vectors_of([text_of(trace) for trace in made])
        fresh = queries.insert_traces(connection, self.actor, made, vectors)
        edges = [
            edge
            for trace, new in zip(made, news, strict=True)
            if trace.id in fresh
            for edge in edges_of(trace, new)
        ]
        queries.insert_edges(connection, self.actor, edges)
        return len(fresh), len(edges)

    def _understood(
        self,
        recent: tuple[Entry, ...],
        lines: Sequence[Line],
        project_of: ProjectOf | None,
        words: Words | None,
    ) -> tuple[tuple[Entry, ...], list[NewTrace]]:
        news: dict[str, NewTrace] = {}
        told = words or shipped_words()
        for line in lines:
            project = project_of(line.cwd) if project_of is not None and line.cwd else None
            # Lines without a session have nothing to do with one another.
            taken = take(recent if line.session else (), line, told, project or self.project)
            recent = taken.recent
            for new in taken.traces:
                news.setdefault(new.id or "", new)
        return recent, list(news.values())

    def _steps(self, id: str, depth: int, *, back: bool) -> tuple[Step, ...]:
        if not 1 <= depth <= MOST_DEPTH:
            raise BadInput(f"`depth` is {depth}", hint=f"It is from 1 to {MOST_DEPTH}.")
        start = self.trace(id)
        with self.db.of(self.actor).transaction(write=False) as connection:
            reached = queries.walk(
                connection,
                self.actor,
                Node("decision", start.id),
                back=back,
                depth=depth,
                most=MOST_STEPS,
            )
            ids = [each.id for each in reached if each.kind == "decision"]
            traces = queries.traces_of(connection, self.actor, list(dict.fromkeys(ids)))
        nearest: dict[Node, Step] = {}
        for each in sorted(reached, key=lambda one: one.depth):
            node = Node(each.kind, each.id)  # type: ignore[arg-type]
            if node != Node("decision", start.id) and node not in nearest:
                trace = traces.get(each.id) if each.kind == "decision" else None
                step = Step(node=node, relation=each.relation, depth=each.depth, trace=trace)  # type: ignore[arg-type]
                nearest[node] = step
        return tuple(nearest.values())

    def _new_id(self) -> str:
        return f"trace-{self._randomness(8).hex()}"

    def _retrieved(self, ids: Sequence[str]) -> None:
        if ids:
            with self.db.of(self.actor).transaction(write=True) as connection:
                queries.count_retrieval(connection, self.actor, ids, self._now())


_LEAST_BEGINNING = 6


def _ranked(query: TraceQuery, rows: Sequence[tuple[Trace, bytes | None]]) -> list[Trace]:
    """Candidates by meaning and by the words they share with the question, the best first."""
    like = likeness(query.text, [vector for _, vector in rows])
    words = set(query.text.casefold().split())
    scored: list[tuple[float, datetime, Trace]] = []
    for (trace, _), score in zip(rows, like, strict=True):
        there = set(f"{text_of(trace)} {trace.target} {trace.rule}".casefold().split())
        scored.append((score + _WORDED * len(words & there) / len(words), trace.at, trace))
    scored.sort(key=lambda each: (each[0], each[1]), reverse=True)
    return [trace for _, _, trace in scored[: query.limit]]


MOST_TEXT = 4000
MOST_NAME = 400
MOST_FILES = 50
MOST_LINKS = 50
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}")
_LONG = ("task", "what_happened", "what_was_correct", "why", "target")
_NAMES = (
    "project", "agent", "feature", "session", "cli", "event", "tool", "action", "reason", "shape",
    "rule",
)  # fmt: skip
_KEPT = frozenset(each.name for each in fields(Trace))


def trace_of(new: NewTrace, *, id: str, now: datetime, project: str = "") -> Trace:
    """A trace as it is stored. Raises: BadInput naming the value."""
    identity = new.id or id
    if not _ID.fullmatch(identity):
        raise BadInput(
            f"`{identity[:100]}` is no id of a trace",
            hint="Use at most 80 letters, digits, `-`, `_`, `.` and `:`, or leave it out.",
        )
    _one_of("type", new.type, TYPES)
    _one_of("source", new.source, SOURCES)
    _one_of("scope", new.scope, SCOPES)
    if not 0 <= new.confidence <= 1:
        raise BadInput(f"`confidence` is {new.confidence}", hint="It is from 0 to 1.")
    given = {each.name: getattr(new, each.name) for each in fields(new) if each.name in _KEPT}
    texts = {name: clean(given[name])[:MOST_TEXT] for name in _LONG}
    names = {name: clean(given[name])[:MOST_NAME] for name in _NAMES}
    names["project"] = names["project"] or project
    rest = {
        "id": identity,
        "at": (new.at or now).astimezone(UTC),
        "files": tuple(clean(each)[:MOST_NAME] for each in new.files[:MOST_FILES]),
        "meta": cleaned(dict(new.meta)),
    }
    return Trace(**{**given, **texts, **names, **rest})


def edges_of(trace: Trace, new: NewTrace) -> tuple[Edge, ...]:
    """What joins a trace to the rest."""
    here = Node("decision", trace.id)
    ends: list[tuple[Relation, Node]] = []
    if trace.agent:
        ends.append(("made_by", Node("agent", trace.agent)))
    if trace.feature:
        ends.append(("about", Node("feature", trace.feature)))
    if trace.session:
        ends.append(("in_session", Node("session", trace.session)))
    ends.extend(("touched", Node("file", each)) for each in dict.fromkeys(trace.files) if each)
    if trace.rule:
        ruled: Relation = "overrode" if trace.type == "approval" else "by_rule"
        ends.append((ruled, rule_node(trace.rule)))
    ends.extend(("corrected", Node("decision", each)) for each in new.corrects[:MOST_LINKS])
    ends.extend(("informed_by", Node("memory", each)) for each in new.informed_by[:MOST_LINKS])
    own = [Edge(here, relation, node, trace.at) for relation, node in ends]
    led = [
        Edge(Node("decision", each), "led_to", here, trace.at) for each in new.led_by[:MOST_LINKS]
    ]
    return tuple(edge for edge in (*own, *led) if edge.source != edge.target)


def rule_node(rule: str) -> Node:
    """What a rule's name stands for: a guard, or a rule of ours."""
    if rule.startswith(GUARD):
        return Node("guard", rule.removeprefix(GUARD))
    return Node("rule", rule)


def _one_of(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise BadInput(f"`{name}` is `{value[:60]}`", hint=f"Known are: {', '.join(known)}.")
