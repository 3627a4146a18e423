"""Where the search over all doors looks: one function a source, each for the person of the app.

It brings the rooms of all doors along, so a server loads it when somebody first searches.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from anyio.to_thread import run_sync

from paige.agent.queries import WordedSession, worded_sessions
from paige.app import guards
from paige.app.accounts.people import checked_tenant, get_person
from paige.app.application import App
from paige.app.lazy_memory import has_memory
from paige.app.memory_use import open_graph, reader_of
from paige.app.person_apps import PersonApps, is_owner
from paige.app.places import existing_workspace
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import Refused
from paige.base.rights import Right, allows
from paige.coach.queries import DOOR as COACH
from paige.doors.search.files import CourseFiles, WorkspaceFiles
from paige.doors.search.finder import Finder, Hit, Kind, Query, Search, Source
from paige.doors.search.words import count_held, fold, holds, snippet
from paige.guard.decision_log import GuardEntry, GuardLog
from paige.guard.graph.values import TraceQuery
from paige.learner.queries import GapRow, KataOfGap, gaps, katas
from paige.memory.access import Reader, read_reader
from paige.memory.search_values import Ask, Result
from paige.plan.session_queries import DOOR as PLAN

MOST_TITLE = 100
_UNTITLED = "Without a title"


def open_finder(app: App, *, at_machine: bool = False) -> Finder:
    """The search of an application over everything its person may see.

    `at_machine` is whoever runs commands on this machine: it is theirs, whatever roles they hold.
    """
    many = app.settings.many and not at_machine
    workspace = WorkspaceFiles(partial(existing_workspace, app))
    decisions = partial(_decisions, GuardLog(app.settings.data_dir))
    sources: dict[Source, tuple[Right, Search]] = {
        "plan_sessions": ("plan", partial(_sessions, app, PLAN, "session")),
        "workspace": ("plan", _threaded(workspace.search)),
        "courses": ("study", _threaded(CourseFiles(app.settings.teaching_dir).search)),
        "coaching": ("coach", partial(_coaching, app)),
        "memories": ("memory", _threaded(partial(_memories, app))),
        "documents": ("memory", _threaded(partial(_documents, app))),
        "guards": ("guard", _threaded(partial(_guards, app))),
        "decisions": ("guard", _threaded(decisions)),
        "traces": ("guard", _threaded(partial(_traces, app))),
    }
    allowed: dict[Source, Search] = {
        name: search
        for name, (right, search) in sources.items()
        if not many or allows(app.actor.roles, right)
    }
    return Finder(allowed)


def open_finder_of_person(app: App) -> Finder:
    """The search of somebody who is not the owner of an installation without accounts.

    What lies in the owner's folders is the owner's: left are the rows and memories with a name.
    """
    return Finder(
        {
            "plan_sessions": partial(_sessions, app, PLAN, "session"),
            "coaching": partial(_coaching, app),
            "memories": _threaded(partial(_memories, app)),
            "documents": _threaded(partial(_documents, app)),
        }
    )


def open_finder_of_reader(app: App, reader: Reader) -> Finder:
    """The search of an agent or a role: they have no door of their own, only memories."""
    return Finder({"memories": _threaded(partial(_memories, app, reader=reader))})


def _threaded(work: Callable[[Query], Sequence[Hit]]) -> Search:
    """A source that reads files or computes. The thread goes on when nobody waits any more."""

    async def search(asked: Query) -> Sequence[Hit]:
        return await run_sync(work, asked, abandon_on_cancel=True)

    return search


async def _sessions(app: App, door: str, kind: Kind, asked: Query) -> list[Hit]:
    ask = partial(worded_sessions, door=door, words=asked.words, limit=asked.limit + 1)
    rows = await app.database.read(ask, app.actor)
    return [_session_hit(row, kind, asked) for row in rows]


async def _coaching(app: App, asked: Query) -> list[Hit]:
    sessions = await _sessions(app, COACH, "coaching", asked)
    known = await app.database.read(katas, app.actor)
    lacking = await app.database.read(gaps, app.actor)
    return [
        *sessions,
        *(_gap_hit(each, asked) for each in lacking if _fits_gap(each, asked)),
        *(_kata_hit(each, asked) for each in known if _fits_kata(each, asked)),
    ]


def _memories(app: App, asked: Query, *, reader: Reader | None = None) -> list[Hit]:
    if not has_memory(app.settings):
        return []
    ask = Ask(query=asked.words, k=asked.limit + 1)
    found = app.memory.open().search(ask, reader or reader_of(app))
    hits = (_memory_hit(each, asked) for each in found.results)
    # The memory also knows what is only near in meaning; in a list of all doors that puzzles.
    return [hit for hit in hits if hit.held]


def _documents(app: App, asked: Query) -> list[Hit]:
    if not has_memory(app.settings):
        return []
    return [
        Hit(
            kind="document",
            id=row.path,
            title=row.path,
            snippet=snippet(row.content, asked.terms),
            at=row.updated_at,
        )
        for row in app.memory.open().documents.files(app.actor)
        if holds(fold(f"{row.path} {row.content}"), asked.terms)
    ]


def _guards(app: App, asked: Query) -> list[Hit]:
    return [
        Hit(
            kind="guard",
            id=each.id,
            title=each.id,
            snippet=snippet(each.guard.message, asked.terms),
            at=each.current.since,
        )
        for each in guards.records(app)
        if holds(fold(f"{each.id} {each.guard.message}"), asked.terms)
    ]


def _decisions(log: GuardLog, asked: Query) -> list[Hit]:
    newest: dict[tuple[str, str, str], GuardEntry] = {}
    for each in log.read():
        if each.decided and each.mentions(
            asked.words
        ):  # the same thing again and again is one thing
            newest.setdefault((each.subject, each.rule, each.verdict), each)
        if len(newest) > asked.limit:
            break
    return [_decision_hit(each, asked) for each in newest.values()]


def _traces(app: App, asked: Query) -> list[Hit]:
    query = TraceQuery(text=asked.words, limit=asked.limit + 1)
    found = open_graph(app).query(query, "full", budget=False)
    hits = [_trace_hit(each, asked) for each in found.items]
    return [hit for hit in hits if hit is not None]


def _session_hit(row: WordedSession, kind: Kind, asked: Query) -> Hit:
    return Hit(
        kind=kind,
        id=row.id,
        title=row.title or _UNTITLED,
        snippet=snippet(row.messages_text, asked.terms),
        at=row.updated_at,
        within=row.status,
    )


def _fits_kata(each: KataOfGap, asked: Query) -> bool:
    text = f"{each.kata.title} {each.topic} {each.kata.description}"
    return holds(fold(text), asked.terms)


def _fits_gap(each: GapRow, asked: Query) -> bool:
    return holds(fold(f"{each.topic} {each.evidence}"), asked.terms)


def _gap_hit(each: GapRow, asked: Query) -> Hit:
    about = snippet(each.evidence, asked.terms)
    at = each.last_encountered_at
    return Hit(kind="gap", id=each.id, title=each.topic, snippet=about, at=at)


def _kata_hit(each: KataOfGap, asked: Query) -> Hit:
    about = snippet(each.kata.description, asked.terms)
    return Hit(kind="kata", id=each.kata.id, title=each.kata.title, snippet=about)


def _decision_hit(entry: GuardEntry, asked: Query) -> Hit:
    about = " · ".join(each for each in (entry.verdict, entry.rule, entry.reason) if each)
    return Hit(
        kind="decision",
        id=entry.id,
        title=_line(entry.subject or entry.tool or entry.event),
        snippet=snippet(about, asked.terms),
        at=entry.at,
    )


def _trace_hit(trace: Mapping[str, Any], asked: Query) -> Hit | None:
    """A trace that holds one of the words; the graph also knows what is only near in meaning."""
    event = trace["event"]
    what = event["what_happened"] or trace["action"] or trace["type"]
    more = (event["what_was_correct"], event["why"], trace["target"], trace["rule"])
    about = " · ".join(text for text in more if text)
    held = count_held(fold(f"{what} {about}"), asked.terms)
    if not held:
        return None
    title = _line(what)
    return Hit(
        kind="trace",
        id=trace["id"],
        title=title,
        snippet=snippet(f"{what} · {about}" if title.endswith("…") else about, asked.terms),
        at=datetime.fromisoformat(trace["timestamp"]),
        held=held,
    )


def _memory_hit(found: Result, asked: Query) -> Hit:
    title = _line(found.text)
    return Hit(
        kind="memory",
        id=found.id,
        title=title,
        snippet=snippet(found.text, asked.terms) if title.endswith("…") else (),
        at=found.event.at,
        within=found.scope,
        held=count_held(fold(found.text), asked.terms),
    )


def _line(text: str) -> str:
    """The beginning of a text on one line."""
    flat = " ".join(text.split())
    if len(flat) <= MOST_TITLE:
        return flat
    cut = flat[:MOST_TITLE]
    return f"{cut[: cut.rfind(' ')] if ' ' in cut[40:] else cut}…"


@asynccontextmanager
async def reading_as(
    app: App, named: str | None, *, tenant: str = LOCAL_TENANT
) -> AsyncIterator[Finder]:
    """The search as a reader has it; nobody named is whoever runs this. Raises: NotFound, BadInput.

    Raises Refused for another tenant where there are no accounts.
    """
    if tenant != LOCAL_TENANT and not app.settings.many:
        raise Refused(
            f"There is no tenant `{tenant}` here",
            hint="Tenants need accounts: `PAIGE_ACCOUNTS=on`.",
        )
    desks = PersonApps(app)
    try:
        yield await _finder(app, desks, named, tenant)
    finally:
        await run_sync(desks.close)


async def _finder(app: App, desks: PersonApps, named: str | None, tenant: str) -> Finder:
    if named is None:
        return open_finder(app, at_machine=True)
    reader = read_reader(named)
    if reader.person is None:
        return open_finder_of_reader(app, reader)
    if app.settings.many:
        keeper = Actor(checked_tenant(tenant), app.actor.person, frozenset({"admin"}))
        person = await get_person(app, keeper, reader.person)
        return open_finder(desks.of(person.actor))
    other = replace(app, actor=Actor(person=reader.person))
    return open_finder(app) if is_owner(other.actor) else open_finder_of_person(other)
