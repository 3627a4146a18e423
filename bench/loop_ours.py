"""The loop as Paige runs it: SQLite file, journal, spans, log of calls, and twelve hooks."""

import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from pydantic import BaseModel

from bench.model_server import DESCRIPTION, MODEL, PROMPT, SYSTEM, TOOL, page_text
from bench.worker import answer_stdin
from paige.agent.hooks import Hook, HookView
from paige.agent.library.definitions import AgentDefinition, SkillDefinition, read_agent
from paige.agent.limits import Limits
from paige.agent.memories import NO_REQUEST, Request
from paige.agent.runs import NewRun, start_run
from paige.agent.segment import PreparedAgent, Runtime
from paige.agent.tools import Tool, ToolScope
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.events import Event
from paige.base.settings import read_settings
from paige.models.local import Registry
from paige.models.setup import open_models
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database, open_database
from paige.store.migrate import migrate

POINTS = ("pre_model", "post_model", "pre_tool", "post_tool")
AGENT = f"---\nmodel: {MODEL}\nprovider: anthropic\ntools: [{TOOL}]\n---\n{SYSTEM}"


class Page(BaseModel):
    """Which page."""

    page: int


class OneAgent:
    """A library with one agent."""

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """Read its text."""
        return PreparedAgent(read_agent(AGENT, f"{agent}.md"), AGENT, SYSTEM)

    def describe(self, agent: str) -> str:
        """What it is for."""
        return f"The {agent}."

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """None."""
        return {}


async def _look_up(scope: ToolScope, page: Page) -> str:
    return page_text(page.page)


async def _look(view: HookView, event: Event) -> None:
    assert event.name in POINTS


def open_runtime(folder: Path, address: str) -> Runtime:
    """A runtime on a new database, built from settings as the doors do it."""
    environ = {
        "DATA_DIR": str(folder),
        "ANTHROPIC_API_KEY": "key",
        "PAIGE_PROVIDER": "anthropic",
        "PAIGE_BASE_URL": address,
    }
    settings = read_settings(environ, folder)
    db = open_database(settings)
    migrate(db)
    hooks = [Hook(f"{point}-{n}", (point,), _look) for point in POINTS for n in range(3)]
    return Runtime(
        db=db,
        provider=open_models(settings, db, Registry(), strict=True).provider,
        library=OneAgent(),
        documents=DirectoryDocuments(folder / "workspace"),
        tools={TOOL: Tool(TOOL, DESCRIPTION, Page, "pure", _look_up)},
        hooks={hook.name: hook for hook in hooks},
        now=system_clock,
    )


async def run_once(runtime: Runtime, calls: int) -> None:
    """One run of so many model calls."""
    new = NewRun(
        agent="reader",
        prompt=PROMPT,
        purpose="bench",
        door="plan",
        limits=Limits(max_turns=calls),
        hooks=tuple(runtime.hooks),
    )
    state = await start_run(runtime, Actor(), new)
    assert (state.run.status, state.run.turns) == ("success", calls), state.run


def journal_bytes(address: str, calls: int) -> int:
    """How much a run of so many model calls adds to the database file."""

    async def run(runtime: Runtime) -> None:
        await run_once(runtime, calls)
        await runtime.provider.aclose()

    with tempfile.TemporaryDirectory() as name:
        runtime = open_runtime(Path(name), f"{address}/{calls}")
        before = _size(runtime.db)
        asyncio.run(run(runtime))
        after = _size(runtime.db)
        runtime.db.close()
    return after - before


def _size(db: Database) -> int:
    with closing(sqlite3.connect(db.location)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Path(db.location).stat().st_size


def _main() -> None:
    address, calls = sys.argv[1], int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        runtime = open_runtime(Path(name), f"{address}/{calls}")
        answer_stdin(lambda: run_once(runtime, calls), calls)


if __name__ == "__main__":
    _main()
