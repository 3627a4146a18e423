"""Times what a newcomer does: a clone, an empty home, `make up`, and `make up` again.

    python tools/first_hour.py SOURCE FOLDER

SOURCE is what `git clone` takes. FOLDER is made, filled, and left for a look. Only the programs
that the README names are on the path: Git, Make, Bash and Python. One JSON object is printed.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

READY = re.compile(r"^Paige is ready at (http://\S+)", re.MULTILINE)
# How packages are fetched is the machine's business; nothing else of it may help.
KEPT = (
    "PIP_",
    "NPM_CONFIG_",
    "npm_config_",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "SSL_CERT",
    "NODE_EXTRA_CA",
)
# Besides Python: Git, Make, Bash, and what is on every machine. Not Node, which may be there, too.
PROGRAMS = (
    *("git", "make", "bash", "sh", "env", "find", "awk", "sed", "grep", "which", "uname"),
    *("cat", "chmod", "cp", "cut", "date", "dirname", "head", "ln", "ls", "mkdir", "mv", "rm"),
    *("readlink", "sleep", "sort", "tail", "touch", "tr"),
)
POLL = 0.1
LONGEST = 3600


def clone(source: str, target: Path, env: dict[str, str]) -> None:
    """What the first line of the README does."""
    git = ["git", "-c", "safe.directory=*", "clone", "--quiet", source, str(target)]
    subprocess.run(git, env=env, check=True)


def measure(
    source: str, folder: Path, get: Callable[[str, Path, dict[str, str]], None] = clone
) -> dict[str, object]:
    """Do it, and say how many seconds each step took."""
    folder.mkdir(parents=True, exist_ok=True)
    env = _bare(folder)
    began = time.monotonic()
    get(source, folder / "paige", env)
    cloned = time.monotonic()
    first = _up(folder / "paige", env, folder / "first.log")
    second = _up(folder / "paige", env, folder / "second.log")
    return {
        "clone_seconds": round(cloned - began, 1),
        "first_up_seconds": round(first, 1),
        "second_up_seconds": round(second, 1),
        "node_was_there": shutil.which("node", path=env["PATH"]) is not None,
        "home": sorted(path.name for path in (folder / "home").iterdir()),
    }


def _bare(folder: Path) -> dict[str, str]:
    home, programs = folder / "home", folder / "programs"
    for each in (home, programs):
        each.mkdir()
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    for name in PROGRAMS:
        if found := shutil.which(name):
            (programs / name).symlink_to(found)
    kept = {name: value for name, value in os.environ.items() if name.startswith(KEPT)}
    return {"PATH": str(programs), "HOME": str(home), "LANG": "C.UTF-8", **kept}


def _up(folder: Path, env: dict[str, str], log: Path) -> float:
    """Run `make up` until Paige answers, and end it; returns how long that took."""
    began = time.monotonic()
    with log.open("wb") as written:
        process = subprocess.Popen(
            ["make", "up"],
            cwd=folder,
            env={**env, "PORT": "0"},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = _address(process, log, began)
        with urllib.request.urlopen(f"{address}/health", timeout=60) as answer:
            assert answer.status == 200
        return time.monotonic() - began
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)


def _address(process: subprocess.Popen[bytes], log: Path, began: float) -> str:
    while time.monotonic() - began < LONGEST:
        found = READY.search(log.read_text(encoding="utf-8", errors="replace"))
        if found:
            return found[1]
        if process.poll() is not None:
            raise SystemExit(f"`make up` ended with {process.returncode}:\n{log.read_text()}")
        time.sleep(POLL)
    raise SystemExit("`make up` takes more than an hour")


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]).resolve())))
