"""Runs a job in a sandbox to its end, whatever it does, and says how it ended.

The command's files are a copy, its processes are a group of their own that ends with the run, and
what it prints is read only up to its limit. A result comes over a pipe of its own: what a command
prints, or writes into files, is never taken for a result.

The limit of processes that a user has does not hold for root, and a program that keeps starting
others may grow faster than anyone can watch. A control group stops it at its number. Making one
needs root; everybody else has the limit of the user.
"""

import contextlib
import os
import secrets
import selectors
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from paige.base.errors import BadInput, Unavailable
from paige.base.platform import hide_from_others
from paige.sandbox.isolation import NOBODY, Shell, as_nobody, shut_in
from paige.sandbox.terms import RunStopped, RunTerms
from paige.sandbox.values import Ending, Isolation, Job, Outcome

LOOK_SECONDS = 0.02
MAX_RESULT = 4 * 2**20
MAX_GIVEN = 64 * 2**20
MAX_FILES = 5_000
OWN_PROCESSES = 4  # of the sandbox: wrappers, and the first process of its namespace
MARK = "PAIGE_RUN"  # in the environment of every process of a run, so that none is lost
_LEAVE_SECONDS = 5.0
_READ = 65_536
_XCPU = 24
_XFSZ = 25
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def run(job: Job, *, isolation: Isolation | None = None, terms: RunTerms | None = None) -> Outcome:
    """Run a job and wait for its end.

    Raises: Refused when it cannot be isolated well enough, Unavailable when it cannot be started,
    RunStopped by its owner, BadInput.
    """
    terms = terms or RunTerms()
    way = terms.isolation(isolation)
    hide_from_others()  # the weakest level sees other processes, also this one
    with terms.runs.running(terms.owner) as stop, _folders() as (given, scratch):
        _lay_out(job, given)
        if way == "bubblewrap" and as_nobody():
            _hand_over(given)
        shell = shut_in(job, given, scratch, way)
        outcome = _Run(job, shell, stop).wait()
    if outcome.ending == "stopped":
        raise RunStopped
    return outcome


