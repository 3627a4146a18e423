"""Puts other memories beside ours on 6,000 turns: `python -m bench.memory_peers`.

Run by hand. It installs nothing: what is missing is in the table as that, with what to install.
Everyone gets the same vectors (the shipped static ones, made before the clock starts), so nothing
is downloaded and no service is asked; mem0 stores what it is given, without its model. Times are of
library calls in this process, adding includes making the index.
"""

import importlib.util
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from bench.memory_search import PROJECTS, SMALL
from bench.memory_texts import Question, made_up_memories, made_up_questions, real_memories
from paige.memory.access import Reader
from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Event
from paige.memory.index.index import Index
from paige.memory.log.log import Log
from paige.memory.search_values import Ask

K = 10
ASKED = 300


class Peer(Protocol):
    """A memory that can be filled and asked."""

    def add(self, events: Sequence[Event], vectors: np.ndarray) -> None:
        """Store all events."""
        ...

    def search(self, question: Question) -> Sequence[str]:
        """The ids of the best results within the question's project."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    name: str
    added: float  # memories a second
    p50: float
    p95: float
    found: float | None  # share of the evidence among the first ten


class Paige:
    """Ours: the log, the index, ranking."""

    def __init__(self, folder: Path) -> None:
        self._log = Log(folder / "events.jsonl")
        self._index = Index(folder / "index", StaticEmbedder(), logs=[self._log])

    def add(self, events: Sequence[Event], vectors: np.ndarray) -> None:
        """Into the log, then into the index, which makes its vectors itself."""
        self._log.append(lambda _: events)
        self._index.catch_up_all()

    def search(self, question: Question) -> Sequence[str]:
        """The whole search."""
        ask = Ask(query=question.text, project=question.project, k=K)
        return [result.id for result in self._index.search(ask, Reader()).results]


class Chroma:
    """chromadb, in a folder."""

    def __init__(self, folder: Path) -> None:
        chromadb: Any = importlib.import_module("chromadb")
        client = chromadb.PersistentClient(path=str(folder))
        self._collection = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
        self._embedder = StaticEmbedder()

    def add(self, events: Sequence[Event], vectors: np.ndarray) -> None:
        """In the largest batches it takes."""
        for start in range(0, len(events), 5000):
            some = events[start : start + 5000]
            self._collection.add(
                ids=[event.id for event in some],
                embeddings=vectors[start : start + 5000],
                documents=[event.text for event in some],
                metadatas=[{"project": event.project or ""} for event in some],
            )

    def search(self, question: Question) -> Sequence[str]:
        """The nearest vectors of the project."""
        found = self._collection.query(
            query_embeddings=self._embedder.embed([question.text]),
            n_results=K,
            where={"project": question.project},
        )
        return found["ids"][0]


class Mem0:
    """mem0 with its default store (qdrant, in a folder), storing what it is given."""

    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("MEM0_TELEMETRY", "False")
        os.environ.setdefault("OPENAI_API_KEY", "unused")  # its default parts want to see one
        memory: Any = importlib.import_module("mem0").Memory
        store = {
            "collection_name": "memories",
            "path": str(folder / "qdrant"),
            "embedding_model_dims": StaticEmbedder.dimension,
            "on_disk": True,
        }
        self._memory = memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": store},
                "history_db_path": str(folder / "history.db"),
            }
        )
        self._memory.embedding_model = _OwnVectors()

    def add(self, events: Sequence[Event], vectors: np.ndarray) -> None:
        """One by one: that is how it takes them."""
        for event in events:
            self._memory.add(
                event.text, user_id=event.project, metadata={"event": event.id}, infer=False
            )

    def search(self, question: Question) -> Sequence[str]:
        """Its search, with the project as the user."""
        found = self._memory.search(question.text, filters={"user_id": question.project}, top_k=K)
        return [(each["metadata"] or {}).get("event", "") for each in found["results"]]


class _OwnVectors:
    """The shipped vectors in the shape of a mem0 embedder."""

    def __init__(self) -> None:
        self._embedder = StaticEmbedder()
        self.config = type("Config", (), {"embedding_dims": StaticEmbedder.dimension})()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """One text."""
        return self._embedder.embed([text])[0].tolist()

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[Any]:
        """Several texts."""
        return self._embedder.embed(texts).tolist()


PEERS: dict[str, tuple[Callable[[Path], Peer], str | None]] = {
    "Paige": (Paige, None),
    "chromadb": (Chroma, "chromadb"),
    "mem0": (Mem0, "mem0ai"),
}


def measure(
    name: str, make: Callable[[Path], Peer], events: Sequence[Event], asked: Sequence[Question]
) -> Row:
    """Fill a memory and ask it everything."""
    vectors = StaticEmbedder().embed([event.text for event in events])
    with tempfile.TemporaryDirectory() as folder:
        peer = make(Path(folder))
        started = time.perf_counter()
        peer.add(events, vectors)
        added = len(events) / (time.perf_counter() - started)
        peer.search(asked[0])
        times: list[float] = []
        shares: list[float] = []
        marks = {event.id: _mark(event) for event in events}
        for question in asked:
            started = time.perf_counter()
            ids = peer.search(question)
            times.append((time.perf_counter() - started) * 1000)
            if question.evidence:
                hit = {marks[id_] for id_ in ids} & question.evidence
                shares.append(len(hit) / len(question.evidence))
    times.sort()
    found = statistics.mean(shares) if shares else None
    return Row(name, added, statistics.median(times), times[int(len(times) * 0.95)], found)


def _mark(event: Event) -> object:
    meta = event.payload.get("meta") or {}
    return meta.get("id")


def main() -> int:
    """Measure everyone that is installed and print the table."""
    data = real_memories(SMALL, PROJECTS)
    if data is None:
        made = list(made_up_memories(SMALL, PROJECTS))
        data = made, made_up_questions(made, ASKED)
    events, questions = data
    asked = questions[:: max(1, len(questions) // ASKED)][:ASKED]
    print("memory       added/s    p50 ms    p95 ms   evidence@10")
    for name, (make, package) in PEERS.items():
        module = {"mem0ai": "mem0"}.get(package or "", package)
        if module is not None and importlib.util.find_spec(module) is None:
            print(f"{name:10}   not installed: pip install {package}")
            continue
        print(f"measuring {name}", file=sys.stderr)
        row = measure(name, make, events, asked)
        found = "-" if row.found is None else f"{row.found:.3f}"
        print(f"{row.name:10} {row.added:9.0f} {row.p50:9.2f} {row.p95:9.2f} {found:>13}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
