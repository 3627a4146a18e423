"""Programs of Paige for the tests, from a process that has everything imported already.

A start of `paige` is a second of imports and a few milliseconds of work, and the tests start it a
thousand times. So one process imports everything once and forks for every start: a real process
with its own environment, folder, files and end, only without the imports. What a start itself
costs, loads or says is tested with a fresh interpreter (`fresh=True`, or `PAIGE` of `live.py`).
"""

import atexit
import json
import os
import select
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# What an interpreter reads before a program begins; a fork comes too late for it.
READ_AT_START = ("PYTHON", "LANG", "LC_", "LD_")
OF_NO_MATTER = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")
WARNINGS = "error::ResourceWarning"
"""The only `PYTHONWARNINGS` that the nursery knows."""
PROGRAM = [sys.executable, "-m", "tests.nursery_process"]
"""What is started as the nursery; a tool with a clock of its own puts another in its place."""
# More than one line of the kernel's: an environment and a script fit, and are never cut.
MOST = 2**20


class Born(subprocess.Popen):
    """`subprocess.Popen`, for `paige`, `teacher-assist` and `python -c` from the nursery."""

    def __init__(self, args: list[str], *, owns_terminal: bool = False, **options: Any) -> None:
        """`owns_terminal`: standard input is a terminal, and Ctrl+C in it reaches this program."""
        self._owns_terminal = owns_terminal
        super().__init__(args, **options)

    def _execute_child(  # the one place where a process is made
        self, args: list[str], _program: object, _before: object, _close: object, _keep: object,
        cwd: object, env: dict[str, str] | None, _startup: object, _flags: object, _shell: object,
        p2cread: int, p2cwrite: int, c2pread: int, c2pwrite: int, errread: int, errwrite: int,
        *_rest: object,
    ) -> None:  # fmt: skip
        self._told, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        wanted = {
            "argv": [str(each) for each in args],
            "env": dict(os.environ if env is None else env),
            "cwd": str(cwd or os.getcwd()),
            "terminal": self._owns_terminal,
        }
        files = [p2cread, c2pwrite, errwrite]
        inherited = [file if file >= 0 else place for place, file in enumerate(files)]
        with theirs:
            channel = _nursery()
            socket.send_fds(channel, [json.dumps(wanted).encode()], [*inherited, theirs.fileno()])
        self.pid = self._hear()
        self._child_created = True
        self._close_pipe_fds(p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite)

    def _internal_poll(self, *_ignored: object, **_more: object) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self._wait(None)
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        with self._waitpid_lock:
            if self.returncode is None:
                if not select.select([self._told], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
                self.returncode = self._hear()
                self._told.close()  # only now its process id may be given to another
        return self.returncode

    def _hear(self) -> int:
        said = self._told.recv(64)
        if not said:
            raise RuntimeError("The nursery has ended; its complaint stands above")
        return int(said)


def start(args: list[str], *, fresh: bool = False, **options: Any) -> subprocess.Popen[Any]:
    """Start a program as `subprocess.Popen` does, from the nursery where that is the same."""
    return (
        subprocess.Popen(args, **options) if fresh or not fits(options) else Born(args, **options)
    )


def run(
    args: list[str],
    *,
    fresh: bool = False,
    input: str | bytes | None = None,
    timeout: float = 60.0,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a program to its end and keep what it writes, as `subprocess.run` does."""
    given = {} if "stdin" in options else {"stdin": subprocess.PIPE}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given}
    with start(args, fresh=fresh, **pipes, **options) as process:
        try:
            out, err = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(args, process.returncode, out, err)


def fits(options: dict[str, Any]) -> bool:
    """Whether a process that has begun already can still get this environment."""
    given = options.get("env")
    at_start = {
        name: value
        for name, value in (os.environ if given is None else given).items()
        if name.startswith(READ_AT_START) and name not in OF_NO_MATTER
    }
    known = {name: os.environ[name] for name in ("LANG",) if name in os.environ}
    return hasattr(os, "pidfd_open") and at_start in (
        known,
        {**known, "PYTHONWARNINGS": WARNINGS},
    )


def doorway() -> str:
    """The name of a socket at which programs that this process did not start may ask, too."""
    _nursery()
    return _doorway()


def _doorway() -> str:
    return f"paige-nursery-{os.getpid()}"


@cache
def _nursery() -> socket.socket:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST)
    begun = {name: at for name, at in os.environ.items() if not name.startswith(READ_AT_START)}
    language = {name: os.environ[name] for name in ("LANG",) if name in os.environ}
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs, door:
        door.bind(f"\0{_doorway()}")  # no file: it is gone with the nursery
        door.listen(64)
        channels = [theirs.fileno(), door.fileno()]
        process = subprocess.Popen(
            [*PROGRAM, *map(str, channels)],
            cwd=ROOT,
            env={**begun, **language, "OPENBLAS_NUM_THREADS": "1"},  # no threads before a fork
            pass_fds=channels,
            stdin=subprocess.DEVNULL,
        )

    def end() -> None:
        ours.close()  # which the nursery sees
        process.wait()

    atexit.register(end)
    return ours