class _Run:
    """One running job: its process, what it said so far, and why it has to end."""

    def __init__(self, job: Job, shell: Shell, stop: threading.Event) -> None:
        self.stop = stop
        self.limits = job.limits
        self.isolation: Isolation = shell.isolation
        self.stopped: Ending | None = None
        self.said = {"stdout": bytearray(), "stderr": bytearray(), "result": bytearray()}
        self.began = time.monotonic()
        self.mark = f"{MARK}={secrets.token_hex(16)}"
        if shutil.which(shell.argv[0], path=shell.environ.get("PATH")) is None:
            raise Unavailable(f"`{shell.argv[0]}` cannot be started: there is no such program")
        reading, writing = os.pipe() if job.result_channel else (None, None)
        environ = dict(shell.environ)
        environ[MARK] = self.mark.partition("=")[2]
        argv = shell.argv
        if writing is not None:
            argv = _tell_channel(shell, environ, writing)
        # It counts threads as well; processes alone are counted while watching.
        self.limit = open_limit(job.limits.processes + job.limits.threads + OWN_PROCESSES)
        if self.limit is not None:
            argv = self.limit.around(argv)
        try:
            self.process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environ,
                start_new_session=True,
                pass_fds=(writing,) if writing is not None else (),
            )
        except OSError as error:
            if reading is not None:
                os.close(reading)
            raise Unavailable(f"`{argv[0]}` cannot be started: {error.strerror}") from error
        finally:
            if writing is not None:
                os.close(writing)
        self.channel = reading
        threading.Thread(target=self._feed, args=(job.stdin,), daemon=True).start()

    def wait(self) -> Outcome:
        """Read and watch until the end."""
        try:
            with selectors.DefaultSelector() as selector:
                self._register(selector)
                while selector.get_map() and not self._over():
                    for key, _ in selector.select(LOOK_SECONDS):
                        self._read(selector, key.fd, key.data)
        finally:  # also when it is interrupted by Ctrl-C
            self._end()
            self._drain()
            if self.limit is not None:
                if self.stopped is None and self.limit.was_reached():
                    self.stopped = "processes"
                self.limit.close()
        return self._outcome()

    def _register(self, selector: selectors.BaseSelector) -> None:
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        selector.register(self.process.stdout.fileno(), selectors.EVENT_READ, "stdout")
        selector.register(self.process.stderr.fileno(), selectors.EVENT_READ, "stderr")
        if self.channel is not None:
            selector.register(self.channel, selectors.EVENT_READ, "result")

    def _read(self, selector: selectors.BaseSelector, fd: int, name: str) -> None:
        part = os.read(fd, _READ)
        if not part:
            selector.unregister(fd)
            return
        said = self.said[name]
        said += part
        most = MAX_RESULT if name == "result" else self.limits.output_bytes
        if len(said) > most:
            del said[most:]
            self.stopped = self.stopped or "output"

    def _over(self) -> bool:
        """Whether the run has ended or has to."""
        if self.stopped is None:
            self.stopped = self._exceeded()
        # A process it left behind may keep the pipes open for ever; only the command counts.
        return self.stopped is not None or self.process.poll() is not None

    def _exceeded(self) -> Ending | None:
        if self.stop.is_set():
            return "stopped"
        if time.monotonic() - self.began > self.limits.wall_seconds:
            return "wall"
        most = self.limits.processes + OWN_PROCESSES
        tree = tree_of(self.process.pid, most)
        if len(tree) > most or (self.limit is not None and self.limit.was_reached()):
            return "processes"
        used = memory_of(tree)
        if sum(used) <= self.limits.memory_bytes:
            return None
        # Copies share most of their memory: many small ones are a program that starts others.
        many = len(tree) > self.limits.processes // 4
        return "processes" if many and max(used) < self.limits.memory_bytes // 4 else "memory"

    def _end(self) -> None:
        """End the whole tree, and see that it has ended.

        Nothing is looked up before the first kill: a program that keeps starting others grows
        faster than it can be counted. The first process of a namespace takes all others with it.
        """
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for pid in children_of(self.process.pid):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        until = time.monotonic() + _LEAVE_SECONDS
        while (left := marked_with(self.mark)) and time.monotonic() < until:
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)

    def _drain(self) -> None:
        """Take what was said last, without waiting for anyone who still holds a pipe."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        pipes = {"stdout": self.process.stdout.fileno(), "stderr": self.process.stderr.fileno()}
        if self.channel is not None:
            pipes["result"] = self.channel
        for name, fd in pipes.items():
            os.set_blocking(fd, False)
            most = MAX_RESULT if name == "result" else self.limits.output_bytes
            with contextlib.suppress(BlockingIOError):
                while len(self.said[name]) < most and (part := os.read(fd, _READ)):
                    self.said[name] += part
        self.process.stdout.close()
        self.process.stderr.close()
        if self.channel is not None:
            os.close(self.channel)

    def _feed(self, data: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError), self.process.stdin as stdin:
            stdin.write(data)

    def _outcome(self) -> Outcome:
        code = self.process.returncode
        errors = self.said["stderr"].decode("utf-8", "replace")
        ending = self.stopped or _ending_of(code, errors)
        return Outcome(
            ending=ending,
            exit_code=None if self.stopped else code,
            stdout=self.said["stdout"].decode("utf-8", "replace"),
            stderr=errors,
            result=bytes(self.said["result"]),
            seconds=time.monotonic() - self.began,
            isolation=self.isolation,
            limits=self.limits,
        )


def _ending_of(code: int, errors: str) -> Ending:
    number = -code if code < 0 else code - 128 if code > 128 else 0
    last = errors.rstrip().rpartition("\n")[2]
    if number == _XCPU:
        return "cpu"
    if "Resource temporarily unavailable" in last or "can't start new thread" in last:
        return "processes"
    if number == _XFSZ or "No space left on device" in last or "File too large" in last:
        return "disk"
    if last.startswith("MemoryError") or "heap out of memory" in errors:
        return "memory"
    return "signal" if number else "exit"


def _tell_channel(shell: Shell, environ: dict[str, str], fd: int) -> list[str]:
    if shell.isolation != "bubblewrap":
        environ["PAIGE_RESULT_FD"] = str(fd)
        return shell.argv
    at = shell.argv.index("--clearenv") + 1
    return [*shell.argv[:at], "--setenv", "PAIGE_RESULT_FD", str(fd), *shell.argv[at:]]


@contextmanager
def _folders() -> Iterator[tuple[Path, Path]]:
    top = Path(tempfile.mkdtemp(prefix="paige-sandbox-"))
    try:
        for name in ("given", "scratch"):
            (top / name).mkdir(mode=0o700)
        yield top / "given", top / "scratch"
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _lay_out(job: Job, given: Path) -> None:
    if job.folder is not None:
        _copy(job.folder, given, job.hidden)
    for name, data in job.files.items():
        place = given / _inside(name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _hand_over(given: Path) -> None:
    """Let nobody, as whom it runs, read the files; the way there is open, the name is not known."""
    given.parent.chmod(0o711)
    for at, _, names in os.walk(given):
        for path in (at, *(os.path.join(at, name) for name in names)):
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


def _copy(folder: Path, given: Path, hidden: frozenset[str]) -> None:
    """Copy plain files; a link is followed only when it stays in the folder."""
    root = folder.resolve()
    if not root.is_dir():
        raise BadInput(f"`{folder}` is not a folder")
    left = MAX_GIVEN
    number = 0
    for at, folders, names in os.walk(root):
        relative = PurePosixPath(Path(at).relative_to(root).as_posix())
        folders[:] = [
            name
            for name in folders
            if str(relative / name) not in hidden and not os.path.islink(os.path.join(at, name))
        ]
        for name in names:
            source = Path(at, name)
            if str(relative / name) in hidden or not _plain(source, root, hidden):
                continue
            number, left = number + 1, left - source.stat().st_size
            if left < 0 or number > MAX_FILES:
                raise BadInput(
                    f"`{folder}` is too large to be run: at most {MAX_FILES} files and "
                    f"{MAX_GIVEN // 2**20} MB"
                )
            target = given / relative / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o700 if os.access(source, os.X_OK) else 0o600)


def _plain(source: Path, root: Path, hidden: frozenset[str]) -> bool:
    """Whether a file may come along: no device, no link out of the folder or to what is hidden."""
    real = Path(os.path.realpath(source))
    if not real.is_file() or not real.is_relative_to(root):
        return False
    parts = PurePosixPath(real.relative_to(root).as_posix())
    return not any(str(part) in hidden for part in (parts, *parts.parents))


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise BadInput(f"`{name}` is not a path inside the folder")
    return path


def tree_of(pid: int, most: int) -> list[int]:
    """The process and everything it started; no more than one over `most` are looked for."""
    found, open_ = [pid], [pid]
    while open_ and len(found) <= most:
        children = children_of(open_.pop())
        found += children
        open_ += children
    return found


def memory_of(pids: list[int]) -> list[int]:
    """The bytes of memory that each process uses."""
    return list(map(_resident, pids))


def marked_with(mark: str) -> list[int]:
    """The processes whose environment holds a mark: also those that left their tree."""
    wanted, found = mark.encode(), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdigit():
            continue
        try:
            if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
        except OSError:
            continue
    return found


def children_of(pid: int) -> list[int]:
    """The processes that one started."""
    found: list[int] = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for task in tasks:
        try:
            children = Path(f"/proc/{pid}/task/{task}/children").read_text()
        except OSError:
            continue
        found += map(int, children.split())
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


# The group that counts processes: of the older hierarchy, or of the one that counts everything.
PLACES = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))
TRIES, TRY_SECONDS = 100, 0.02
JOIN = 'echo $$ >"$0/cgroup.procs" && exec "$@"'


class ProcessLimit:
    """A control group for one run."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def around(self, argv: Sequence[str]) -> list[str]:
        """The command line that joins the group before it does anything else."""
        return ["/bin/sh", "-c", JOIN, str(self._place), *argv]

    def was_reached(self) -> bool:
        """Whether a process could not be started because of the limit."""
        try:
            events = (self._place / "pids.events").read_text()
        except OSError:
            return False
        return any(line.startswith("max ") and line != "max 0" for line in events.splitlines())

    def close(self) -> None:
        """Remove the group; its processes have been ended and are gone in a moment."""
        for _ in range(TRIES):
            try:
                self._place.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(TRY_SECONDS)


def open_limit(most: int) -> ProcessLimit | None:
    """A limit of `most` processes, where one can be made."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    for folder in PLACES:
        place = folder / f"paige-{secrets.token_hex(8)}"
        try:
            place.mkdir()
        except OSError:
            continue
        try:
            (place / "pids.max").write_text(str(most))
        except OSError:
            with contextlib.suppress(OSError):
                place.rmdir()
            continue
        return ProcessLimit(place)
    return None
