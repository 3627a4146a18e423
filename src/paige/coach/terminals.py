"""The terminal in the window: one shell a person, in the project's folder, shown in every window.

Nothing here blocks: the shell's end of the line is read when it has something and written when it
takes something. What it shows is put together for a few milliseconds, kept (the last 256 KiB, for a
window that comes later) and sent; while a window has much left to read the shell has to wait, so
that a flood of output costs nobody anything.
"""

import codecs
import contextlib
import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync

from paige.base.actor import Actor
from paige.base.environment import passed_on
from paige.base.errors import BadInput, NotFound, Unavailable
from paige.coach.client_messages import COLS, ROWS
from paige.coach.messages import MessageSink, Reply, TerminalExit, TerminalOpened, TerminalOutput
from paige.sandbox import terminal as system
from paige.sandbox.isolation import shell_argv
from paige.sandbox.terminal import Terminal, open_terminal
from paige.sandbox.terms import RunTerms

logger = logging.getLogger(__name__)
READ = 65_536
TOGETHER = 32 * 1024  # characters sent at once
TOGETHER_SECONDS = 0.01
PAUSE_SECONDS = 0.004  # after a full frame: nobody reads 8 MB a second, and others want a turn
KEPT = 256 * 1024  # characters shown again to a new window
MOST_INPUT = 2**20  # bytes typed that the shell has not taken yet
LEAVE_SECONDS = 0.5  # for a shell to end its jobs
SHELL = "/bin/sh"


@dataclass(frozen=True, slots=True)
class Size:
    """Room for characters."""

    cols: int = COLS
    rows: int = ROWS


def has_terminals() -> bool:
    """Whether this system has terminals for programs."""
    return system.pty is not None


def shell_of(environ: Mapping[str, str]) -> str:
    """The person's own shell."""
    return environ.get("SHELL") or SHELL


def shell_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What a shell may know: nothing that Paige was given to do its work."""
    return passed_on(environ, own=("PS1", "SSH_AUTH_SOCK"))


class TerminalTail:
    """The end of what a terminal has shown."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._parts: deque[str] = deque()
        self._size = 0

    def add(self, text: str) -> None:
        """Keep a text; the oldest goes when there is too much."""
        self._parts.append(text)
        self._size += len(text)
        while self._size - len(self._parts[0]) >= self._most:
            self._size -= len(self._parts.popleft())

    def text(self) -> str:
        """What is kept, from the beginning of a line on if something was lost before it."""
        whole = "".join(self._parts)
        if len(whole) <= self._most:
            return whole
        # A piece of a control sequence at the beginning would be shown as letters.
        end = whole[-self._most :]
        return end[end.find("\n") + 1 :]


@dataclass(slots=True)
class Shell:
    """One running shell."""

    actor: Actor
    terminal: Terminal
    name: str
    shown: TerminalTail = field(default_factory=TerminalTail)
    typed: bytearray = field(default_factory=bytearray)
    has_input: anyio.Event = field(default_factory=anyio.Event)
    work: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: anyio.Event = field(default_factory=anyio.Event)


