import base64
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paige.base.errors import BadInput, Unavailable
from paige.base.settings import Settings
from paige.memory.embedding import StaticEmbedder
from paige.memory.vectors.embedders import BATCH, LONGEST_TEXT, HttpEmbedder, Lengths, open_embedder
from tests.memory.plain_http import Asked, serving
from tests.postgres import free_port


def settings(**values: Any) -> Settings:
    return Settings(cwd=Path("/"), given_data_dir=Path("/nowhere"), **values)


# --- services ----------------------------------------------------------------------------------


class Service:
    """Answers as a real one does: every text becomes a vector of its length and a one."""

    def __init__(self, kind: str, *, encoded: bool = False) -> None:
        self.kind = kind
        self.encoded = encoded
        self.asked: list[Asked] = []
        self.refusing: tuple[int, object] | None = None

    def __call__(self, asked: Asked) -> tuple[int, bytes]:
        self.asked.append(asked)
        if self.refusing:
            status, body = self.refusing
            return status, body if isinstance(body, bytes) else json.dumps(body).encode()
        texts = json.loads(asked["body"])["input"]
        vectors = [[float(len(text)), 1.0] for text in texts]
        answer = {"ollama": self._ollama, "openai-compatible": self._openai}[self.kind](vectors)
        return 200, json.dumps(answer).encode()

    def _openai(self, vectors: list[list[float]]) -> dict[str, object]:
        data = [
            {"object": "embedding", "index": index, "embedding": self._written(vector)}
            for index, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        # In any order: the index says which is which.
        return {"object": "list", "model": "m", "data": data[::-1], "usage": usage}

    def _ollama(self, vectors: list[list[float]]) -> dict[str, object]:
        return {"model": "m", "embeddings": vectors, "total_duration": 1, "load_duration": 1}

    def _written(self, vector: list[float]) -> object:
        return base64.b64encode(np.array(vector, "<f4")).decode() if self.encoded else vector


@pytest.fixture(params=["openai-compatible", "base64", "ollama"])
def service(request: pytest.FixtureRequest) -> Service:
    encoded = request.param == "base64"
    return Service("openai-compatible" if encoded else request.param, encoded=encoded)


@pytest.fixture
def embedder(service: Service) -> Iterator[HttpEmbedder]:
    with serving(service) as url:
        found = HttpEmbedder(service.kind, url=url, model="m", key="sesame")  # type: ignore[arg-type]
        with closing(found):
            yield found


def test_texts_become_rows_of_length_one_in_their_order(embedder: HttpEmbedder) -> None:
    vectors = embedder.embed(["aaa", "", "a", "  "])
    assert vectors.tolist() == [
        pytest.approx([3 / 10**0.5, 1 / 10**0.5]),
        [0, 0],
        pytest.approx([0.5**0.5, 0.5**0.5]),
        [0, 0],
    ]
    assert vectors.dtype == np.float32
    assert embedder.dimension == 2


def test_requests_look_as_the_services_want_them(embedder: HttpEmbedder, service: Service) -> None:
    embedder.embed(["a"])
    (asked,) = service.asked
    body = json.loads(asked["body"])
    assert (body["model"], body["input"]) == ("m", ["a"])
    assert asked["authorization"] == "Bearer sesame"
    wanted = {"ollama": "/api/embed", "openai-compatible": "/v1/embeddings"}
    assert asked["path"] == wanted[service.kind]


def test_many_texts_are_sent_in_parts_and_long_ones_cut(
    embedder: HttpEmbedder, service: Service
) -> None:
    texts = ["x" * (n + 1) for n in range(2 * BATCH + 3)] + ["y" * (LONGEST_TEXT + 99)]
    vectors = embedder.embed(texts)
    sent = [json.loads(asked["body"])["input"] for asked in service.asked]
    assert [len(part) for part in sent] == [BATCH, BATCH, 4]
    assert len(sent[-1][-1]) == LONGEST_TEXT
    assert np.all(np.diff(vectors[:, 1]) < 0)


def test_nothing_to_embed_asks_only_for_the_length_once(
    embedder: HttpEmbedder, service: Service
) -> None:
    assert embedder.embed([""]).shape == (1, 2)
    assert embedder.embed([]).shape == (0, 2)
    assert len(service.asked) == 1


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/api"])
def test_the_address_may_be_written_as_people_know_it(path: str) -> None:
    kinds = ["ollama"] if path == "/api" else ["openai-compatible"]
    for kind in kinds:
        service = Service(kind)
        with (
            serving(service) as url,
            closing(HttpEmbedder(kind, url=url + path, model="m")) as embedder,  # type: ignore[arg-type]
        ):
            embedder.embed(["a"])
        assert service.asked[0]["path"] in ("/v1/embeddings", "/api/embed")
        assert "authorization" not in service.asked[0]


@pytest.mark.parametrize(
    ("status", "body", "message", "hint"),
    [
        (401, {"error": {"message": "bad key"}}, "bad key", "PAIGE_EMBEDDER_KEY"),
        (404, {"error": 'model "m" not found'}, "not found", ""),
        (429, {"error": {"message": "slow down"}}, "slow down", "too often"),
        (500, b"<html>", "status 500", ""),
        (200, b"<html>", "cannot read", ""),
        (200, {"data": [], "embeddings": []}, "0 vectors for 1 texts", ""),
        (200, {"data": [{"embedding": "??"}], "embeddings": ["x"]}, "cannot read", ""),
        (200, {"data": [{"embedding": [[1]]}], "embeddings": [[[1]]]}, "that are none", ""),
        (200, {"data": [{"embedding": []}], "embeddings": [[]]}, "that are none", ""),
        (200, {"data": [{"embedding": [None]}], "embeddings": [[None]]}, "that are none", ""),
    ],
)
def test_what_a_service_does_wrong_is_said(
    embedder: HttpEmbedder, service: Service, status: int, body: object, message: str, hint: str
) -> None:
    service.refusing = status, body
    with pytest.raises(Unavailable) as caught:
        embedder.embed(["a"])
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert "sesame" not in str(caught.value)
    service.refusing = None
    assert embedder.embed(["a"]).shape == (1, 2)


def test_a_model_that_is_not_there_can_be_fetched(embedder: HttpEmbedder, service: Service) -> None:
    service.refusing = 404, {"error": 'model "m" not found, try pulling it first'}
    with pytest.raises(Unavailable) as caught:
        embedder.embed(["a"])
    wanted = {"ollama": "ollama pull m", "openai-compatible": "PAIGE_EMBEDDER_MODEL"}
    assert wanted[service.kind] in (caught.value.hint or "")


def test_vectors_that_change_their_length_are_refused(
    embedder: HttpEmbedder, service: Service
) -> None:
    embedder.embed(["a"])
    three = [1.0, 2.0, 3.0]
    service.refusing = 200, {"data": [{"embedding": three}], "embeddings": [three]}
    with pytest.raises(Unavailable, match="from 2 to 3 numbers"):
        embedder.embed(["b"])


def test_nobody_there_is_said(service: Service) -> None:
    url = f"http://anna:secret@127.0.0.1:{free_port()}"
    with closing(HttpEmbedder(service.kind, url=url, model="m")) as embedder:  # type: ignore[arg-type]
        with pytest.raises(Unavailable, match="does not answer") as caught:
            embedder.embed(["a"])
        assert "secret" not in caught.value.message
        with pytest.raises(Unavailable):
            _ = embedder.dimension


def test_the_length_of_vectors_is_remembered_for_when_a_service_is_down(tmp_path: Path) -> None:
    file = tmp_path / "memory" / "embedders.json"
    with serving(Service("ollama")) as url:
        with closing(HttpEmbedder("ollama", url=url, model="m", lengths=Lengths(file))) as first:
            assert first.dimension == 2
        address = url
    with closing(HttpEmbedder("ollama", url=address, model="m", lengths=Lengths(file))) as second:
        assert second.dimension == 2
        with pytest.raises(Unavailable):
            second.embed(["a"])
    for damage in ("[]", "{", '{"ollama:m": "x"}'):
        file.write_text(damage)
        assert Lengths(file).load("ollama:m") == 0


def test_a_recorded_answer_is_understood() -> None:
    recorded = {
        "object": "list",
        "model": "text-embedding-3-small",
        "data": [{"object": "embedding", "index": 0, "embedding": [0.1, 0.2]}],
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }
    with serving(lambda _: (200, json.dumps(recorded).encode())) as url:
        model = "text-embedding-3-small"
        with closing(HttpEmbedder("openai-compatible", url=url, model=model)) as embedder:
            (vector,) = embedder.embed(["a"])
    assert vector == pytest.approx([0.2**0.5, 0.8**0.5])


# --- the choice --------------------------------------------------------------------------------


def test_the_settings_choose(tmp_path: Path) -> None:
    assert isinstance(open_embedder(settings()), StaticEmbedder)
    assert open_embedder(settings(embedder="none")) is None
    ollama = open_embedder(settings(embedder="ollama"))
    assert ollama is not None
    assert ollama.name == "ollama:nomic-embed-text"
    other = settings(embedder="openai-compatible", embedder_url="http://h", embedder_model="m")
    found = open_embedder(other)
    assert found is not None
    assert found.name == "openai-compatible:m"


def test_an_embedder_without_address_or_model_is_refused() -> None:
    with pytest.raises(BadInput, match="no address"):
        open_embedder(settings(embedder="openai-compatible"))
    with pytest.raises(BadInput, match="no model"):
        open_embedder(settings(embedder="openai-compatible", embedder_url="http://h"))
