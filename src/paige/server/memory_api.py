"""The memory's part of the REST API: search, remember, change, forget, documents, policies."""

from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Depends, Query, Request

from paige.app.application import App
from paige.app.memory_use import (
    Note,
    draft_of,
    moment_of,
    reader_of,
    tell,
    with_memory,
    writer_of,
)
from paige.base.errors import BadInput, NotFound, Refused
from paige.memory.event import Draft, Scope
from paige.memory.intake.drafts import read_import_json
from paige.memory.lifecycle.retention import Forget, ForgetPlan
from paige.memory.search_values import Ask
from paige.server import memory_views as views
from paige.server import memory_wire as wire
from paige.server.body_limits import TooLarge
from paige.server.desks import At, needs
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.app.memory_removal import Forgotten
    from paige.memory.intake.broker import Remembered
    from paige.memory.memory import Memory

MOST_LINE = 2**20
MOST_LINES = 200_000
TAKEN_AT_ONCE = 500
MOST_PROBLEMS = 1000
DEFAULT_RECENT = 50
NDJSON: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string"},
                "example": '{"text": "Anna owns the parser", "project": "paige"}\n',
            }
        },
    }
}


def memory_routes() -> Routes:
    """The addresses under `/memory`."""
    routes = Routes(prefix="/memory", tags=["memory"], dependencies=[Depends(needs("memory"))])
    _add_looking(routes)
    _add_remembering(routes)
    _add_one(routes)
    _add_files(routes)
    _add_learning(routes)
    return routes


def _add_looking(routes: Routes) -> None:
    @routes.get("")
    async def overview(desk: At) -> wire.MemoryOverview:
        """Say how much is remembered, where it is kept, and whether it helps."""

        def look(memory: "Memory") -> wire.MemoryOverview:
            return views.overview_of(memory.overview(reader_of(desk)), memory.stats())

        return await with_memory(desk, look)

    @routes.get("/search")
    async def search(desk: At, asked: Annotated[wire.MemorySearch, Query()]) -> wire.MemoryFound:
        """Find memories, best first."""
        return await with_memory(desk, lambda memory: _search(memory, desk, asked))

    @routes.post("/search")
    async def search_by_body(desk: At, asked: wire.MemorySearch) -> wire.MemoryFound:
        """Find memories, best first; the same question as a JSON body."""
        return await with_memory(desk, lambda memory: _search(memory, desk, asked))

    @routes.get("/recent")
    async def recent(
        desk: At,
        limit: Annotated[int, Query(ge=1, le=wire.MOST_RESULTS)] = DEFAULT_RECENT,
        scope: Scope | None = None,
        project: str | None = None,
    ) -> wire.MemoryRecent:
        """The newest memories, the latest first."""

        def look(memory: "Memory") -> wire.MemoryRecent:
            found = memory.newest(reader_of(desk), limit=limit, scope=scope, project=project)
            items = [views.item_of(each) for each in found.events]
            return wire.MemoryRecent(memories=items, total=found.total)

        return await with_memory(desk, look)


def _add_remembering(routes: Routes) -> None:
    @routes.post("")
    async def remember(desk: At, asked: wire.MemoryAdd) -> wire.MemoryAdded:
        """Remember one thing; without a scope it belongs to the project the server is for."""
        draft = draft_of(Note(**asked.model_dump()))

        def write(memory: "Memory") -> "Remembered":
            [result] = memory.remember([draft], writer_of(desk))
            return result

        return await _added(desk, await with_memory(desk, write))

    @routes.post("/import", openapi_extra=NDJSON)
    async def take_in(desk: At, request: Request) -> wire.MemoryImported:
        """Take in JSON lines, each its own memory; a line that cannot be used costs only itself."""
        problems: list[wire.MemoryProblem] = []
        added: list[str] = []
        try:
            async for lines in _batches(request):
                added += await with_memory(
                    desk, partial(_take_in, app=desk, lines=lines, problems=problems)
                )
        finally:
            if added:  # what was taken in stays, also when the rest is refused
                await tell(desk, "added", added)
        problems.sort(key=lambda problem: problem.line)
        return wire.MemoryImported(added=len(added), problems=problems)

    @routes.post("/forget")
    async def forget(desk: At, asked: wire.MemoryForget) -> wire.MemoryForgotten:
        """Forget for good what is named; with `dryRun` only say what would go."""
        ask = Forget(
            ids=frozenset(asked.ids),
            owner=asked.owner,
            before=None if asked.before is None else moment_of(asked.before, "before"),
            reason=asked.reason,
            by=desk.actor.person,
        )
        if asked.dry_run:
            plan = await with_memory(desk, lambda memory: memory.plan_forgetting(ask))
            return views.forgotten_of(plan, ask.ids, 0)
        return await _forget(desk, ask)


