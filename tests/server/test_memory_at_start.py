"""The coach's memory and Chroma, as a server sees them when it starts."""

import socket
from pathlib import Path

from tests.chroma import temp_chroma
from tests.live import Live, live_paige

READY = "ChromaDB connected — collection paige_memories ready"


def test_a_server_says_that_chroma_is_there(tmp_path: Path) -> None:
    with (
        temp_chroma(tmp_path / "chroma") as chroma,
        live_paige(tmp_path, CHROMADB_URL=chroma.url) as live,
    ):
        assert READY in read_until(live, "ChromaDB")


def test_a_server_starts_without_chroma_and_says_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nobody answers there
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with live_paige(tmp_path, CHROMADB_URL=url) as live:
            said = read_until(live, "ChromaDB")
            assert f"ChromaDB unavailable at {url} — memory features disabled" in said
            assert live.stop()[0] == 0


def read_until(live: Live, word: str) -> str:
    """The next line of the log with a word in it."""
    assert live.process.stdout is not None
    return next(line for line in live.process.stdout if word in line)
