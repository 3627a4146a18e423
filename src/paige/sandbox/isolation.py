"""How a command is shut in: the strongest way this machine allows, found by trying it once.

With bubblewrap a command sees the programs of the machine, its own folder and nothing else: no
network, no other processes, no home, nothing it can write but a small file system in memory. With
namespaces alone it has no network and its own processes and can write nothing but its own, but it
can read files of the machine. With limits alone it is only kept from using too much; whoever runs
it is told. Root runs it as nobody, where that works: then the kernel counts its processes too.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from paige.sandbox.values import Isolation, Job, Limits

LAUNCHER = Path(__file__).with_name("launcher.py")
WORK = "/sandbox"  # a name no machine uses, so that nothing of it is covered
GIVEN = "/sandbox-files"
# What programs need to start: the system's own, without anything people keep.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives",
          "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime",
          "/etc/passwd", "/etc/group")  # fmt: skip
MOST_LINKS = 20
ENVIRON = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "MALLOC_ARENA_MAX": "2",  # else each thread reserves addresses that count as memory
}

NOBODY = 65534
_LAST = ("--remount-ro", "/", "--chdir", WORK, "--")
_UNSHARE = ("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc", "--uts",
            "--fork", "--kill-child", "--mount-proc")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shell:
    """The command line that runs a job, and the environment it gets."""

    argv: list[str]
    environ: dict[str, str]
    isolation: Isolation


def shut_in(job: Job, given: Path, scratch: Path, isolation: Isolation) -> Shell:
    """The command line for a job whose files are in `given`; `scratch` is empty and ours."""
    environ = {**ENVIRON, "HOME": WORK, "TMPDIR": WORK, **job.environ}
    match isolation:
        case "bubblewrap":
            plan = _plan(job.limits, work=WORK, given=GIVEN)
            argv = [*as_nobody(), *_bubblewrap(job, given, environ), *_launch(plan, job)]
            return Shell(argv, {"PATH": os.environ.get("PATH", "")}, isolation)
        case "namespaces":
            plan = _plan(job.limits, work=str(scratch), given=str(given), tmpfs=True)
            plan["masked"] = [str(job.folder.resolve())] if job.folder else []
            plan["drop"] = True
            argv = [*_UNSHARE, *_launch(plan, job)]
        case "limits":
            plan = _plan(job.limits, work=str(scratch), given=str(given))
            plan["shared"] = True
            plan["drop"] = sys.platform == "linux"
            argv = _launch(plan, job)
    environ |= {"HOME": str(scratch), "TMPDIR": str(scratch)}
    environ["PATH"] = os.environ.get("PATH", environ["PATH"])
    return Shell(argv, environ, isolation)


@cache
def strongest() -> Isolation:
    """The strongest way to shut a command in that works here."""
    for isolation in ("bubblewrap", "namespaces"):
        if _works(isolation):
            return isolation
    return "limits"


@cache
def as_nobody() -> tuple[str, ...]:
    """What comes before a command so that root does not run it as root; empty when not needed."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("setpriv") is None:
        return ()
    command = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    return command if _succeeds([*command, *_bubblewrap(Job(argv=()), Path("/usr"), {})]) else ()


@cache
def _can_forbid_more_namespaces() -> bool:
    plain = ["bwrap", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/"]
    return _succeeds(plain)


def _works(isolation: Isolation) -> bool:
    program = {"bubblewrap": "bwrap", "namespaces": "unshare"}[isolation]
    if shutil.which(program) is None:
        return False
    if isolation == "bubblewrap":
        return _succeeds(_bubblewrap(Job(argv=()), Path("/usr"), {}))
    return _succeeds(list(_UNSHARE))


def _succeeds(command: list[str]) -> bool:
    try:
        tried = subprocess.run([*command, "/usr/bin/true"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def _bubblewrap(job: Job, given: Path, environ: dict[str, str]) -> list[str]:
    readable = [path for path in SYSTEM if os.path.lexists(path)]
    # No `--hostname`: a unit with ProtectHostname forbids to set one, even inside.
    argv = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
            "--uid", str(NOBODY), "--gid", str(NOBODY), "--cap-drop", "ALL",
            "--clearenv"]  # fmt: skip
    if _can_forbid_more_namespaces():
        argv.append("--disable-userns")
    for path in readable:
        argv += ["--symlink", os.readlink(path), path] if os.path.islink(path) else _read(path)
    size = str(job.limits.disk_bytes)
    argv += ["--size", size, "--tmpfs", "/tmp"]  # first: Python may be installed below it
    folders = _python_folders()
    for path in folders:
        argv += _read(path)
    for path in _python_links():
        if not path.startswith((*(f"{folder}/" for folder in folders), *SYSTEM)):
            argv += ["--ro-bind", os.path.realpath(path), path]
    argv += ["--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm"]
    # Root's settings of the kernel belong to root even without any powers: never writable.
    for path in ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"):
        argv += _read(path) if os.path.exists(path) else []
    argv += ["--remount-ro", "/dev"]
    argv += ["--size", size, "--perms", "0700", "--tmpfs", WORK]
    argv += ["--ro-bind", str(given), GIVEN, "--ro-bind", str(LAUNCHER), "/sandbox-launcher.py"]
    for path in job.visible:
        argv += _read(str(path))
    for name, value in environ.items():
        argv += ["--setenv", name, value]
    return [*argv, *_LAST]


def _read(path: str) -> list[str]:
    return ["--ro-bind", path, path]


def shell_argv(
    argv: Sequence[str], folder: Path, environ: Mapping[str, str], *, hidden: Path
) -> list[str]:
    """The command line of a shell that may write in one folder and sees no other.

    It keeps the terminal it was started in, so that Ctrl-C and jobs work. `hidden` stays unseen
    even where it lies in the folder.
    """
    given = {**environ, "HOME": WORK, "TMPDIR": "/tmp"}
    whole = [
        each for each in _bubblewrap(Job(argv=()), Path("/usr"), given) if each != "--new-session"
    ]
    own = ["--bind", str(folder), str(folder)]
    if hidden.is_relative_to(folder):
        own += ["--tmpfs", str(hidden)]
    at = len(whole) - len(_LAST)
    return [*whole[:at], *own, *whole[at:-3], "--chdir", str(folder), "--", *argv]


def _python_folders() -> list[str]:
    """Where this Python and its packages are, when that is not among the system's own."""
    places = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))}
    own = [path for path in sorted(places) if not path.startswith(("/usr/", "/bin/", "/lib"))]
    return [path for path in own if not any(path.startswith(f"{up}/") for up in own)]


def _python_links() -> list[str]:
    """The names this Python is reached by: a virtual environment's leads to another one's."""
    path, found = sys.executable, list[str]()
    while os.path.islink(path) and len(found) < MOST_LINKS:
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
        found.append(path)
    return found


def _launch(plan: dict[str, object], job: Job) -> list[str]:
    launcher = "/sandbox-launcher.py" if plan["work"] == WORK else str(LAUNCHER)
    return [sys.executable, "-I", "-S", launcher, json.dumps(plan), *job.argv]


def _plan(limits: Limits, *, work: str, given: str, tmpfs: bool = False) -> dict[str, object]:
    return {
        "work": work,
        "given": given,
        "tmpfs": tmpfs,
        "masked": [],
        "drop": False,
        "shared": False,
        "cpu": limits.cpu_seconds,
        "disk": limits.disk_bytes,
        "tasks": limits.processes + limits.threads,
        "addresses": limits.memory_bytes if limits.limit_addresses else None,
    }
