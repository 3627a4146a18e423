"""How a command is shut in: the strongest way this machine allows, found by trying it once.

With bubblewrap a command sees the programs of the machine, its own folder and nothing else: no
network, no other processes, no home, nothing it can write but a small file system in memory. With
namespaces alone it has no network and its own processes, but can read files of the machine. With
limits alone it is only kept from using too much; whoever runs it is told.
"""

import json
import os
import shutil
import subprocess
import sys
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
ENVIRON = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}


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
            argv = [*_bubblewrap(job, given, environ), *_launch(plan, job)]
            return Shell(argv, {"PATH": os.environ.get("PATH", "")}, isolation)
        case "namespaces":
            plan = _plan(job.limits, work=str(scratch), given=str(given), tmpfs=True)
            plan["masked"] = [str(job.folder.resolve())] if job.folder else []
            own = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc",
                   "--fork", "--kill-child", "--mount-proc"]  # fmt: skip
            argv = [*own, *_launch(plan, job)]
        case "limits":
            plan = _plan(job.limits, work=str(scratch), given=str(given))
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


def _works(isolation: Isolation) -> bool:
    program = {"bubblewrap": "bwrap", "namespaces": "unshare"}[isolation]
    if shutil.which(program) is None:
        return False
    if isolation == "bubblewrap":
        command = _bubblewrap(Job(argv=()), Path("/usr"), {})
    else:
        command = ["unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--fork"]
    try:
        tried = subprocess.run([*command, "/usr/bin/true"], capture_output=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def _bubblewrap(job: Job, given: Path, environ: dict[str, str]) -> list[str]:
    readable = [path for path in SYSTEM if os.path.lexists(path)]
    argv = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
            "--hostname", "paige", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL",
            "--clearenv"]  # fmt: skip
    for path in readable:
        argv += ["--symlink", os.readlink(path), path] if os.path.islink(path) else _read(path)
    for path in _python_folders():
        argv += _read(path)
    argv += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    argv += ["--size", str(job.limits.disk_bytes), "--perms", "0700", "--tmpfs", WORK]
    argv += ["--ro-bind", str(given), GIVEN, "--ro-bind", str(LAUNCHER), "/sandbox-launcher.py"]
    for path in job.visible:
        argv += _read(str(path))
    for name, value in environ.items():
        argv += ["--setenv", name, value]
    return [*argv, "--remount-ro", "/", "--chdir", WORK, "--"]


def _read(path: str) -> list[str]:
    return ["--ro-bind", path, path]


def _python_folders() -> list[str]:
    """Where this Python and its packages are, when that is not among the system's own."""
    places = {sys.prefix, sys.base_prefix, os.path.dirname(os.path.realpath(sys.executable))}
    own = [path for path in sorted(places) if not path.startswith(("/usr/", "/bin/", "/lib"))]
    return [path for path in own if not any(path.startswith(f"{up}/") for up in own)]


def _launch(plan: dict[str, object], job: Job) -> list[str]:
    launcher = "/sandbox-launcher.py" if plan["work"] == WORK else str(LAUNCHER)
    return [sys.executable, "-I", "-S", launcher, json.dumps(plan), *job.argv]


def _plan(limits: Limits, *, work: str, given: str, tmpfs: bool = False) -> dict[str, object]:
    return {
        "work": work,
        "given": given,
        "tmpfs": tmpfs,
        "masked": [],
        "cpu": limits.cpu_seconds,
        "disk": limits.disk_bytes,
        "processes": limits.processes,
        "addresses": limits.memory_bytes if limits.limit_addresses else None,
    }
