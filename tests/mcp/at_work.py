"""A person's window and a coding agent at the same running server."""

import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import anyio
from mcp import Client
from websockets.asyncio.client import ClientConnection, connect

from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.message_parts import FileHint, LineHint
from paige.coach.model import CoachedPlan, PlanText
from paige.coach.phases import PlanSource, StoredPlan, store_plan
from paige.store.engine import open_database
from tests.coach.coached_phases import coached_phase
from tests.conftest import NOON
from tests.live import Live

Mode = Literal["legacy", "auto"]
MODES: tuple[Mode, ...] = ("legacy", "auto")
SECONDS = 20.0
SHOWN = ("editor:", "explorer:", "coaching:")
STATE_ITEMS = {
    "open_files",
    "buffers",
    "diffs",
    "phase",
    "plan",
    "progress",
    "hints",
    "session",
    "dreyfus",
}
HELLO = {"version": "1", "platform": "test", "windowSize": {"width": 800, "height": 600}}


@dataclass(slots=True)
class Window:
    """One WebSocket connection."""

    socket: ClientConnection
    asked: int = 0

    async def send(self, kind: str, **payload: object) -> None:
        """Send one message."""
        await self._send({"type": kind, "payload": payload})

    async def wait(self, kind: str) -> Any:
        """Read until a message of this type comes; return its payload."""
        return (await self.until(kind))[-1]["payload"]

    async def until(self, kind: str) -> list[dict[str, Any]]:
        """Read until a message of this type comes; return everything that was read."""
        return await self._read(lambda frame: frame["type"] == kind)

    async def settled(self) -> list[dict[str, Any]]:
        """Everything that came until Paige had dealt with all that was sent.

        The answer to a question of its own is the end of it: a tree may also come unasked.
        """
        self.asked += 1
        id = f"question-{self.asked}"
        await self._send({"type": "fs:request_tree", "payload": {}, "id": id})
        return await self._read(lambda frame: frame.get("id") == id)

    async def meanwhile(self) -> list[dict[str, Any]]:
        """What Paige has shown since."""
        return [frame for frame in await self.settled() if frame["type"].startswith(SHOWN)]

    async def _send(self, frame: dict[str, object]) -> None:
        await self.socket.send(json.dumps(frame))

    async def _read(self, last: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        read: list[dict[str, Any]] = []
        with anyio.fail_after(SECONDS):
            while not read or not last(read[-1]):
                read.append(json.loads(await self.socket.recv()))
        return read


@dataclass(slots=True)
class Desk:
    """Everything a test needs: the window, the agent, the project, the log."""

    paige: Live
    project: Path
    window: Window
    agent: Client

    async def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool that succeeds; text and structured content say the same."""
        result = await self.agent.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        value = json.loads(result.content[0].text)
        structured = result.structured_content
        assert structured == (value if isinstance(value, dict) else {"result": value})
        return value

    async def fails(self, tool: str, **arguments: object) -> str:
        """Call a tool that fails; return its sentence."""
        result = await self.agent.call_tool(tool, arguments)
        assert result.is_error
        assert result.structured_content is None
        return result.content[0].text

    def file(self, path: str, text: str) -> str:
        """Put a file into the project."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return path

    async def edit(self, path: str, text: str, line: int = 1) -> None:
        """Type in the window's editor; the tree that is asked for says that it was taken."""
        cursor = {"line": line, "column": 1}
        await self.window.send(
            "buffer:update", path=path, content=text, cursorPosition=cursor, selections=[]
        )
        await self.window.meanwhile()

    async def start(self, issue: int = 7) -> str:
        """Start a session; return its id."""
        await self.window.send("session:start", issueNumber=issue, issueTitle=f"Issue {issue}")
        started = await self.window.wait("session:started")
        await self.window.wait("observer:status")  # the last event of a start
        await self.window.meanwhile()
        return started["sessionId"]

    def actions(self, *types: str, since: int = 0) -> list[dict[str, Any]]:
        """What was logged, oldest first: `{type, session, data}`."""
        marks = ",".join("?" * len(types))
        chosen = f"AND action_type IN ({marks})" if types else ""
        rows = self._read(
            "SELECT action_type, session_id, data FROM action_log WHERE rowid > ? "
            f"{chosen} ORDER BY rowid",
            since,
            *types,
        )
        return [
            {"type": kind, "session": session, "data": json.loads(data or "null")}
            for kind, session, data in rows
        ]

    def logged(self) -> int:
        """A mark in the log: what comes later is what is new."""
        [[mark]] = self._read("SELECT coalesce(max(rowid), 0) FROM action_log")
        return mark

    def row(self, statement: str, *values: object) -> tuple[Any, ...]:
        """One row of the server's own database."""
        [found] = self._read(statement, *values)
        return found

    def _read(self, statement: str, *values: object) -> list[Any]:
        with closing(sqlite3.connect(self.project / ".paige" / "paige.db")) as database:
            return database.execute(statement, values).fetchall()


@asynccontextmanager
async def window_of(paige: Live) -> AsyncIterator[Window]:
    """A connected window that has said hello."""
    async with connect(paige.ws, compression=None) as socket:
        window = Window(socket)
        await window.send("connection:hello", **HELLO)
        await window.wait("connection:init")
        yield window


@asynccontextmanager
async def at_work(paige: Live, project: Path, mode: Mode = "auto") -> AsyncIterator[Desk]:
    """A window and an agent with nothing open, nothing unsaved, and no session."""
    async with window_of(paige) as window, Client(f"{paige.url}/mcp", mode=mode) as agent:
        desk = Desk(paige, project, window, agent)
        for path in (await desk.call("paige_get_open_files"))["files"]:
            await window.send("file:close", path=path)
        for diff in (await desk.call("paige_get_diff"))["diffs"]:
            buffer = await desk.call("paige_get_buffer", path=diff["path"])
            await window.send("file:save", path=diff["path"], content=buffer["content"])
        await _without_session(desk)
        await desk.call("paige_clear_highlights")
        await desk.call("paige_clear_hints")
        await window.meanwhile()
        yield desk


async def _without_session(desk: Desk) -> None:
    state = await desk.agent.call_tool("paige_get_session_state", {"include": ["session"]})
    if not state.is_error:
        await desk.window.send("session:end")
        await desk.window.wait("observer:status")  # the last event of an end


async def planned(desk: Desk, session: str) -> StoredPlan:
    """A plan with two phases, stored as the coaching pipeline does; the window is told."""
    lines = LineHint(path="src/auth.ts", start=1, end=2, style="focus", hover_text="Look here")
    phases = (
        coached_phase(
            1,
            "Read",
            "Read the file first.",
            "line",
            expected_files=("src/auth.ts",),
            file_hints=(FileHint(path="src/auth.ts", style="important"),),
            line_hints=(lines,),
        ),
        coached_phase(2, "Write", "Then write.", "file"),
    )
    made = PlanSource(PlanText("# Plan", "An issue"), CoachedPlan(phases, None, "beginner"))
    settings = Settings(cwd=desk.project, given_data_dir=desk.project / ".paige")
    with closing(open_database(settings)) as database:
        stored = await database.write(store_plan, Actor(), session, made, now=NOON)
    await desk.window.wait("coaching:plan_ready")
    return stored


def of_type(frames: list[dict[str, Any]], kind: str) -> list[Any]:
    """The payloads of one type of message."""
    return [frame["payload"] for frame in frames if frame["type"] == kind]
