"""The nursery itself: imports everything, then forks a process for every request.

`tests/nursery.py` says why. A request comes with four files: the three standard ones, and a channel
on which the process id and later the exit code are told. An ended process is kept until the test
has closed the channel, so that no signal of the test can reach another process by the same number.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import threading
import time
import types
import warnings
from dataclasses import dataclass
from typing import Any

import paige
from tests import cheap_hashes, ready_tables
from tests.nursery import MOST, WARNINGS

# These do something when they are imported, or want an interpreter of their own.
LEFT_OUT = ("paige.hooks", "paige.sandbox.launcher", "paige.exercise.harness", "paige.shipped",
            "paige.store.migrations", "paige.__main__")  # fmt: skip
# What Paige imports only when it needs it.
LATE = (
    "alembic.command", "anthropic.resources.messages", "anyio._backends._asyncio", "docx",
    "encodings.idna", "fpdf", "genanki", "h2.connection", "httpcore2", "icalendar",
    "markdown_it", "openai.resources.chat.completions", "openai.resources.responses", "psycopg",
    "pygments.lexers.python", "pypdf", "pytest", "truststore", "uvicorn.lifespan.on",
    "uvicorn.loops.auto", "uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to start."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    terminal: bool
    files: list[int]


@dataclass(frozen=True, slots=True)
class Child:
    """A process that was started here."""

    pid: int
    handle: int
    channel: socket.socket


def main() -> None:
    """Serve until the tests have ended; in a forked process, run what was wanted."""
    control = socket.socket(fileno=int(sys.argv[1]))
    doorway = socket.socket(fileno=int(sys.argv[2]))
    import_everything()
    ready_tables.copy_for_new_ones()
    cheap_hashes.use()
    ready_tables.migrated()  # once, for every fork
    gc.collect()
    gc.freeze()  # shared with every fork, and never gone through again
    wanted = serve(control, doorway)
    if wanted is not None:
        become(wanted)
        try:
            perform(wanted.argv)
        except SystemExit as left:
            end(left.code)
        end(0)


def import_everything() -> None:
    """Import all of Paige, and what it imports late."""
    ours = (module.name for module in pkgutil.walk_packages(paige.__path__, "paige."))
    for name in (*ours, *LATE):
        if not name.startswith(LEFT_OUT):
            with contextlib.suppress(Exception):  # whoever needs it will see the error
                importlib.import_module(name)


def serve(control: socket.socket, doorway: socket.socket) -> Wanted | None:
    """Fork for every request. Returns what to do in a new process, and `None` at the end."""
    children: dict[int, Child] = {}
    with selectors.DefaultSelector() as waiting, control, doorway:
        waiting.register(control, selectors.EVENT_READ)
        waiting.register(doorway, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj not in (control, doorway):
                    look(waiting, children, key)
                    continue
                asked = take(control) if key.fileobj is control else take_at(doorway)
                if asked is None and key.fileobj is control:
                    end_all(children)
                    return None
                if asked is None:
                    continue  # whoever knocked was gone again
                wanted, channel = asked
                pid = os.fork()
                if pid == 0:
                    leave(children, channel)
                    return wanted
                add(waiting, children, wanted, Child(pid, os.pidfd_open(pid), channel))


def take_at(doorway: socket.socket) -> tuple[Wanted, socket.socket] | None:
    """The request of a program that knocked."""
    visitor, _ = doorway.accept()
    with visitor:
        return take(visitor)


def take(control: socket.socket) -> tuple[Wanted, socket.socket] | None:
    """The next request, and the channel of its process."""
    data, files, _, _ = socket.recv_fds(control, MOST, 4)
    if not data:
        return None
    *standard, channel = files
    return Wanted(**json.loads(data), files=standard), socket.socket(fileno=channel)


def add(
    waiting: selectors.BaseSelector, children: dict[int, Child], wanted: Wanted, child: Child
) -> None:
    """Tell the process id, and watch for the end of the process and of the channel."""
    for file in wanted.files:
        os.close(file)
    children[child.pid] = child
    waiting.register(child.handle, selectors.EVENT_READ, child)
    with contextlib.suppress(OSError):
        child.channel.send(str(child.pid).encode())


def look(
    waiting: selectors.BaseSelector, children: dict[int, Child], key: selectors.SelectorKey
) -> None:
    """A process has ended: tell its exit code; or the test has heard it: let go of the number."""
    child: Child = key.data
    waiting.unregister(key.fileobj)
    if key.fileobj == child.handle:
        ended = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        with contextlib.suppress(OSError):
            child.channel.send(str(code).encode())
        waiting.register(child.channel, selectors.EVENT_READ, child)
    else:
        os.waitpid(child.pid, 0)
        os.close(child.handle)
        child.channel.close()
        del children[child.pid]


def end_all(children: dict[int, Child]) -> None:
    """The tests are gone, and so is everything they started."""
    for child in children.values():
        signal.pidfd_send_signal(child.handle, signal.SIGKILL)


def leave(children: dict[int, Child], channel: socket.socket) -> None:
    """In a new process: close what belongs to the nursery."""
    channel.close()
    for child in children.values():
        os.close(child.handle)
        child.channel.close()


def become(wanted: Wanted) -> None:
    """Give this process what a new interpreter would have got."""
    os.environ.clear()
    os.environ.update(wanted.env)
    os.chdir(wanted.cwd)
    for place, file in enumerate(wanted.files):
        os.dup2(file, place)
        os.close(file)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if wanted.terminal:
        take_terminal()
    if wanted.env.get("PYTHONWARNINGS") == WARNINGS:
        sys.warnoptions.append(WARNINGS)
        warnings.simplefilter("error", ResourceWarning)
    time.tzset()
    tempfile.tempdir = None
    sys.stdin = sys.__stdin__ = reopened(sys.stdin, "r")
    sys.stdout = sys.__stdout__ = reopened(sys.stdout, "w")
    sys.stderr = sys.__stderr__ = reopened(sys.stderr, "w", buffering=1)


def take_terminal() -> None:
    """Own the terminal of standard input: who presses Ctrl+C in it means this process."""
    import fcntl  # noqa: PLC0415 - not everywhere
    import termios  # noqa: PLC0415 - not everywhere

    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def reopened(stream: Any, mode: str, buffering: int = -1) -> Any:
    """A standard stream over the file that now has its number."""
    return open(
        stream.fileno(), mode, buffering, encoding=stream.encoding, errors=stream.errors,
        closefd=False,
    )  # fmt: skip


def perform(argv: list[str]) -> None:
    """Run a program as if its interpreter had just begun."""
    program = os.path.basename(argv[0])
    if program in ("paige", "teacher-assist"):
        from paige.doors.site import main as commands  # noqa: PLC0415 - imported long ago

        sys.argv[:] = argv
        commands.main() if program == "paige" else commands.teacher_assist()
    option, given, *more = argv[1:]
    if option == "-m":
        sys.modules.pop(given, None)  # it begins as `__main__`, and nobody has imported it yet
        sys.argv[:] = [given, *more]
        runpy.run_module(given, run_name="__main__", alter_sys=True)
        return
    assert option == "-c", argv
    sys.argv[:] = ["-c", *more]
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(given, "<string>", "exec"), vars(module))


def end(code: object) -> None:
    """Leave as an interpreter does, except that what is shared is not taken apart object by object.

    What the program left open has no owner any more, and complains here as it would there.
    """
    gc.collect()
    if isinstance(code, int):
        threading._shutdown()
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError, ValueError):  # the interpreter knows what to say of it
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