def _add_one(routes: Routes) -> None:
    @routes.get("/events/{id}")
    async def show(desk: At, id: str) -> wire.MemoryShown:
        """One memory: its place in the log, what it replaced and what replaced it, its uses."""

        def look(memory: "Memory") -> wire.MemoryShown:
            reader = reader_of(desk)
            return views.shown_of(memory.show(id, reader), reader)

        return await with_memory(desk, look)

    @routes.patch("/events/{id}")
    async def edit(desk: At, id: str, asked: wire.MemoryEdit) -> wire.MemoryAdded:
        """Say it better: a new memory replaces this one, which stays in the log."""
        result = await with_memory(
            desk, lambda memory: memory.edit(id, asked.text, writer_of(desk))
        )
        if result.status == "stored" and result.id is not None:
            await tell(desk, "edited", [id, result.id])
        return wire.MemoryAdded.model_validate(result)

    @routes.delete("/events/{id}")
    async def forget_one(
        desk: At, id: str, asked: wire.MemoryForgetOne | None = None
    ) -> wire.MemoryForgotten:
        """Forget this memory for good, with what repeats its words."""
        reason = (asked or wire.MemoryForgetOne()).reason
        await with_memory(desk, lambda memory: memory.find(id, reader_of(desk)))
        answer = await _forget(
            desk, Forget(ids=frozenset({id}), reason=reason, by=desk.actor.person)
        )
        if answer.refused:
            raise Refused(f"`{id}` belongs to someone else", hint="Ask its owner to forget it.")
        if answer.missing:
            raise NotFound(f"There is no memory `{id}` that you may see")
        return answer


def _add_files(routes: Routes) -> None:
    @routes.get("/files")
    async def files(desk: At) -> list[wire.MemoryFile]:
        """Every memory document, by path."""
        rows = await with_memory(desk, lambda memory: memory.documents.files(desk.actor))
        return [views.file_of(row) for row in rows]

    @routes.get("/files/{path:path}")
    async def read(desk: At, path: str) -> wire.MemoryDocument:
        """One memory document."""
        row = await with_memory(desk, lambda memory: memory.documents.read(desk.actor, path))
        return views.document_of(row)

    @routes.put("/files/{path:path}")
    async def write(desk: At, path: str, asked: wire.MemoryWrite) -> wire.MemoryWritten:
        """Save a text made from version `base`; a base that is not the newest is merged."""
        written = await with_memory(
            desk,
            lambda memory: memory.documents.write(desk.actor, path, asked.text, base=asked.base),
        )
        if written.changed:
            await tell(desk, "document", [written.document.path])
        return views.written_of(written)

    @routes.delete("/files/{path:path}")
    async def delete(desk: At, path: str, asked: wire.MemoryDelete) -> wire.MemoryDeleted:
        """Delete a document of version `base`; its texts stay in the log."""
        await with_memory(
            desk, lambda memory: memory.documents.delete(desk.actor, path, base=asked.base)
        )
        await tell(desk, "document_deleted", [path])
        return wire.MemoryDeleted(path=path)


def _add_learning(routes: Routes) -> None:
    @routes.get("/policies")
    async def policies(desk: At) -> wire.MemoryPolicies:
        """How retrieval is steered, every change to it, and why."""
        return views.policies_of(await with_memory(desk, lambda memory: memory.policies()))

    @routes.get("/stats")
    async def stats(desk: At) -> wire.MemoryStats:
        """What happened in this memory, and what came of it."""
        return await with_memory(
            desk, lambda memory: views.stats_of(memory.stats(), memory.counts())
        )


def _search(memory: "Memory", app: App, asked: wire.MemorySearch) -> wire.MemoryFound:
    found = memory.search(Ask(**asked.model_dump()), reader_of(app))
    ids = [each.id for each in found.results]
    return views.found_of(found, memory.superseded_by(ids) if asked.history else {})


async def _added(app: App, result: "Remembered") -> wire.MemoryAdded:
    if result.status == "refused":
        raise Refused(result.reason or "This may not be kept")
    if result.status == "stored" and result.id is not None:
        await tell(app, "added", [result.id])
    return wire.MemoryAdded.model_validate(result)


async def _forget(app: App, ask: Forget) -> wire.MemoryForgotten:
    def carry_out(memory: "Memory") -> "tuple[ForgetPlan, Forgotten]":
        from paige.app.memory_removal import forget  # noqa: PLC0415 - NumPy and its friends

        plan = memory.plan_forgetting(ask)
        return plan, forget(app, memory, plan)

    plan, done = await with_memory(app, carry_out)
    if plan.going:
        await tell(app, "forgotten", plan.ids)
    return views.forgotten_of(plan, ask.ids, done.lines, done.remains)


async def _batches(request: Request) -> AsyncIterator[list[tuple[int, bytes]]]:
    """The lines of an import as they come, a few at a time, counted from 1 as people count.

    Of a line that is too long only as much is kept as shows that it is. Raises: TooLarge.
    """
    batch: list[tuple[int, bytes]] = []
    number, size, rest = 0, 0, b""
    async for part in request.stream():
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


def _take_in(
    memory: "Memory",
    app: App,
    lines: list[tuple[int, bytes]],
    problems: list[wire.MemoryProblem],
) -> list[str]:
    """Store lines; returns the ids."""
    drafts: list[tuple[int, Draft]] = []
    for number, line in lines:
        try:
            drafts.append((number, _draft(line)))
        except BadInput as error:
            _note(problems, number, error.message)
    results = memory.remember([draft for _, draft in drafts], writer_of(app))
    added: list[str] = []
    for (number, _), result in zip(drafts, results, strict=True):
        if result.status == "stored" and result.id is not None:
            added.append(result.id)
        else:
            _note(problems, number, result.reason or "It may not be kept")
    return added


def _draft(line: bytes) -> Draft:
    if len(line) > MOST_LINE:
        raise BadInput(f"The line has more than {MOST_LINE // 2**20} MiB")
    return read_import_json(line, usual=None)


def _note(problems: list[wire.MemoryProblem], number: int, message: str) -> None:
    if len(problems) < MOST_PROBLEMS:
        problems.append(wire.MemoryProblem(line=number, message=message))
