"""Proposals to remember something that nobody has decided about, and deciding about one later.

A run that was answered with yes to all leaves its proposals; so does one whose memory question is
still open, and that is where it is answered.
"""

from datetime import datetime
from functools import partial
from typing import Literal

import anyio
from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.wire import wire
from paige.memory.documents import captures
from paige.memory.documents import queries as document_queries
from paige.memory.documents.records import EventRow, Use
from paige.memory.event import Provenance
from paige.memory.messages import MemoryChanged
from paige.plan.hooks.names import MEMORY_CAPTURE
from paige.plan.session_queries import ended_among
from paige.store.messages import publish


@wire
class PlanProposal:
    """Something that might be remembered and waits for a decision."""

    key: str
    scope: Literal["teacher", "class"]
    class_id: str | None
    path: str
    text: str
    session: str | None
    proposed_at: datetime
    asked: bool
    """Whether a run of its session asks about it now: it is answered there."""


class Proposals:
    """The proposals of the person that a process acts for."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._deciding = anyio.Lock()  # two windows may decide about the same one

    async def pending(self) -> list[PlanProposal]:
        """Everything that waits for a decision, newest first."""
        return await self._app.database.read(_pending, self._app.actor)

    async def decide(
        self, key: str, decision: captures.Decision, text: str | None = None
    ) -> PlanProposal:
        """Carry out a decision, once.

        Raises: NotFound, Conflict when it was decided or is asked elsewhere, BadInput, Refused when
        the words may not be kept.
        """
        app = self._app
        async with self._deciding:
            found = await app.database.read(_get_pending, app.actor, key)
            final = _final(found, decision, text)
            if final is not None:
                await run_sync(partial(self._write, found, final))
            proposal = captures.Proposal(
                key=key, path=found.path, text=found.proposed_text or "", provenance=_from(found)
            )
            record = partial(captures.record_decided, final=final, now=app.now())
            await app.database.write(record, app.actor, proposal, decision)
        if final is not None:
            message = MemoryChanged(ids=[found.path], action="document")
            tell = partial(publish, actor=app.actor, message=message, now=app.now())
            await app.database.write(tell)
        return _seen(found, asked=False)

    def _write(self, found: EventRow, final: str) -> None:
        # The same key whenever the same decision comes again, as after a crash in between.
        use = Use(by=MEMORY_CAPTURE, key=f"{found.id}:{final}", provenance=_from(found))
        documents = self._app.memory.open().documents
        documents.append(self._app.actor, found.path, f"- {final}", use=use)


def _pending(connection: Connection, actor: Actor) -> list[PlanProposal]:
    rows = document_queries.undecided(connection, actor)
    ended = ended_among(connection, actor, {row.trace_id for row in rows if row.trace_id})
    return [_seen(row, asked=_is_asked(row, ended)) for row in rows]


def _get_pending(connection: Connection, actor: Actor, key: str) -> EventRow:
    rows = document_queries.undecided(connection, actor, only=key)
    if not rows:
        known = document_queries.find_event(connection, actor, key)
        if known is None or known.event_type != "capture_proposed":
            raise NotFound(f"There is no proposal `{key}`")
        raise Conflict("This was decided meanwhile", hint="Read the list again.")
    [row] = rows
    if _is_asked(row, ended_among(connection, actor, [row.trace_id] if row.trace_id else [])):
        raise Conflict(
            "A run asks about this now", hint=f"Answer it in the session `{row.session_id}`."
        )
    return row


def _is_asked(row: EventRow, ended: set[str]) -> bool:
    return row.trace_id is not None and row.trace_id not in ended


def _final(found: EventRow, decision: captures.Decision, text: str | None) -> str | None:
    """The words that are kept, on one line; nothing when they are not."""
    match decision:
        case "dismissed":
            return None
        case "confirmed":
            return found.proposed_text or ""
        case "edited":
            final = " ".join((text or "").split())
            if not final:
                raise BadInput("`edited` needs the new words", hint="Send them as `text`.")
            return final


def _seen(row: EventRow, *, asked: bool) -> PlanProposal:
    return PlanProposal(
        row.id,
        "class" if row.class_id else "teacher",
        row.class_id or None,
        row.path,
        row.proposed_text or "",
        row.session_id,
        row.created_at,
        asked,
    )


def _from(row: EventRow) -> Provenance:
    return Provenance(row.session_id, row.trace_id)
