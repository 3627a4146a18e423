"""The real program, started as people start it, and ended by its own process id."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests import nursery

PAIGE = str(Path(sys.executable).parent / "paige")
READY = re.compile(r"Paige is ready at (http://[\w.:\[\]-]+)")


@dataclass(slots=True)
class Live:
    """A running `paige` process and where it answers."""

    process: subprocess.Popen[str]
    url: str
    lines: list[str]

    @property
    def port(self) -> int:
        """The port it took."""
        return int(self.url.rpartition(":")[2])

    @property
    def ws(self) -> str:
        """Address of the WebSocket."""
        return self.url.replace("http://", "ws://") + "/ws"

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return exit code and everything the process wrote."""
        self.process.send_signal(number)
        assert self.process.stdout is not None
        # Not `communicate`: it would miss what this end has buffered already.
        output = self.process.stdout.read()
        return self.process.wait(20), "".join([*self.lines, output])


def environment(folder: Path, **extra: str) -> dict[str, str]:
    """A clean environment whose home is `folder`; settings come only from `extra`."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(folder), "PYTHONWARNINGS": nursery.WARNINGS, **extra}


def run_paige(
    folder: Path, *arguments: str, stdin: str = "", fresh: bool = False, **extra: str
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; `fresh` with an interpreter of its own."""
    return nursery.run(
        [PAIGE, *arguments],
        fresh=fresh,
        env=environment(folder, **extra),
        cwd=folder,
        input=stdin,
        text=True,
    )


@contextmanager
def live_paige(
    folder: Path,
    *command: str,
    program: Sequence[str] = (PAIGE,),
    fresh: bool = False,
    **extra: str,
) -> Iterator[Live]:
    """Start a server on a free port and wait until it says where it is."""
    process = nursery.start(
        [*program, *(command or ("up",))],
        fresh=fresh,
        env=environment(folder, PORT=extra.pop("PORT", "0"), **extra),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield _wait(process)
        finally:
            process.kill()


def _wait(process: subprocess.Popen[str]) -> Live:
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        found = READY.search(line)
        if found:
            return Live(process, found[1], lines)
    raise AssertionError(f"Paige ended with {process.wait()}: {''.join(lines)}")
