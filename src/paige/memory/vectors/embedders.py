"""The embedder that the settings ask for, and the one that is a service.

A service is anything that speaks OpenAI's `/v1/embeddings`, or Ollama's `/api/embed`. The texts of
memories leave this machine when it is elsewhere, so nothing is sent anywhere unless someone names
the address. An answer that does not fit is an error, never a guess.
"""

import base64
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import numpy as np
import orjson

from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.files import write_atomic
from paige.base.settings import Settings
from paige.memory.embedding import StaticEmbedder
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.chroma import shown_address

if TYPE_CHECKING:
    import httpx2


Kind = Literal["openai-compatible", "ollama"]
OLLAMA = "http://127.0.0.1:11434"
OLLAMA_MODEL = "nomic-embed-text"
BATCH = 64
LONGEST_TEXT = 8000  # characters: services refuse a text of more than about 8,000 tokens
CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 60.0  # a model at home may have to be loaded first


class Lengths:
    """A small file with the length of each service's vectors.

    An index needs to know it when it opens, and a service that is down must not keep it closed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, name: str) -> int:
        """The length that was saved, 0 when none was."""
        found = self._read().get(name)
        return found if isinstance(found, int) and found > 0 else 0

    def save(self, name: str, length: int) -> None:
        """Remember a length; when that fails, it is asked for again."""
        with contextlib.suppress(PaigeError):
            write_atomic(self._path, orjson.dumps({**self._read(), name: length}))

    def _read(self) -> dict[str, Any]:
        try:
            found = orjson.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


class HttpEmbedder:
    """Embeds texts with a service; it may be shared between threads."""

    def __init__(
        self, kind: Kind, *, url: str, model: str, key: str = "", lengths: Lengths | None = None
    ) -> None:
        """`lengths` remembers how long its vectors are, for when it does not answer."""
        self.name = f"{kind}:{model}"
        self._kind: Kind = kind
        self._model = model
        self._address = shown_address(url)
        self._url = _endpoint(kind, url)
        self._key = key
        self._lock = threading.Lock()
        self._client: httpx2.Client | None = None
        self._lengths = lengths
        self._dimension = lengths.load(self.name) if lengths else 0

    @property
    def dimension(self) -> int:
        """How many numbers its vectors have; asks the service once. Raises: Unavailable."""
        if not self._dimension:
            self._ask(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length one per text; zeros for an empty one. Raises: Unavailable."""
        # Services refuse an empty text.
        rows = [row for row, text in enumerate(texts) if text.strip()]
        parts = [
            self._ask([texts[row][:LONGEST_TEXT] for row in rows[start : start + BATCH]])
            for start in range(0, len(rows), BATCH)
        ]
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        if parts:
            found = np.concatenate(parts)
            lengths = np.linalg.norm(found, axis=1, keepdims=True)
            vectors[rows] = found / np.where(lengths > 0, lengths, 1)
        return vectors

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _ask(self, texts: list[str]) -> np.ndarray:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if self._kind == "openai-compatible":
            body["encoding_format"] = "float"  # everyone has it; some answer base64 all the same
        status, answer = self._send(orjson.dumps(body))
        if status != 200:
            self._refused(status, answer)
        try:
            vectors = _READ[self._kind](answer)
            numbers = np.array(list(vectors), np.float32)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            self._failed(f"gave an answer that Paige cannot read: {error or type(error).__name__}")
        if len(numbers) != len(texts):
            self._failed(f"gave {len(numbers)} vectors for {len(texts)} texts")
        if numbers.ndim != 2 or not numbers.size or not np.isfinite(numbers).all():
            self._failed("gave vectors that are none")
        if self._dimension not in (0, numbers.shape[1]):
            self._failed(
                f"changed its vectors from {self._dimension} to {numbers.shape[1]} numbers"
            )
        if not self._dimension and self._lengths:
            self._lengths.save(self.name, numbers.shape[1])
        self._dimension = numbers.shape[1]
        return numbers

    def _send(self, content: bytes) -> tuple[int, Any]:
        import httpx2  # noqa: PLC0415 - only who has such a service needs it

        with self._lock:
            if self._client is None:
                wait = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
                self._client = httpx2.Client(timeout=wait)
            client = self._client
        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        try:
            answer = client.post(self._url, content=content, headers=headers)
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            self._failed(f"does not answer: {error or type(error).__name__}", _START[self._kind])
        try:
            return answer.status_code, orjson.loads(answer.content)
        except ValueError:
            return answer.status_code, None

    def _refused(self, status: int, answer: object) -> NoReturn:
        said = _complaint(answer) or f"status {status}"
        hint = None
        if status in (401, 403):
            hint = "Set `PAIGE_EMBEDDER_KEY`."
        elif status == 404:
            hint = "Check `PAIGE_EMBEDDER_URL` and `PAIGE_EMBEDDER_MODEL`."
            if self._kind == "ollama":
                hint = f"Get the model: `ollama pull {self._model}`."
        elif status == 429:
            hint = "It is asked too often; memories wait and are tried again."
        self._failed(f"refuses: {said}", hint)

    def _failed(self, what: str, hint: str | None = None) -> NoReturn:
        raise Unavailable(f"The embedder at {self._address} {what}", hint=hint)


def _endpoint(kind: Kind, url: str) -> str:
    base = url.rstrip("/")
    if kind == "ollama":
        return f"{base.removesuffix('/api')}/api/embed"
    return f"{base.removesuffix('/v1')}/v1/embeddings"


def _read_openai(answer: dict[str, Any]) -> Iterator[Any]:
    for item in sorted(answer["data"], key=lambda item: item.get("index", 0)):
        vector = item["embedding"]
        yield (
            np.frombuffer(base64.b64decode(vector, validate=True), "<f4")
            if isinstance(vector, str)
            else vector
        )


def _read_ollama(answer: dict[str, Any]) -> Iterator[Any]:
    yield from answer["embeddings"]


def _complaint(answer: object) -> str:
    """What the service says: OpenAI as an object in `error`, Ollama as a text."""
    error = answer.get("error") if isinstance(answer, dict) else None
    return str(error.get("message") if isinstance(error, dict) else error or "")[:200]


_READ: dict[Kind, Callable[[Any], Iterator[Any]]] = {
    "openai-compatible": _read_openai,
    "ollama": _read_ollama,
}
_START: dict[Kind, str] = {
    "openai-compatible": "Check `PAIGE_EMBEDDER_URL`.",
    "ollama": "Start it: `ollama serve`.",
}


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder, without asking it anything yet; none means that only words are compared.

    Raises: BadInput when a setting that it needs is missing.
    """
    kind, url, model = settings.embedder, settings.embedder_url, settings.embedder_model
    if kind not in _READ:
        return None if kind == "none" else StaticEmbedder()
    if kind == "ollama":
        url, model = url or OLLAMA, model or OLLAMA_MODEL
    if not url:
        raise BadInput(
            f"The embedder `{kind}` has no address",
            hint="Set `PAIGE_EMBEDDER_URL`; the texts of memories are sent there.",
        )
    if not model:
        raise BadInput(f"The embedder `{kind}` has no model", hint="Set `PAIGE_EMBEDDER_MODEL`.")
    lengths = Lengths(settings.data_dir / "memory" / "embedders.json")
    return HttpEmbedder(kind, url=url, model=model, key=settings.embedder_key, lengths=lengths)
