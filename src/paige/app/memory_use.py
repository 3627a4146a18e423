"""How doors that serve many at once use the memory: in threads, and telling everyone who watches.

The memory itself is synchronous. It is opened in a thread too, because opening it imports NumPy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import anyio.to_thread

from paige.app.application import App
from paige.base.errors import BadInput
from paige.base.rights import allows
from paige.memory.access import Reader
from paige.memory.event import AgentRef, Draft, Scope
from paige.memory.intake.admission import Writer
from paige.memory.intake.drafts import read_moment
from paige.memory.messages import MOST_IDS, Action, MemoryChanged
from paige.store.messages import publish

if TYPE_CHECKING:
    from paige.memory.memory import Memory

T = TypeVar("T")
NOBODY = AgentRef()


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something to remember, as a door is given it."""

    text: str
    scope: Scope | None = None
    project: str | None = None
    session: str | None = None
    speaker: str | None = None
    type: str | None = None
    at: str | None = None
    importance: float | None = None
    key: str | None = None
    meta: Any = None


async def with_memory(app: App, work: "Callable[[Memory], T]") -> T:
    """Do something with the memory, in a thread."""
    return await anyio.to_thread.run_sync(lambda: work(app.memory.open()))


def reader_of(app: App) -> Reader:
    """The signed-in person, as a reader; to be called in a thread, like `writer_of`.

    With accounts, memories of projects are for those who work in the project: everyone's desk is
    one of its own, besides the project of this machine for those who may use it.
    """
    projects: frozenset[str] | None = None
    if app.settings.many:
        from paige.memory.opening import project_of  # noqa: PLC0415 - NumPy and its friends

        here = project_of(app.settings)
        projects = frozenset({here.id} if here else ())
    return Reader(person=app.actor.person, roles=app.actor.roles, projects=projects)


def writer_of(app: App, agent: AgentRef = NOBODY) -> Writer:
    """The signed-in person as a writer, in the project the server was started for.

    With accounts only those who work with the coach put something before everyone: it turns up in
    the sessions of coding agents. To be called in a thread: it looks at the project's folder.
    """
    from paige.memory.opening import project_of  # noqa: PLC0415 - NumPy and its friends

    here = project_of(app.settings)
    return Writer(
        person=app.actor.person,
        roles=app.actor.roles,
        project=here.id if here else None,
        projects=reader_of(app).projects,
        shares=not app.settings.many or allows(app.actor.roles, "coach"),
        agent=agent,
    )


def draft_of(note: Note) -> Draft:
    """What the broker is given. Raises: BadInput."""
    payload = {"key": note.key, "speaker": note.speaker, "meta": note.meta}
    kind = note.type or ("fact" if note.key else "note")
    return Draft(
        text=note.text,
        type="fact" if note.key and kind == "note" else kind,
        scope=note.scope,
        project=note.project,
        session=note.session,
        payload={name: value for name, value in payload.items() if value is not None},
        importance=note.importance,
        at=None if note.at is None else moment_of(note.at),
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


async def tell(app: App, action: Action, ids: Sequence[str]) -> None:
    """Let every window of this person know that memories changed."""
    message = MemoryChanged(ids=list(ids[:MOST_IDS]), action=action)
    await app.database.write(partial(publish, actor=app.actor, message=message, now=app.now()))