class Terminals:
    """The shells of everyone."""

    def __init__(
        self,
        folder: Path | None,
        outlet: MessageSink,
        environ: Mapping[str, str] | None = None,
        *,
        heard: Callable[[Actor, str], None] = lambda actor, text: None,
        shut_off_from: Path | None = None,
    ) -> None:
        """`heard` is told everything that is shown.

        `shut_off_from` is the data folder where many people come in: then a shell sees the
        project and nothing else of this machine.
        """
        self._shut_off_from = shut_off_from
        self._heard = heard
        self._folder = folder
        self._outlet = outlet
        self._environ = environ if environ is not None else {}
        self._shells: dict[tuple[str, str], Shell] = {}
        self._sizes: dict[tuple[str, str], Size] = {}  # told before there was a shell
        self._left: set[tuple[str, str]] = set()  # whose shell has ended
        self._tasks: TaskGroup | None = None

    def begin(self, tasks: TaskGroup) -> None:
        """Run shells in this group from now on."""
        self._tasks = tasks

    async def open(self, actor: Actor, size: Size, reply: Reply) -> None:
        """Show a person's terminal in the window that asks; start the shell when there is none.

        Raises: BadInput without a project, Unavailable where there are no terminals, Refused where
        shells have to be isolated and cannot be.
        """
        shell = self.find(actor) or self._start(actor, size)
        shell.terminal.resize(size.cols, size.rows)
        # No waiting between these: what is shown from now on comes after what was kept.
        opened = TerminalOpened(cols=size.cols, rows=size.rows, shell=shell.name)
        self._outlet.answer(opened, reply)
        kept = shell.shown.text()
        if kept:
            self._outlet.answer(TerminalOutput(output=kept), reply)

    def type(self, actor: Actor, text: str) -> None:
        """Type into the shell; the first key starts it, but none starts one that was left.

        Raises: NotFound when the shell has ended, Unavailable when it takes nothing.
        """
        shell = self.find(actor) or self._first(actor)
        data = text.encode("utf-8", "replace")
        if len(shell.typed) + len(data) > MOST_INPUT:
            raise Unavailable(
                "The program in the terminal does not read what is typed",
                hint="Wait for it, or press Ctrl+C.",
            )
        shell.typed += data
        shell.has_input.set()

    def resize(self, actor: Actor, size: Size) -> None:
        """The window has another size; it is kept for a shell that is yet to come."""
        shell = self.find(actor)
        if shell is None:
            self._sizes[_key(actor)] = size
            return
        shell.terminal.resize(size.cols, size.rows)

    def find(self, actor: Actor) -> Shell | None:
        """A person's shell, if it runs."""
        return self._shells.get(_key(actor))

    async def close(self) -> int:
        """End every shell; return how many there were."""
        shells = list(self._shells.values())
        for shell in shells:
            shell.work.cancel()
        for shell in shells:
            await shell.ended.wait()
        return len(shells)

    def _first(self, actor: Actor) -> Shell:
        if _key(actor) in self._left:  # what is typed was meant for the shell that has ended
            raise NotFound("No terminal is open", hint="Send `terminal:ready` first.")
        return self._start(actor, self._sizes.get(_key(actor), Size()))

    def _start(self, actor: Actor, size: Size) -> Shell:
        if self._folder is None:
            raise BadInput("Paige was started without a project", hint="Set `PROJECT_DIR`.")
        if self._tasks is None:
            raise Unavailable("Paige is stopping", hint="Start it again.")
        name = shell_of(self._environ)
        argv, environ = [name], shell_environment(self._environ)
        if self._shut_off_from is not None:
            RunTerms(least="bubblewrap").isolation()
            argv = shell_argv(argv, self._folder, environ, hidden=self._shut_off_from)
        terminal = open_terminal(argv, self._folder, environ)
        os.set_blocking(terminal.fd, False)
        terminal.resize(size.cols, size.rows)
        shell = Shell(actor, terminal, os.path.basename(name))
        self._left.discard(_key(actor))
        self._shells[_key(actor)] = shell
        self._tasks.start_soon(self._run, shell)
        return shell

    async def _run(self, shell: Shell) -> None:
        key = _key(shell.actor)
        try:
            with shell.work:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._write, shell)
                    await self._read(shell)
                    tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await _hang_up(shell.terminal)
                await run_sync(shell.terminal.close)
            self._shells.pop(key, None)
            self._left.add(key)
            shell.ended.set()
            self._outlet.send(TerminalExit(code=shell.terminal.exit_code), shell.actor)

    async def _read(self, shell: Shell) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        ended = False
        while not ended:
            text = ""
            await anyio.wait_readable(shell.terminal.fd)
            with anyio.move_on_after(TOGETHER_SECONDS):
                while len(text) < TOGETHER and not ended:
                    data = _take(shell.terminal)
                    ended = data == b""
                    text += decoder.decode(data or b"", final=ended)
                    if not ended:
                        await anyio.wait_readable(shell.terminal.fd)
            await self._show(shell, text)

    async def _show(self, shell: Shell, text: str) -> None:
        if not text:
            return
        shell.shown.add(text)
        self._heard(shell.actor, text)
        self._outlet.send(TerminalOutput(output=text), shell.actor)
        await self._outlet.room(shell.actor)
        if len(text) >= TOGETHER:
            await anyio.sleep(PAUSE_SECONDS)

    async def _write(self, shell: Shell) -> None:
        while True:
            while shell.typed:
                await anyio.wait_writable(shell.terminal.fd)
                try:
                    written = os.write(shell.terminal.fd, shell.typed[:READ])
                except BlockingIOError:
                    continue
                except OSError:  # the shell has ended; the reader sees it too
                    return
                del shell.typed[:written]
            shell.has_input = anyio.Event()
            await shell.has_input.wait()


def _key(actor: Actor) -> tuple[str, str]:
    return actor.tenant, actor.person


async def _hang_up(terminal: Terminal) -> None:
    """Tell the shell that its window is gone, and let it end its jobs before it is killed."""
    with contextlib.suppress(OSError):
        os.killpg(terminal.pid, signal.SIGHUP)
    with anyio.move_on_after(LEAVE_SECONDS):
        while _take(terminal) != b"":
            await anyio.wait_readable(terminal.fd)


def _take(terminal: Terminal) -> bytes | None:
    """What the shell shows now: `None` for nothing yet, empty when it has ended."""
    try:
        data = os.read(terminal.fd, READ)
    except BlockingIOError:
        return None
    except OSError:  # nobody holds the other end any more
        data = b""
    if not data:
        terminal.read()  # so that it knows, and waits for the shell's own exit code
    return data
