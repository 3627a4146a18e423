from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paige.base.errors import BadInput, Unavailable
from paige.memory.vectors.backend import AGAIN_SECONDS, Neighbour, VectorBackend, VectorMetadata
from paige.memory.vectors.chroma import (
    ChromaVectors,
    shown_address,
    where_of,
)
from tests.chroma import Chroma, temp_chroma
from tests.memory.plain_http import serving
from tests.postgres import free_port

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
ALL = frozenset({"all"})
NESTED: Any = {"odd": {"nested": 1}}
BARE = VectorMetadata(marks=ALL)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chroma]:
    with temp_chroma(tmp_path_factory.mktemp("chroma")) as server:
        yield server


@pytest.fixture
def server(running: Chroma) -> Iterator[Chroma]:
    yield running
    try:
        running.call("DELETE", "collections/paige_memories")
    except Exception:  # noqa: BLE001 - the test had none
        return


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Chroma]:
    with temp_chroma(tmp_path) as server:
        yield server


Opening = Callable[..., ChromaVectors]


@pytest.fixture
def vectors() -> Iterator[Opening]:
    with ExitStack() as opened:

        def opening(url: str, **options: Any) -> ChromaVectors:
            backend = ChromaVectors(url, **{"embedder": "test", **options})
            return opened.enter_context(closing(backend))

        yield opening


def put(backend: ChromaVectors, **records: list[float]) -> None:
    metadatas = [VectorMetadata(marks=ALL, text=f"text of {id_}") for id_ in records]
    backend.upsert(list(records), np.array(list(records.values()), np.float32), metadatas)


def ids(found: list[Neighbour]) -> list[str]:
    return [id_ for id_, _ in found]


def test_the_nearest_comes_first_with_its_cosine_similarity(
    server: Chroma, vectors: Opening
) -> None:
    backend = vectors(server.url)
    put(backend, east=EAST, north=NORTH, between=[3.0, 4.0])
    found = backend.nearest(np.array(EAST), 3, ())
    assert ids(found) == ["east", "between", "north"]
    assert [round(similarity, 4) for _, similarity in found] == [1.0, 0.6, 0.0]


def test_an_upsert_with_the_same_id_replaces(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST)
    put(backend, a=NORTH)
    assert backend.count() == 1
    assert backend.nearest(np.array(NORTH), 1, ())[0][1] == pytest.approx(1.0)


def test_deleted_records_are_gone_and_unknown_ids_are_no_error(
    server: Chroma, vectors: Opening
) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST, b=NORTH)
    backend.delete(["a", "never there"])
    backend.delete([])
    assert ids(backend.nearest(np.array(EAST), 5, ())) == ["b"]


