"""Somebody who tries Paige from outside: commands, keys, clicks, tools; every step is counted."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from anyio.from_thread import start_blocking_portal
from mcp import Client
from playwright.sync_api import Locator, Page

from tests import nursery
from tests.live import PAIGE, Live, environment
from tests.terminal import Terminal, paige_in_terminal

Way = Literal["terminal", "browser", "MCP client", "coding CLI"]
Test = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Task:
    """What somebody wants, how they go about it, and what shows that it worked."""

    goal: str
    way: Way
    proof: str


def task(goal: str, *, way: Way, proof: str) -> Callable[[Test], Test]:
    """Say what a test stands for in the list of tasks."""

    def named(test: Test) -> Test:
        test.task = Task(goal, way, proof)  # type: ignore[attr-defined]
        return test

    return named


@dataclass(frozen=True, slots=True)
class House:
    """A home with a server in it, for all tasks of a file that do not get in each other's way."""

    home: Path
    live: Live

    @property
    def url(self) -> str:
        """Where the server answers."""
        return self.live.url


class Keys:
    """A program in a terminal; every line that is typed counts."""

    def __init__(self, terminal: Terminal, count: Callable[[], None]) -> None:
        self._terminal = terminal
        self._count = count

    @property
    def shown(self) -> str:
        """Everything on the screen so far."""
        return self._terminal.shown

    def sees(self, *texts: str) -> None:
        """Wait for texts, one after the other."""
        for text in texts:
            self._terminal.expect(text)

    def answers(self, *lines: str) -> None:
        """Type lines."""
        for line in lines:
            self._count()
            self._terminal.type(f"{line}\n")

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        return self._terminal.end()

    def leaves(self) -> int:
        """Press Ctrl+C; the exit code."""
        self._count()
        return self._terminal.leave("\x03")


@dataclass  # without slots: Playwright keeps its wrappers on objects it is given
class Person:
    """Somebody with a home, and the number of steps they took."""

    home: Path
    place: Path
    """The folder they are in."""
    steps: int = 0
    variables: dict[str, str] = field(default_factory=dict)

    def count(self) -> None:
        """One more step."""
        self.steps += 1

    def paige(self, *arguments: str, code: int | None = 0, stdin: str = "") -> str:
        """Type a command; everything that it showed."""
        self.count()
        done: subprocess.CompletedProcess[str] = nursery.run(
            [PAIGE, *arguments],
            env=environment(self.home, **self.variables),
            cwd=self.place,
            input=stdin,
            text=True,
        )
        assert code in (None, done.returncode), (
            f"{arguments} ended with {done.returncode}: {done.stderr}"
        )
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    def data(self, *arguments: str) -> Any:
        """Type a command that prints JSON, for what a person reads off the screen."""
        self.count()
        done: subprocess.CompletedProcess[str] = nursery.run(
            [PAIGE, *arguments, "--json"],
            env=environment(self.home, **self.variables),
            cwd=self.place,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @contextmanager
    def terminal(self, *arguments: str) -> Iterator[Keys]:
        """Type a command that asks questions."""
        self.count()
        with paige_in_terminal(self.place, *arguments, **self._of_terminal()) as terminal:
            yield Keys(terminal, self.count)

    def _of_terminal(self) -> dict[str, str]:
        return {"HOME": str(self.home), **self.variables}

    def visits(self, page: Page, url: str) -> None:
        """Open an address."""
        self.count()
        page.goto(url)

    def clicks(self, found: Locator) -> None:
        """Click something."""
        self.count()
        found.click()

    def writes(self, found: Locator, text: str) -> None:
        """Fill in a field."""
        self.count()
        found.fill(text)

    def agent(self, url: str) -> "Agent":
        """A program that speaks MCP with the server."""
        return Agent(url, self.count)

    def writes_file(self, name: str, text: str) -> Path:
        """Save a file in the folder they are in, with an editor."""
        self.count()
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path


class Agent:
    """The official client of the protocol, over HTTP; every call counts."""

    def __init__(self, url: str, count: Callable[[], None]) -> None:
        self._url = url
        self._count = count

    def tools(self) -> set[str]:
        """The names of what is offered."""

        async def ask(client: Client) -> Any:
            return await client.list_tools()

        return {tool.name for tool in self._do(ask).tools}

    def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool that succeeds."""
        result = self._call(tool, arguments)
        assert not result.is_error, result.content[0].text
        return json.loads(result.content[0].text)

    def fails(self, tool: str, **arguments: object) -> str:
        """Call a tool that says no; its sentence."""
        result = self._call(tool, arguments)
        assert result.is_error
        return result.content[0].text

    def _call(self, tool: str, arguments: dict[str, object]) -> Any:
        async def ask(client: Client) -> Any:
            return await client.call_tool(tool, arguments)

        return self._do(ask)

    def _do(self, ask: Callable[[Client], Any]) -> Any:
        self._count()

        async def connected() -> Any:
            async with Client(f"{self._url}/mcp") as client:
                return await ask(client)

        # A loop of its own: the one of a browser may be running in this thread.
        with start_blocking_portal() as portal:
            return portal.call(connected)


def slug(goal: str) -> str:
    """A goal as the name of a function."""
    return re.sub(r"[^a-z0-9]+", "_", goal.lower()).strip("_")
