"""Starts a short process that goes on when the hook has answered.

It has no terminal, no pipes to the host and a session of its own, so that the host neither waits
for it nor ends it. It carries the mark of the hook, and so starts nothing further itself.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import paige
from paige.guard.completion.recursion import inside_hook, marked

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
