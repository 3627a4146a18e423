"""What a person or an agent can do with the memory, whichever door they come through.

Whoever changes something tells every window. The memory itself is synchronous: operations run in
threads, and opening it imports NumPy, so that nothing here does before it is needed.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.memory_use import reader_of, writer_of
from paige.base.errors import BadInput, NotFound, Refused
from paige.doors.frame.operations import Subject
from paige.doors.frame.web.limits import TooLarge
from paige.doors.memory.values import (
    ImportResult,
    MemoryAdd,
    MemoryAddAs,
    MemoryAdded,
    MemoryAgent,
    MemoryAsk,
    MemoryDelete,
    MemoryDeleted,
    MemoryDocument,
    MemoryEdit,
    MemoryFile,
    MemoryForget,
    MemoryForgetOne,
    MemoryForgotten,
    MemoryFound,
    MemoryHit,
    MemoryHits,
    MemoryId,
    MemoryImport,
    MemoryImported,
    MemoryItem,
    MemoryLine,
    MemoryNewest,
    MemoryNote,
    MemoryPath,
    MemoryPolicies,
    MemoryProblem,
    MemoryRecall,
    MemoryRecent,
    MemoryResult,
    MemorySearch,
    MemoryShown,
    MemorySource,
    MemoryVersion,
    MemoryWrite,
    MemoryWritten,
)
from paige.memory.access import Reader, may_read, read_reader
from paige.memory.documents.records import MEMORY_LINES, FileRow, line_count, read_path
from paige.memory.event import AgentRef, Draft, Event
from paige.memory.imports.sources import Tally
from paige.memory.intake.admission import Writer
from paige.memory.intake.drafts import read_import_json, read_moment
from paige.memory.intake.project_identity import project_of
from paige.memory.lifecycle.policies import Key
from paige.memory.lifecycle.retention import Forget, ForgetPlan
from paige.memory.lifecycle.stats import MemoryOverview, MemoryStats
from paige.memory.messages import MOST_IDS, Action, MemoryChanged
from paige.memory.search_values import Ask

if TYPE_CHECKING:
    from paige.memory.memory import MemoryDetail

MOST_LINE = 2**20
MOST_LINES = 200_000
TAKEN_AT_ONCE = 500
MOST_PROBLEMS = 1000
MEMORY = Subject("memory", needs="memory")
HERE = Subject("memory")
"""For whoever sits at this machine: it is theirs, and they may say who they are."""


def changed(action: Action, ids: Sequence[str | None]) -> MemoryChanged | None:
    """What windows are told of these memories, or documents by their path; nothing of none."""
    named = [id for id in ids[:MOST_IDS] if id is not None]
    return MemoryChanged(ids=named, action=action) if named else None


# --- looking -------------------------------------------------------------------------------------


@MEMORY.read
def overview(app: App) -> MemoryOverview:
    """Say how much is remembered, where it is kept, and whether it helps."""
    return app.memory.open().overview(reader_of(app))


@MEMORY.read
def search(app: App, given: MemorySearch) -> MemoryFound:
    """Find memories, best first."""
    memory = app.memory.open()
    found = memory.search(Ask(**asdict(given)), reader_of(app))
    ids = [each.id for each in found.results]
    later: Mapping[str, str] = memory.superseded_by(ids) if given.history else {}
    results = (
        MemoryResult(
            **_fields(each.event, later.get(each.id)),
            score=each.score,
            why=each.why,
            tokens=each.tokens,
        )
        for each in found.results
    )
    return MemoryFound(tuple(results), round(found.took_ms, 3), found.left_out, found.vectors)


@MEMORY.read
def find(app: App, given: MemoryAsk) -> MemoryHits:
    """Find memories that the person of this Paige may see, told in few words."""
    found = app.memory.open().search(Ask(**asdict(given)), reader_of(app))
    hits = (
        MemoryHit(id=each.id, text=each.text, score=each.score, scope=each.scope, meta=each.meta)
        for each in found.results
    )
    return MemoryHits(tuple(hits), round(found.took_ms, 3))


@MEMORY.read
def recent(app: App, given: MemoryNewest) -> MemoryRecent:
    """The newest memories, the latest first."""
    found = app.memory.open().newest(reader_of(app), **asdict(given))
    return MemoryRecent(tuple(MemoryItem(**_fields(each)) for each in found.events), found.total)


@MEMORY.read
def show(app: App, given: MemoryId) -> MemoryShown:
    """One memory: its place in the log, what it replaced and what replaced it, its uses."""
    reader = reader_of(app)
    return _shown(app.memory.open().show(given.id, reader), reader)


@MEMORY.read
def policies(app: App) -> MemoryPolicies:
    """How retrieval is steered, every change to it, and why.

    First what holds for any role and scope, then for those that have their own.
    """
    book = app.memory.open().policies()
    keys = [Key(), *(key for key in sorted(book.lineages) if key != Key())]
    current = tuple(book.current(*key, None) for key in keys)
    return MemoryPolicies(current, tuple(book.history()))


@MEMORY.read
def stats(app: App) -> MemoryStats:
    """What happened in this memory, and what came of it."""
    return app.memory.open().stats()


def _fields(event: Event, later: str | None = None) -> dict[str, Any]:
    """What lists show of a memory; `later` is what replaced it."""
    speaker = event.speaker
    return {
        "id": event.id,
        "text": event.text,
        "type": event.type,
        "scope": event.scope,
        "owner": event.owner,
        "project": event.project,
        "session": event.session,
        "speaker": speaker if isinstance(speaker, str) else None,
        "at": event.at,
        "importance": event.importance,
        "meta": event.payload.get("meta"),
        "superseded_by": later,
    }


def _shown(shown: "MemoryDetail", reader: Reader) -> MemoryShown:
    event, line = shown.event, shown.line
    later = shown.later[-1].id if shown.later else None
    return MemoryShown(
        **_fields(event, later),
        key=event.key,
        task=event.task,
        outcome=event.outcome,
        acl=event.acl,
        evidence=event.evidence,
        agent=MemoryAgent(*event.agent),
        session_id=event.provenance.session_id,
        trace_id=event.provenance.trace_id,
        payload=event.payload,
        line=MemoryLine(line.get("seq", event.seq), line.get("hash"), line.get("prev")),
        earlier=tuple(MemoryVersion(each.id, each.text, each.at) for each in shown.earlier),
        later=tuple(MemoryVersion(each.id, each.text, each.at) for each in shown.later),
        recalls=tuple(_recall(each) for each in shown.recalls if may_read(reader, each)),
        mine=event.owner == reader.person,
    )


def _recall(event: Event) -> MemoryRecall:
    query, reader = event.payload.get("query", ""), event.payload.get("reader")
    return MemoryRecall(
        at=event.at,
        query=str(query),
        reader=None if reader is None else str(reader),
        session=event.session,
    )


# --- remembering ---------------------------------------------------------------------------------


def _added(_: object, made: MemoryAdded | None) -> MemoryChanged | None:
    return changed("added", [made.id]) if made and made.status == "stored" else None


def _edited(given: MemoryEdit, made: MemoryAdded | None) -> MemoryChanged | None:
    return changed("edited", [given.id, made.id]) if made and made.status == "stored" else None


@MEMORY.change(announces=_added)
def remember(app: App, given: MemoryAdd) -> MemoryAdded:
    """Remember one thing; without a scope it belongs to the project the server is for."""
    return _remember(app, given, writer_of(app))


@MEMORY.change(announces=_added)
def remember_for_agent(app: App, given: MemoryNote) -> MemoryAdded:
    """Remember one thing that an agent says."""
    try:
        return _remember(app, given, writer_of(app, AgentRef(tool="mcp")))
    except Refused as error:
        raise Refused(f"This is not kept: {error.message}") from error


@HERE.change(announces=_added)
def remember_as(app: App, given: MemoryAddAs) -> MemoryAdded:
    """Remember one thing that somebody says at this machine. Raises: BadInput with the reason."""
    here = project_of(app.settings)
    person = app.actor.person if given.reader is None else read_reader(given.reader).person
    writer = Writer(person=person or app.actor.person, project=here.id if here else None)
    try:
        return _remember(app, given, writer)
    except Refused as error:
        raise BadInput(f"This is not kept: {error.message}") from error


@MEMORY.change(announces=_edited)
def edit(app: App, given: MemoryEdit) -> MemoryAdded:
    """Say it better: a new memory replaces this one, which stays in the log."""
    result = app.memory.open().edit(given.id, given.text, writer_of(app))
    assert result.status != "refused"  # that is an error of its own
    return MemoryAdded(result.id, result.status, result.reason)


def _remember(app: App, given: MemoryNote, writer: Writer) -> MemoryAdded:
    [result] = app.memory.open().remember([_draft(given)], writer)
    if result.status == "refused":
        raise Refused(result.reason or "This may not be kept")
    return MemoryAdded(result.id, result.status, result.reason)


def _draft(note: MemoryNote) -> Draft:
    """What the broker is given. Raises: BadInput."""
    kind = note.type or "note"
    payload: dict[str, Any] = {"key": note.key}
    at: datetime | None = None
    if isinstance(note, MemoryAdd):
        payload |= {"speaker": note.speaker, "meta": note.meta}
        at = None if note.at is None else moment_of(note.at)
    return Draft(
        text=note.text,
        type="fact" if note.key and kind == "note" else kind,
        scope=note.scope,
        project=note.project,
        session=note.session,
        payload={name: value for name, value in payload.items() if value is not None},
        importance=note.importance,
        at=at,
    )


def moment_of(text: str, name: str = "at") -> datetime:
    """A moment as people write it. Raises: BadInput."""
    try:
        return read_moment(text)
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"`{name}` is `{text[:100]}`, which is not a moment",
            hint="Write 2026-03-01T09:30:00Z or 2026-03-01.",
        ) from error


# --- taking in -----------------------------------------------------------------------------------


def _imported(_: object, made: MemoryImported | ImportResult | None) -> MemoryChanged | None:
    # What was taken in stays, also when the rest is refused; nobody can say then what that was.
    return MemoryChanged(ids=[], action="added") if made is None else changed("added", made.ids)


@MEMORY.change(announces=_imported)
async def take_in(app: App, given: MemoryImport) -> MemoryImported:
    """Take in JSON lines, each its own memory; a line that cannot be used costs only itself."""
    problems: list[MemoryProblem] = []
    ids: list[str] = []
    async for lines in _batches(given.lines):
        ids += await run_sync(partial(_take_in, app, lines, problems))
    problems.sort(key=lambda problem: problem.line)
    return MemoryImported(added=len(ids), problems=tuple(problems), ids=tuple(ids))


@HERE.change(announces=_imported)
def import_source(app: App, given: MemorySource) -> ImportResult:
    """Take in what another program remembered, or only count it."""
    memory = app.memory.open()
    tally = Tally(given.reading.kind, given.name, has_id=memory.index.has_id)
    drafts = tally.drafts(given.reading.items)
    added, refused, ids = 0, list[str](), list[str]()
    while batch := list(islice(drafts, TAKEN_AT_ONCE)):
        for result in () if given.dry_run else memory.remember(batch, Writer(trusted=True)):
            if result.status == "stored":
                added += 1
                ids += [result.id] if result.id and added <= MOST_IDS else []
            elif result.status == "refused":
                refused.append(result.reason or "It may not be kept")
        given.watch(added)
    return ImportResult(report=tally.report(), added=added, refused=tuple(refused), ids=tuple(ids))


async def _batches(parts: AsyncIterator[bytes]) -> AsyncIterator[list[tuple[int, bytes]]]:
    """The lines of an import as they come, a few at a time, counted from 1 as people count.

    Of a line that is too long only as much is kept as shows that it is. Raises: TooLarge.
    """
    batch: list[tuple[int, bytes]] = []
    number, size, rest = 0, 0, b""
    async for part in parts:
        # The body ends with an empty part, and its last line perhaps without a line break.
        *lines, rest = (rest + part).split(b"\n") if part else (rest, b"")
        rest = rest[: MOST_LINE + 1]
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - it goes on from the last
            if number > MOST_LINES:
                raise TooLarge(
                    f"The import has more than {MOST_LINES:,} lines",
                    hint="The lines before are in the memory; send the others by themselves.",
                )
            if line.strip():
                batch.append((number, line))
                size += len(line)
            if len(batch) == TAKEN_AT_ONCE or size > MOST_LINE:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _take_in(app: App, lines: list[tuple[int, bytes]], problems: list[MemoryProblem]) -> list[str]:
    """Store lines; returns the ids."""
    drafts: list[tuple[int, Draft]] = []
    for number, line in lines:
        try:
            drafts.append((number, _read_line(line)))
        except BadInput as error:
            _note(problems, number, error.message)
    results = app.memory.open().remember([draft for _, draft in drafts], writer_of(app))
    added: list[str] = []
    for (number, _), result in zip(drafts, results, strict=True):
        if result.status == "stored" and result.id is not None:
            added.append(result.id)
        else:
            _note(problems, number, result.reason or "It may not be kept")
    return added


def _read_line(line: bytes) -> Draft:
    if len(line) > MOST_LINE:
        raise BadInput(f"The line has more than {MOST_LINE // 2**20} MiB")
    return read_import_json(line, usual=None)


def _note(problems: list[MemoryProblem], number: int, message: str) -> None:
    if len(problems) < MOST_PROBLEMS:
        problems.append(MemoryProblem(number, message))


# --- forgetting ----------------------------------------------------------------------------------


def _forgotten(given: object, made: MemoryForgotten | None) -> MemoryChanged | None:
    if made is None or (isinstance(given, MemoryForget) and given.dry_run):
        return None
    return changed("forgotten", [each.id for each in made.going])


@MEMORY.change(announces=_forgotten)
def forget(app: App, given: MemoryForget) -> MemoryForgotten:
    """Forget for good what is named; with `dryRun` only say what would go."""
    ask = Forget(
        ids=frozenset(given.ids),
        owner=given.owner,
        before=None if given.before is None else moment_of(given.before, "before"),
        reason=given.reason,
        by=app.actor.person,
    )
    plan = app.memory.open().plan_forgetting(ask)
    return _planned(plan, ask.ids) if given.dry_run else _forget(app, plan, ask.ids)


@MEMORY.change(announces=_forgotten)
def forget_one(app: App, given: MemoryForgetOne) -> MemoryForgotten:
    """Forget this memory for good, with what repeats its words."""
    memory = app.memory.open()
    memory.find(given.id, reader_of(app))
    ask = Forget(ids=frozenset({given.id}), reason=given.reason, by=app.actor.person)
    done = _forget(app, memory.plan_forgetting(ask), ask.ids)
    if done.refused:
        raise Refused(f"`{given.id}` belongs to someone else", hint="Ask its owner to forget it.")
    if done.missing:
        raise NotFound(f"There is no memory `{given.id}` that you may see")
    return done


@HERE.read
def plan_forgetting(app: App, given: Forget) -> ForgetPlan:
    """Say what a wish to forget comes to, also what is not theirs who wish it."""
    return app.memory.open().plan_forgetting(given)


@HERE.change(announces=_forgotten)
def forget_planned(app: App, given: ForgetPlan) -> MemoryForgotten:
    """Carry out what was planned."""
    return _forget(app, given)


def _forget(app: App, plan: ForgetPlan, asked: Collection[str] = ()) -> MemoryForgotten:
    from paige.app.memory_removal import forget as forget_everywhere  # noqa: PLC0415 - NumPy

    done = forget_everywhere(app, app.memory.open(), plan)
    return _planned(plan, asked, done.lines, done.remains)


def _planned(
    plan: ForgetPlan, asked: Collection[str], lines: int = 0, remains: tuple[str, ...] = ()
) -> MemoryForgotten:
    """What goes. Of what belongs to others only ids that were asked for are named."""
    return MemoryForgotten(
        going=plan.going,
        refused=tuple(each.id for each in plan.refused if each.id in asked),
        missing=plan.missing,
        lines=lines,
        remains=remains,
    )


# --- documents -----------------------------------------------------------------------------------


def _saved(_: object, made: MemoryWritten | None) -> MemoryChanged | None:
    return changed("document", [made.path]) if made and made.changed else None


@MEMORY.read
def files(app: App) -> tuple[MemoryFile, ...]:
    """Every memory document, by path."""
    return tuple(MemoryFile(**_file(row)) for row in app.memory.open().documents.files(app.actor))


@MEMORY.read
def document(app: App, given: MemoryPath) -> MemoryDocument:
    """One memory document."""
    row = app.memory.open().documents.read(app.actor, given.path)
    return MemoryDocument(**_file(row), text=row.content)


@MEMORY.change(announces=_saved)
def write(app: App, given: MemoryWrite) -> MemoryWritten:
    """Save a text made from version `base`; a base that is not the newest is merged."""
    documents = app.memory.open().documents
    written = documents.write(app.actor, given.path, given.text, base=given.base)
    return MemoryWritten(
        **_file(written.document),
        text=written.document.content,
        changed=written.changed,
        merged=written.merged,
        conflicts=written.conflicts,
    )


@MEMORY.change(announces=lambda _, gone: gone and changed("document_deleted", [gone.path]))
def delete(app: App, given: MemoryDelete) -> MemoryDeleted:
    """Delete a document of version `base`; its texts stay in the log."""
    app.memory.open().documents.delete(app.actor, given.path, base=given.base)
    return MemoryDeleted(given.path)


def _file(row: FileRow) -> dict[str, Any]:
    lines = line_count(row.content)
    return {
        "path": row.path,
        "scope": row.scope,
        "class_id": row.class_id or None,
        "version": row.version,
        "lines": lines,
        "prompt_lines": min(lines, MEMORY_LINES) if read_path(row.path).is_entry else 0,
        "written_by": row.written_by,
        "updated_at": row.updated_at,
    }
