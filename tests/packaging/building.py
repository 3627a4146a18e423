"""A wheel of Paige and installations of it, made once for all tests and all their workers.

Nothing is fetched: what Paige needs was gathered by `make test` into `.tools/wheels`, and every
tool is told to look only there. The programs run without the sources, without Node, and with a home
that is empty.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from paige.base.platform import locked
from tests.live import READY, Live

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ROOT / ".tools" / "wheels"
MISSING = "The packages of an installation are not gathered. Run `make test`, which does it."
EPOCH = "1767225600"
CACHE = "uv-cache"
SECONDS = 120
TOOLS = Path(sys.executable).parent


class Built(NamedTuple):
    """What `make wheel` makes."""

    wheel: Path
    sdist: Path


def build(source: Path, into: Path, *targets: str) -> subprocess.CompletedProcess[str]:
    """Build from a folder, as `make wheel` does."""
    chosen = [word for target in targets for word in ("-t", target)]
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *chosen, "-d", str(into)],
        cwd=source,
        env={**bare("/usr/bin:/bin", into), "SOURCE_DATE_EPOCH": EPOCH},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def once(folder: Path, make: Callable[[Path], None]) -> Path:
    """A folder that one worker fills and the others find."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_suffix(".lock")):
        if not (folder / ".made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / ".made").touch()
    return folder


def make_wheel(folder: Path) -> None:
    """Build the wheel and its source archive."""
    if not (ROOT / "src" / "paige" / "shipped" / "web" / "index.html").exists():
        pytest.fail("The web app is not built. Run `make web`.", pytrace=False)
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stdout + done.stderr


def install(folder: Path, wheel: Path) -> None:
    """Make an empty virtual environment and install the wheel into it."""
    environ = offline(folder, folder.parent / CACHE)
    run_tool("uv", "venv", "--quiet", "--python", sys.executable, str(folder / "venv"), env=environ)
    python = folder / "venv" / "bin" / "python"
    run_tool("uv", "pip", "install", "--quiet", "--python", str(python), str(wheel), env=environ)


def run_tool(name: str, *arguments: str, env: dict[str, str]) -> str:
    """Run uv or pipx to its end; returns what it printed."""
    done = subprocess.run(
        [str(TOOLS / name), *arguments],
        env=env,
        cwd=env["HOME"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bare(path: str, home: Path) -> dict[str, str]:
    """An environment with a home, a path and nothing else; no warnings of other people's code."""
    language = {name: os.environ[name] for name in ("LANG",) if name in os.environ}
    return {"PATH": path, "HOME": str(home), **language}


def offline(home: Path, cache: Path) -> dict[str, str]:
    """An environment in which uv and pipx find packages only where they were gathered.

    What they have unpacked once lies in `cache`, for the next one.
    """
    if not (WHEELS / ".ready").exists():
        pytest.fail(MISSING, pytrace=False)
    return {
        **bare(f"{TOOLS}:/usr/bin:/bin", home),
        "UV_OFFLINE": "1",
        "UV_NO_INDEX": "1",
        "UV_NO_CONFIG": "1",
        "UV_FIND_LINKS": str(WHEELS),
        "UV_CACHE_DIR": str(cache),
        "UV_PYTHON_DOWNLOADS": "never",
        "PIPX_HOME": str(home / "pipx"),
        "PIPX_BIN_DIR": str(home / "bin"),
        "PIPX_MAN_DIR": str(home / "man"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "PIPX_DEFAULT_BACKEND": "uv",
    }


@contextmanager
def serving(command: list[str], env: dict[str, str], cwd: Path) -> Iterator[Live]:
    """Start a server on a free port, wait until it says where it is, and end it."""
    process = subprocess.Popen(
        command,
        env={**env, "PORT": "0"},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            lines: list[str] = []
            for line in process.stdout:
                lines.append(line)
                if found := READY.search(line):
                    yield Live(process, found[1], lines)
                    return
            raise AssertionError(f"Paige ended with {process.wait()}: {''.join(lines)}")
        finally:
            process.kill()
