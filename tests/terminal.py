"""A program in a pseudo-terminal: what a person sees, and what they type."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import nursery
from tests.live import PAIGE, environment

SECONDS = 30.0
MOST_PRESSES = 10
PATIENCE = 5.0
# Ctrl+C reaches who owns the terminal; not `preexec_fn`, which is not safe beside threads.
TAKE_TERMINAL = """
import fcntl, os, signal, sys, termios
os.setsid()
signal.signal(signal.SIGINT, signal.SIG_DFL)  # who started the tests may have ignored it
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """One program and everything it has shown so far."""

    def __init__(self, process: subprocess.Popen[bytes], handle: int) -> None:
        self.process = process
        self._handle = handle
        self._seen = 0
        self.shown = ""

    def expect(self, text: str) -> None:
        """Wait until a text is on the screen, after the last one that was expected."""
        while (place := self.shown.find(text, self._seen)) < 0:
            if not self._read():
                raise AssertionError(f"`{text}` did not come:\n{self.shown}")
        self._seen = place + len(text)

    def type(self, keys: str) -> None:
        """Press keys; `\\n` is Enter and `\\x03` is Ctrl+C."""
        os.write(self._handle, keys.encode())

    def leave(self, keys: str) -> int:
        """Press keys, again when the program goes on, and wait for the end; its exit code.

        A Ctrl+C that comes between the prompt and the wait for a key is seen with the next key
        only (Python's `input` does not look in between). The terminal shows it all the same.
        """
        for _ in range(MOST_PRESSES):
            self.type(keys)
            while select.select([self._handle], [], [], PATIENCE)[0]:
                if not self._read():
                    return self.process.wait(SECONDS)
        raise AssertionError(f"`{keys!r}` did not end it:\n{self.shown}")

    def end(self) -> int:
        """Wait until the program has ended; its exit code."""
        while self._read():
            pass
        return self.process.wait(SECONDS)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._handle], [], [], SECONDS)
        try:
            data = os.read(self._handle, 65536) if ready else b""
        except OSError:  # the program has closed its end
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


@contextmanager
def paige_in_terminal(folder: Path, *arguments: str, **extra: str) -> Iterator[Terminal]:
    """Start `paige` in a terminal; it is killed at the end of the block if it still runs."""
    ours, theirs = pty.openpty()
    env = environment(folder, TERM="dumb", **extra)
    options = {"env": env, "cwd": folder, "stdin": theirs, "stdout": theirs, "stderr": theirs}
    process = (
        nursery.Born([PAIGE, *arguments], owns_terminal=True, **options)
        if nursery.fits(options)
        else subprocess.Popen([sys.executable, "-c", TAKE_TERMINAL, PAIGE, *arguments], **options)
    )
    os.close(theirs)
    with process:
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)
