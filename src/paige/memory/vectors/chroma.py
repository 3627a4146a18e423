"""Vectors on a Chroma server, over its plain REST interface: Paige embeds, Chroma stores.

One collection holds everything. It is found or made at the first call and again after every
failure, so a server that was started late, restarted or emptied is used as soon as it answers.
Whatever goes wrong becomes an `Unavailable` for the caller, who then does without. Only a record
that Chroma will never take is `BadInput`.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

import numpy as np
import orjson

from paige.base.errors import BadInput, Unavailable
from paige.memory.vectors.backend import Neighbour, RemoteStore, Status, VectorMetadata

if TYPE_CHECKING:
    import httpx2

COLLECTION = "paige_memories"
DATABASE = "/api/v2/tenants/default_tenant/databases/default_database"
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 10.0
BATCH = 1000  # Chroma takes about 5,400 records at once; smaller ones keep requests short

# Marks that nobody holds: of a record without any, and of a reader without any.
UNMARKED, NOBODY = "-", "--"

Where = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One record that a query found."""

    id: str
    text: str
    metadata: Mapping[str, Any]
    distance: float


class ChromaVectors(RemoteStore):
    """The collection of a Chroma server; it may be shared between threads."""

    name = "chroma"

    def __init__(
        self,
        url: str,
        *,
        embedder: str,
        collection: str = COLLECTION,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(monotonic)
        self.address = shown_address(url)
        self._url = url.rstrip("/")
        self._embedder = embedder
        self._collection = collection
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._id: str | None = None
        self._dimension: int | None = None

    @property
    def ready(self) -> bool:
        """Whether the last call reached the collection."""
        return self.status == "ready"

    @property
    def generation(self) -> str:
        """Changes when the collection was made anew and is therefore empty."""
        return self.connect()

    def connect(self) -> str:
        """Find or make the collection, unless that is done; its id. Raises: Unavailable."""
        with self._lock:
            if self._id is None:
                self._id = self._open()
            return self._id

    def look(self) -> str:
        """What is there, in words, without making anything. Raises: Unavailable."""
        status, answer = self._send("GET", f"collections/{self._collection}")
        if status == 404 and isinstance(answer, dict) and answer.get("error"):
            return f"Chroma at {self.address} answers; the first memory makes its collection"
        with self._lock:
            self._check(status, answer)
        return f"Chroma at {self.address} answers"

    def upsert(
        self, ids: Sequence[str], vectors: np.ndarray, metadatas: Sequence[VectorMetadata]
    ) -> None:
        """Store records; one with the same id is replaced. Raises: Unavailable, BadInput."""
        for start in range(0, len(ids), BATCH):
            part = slice(start, start + BATCH)
            numbers = np.ascontiguousarray(vectors[part], np.float32)
            body = {
                "ids": list(ids[part]),
                "embeddings": numbers,
                "documents": [metadata.text for metadata in metadatas[part]],
                "metadatas": [_primitives(metadata) for metadata in metadatas[part]],
            }
            self._in_collection("POST", "upsert", body, dimension=numbers.shape[1])
            self._dimension = numbers.shape[1]

    def query(self, vector: np.ndarray, n_results: int, where: Where | None = None) -> list[Row]:
        """The nearest records with their text and metadata, nearest first. Raises: Unavailable."""
        if n_results < 1:
            return []  # Chroma would drop the connection
        include = ["documents", "metadatas", "distances"]
        found = self._ask(vector, n_results, where, include)
        columns = (found["ids"][0], *(found[name][0] for name in include))
        return [
            Row(id_, text or "", metadata or {}, float(distance))
            for id_, text, metadata, distance in zip(*columns, strict=True)
        ]

    def nearest(
        self, vector: np.ndarray, k: int, groups: Sequence[frozenset[str]]
    ) -> list[Neighbour]:
        """The most similar that carry a mark of every group, best first. Raises: Unavailable."""
        if k < 1 or not np.any(vector):
            return []
        found = self._ask(vector, k, where_of(groups), ["distances"])
        pairs = zip(found["ids"][0], found["distances"][0], strict=True)
        return [Neighbour(id_, 1.0 - float(distance)) for id_, distance in pairs]

    def delete(self, ids: Sequence[str]) -> None:
        """Remove records; an unknown id is no error. Raises: Unavailable."""
        for start in range(0, len(ids), BATCH):
            self._in_collection("POST", "delete", {"ids": list(ids[start : start + BATCH])})

    def count(self) -> int:
        """How many records there are. Raises: Unavailable."""
        return int(self._in_collection("GET", "count"))

    def recreate(self) -> None:
        """Drop the collection with everything in it and make it anew. Raises: Unavailable."""
        with self._lock:
            self._id = self._dimension = None
            status, answer = self._send("DELETE", f"collections/{self._collection}")
            if status not in (200, 404):
                self._refused(status, answer)
            self._id = self._open()

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            client, self._client, self._id = self._client, None, None
        if client is not None:
            client.close()

    def _ask(
        self, vector: np.ndarray, k: int, where: Where | None, include: list[str]
    ) -> dict[str, Any]:
        numbers = np.ascontiguousarray(vector, np.float32).reshape(1, -1)
        body = {"query_embeddings": numbers, "n_results": k, "include": include}
        if where:
            body["where"] = where
        found = self._in_collection("POST", "query", body, dimension=numbers.shape[1])
        if not isinstance(found, dict) or "ids" not in found:
            self._failed("unusable", f"Chroma at {self.address} gave an answer Paige cannot read")
        return found

    def _in_collection(
        self, method: str, action: str, body: Mapping[str, Any] | None = None, *, dimension: int = 0
    ) -> Any:  # noqa: ANN401 - whatever JSON the server answers
        collection = self.connect()
        if dimension and self._dimension not in (None, dimension):
            self._other_vectors(f"{self._dimension} numbers, not {dimension}")
        status, answer = self._send(method, f"collections/{collection}/{action}", body)
        if action == "upsert" and status in (400, 413, 422) and "dimension" not in str(answer):
            raise BadInput(f"Chroma does not take this: {_message(answer, status)}")
        if status != 200:
            self._refused(status, answer)
        self._succeeded()
        return answer

    def _open(self) -> str:
        """Find or make the collection. The lock is held."""
        body = {
            "name": self._collection,
            "get_or_create": True,
            "configuration": {"hnsw": {"space": "cosine"}},
            "metadata": {"embedder": self._embedder},
        }
        status, answer = self._send("POST", "collections", body)
        found = self._check(status, answer)
        self._dimension = found.get("dimension")
        self._succeeded()
        return found["id"]

    def _check(self, status: int, answer: object) -> dict[str, Any]:
        """The collection in an answer, if it is one that can be used."""
        if status not in (200, 404):
            self._refused(status, answer)
        if not isinstance(answer, dict) or not isinstance(answer.get("id"), str):
            message = f"Something answers at {self.address}, but it is no Chroma server"
            self._failed("unusable", message, "Chroma 1.0 or newer is needed; check the address.")
        made_by = (answer.get("metadata") or {}).get("embedder", self._embedder)
        if made_by != self._embedder:
            self._other_vectors(f"vectors of `{made_by}`, not of `{self._embedder}`")
        return answer

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> tuple[int, Any]:
        import httpx2  # noqa: PLC0415 - takes a tenth of a second, and most people have no Chroma

        if self._client is None:
            wait = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
            # Someone's own server is not asked through a proxy.
            self._client = httpx2.Client(timeout=wait, trust_env=False)
        content = None if body is None else _dump(body)
        headers = {"content-type": "application/json"} if content is not None else {}
        try:
            url = f"{self._url}{DATABASE}/{path}"
            answer = self._client.request(method, url, content=content, headers=headers)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            self._failed(
                "unreachable",
                f"Chroma at {self.address} does not answer: {error or type(error).__name__}",
                "Start it, or unset `CHROMADB_URL`.",
            )
        return answer.status_code, _load(answer.content)

    def _refused(self, status: int, answer: object) -> NoReturn:
        detail = _message(answer, status)
        if status == 404:
            message = f"The collection `{self._collection}` on {self.address} was deleted"
            self._failed("unusable", message, "It is made again at the next call.")
        if "dimension" in detail:
            self._other_vectors(detail)
        if status in (401, 403):
            message = f"Chroma at {self.address} refuses access: {detail}"
            self._failed("unusable", message, "Check the user and password in `CHROMADB_URL`.")
        self._failed("unusable", f"Chroma at {self.address} failed: {detail}")

    def _other_vectors(self, what: str) -> NoReturn:
        message = f"The collection `{self._collection}` on {self.address} holds {what}"
        self._failed(
            "unusable",
            message,
            "Set `PAIGE_EMBEDDER` back, or run `paige memory rebuild`, which fills it again.",
        )

    def _failed(self, status: Status, message: str, hint: str | None = None) -> NoReturn:
        self._id = self._dimension = None
        self._note_failure(status)
        raise Unavailable(message, hint=hint)


def where_of(
    groups: Sequence[frozenset[str]] = (), equal: Mapping[str, str] | None = None
) -> Where | None:
    """The filter in Chroma's words: a mark of every group, and these exact values."""
    parts: list[Where] = [{name: value} for name, value in (equal or {}).items()]
    parts += [_carries(group) for group in groups]
    return {"$and": parts} if len(parts) > 1 else next(iter(parts), None)


def shown_address(url: str) -> str:
    """An address without user and password, for logs and messages."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])).rstrip("/")


def _carries(group: frozenset[str]) -> Where:
    # Who holds no mark may see nothing.
    each = [{"marks": {"$contains": mark}} for mark in sorted(group) or [NOBODY]]
    return {"$or": each} if len(each) > 1 else each[0]


def _primitives(metadata: VectorMetadata) -> dict[str, Any]:
    """What Chroma keeps beside a record: plain values and the marks.

    Everything is always written: an upsert leaves alone what it does not name, and a record may
    even inherit the list of a deleted one, so leaving out an emptied value would keep old rights.
    """
    values: dict[str, Any] = {"project": metadata.project, "session_id": metadata.session}
    values["marks"] = sorted(metadata.marks) or [UNMARKED]
    return values | dict(metadata.facts)


def _message(answer: object, status: int) -> str:
    said = answer.get("message") if isinstance(answer, dict) else None
    return str(said or f"status {status}")


def _dump(body: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)
    except (TypeError, ValueError) as error:
        raise BadInput(f"This cannot be sent to Chroma: {error}") from error


def _load(content: bytes) -> object:
    try:
        return orjson.loads(content)
    except ValueError:
        return None
