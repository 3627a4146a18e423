"""The memory's part of the REST API: search, remember, change, forget, documents, policies."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
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
from paige.server.desks import At, needs
from paige.server.routes import Routes

if TYPE_CHECKING:
    from paige.app.forgetting import Forgotten
    from paige.memory.intake.broker import Remembered
    from paige.memory.memory import Memory

MOST_IMPORT = 64 * 2**20
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
        body = await _body(request)
        problems: list[wire.MemoryProblem] = []
        added = await with_memory(desk, lambda memory: _take_in(memory, desk, body, problems))
        if added:
            await tell(desk, "added", added)
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
        from paige.app.forgetting import forget  # noqa: PLC0415 - NumPy and its friends

        plan = memory.plan_forgetting(ask)
        return plan, forget(app, memory, plan)

    plan, done = await with_memory(app, carry_out)
    if plan.going:
        await tell(app, "forgotten", plan.ids)
    return views.forgotten_of(plan, ask.ids, done.lines, done.remains)


async def _body(request: Request) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MOST_IMPORT:
            raise BadInput(
                f"The import has more than {MOST_IMPORT // 2**20} MiB",
                hint="Send it in parts, or use `paige memory import`.",
            )
        parts.append(part)
    return await anyio.to_thread.run_sync(b"".join, parts)


def _take_in(
    memory: "Memory", app: App, body: bytes, problems: list[wire.MemoryProblem]
) -> list[str]:
    """Store lines in batches; returns the ids. Lines are counted from 1, as people count."""
    writer = writer_of(app)
    added: list[str] = []
    for batch in _batches(body, problems):
        results = memory.remember([draft for _, draft in batch], writer)
        for (number, _), result in zip(batch, results, strict=True):
            if result.status == "stored" and result.id is not None:
                added.append(result.id)
            elif len(problems) < MOST_PROBLEMS:
                message = result.reason or "It may not be kept"
                problems.append(wire.MemoryProblem(line=number, message=message))
    problems.sort(key=lambda problem: problem.line)
    return added


def _batches(body: bytes, problems: list[wire.MemoryProblem]) -> Iterator[list[tuple[int, Draft]]]:
    batch: list[tuple[int, Draft]] = []
    for number, line in enumerate(body.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            batch.append((number, read_import_json(line)))
        except BadInput as error:
            if len(problems) < MOST_PROBLEMS:
                problems.append(wire.MemoryProblem(line=number, message=error.message))
        if len(batch) == TAKEN_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch
