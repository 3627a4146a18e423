"""A real Chroma server for the tests, on loopback, with a folder of its own.

The wheel of Chroma holds the whole server as one extension module, so it is started from there
alone; nothing else of Chroma is installed.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.postgres import free_port

WHEEL = Path(__file__).parents[1] / ".tools" / "chroma"
MISSING = "The Chroma server is not unpacked. Run `make test`, which does it."
START = "import sys, chromadb_rust_bindings as chroma; chroma.cli(['chroma', *sys.argv[1:]])"
POLL_SECONDS = 0.02
POLLS = 1500  # half a minute on a machine that does nothing else


class Chroma:
    """A server that can be stopped, killed and started again on the same port and folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        if not WHEEL.exists():
            pytest.fail(MISSING, pytrace=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--path", str(self.folder)]
        with open(self.folder.with_suffix(".log"), "ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, "run", *where],
                env=_environment(self.folder.parent),
                cwd=self.folder.parent,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._wait()

    def stop(self) -> None:
        """End it as its owner would."""
        self._end(kill=False)

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._end(kill=True)

    def call(self, method: str, path: str, body: object = None) -> object:
        """Ask the server directly, beside Paige."""
        with httpx2.Client(base_url=self.url, trust_env=False) as client:
            answer = client.request(method, f"{_DATABASE}/{path}", json=body)
            answer.raise_for_status()
            return answer.json()

    def stored(self, collection: str = "paige_memories") -> dict[str, dict[str, object]]:
        """Everything in a collection: id -> {"document", "metadata"}."""
        found = self.call("GET", f"collections/{collection}")
        assert isinstance(found, dict)
        wanted = {"include": ["documents", "metadatas"]}
        rows = self.call("POST", f"collections/{found['id']}/get", wanted)
        assert isinstance(rows, dict)
        parts = zip(rows["ids"], rows["documents"], rows["metadatas"], strict=True)
        return {id_: {"document": text, "metadata": meta} for id_, text, meta in parts}

    def _end(self, *, kill: bool) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill() if kill else process.terminate()
            process.wait(30)

    def _wait(self) -> None:
        assert self._process is not None
        pause = threading.Event()
        with httpx2.Client(trust_env=False) as client:
            for _ in range(POLLS):
                with contextlib.suppress(httpx2.HTTPError):
                    if client.get(f"{self.url}/api/v2/heartbeat").status_code == 200:
                        return
                if self._process.poll() is not None:
                    break
                pause.wait(POLL_SECONDS)
        log = self.folder.with_suffix(".log").read_text(errors="replace")
        pytest.fail(f"The Chroma server did not start.\n{log[-2000:]}", pytrace=False)


_DATABASE = "/api/v2/tenants/default_tenant/databases/default_database"


@contextlib.contextmanager
def temp_chroma(folder: Path) -> Iterator[Chroma]:
    """A running server; it is ended at the end of the block."""
    server = Chroma(folder / "chroma")
    try:
        server.start()
        yield server
    finally:
        server.kill()


def _environment(home: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(WHEEL), "ANONYMIZED_TELEMETRY": "False"}