def test_text_becomes_the_document_and_the_rest_metadata(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    metadata = VectorMetadata(
        marks=frozenset({"m2", "m1"}), project="p", text="zoë, 日本", facts={"n": 3}
    )
    backend.upsert(["a"], np.array([EAST]), [metadata])
    stored = {"project": "p", "marks": ["m1", "m2"], "n": 3}
    assert server.stored() == {"a": {"document": "zoë, 日本", "metadata": stored}}
    row = backend.query(np.array(EAST), 1)[0]
    assert (row.id, row.text, row.metadata["project"]) == ("a", "zoë, 日本", "p")


def test_a_record_without_rights_is_hidden_from_every_reader(
    server: Chroma, vectors: Opening
) -> None:
    backend = vectors(server.url)
    backend.upsert(["a"], np.array([EAST]), [VectorMetadata(marks=frozenset())])
    assert backend.nearest(np.array(EAST), 1, [frozenset()]) == []
    assert ids(backend.nearest(np.array(EAST), 1, ())) == ["a"]


def test_rights_that_were_taken_away_are_gone(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    both = VectorMetadata(marks=frozenset({"anna", "ben"}), project="p", session="s")
    for left in (VectorMetadata(marks=frozenset({"anna"})), VectorMetadata(marks=frozenset())):
        backend.upsert(["a"], np.array([EAST]), [both])
        backend.upsert(["a"], np.array([EAST]), [left])
        marks = sorted(left.marks) or ["-"]
        assert server.stored() == {"a": {"document": None, "metadata": {"marks": marks}}}
        assert backend.nearest(np.array(EAST), 1, [frozenset({"ben"})]) == []


def test_a_new_record_has_nothing_of_a_deleted_one(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    old = VectorMetadata(marks=frozenset({"anna", "ben"}), project="p", text="old")
    backend.upsert(["a", "b"], np.array([EAST, NORTH]), [old, old])
    backend.delete(["a"])
    backend.upsert(["c"], np.array([EAST]), [VectorMetadata(marks=frozenset())])
    assert server.stored()["c"] == {"document": None, "metadata": {"marks": ["-"]}}
    backend.recreate()
    backend.upsert(["a"], np.array([EAST]), [VectorMetadata(marks=frozenset())])
    assert server.stored() == {"a": {"document": None, "metadata": {"marks": ["-"]}}}


def test_a_search_finds_only_what_carries_a_mark_of_every_group(
    server: Chroma, vectors: Opening
) -> None:
    backend: VectorBackend = vectors(server.url)
    carried = [{"anna", "p"}, {"anna", "ben", "q"}, {"cem", "q"}, set()]
    metadatas = [VectorMetadata(marks=frozenset(marks)) for marks in carried]
    backend.upsert(list("abcd"), np.array([EAST] * 4), metadatas)

    def found(*groups: set[str]) -> list[str]:
        return sorted(ids(backend.nearest(np.array(EAST), 9, [frozenset(g) for g in groups])))

    assert found() == ["a", "b", "c", "d"]
    assert found({"anna"}) == ["a", "b"]
    assert found({"ben", "cem"}) == ["b", "c"]
    assert found({"anna", "cem"}, {"q"}) == ["b", "c"]
    assert found({"anna"}, {"q"}) == ["b"]
    assert found(set()) == []


def test_nothing_is_near_to_an_empty_text(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST)
    assert backend.nearest(np.zeros(2), 5, ()) == []
    assert backend.nearest(np.array(EAST), 0, ()) == []
    assert backend.query(np.array(EAST), 0) == []


def test_many_records_are_sent_in_parts(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    count = 2300
    angles = np.linspace(0, 1.5, count)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    backend.upsert([f"n{n}" for n in range(count)], points, [BARE] * count)
    assert backend.count() == count
    backend.delete([f"n{n}" for n in range(count - 1)])
    assert backend.count() == 1


def test_nobody_there_is_a_state_and_not_a_crash(vectors: Opening) -> None:
    backend = vectors(f"http://127.0.0.1:{free_port()}")
    assert backend.status == "untried"
    with pytest.raises(Unavailable, match="does not answer"):
        backend.count()
    assert backend.status == "unreachable"
    assert not backend.ready


def test_an_address_that_is_none_is_unreachable_too(vectors: Opening) -> None:
    for url in ("http://127.0.0.1:99999", "http://[::1", "http://no host"):
        backend = vectors("http://127.0.0.1:1")
        backend._url = url
        with pytest.raises(Unavailable):
            backend.connect()
        assert backend.status == "unreachable"


def test_after_a_failure_searches_do_without_for_a_while(vectors: Opening) -> None:
    clock = [100.0]
    backend = vectors(f"http://127.0.0.1:{free_port()}", monotonic=lambda: clock[0])
    assert backend.available
    with pytest.raises(Unavailable):
        backend.connect()
    assert not backend.available
    clock[0] += AGAIN_SECONDS + 1
    assert backend.available


@pytest.mark.parametrize(
    ("status", "body"),
    [(404, b"not here"), (200, b"<html>"), (200, b"{}"), (405, b""), (500, b"x")],
)
def test_another_program_on_that_port_is_told_from_chroma(
    status: int, body: bytes, vectors: Opening
) -> None:
    with serving(lambda _: (status, body)) as url:
        backend = vectors(url)
        with pytest.raises(Unavailable):
            backend.connect()
        assert backend.status == "unusable"


def test_a_refused_password_is_named_without_being_shown(vectors: Opening) -> None:
    with serving(lambda _: (401, b'{"error":"AuthError","message":"no"}')) as url:
        backend = vectors(url.replace("http://", "http://anna:secret@"))
        with pytest.raises(Unavailable, match="refuses access") as caught:
            backend.connect()
    assert "secret" not in caught.value.message
    assert shown_address("http://anna:secret@h:1/x/") == "http://h:1/x"


def test_user_and_password_of_the_address_are_sent(vectors: Opening) -> None:
    seen: list[str] = []

    def answer(request: dict[str, str]) -> tuple[int, bytes]:
        seen.append(request.get("authorization", ""))
        return 401, b"{}"

    with serving(answer) as url:
        backend = vectors(url.replace("http://", "http://anna:secret@"))
        with pytest.raises(Unavailable):
            backend.connect()
    assert seen == ["Basic YW5uYTpzZWNyZXQ="]


def test_a_server_killed_in_between_is_noticed_and_found_again(
    own: Chroma, vectors: Opening
) -> None:
    backend = vectors(own.url)
    put(backend, a=EAST)
    before = backend.generation
    own.kill()
    with pytest.raises(Unavailable):
        backend.nearest(np.array(EAST), 1, ())
    assert backend.status == "unreachable"
    own.start()
    assert ids(backend.nearest(np.array(EAST), 1, ())) == ["a"]
    assert backend.ready
    assert backend.generation == before


def test_a_server_started_late_is_found_by_the_next_call(own: Chroma, vectors: Opening) -> None:
    own.stop()
    backend = vectors(own.url)
    with pytest.raises(Unavailable):
        backend.connect()
    own.start()
    put(backend, a=EAST)
    assert backend.count() == 1


def test_a_collection_deleted_by_others_fails_once_and_is_then_made_anew(
    server: Chroma, vectors: Opening
) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST)
    before = backend.generation
    server.call("DELETE", "collections/paige_memories")
    with pytest.raises(Unavailable, match="was deleted"):
        backend.count()
    assert backend.count() == 0
    assert backend.generation != before


def test_vectors_of_another_length_are_refused_with_a_way_out(
    server: Chroma, vectors: Opening
) -> None:
    put(vectors(server.url), a=EAST)
    backend = vectors(server.url)
    for _ in range(2):
        with pytest.raises(Unavailable, match="2 numbers, not 3") as caught:
            backend.nearest(np.ones(3), 1, ())
    assert "paige memory rebuild" in (caught.value.hint or "")
    with pytest.raises(Unavailable, match="2 numbers, not 3"):
        backend.upsert(["b"], np.ones((1, 3)), [BARE])
    assert backend.status == "unusable"


def test_a_length_that_only_the_server_knows_is_refused_too(
    server: Chroma, vectors: Opening
) -> None:
    first = vectors(server.url)
    first.connect()
    put(vectors(server.url), a=EAST)
    with pytest.raises(Unavailable, match="dimension"):
        first.upsert(["b"], np.ones((1, 3)), [BARE])


def test_vectors_of_another_embedder_are_refused_even_when_as_long(
    server: Chroma, vectors: Opening
) -> None:
    put(vectors(server.url, embedder="old"), a=EAST)
    backend = vectors(server.url, embedder="new")
    with pytest.raises(Unavailable, match="vectors of `old`, not of `new`"):
        backend.count()
    backend.recreate()
    assert backend.count() == 0


def test_a_collection_that_another_program_made_is_used(server: Chroma, vectors: Opening) -> None:
    server.call("POST", "collections", {"name": "paige_memories"})
    backend = vectors(server.url)
    put(backend, a=EAST)
    assert backend.count() == 1


def test_a_record_that_chroma_never_takes_is_bad_input(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    with pytest.raises(BadInput):
        backend.upsert(["a"], np.array([EAST]), [VectorMetadata(marks=ALL, facts=NESTED)])
    with pytest.raises(BadInput):
        backend.upsert(["a\ud800"], np.array([EAST]), [BARE])
    assert backend.ready


def test_a_search_that_the_server_refuses_is_unavailable(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST)
    with pytest.raises(Unavailable):
        backend.query(np.array(EAST), 1, {"$odd": []})


def test_closing_gives_the_connections_back(server: Chroma, vectors: Opening) -> None:
    backend = vectors(server.url)
    put(backend, a=EAST)
    backend.close()
    backend.close()
    assert backend.count() == 1
    backend.close()


def test_a_filter_is_left_out_when_there_is_none() -> None:
    assert where_of() is None
    assert where_of(equal={"project": "p"}) == {"project": "p"}
    assert where_of([frozenset("m")], {"project": "p"}) == {
        "$and": [{"project": "p"}, {"marks": {"$contains": "m"}}]
    }
