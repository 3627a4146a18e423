"""One reader at a shell: commands one after the other, each with its end and what it wrote.

The commands of a page share one bash, so that `cd` and variables hold for what comes later. What
stays in the foreground on a reader's screen (a server) is started beside it and ended by Ctrl+C.
"""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tests.terminal import TAKE_TERMINAL, Terminal

STOP_SECONDS = 20.0


class Outcome(NamedTuple):
    """How a command ended and everything it wrote, as a person sees it."""

    code: int
    output: str


class TooSlow(AssertionError):
    """A command did not end, or never said what was waited for."""


@dataclass(slots=True)
class Staying:
    """A program that goes on until it is stopped."""

    command: str
    process: subprocess.Popen[bytes]
    output: str = ""

    def wait_for(self, ready: str, seconds: float) -> None:
        """Read until a text has come."""
        until = time.monotonic() + seconds
        while ready not in self.output:
            if not self._read(until - time.monotonic()):
                raise TooSlow(f"`{self.command}` did not say `{ready}`:\n{self.output}")

    def stop(self) -> None:
        """Press Ctrl+C, as the page says, and read what comes."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        while self._read(STOP_SECONDS):
            pass
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its own group, and only when it stayed
        self.process.wait(STOP_SECONDS)

    def _read(self, seconds: float) -> bool:
        assert self.process.stdout is not None
        handle = self.process.stdout.fileno()
        ready, _, _ = select.select([handle], [], [], max(seconds, 0.0))
        data = os.read(handle, 65536) if ready else b""
        self.output += data.decode("utf-8", "replace")
        return bool(data)


@dataclass(slots=True)
class Session:
    """A bash in a folder of its own."""

    process: subprocess.Popen[bytes]
    told: int
    telling: int
    """The two ends of the pipe that exit codes come through."""
    scratch: Path
    staying: list[Staying] = field(default_factory=list)
    number: int = 0

    def run(self, command: str, *, typed: str = "", seconds: float = 30.0) -> Outcome:
        """Run a command in the shell itself."""
        self.number += 1
        script, given, wrote = (
            self.scratch / f"{self.number}.{kind}" for kind in ("sh", "in", "out")
        )
        script.write_text(f"{command}\n", encoding="utf-8")
        given.write_text(typed, encoding="utf-8")
        assert self.process.stdin is not None
        line = f". '{script}' <'{given}' >'{wrote}' 2>&1; echo $? >&{self.telling}\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        said = self._hear(seconds)
        output = wrote.read_text(encoding="utf-8", errors="replace")
        if said is None:
            raise TooSlow(f"`{command}` did not end within {seconds:.0f} s:\n{output}")
        return Outcome(int(said), output)

    def stay(self, command: str, ready: str, seconds: float) -> Staying:
        """Start a program that stays; the same one that runs already is stopped first."""
        for same in [each for each in self.staying if each.command == command]:
            self.stop(same)
        folder, variables = self._surroundings()
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            bufsize=0,
        )
        started = Staying(command, process)
        self.staying.append(started)
        started.wait_for(ready, seconds)
        return started

    def stop(self, program: Staying) -> None:
        """End a program that stays."""
        self.staying.remove(program)
        program.stop()
        assert program.process.stdout is not None
        program.process.stdout.close()

    def talk(self, command: str, turns: tuple[tuple[str, str], ...]) -> Outcome:
        """Run a command in a terminal, and type what each turn says when its text has come."""
        folder, variables = self._surroundings()
        ours, theirs = pty.openpty()
        take = [sys.executable, "-c", TAKE_TERMINAL, "/bin/bash", "-c", command]
        with subprocess.Popen(
            take,
            cwd=folder,
            env={**variables, "TERM": "dumb"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        ) as process:
            os.close(theirs)
            terminal = Terminal(process, ours)
            try:
                for heard, typed in turns:
                    terminal.expect(heard)
                    terminal.type(typed)
                return Outcome(terminal.end(), terminal.shown)
            except (AssertionError, subprocess.TimeoutExpired) as error:
                raise TooSlow(f"`{command}` waits for something:\n{terminal.shown}") from error
            finally:
                process.kill()
                os.close(ours)

    def _surroundings(self) -> tuple[str, dict[str, str]]:
        """Where the shell is, and what it would hand on to a program."""
        told = self.run("pwd && env -0").output
        folder, _, rest = told.partition("\n")
        pairs = (entry.partition("=") for entry in rest.split("\0") if entry)
        # What stays or talks in a terminal hears Ctrl+C there: a process of its own.
        return folder, {name: value for name, _, value in pairs if name != "NURSERY_DOORWAY"}

    def _hear(self, seconds: float) -> str | None:
        ready, _, _ = select.select([self.told], [], [], seconds)
        return os.read(self.told, 64).decode() if ready else None


@contextmanager
def open_session(folder: Path, scratch: Path, variables: Mapping[str, str]) -> Iterator[Session]:
    """A shell in `folder`; it and everything it started is gone after the block."""
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        cwd=folder,
        env=dict(variables),
        stdin=subprocess.PIPE,
        pass_fds=[theirs],
        start_new_session=True,
    )
    os.close(theirs)
    session = Session(process, ours, theirs, scratch)
    try:
        yield session
    finally:
        for program in list(session.staying):
            session.stop(program)
        assert process.stdin is not None
        process.stdin.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the group that this session began
        process.wait(STOP_SECONDS)
        os.close(ours)
