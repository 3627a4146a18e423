"""A terminal of our own: a shell that a person types into through the web app.

It is the person's own shell in their own project; who has to isolate it gives a command that does.
What is known about it is what runs in the foreground, so that nothing is typed into a program that
is not meant to get it.
"""

import contextlib
import os
import signal
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from paige.base.errors import Unavailable
from paige.base.umask import persons_umask

try:
    import fcntl
    import pty
    import termios
except ImportError:  # native Windows
    fcntl = pty = termios = None

_READ = 65_536
_MOST_CELLS = 1_000
_LEAVE_SECONDS = 1.0


class Terminal:
    """A running shell; every method may be called from another thread."""

    def __init__(self, pid: int, fd: int) -> None:
        self.pid = pid
        self.fd = fd
        self.exit_code: int | None = None
        self._ended = False

    def read(self) -> bytes:
        """What it shows next; waits for it. Empty when the shell has ended."""
        try:
            shown = os.read(self.fd, _READ)
        except OSError:  # Linux says so when nobody holds the other end any more
            shown = b""
        self._ended = self._ended or not shown
        return shown

    def write(self, data: bytes) -> None:
        """Type something, all of it."""
        while data:
            try:
                data = data[os.write(self.fd, data) :]
            except OSError as error:
                raise Unavailable("The terminal has ended", hint="Open a new one.") from error

    def resize(self, columns: int, rows: int) -> None:
        """Tell the programs in it how much room there is."""
        assert fcntl is not None
        assert termios is not None
        size = (max(1, min(rows, _MOST_CELLS)), max(1, min(columns, _MOST_CELLS)))
        with contextlib.suppress(OSError):
            fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def foreground(self) -> str | None:
        """The name of the program that gets what is typed; `None` when it is not known."""
        try:
            group = os.tcgetpgrp(self.fd)
            command = Path(f"/proc/{group}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return None
        words = [os.path.basename(word.decode(errors="replace")) for word in command[:2] if word]
        # A program written in an interpreted language is known by its script.
        interpreted = len(words) > 1 and words[0].startswith(("node", "python", "bun", "deno"))
        return words[1] if interpreted else words[0] if words else None

    def close(self) -> None:
        """End the shell and what it started."""
        if self._ended:  # it leaves by itself, and its own exit code is wanted
            self._wait(_LEAVE_SECONDS)
        for number in (signal.SIGHUP, signal.SIGKILL):
            with contextlib.suppress(OSError):
                os.killpg(self.pid, number)
        self._wait(None)
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _wait(self, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        while self.exit_code is None:
            try:
                pid, status = os.waitpid(self.pid, 0 if until is None else os.WNOHANG)
            except ChildProcessError:
                return
            if pid:
                self.exit_code = os.waitstatus_to_exitcode(status)
            elif until is not None and time.monotonic() > until:
                return


def open_terminal(argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Terminal:
    """Start a shell in a terminal. Raises: Unavailable where there are none."""
    if pty is None:
        raise Unavailable("This system has no terminals for programs", hint="Use WSL.")
    variables = {**environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    pid, fd = pty.fork()
    if pid == 0:
        _become(argv, folder, variables)
    return Terminal(pid, fd)


def _become(argv: Sequence[str], folder: Path, environ: Mapping[str, str]) -> None:
    """In the new process: nothing here may return to the code of the parent."""
    try:
        _listen_to_signals()
        os.umask(persons_umask())
        os.chdir(folder)
        os.execvpe(argv[0], list(argv), dict(environ))
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\r\n".encode())
    finally:
        os._exit(127)


def _listen_to_signals() -> None:
    """What Paige was told to ignore (hang-ups, under `nohup`) still ends a shell and its jobs."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with contextlib.suppress(OSError, ValueError):  # some belong to the system
            signal.signal(number, signal.SIG_DFL)
