"""Starting a server process and knowing when it answers."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REFERENCE = Path(__file__).parent / "bare_server.py"
START_SECONDS = 30.0


def free_port() -> int:
    """A port nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def project_of(folder: Path) -> Path:
    """The project in a folder."""
    return folder / "project"


def paige_command(folder: Path, port: int) -> tuple[list[str], dict[str, str]]:
    """How Paige is started on a folder of its own; its data and the project are side by side."""
    project_of(folder).mkdir(exist_ok=True)
    environ = {
        **os.environ,
        "PORT": str(port),
        "DATA_DIR": str(folder / "data"),
        "PROJECT_DIR": str(project_of(folder)),
        "HOME": str(folder),
        "PAIGE_PROVIDER": "local",
    }
    return [str(Path(sys.executable).parent / "paige"), "serve"], environ


def bare_command(folder: Path, port: int) -> tuple[list[str], dict[str, str]]:
    """How the bare Starlette + MCP server is started on a folder."""
    return [sys.executable, str(REFERENCE), str(port), str(project_of(folder))], dict(os.environ)


@contextmanager
def running(command: list[str], environ: dict[str, str], port: int) -> Iterator[float]:
    """A server process; the value is the seconds from its start to its first answer."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL)
    try:
        yield _wait(process, port, start)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def _wait(process: subprocess.Popen[bytes], port: int, start: float) -> float:
    request = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    while time.perf_counter() - start < START_SECONDS:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}")
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as connection:
                connection.sendall(request)
                if connection.recv(64).startswith(b"HTTP/1.1 200"):
                    return time.perf_counter() - start
        except OSError:
            time.sleep(0.002)
    raise TimeoutError("the server did not answer")
