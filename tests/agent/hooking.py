"""Hooks for tests: one that only looks, one that always decides the same."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from paige.agent.hooks import Hook
from paige.agent.queries import spans_of
from paige.agent.segment import Runtime
from paige.agent.tables import SpanRow
from paige.agent.tools import Tool, ToolFailed
from paige.base.events import Decision
from paige.models.scripted import Scripted
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, tool


class Word(BaseModel):
    """One word."""

    word: str


async def echo(scope: Any, params: Word) -> str:
    """Say it again."""
    return params.word


async def fails(scope: Any, params: Any) -> str:
    """Never work."""
    raise ToolFailed("It does not work.")


def deciding(name: str, point: str, decision: Decision | None, **more: Any) -> Hook:
    """A hook that always decides the same."""

    async def propose(view: Any, event: Any) -> Decision | None:
        return decision

    return Hook(name, (point,), propose, **more)


def seeing(name: str, *points: str, into: list[Any], what: str = "") -> Hook:
    """A hook that notes the point it runs at, its own name, or a field of the event."""

    async def propose(view: Any, event: Any) -> None:
        seen = {"": event.name, "name": name, "view": view, "event": event}
        into.append(seen[what] if what in seen else getattr(event, what))

    return Hook(name, points, propose)


def hooked(
    db: Database, folder: Path, script: Any, *hooks: Hook, tools: tuple[Tool[Any], ...] = ()
) -> Runtime:
    """A runtime whose agent has these hooks, and a tool `echo`."""
    names = ", ".join(hook.name for hook in hooks)
    return make_runtime(
        db,
        folder,
        provider=script if isinstance(script, Scripted) else Scripted(script),
        agents={"helper": agent_text(hooks=f"[{names}]")},
        tools=(tool("echo", echo, params=Word), *tools),
        hooks=hooks,
    )


def spans_by_name(db: Database, run: str) -> dict[str, SpanRow]:
    """The last span of every name."""
    with db.transaction(write=False) as connection:
        return {span.name: span for span in spans_of(connection, ME, run)}
