"""Keeps a hook from starting itself: a flag, a depth and a run id, handed to whatever it starts.

A hook may start checks, a background job or a judge that is itself a coding CLI with hooks. What
runs inside one of these finds the flag in its environment, and starts nothing further. The gates
before tools hold all the same: only what starts processes or speaks to the model is left out.

A process that goes on when the hook has answered has no terminal, no pipes to the host and a
session of its own, so that the host neither waits for it nor ends it.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import paige
from paige.base.environment import CODING_CLIS, passed_on
from paige.base.errors import Unavailable

FLAG = "PAIGE_IN_HOOK"
DEPTH = "PAIGE_HOOK_DEPTH"
RUN = "PAIGE_HOOK_RUN"
MOST_DEPTH = 1
_MOST_ANSWER = 20_000


def depth_of(environ: Mapping[str, str]) -> int:
    """How many hooks are above this process; a flag without a number counts as one."""
    given = environ.get(DEPTH, "")
    depth = int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 0
    return max(depth, 1) if environ.get(FLAG) else depth


def inside_hook(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether this process was started by a hook, so that it must not start more."""
    return depth_of(environ) >= MOST_DEPTH


def run_of(environ: Mapping[str, str] = os.environ) -> str:
    """The id of the run that started this process; empty at the top."""
    return environ.get(RUN, "")


def for_judge(environ: Mapping[str, str], run: str) -> dict[str, str]:
    """The environment for a coding CLI that judges: what it signs in with, and the marks."""
    own = (name for names in CODING_CLIS.values() for name in names)
    return marked(passed_on(environ, own=(*own, FLAG, DEPTH, RUN)), run)


def answer_of(argv: Sequence[str], prompt: str, run: str, seconds: float) -> str:
    """What a coding CLI says to a prompt, in an empty folder. Raises: Unavailable."""
    try:
        with tempfile.TemporaryDirectory(prefix="paige-judge-") as empty:
            done = subprocess.run(
                list(argv),
                input=prompt.encode(),
                capture_output=True,
                cwd=empty,
                env=for_judge(os.environ, run),
                timeout=seconds,
                check=False,
            )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"`{argv[0]}` did not answer in time") from error
    except OSError as error:
        raise Unavailable(f"`{argv[0]}` cannot be started: {error.strerror}") from error
    if done.returncode != 0:
        raise Unavailable(f"`{argv[0]}` ended with {done.returncode}")
    return done.stdout[:_MOST_ANSWER].decode("utf-8", "replace").strip()


def marked(environ: Mapping[str, str], run: str) -> dict[str, str]:
    """The environment for a process that a hook starts."""
    return {**environ, FLAG: "1", DEPTH: str(depth_of(environ) + 1), RUN: run_of(environ) or run}


if sys.platform == "win32":
    _FLAGS = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _FLAGS = 0
# The interpreter of a hook runs isolated; the process it starts finds the package the same way.
_START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); import runpy; "
    "runpy.run_module({!r}, run_name='__main__')"
)


def start_detached(module: str, arguments: Sequence[str], run: str) -> int | None:
    """Start `module` with arguments; its process id, or nothing inside of what a hook started.

    Raises: OSError when no process can be started.
    """
    if inside_hook():
        return None
    source = str(Path(paige.__file__ or "").parent.parent)
    argv = [sys.executable, "-I", "-c", _START.format(module), source, *arguments]
    process = subprocess.Popen(
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=marked(os.environ, run),
        cwd=os.path.abspath(os.sep),
        close_fds=True,
        creationflags=_FLAGS,
        start_new_session=sys.platform != "win32",
    )
    process.returncode = 0  # nobody waits for it, and that is no fault
    return process.pid
