import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.memory.vectors.backend import AGAIN_SECONDS, Neighbour, VectorBackend, VectorMetadata
from paige.memory.vectors.pgvectors import PgVectors
from paige.store.engine import Database, open_database
from paige.store.migrate import migrate
from tests.pgvector import temp_pgvector
from tests.postgres import execute, free_port, temp_database

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
BARE = VectorMetadata(marks=frozenset({"all"}))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with temp_pgvector() as address:
        yield address


@pytest.fixture
def url(server: str) -> Iterator[str]:
    with temp_database(server, template="template0") as address:
        yield address


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with opened(url) as found:
        yield found


@contextmanager
def opened(url: str) -> Iterator[Database]:
    with closing(open_database(Settings(cwd=Path("/"), database_url=url))) as database:
        yield database


def vectors(database: Database, **options: Any) -> PgVectors:
    return PgVectors(database, **{"embedder": "test", **options})


def put(backend: VectorBackend, **records: list[float]) -> None:
    points = np.array(list(records.values()), np.float32)
    backend.upsert(list(records), points, [BARE] * len(records))


def ids(found: list[Neighbour]) -> list[str]:
    return [id_ for id_, _ in found]


def test_the_nearest_comes_first_with_its_cosine_similarity(database: Database) -> None:
    backend = vectors(database)
    put(backend, east=EAST, north=NORTH, between=[3.0, 4.0])
    found = backend.nearest(np.array(EAST), 3, ())
    assert ids(found) == ["east", "between", "north"]
    assert [round(similarity, 4) for _, similarity in found] == [1.0, 0.6, 0.0]
    assert backend.status == "ready"


def test_an_upsert_with_the_same_id_replaces_everything(database: Database) -> None:
    backend = vectors(database)
    both = VectorMetadata(marks=frozenset({"anna", "ben"}), project="p", session="s")
    backend.upsert(["a"], np.array([EAST]), [both])
    backend.upsert(["a", "a"], np.array([EAST, NORTH]), [both, BARE])
    assert backend.count() == 1
    assert backend.nearest(np.array(NORTH), 1, ())[0].similarity == pytest.approx(1.0)
    assert backend.nearest(np.array(NORTH), 1, [frozenset({"ben"})]) == []


def test_deleted_vectors_are_gone_and_unknown_ids_are_no_error(database: Database) -> None:
    backend = vectors(database)
    put(backend, a=EAST, b=NORTH)
    backend.delete(["a", "never there"])
    backend.delete([])
    backend.upsert([], np.zeros((0, 2)), [])
    assert ids(backend.nearest(np.array(EAST), 5, ())) == ["b"]


def test_a_search_finds_only_what_carries_a_mark_of_every_group(database: Database) -> None:
    backend: VectorBackend = vectors(database)
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


def test_one_tenant_never_sees_or_deletes_what_another_has(database: Database) -> None:
    ours, theirs = vectors(database), vectors(database, tenant="theirs")
    put(ours, a=EAST)
    put(theirs, a=NORTH, b=NORTH)
    theirs.delete(["a"])
    theirs.recreate()
    assert theirs.count() == 0
    assert ids(ours.nearest(np.array(EAST), 9, ())) == ["a"]


def test_another_embedder_has_its_own_vectors_and_its_own_generation(database: Database) -> None:
    small, large = vectors(database, embedder="small"), vectors(database, embedder="large")
    put(small, a=EAST)
    put(large, a=[1.0, 2.0, 3.0], b=[3.0, 2.0, 1.0])
    assert small.count() == 1
    assert ids(large.nearest(np.array([1.0, 2.0, 3.0]), 9, ())) == ["a", "b"]
    assert small.generation != large.generation
    assert small.generation == vectors(database, embedder="small").generation


def test_forgetting_reaches_the_vectors_of_every_embedder(database: Database) -> None:
    small, large = vectors(database, embedder="small"), vectors(database, embedder="large")
    put(small, a=EAST)
    put(large, a=[1.0, 2.0, 3.0])
    large.delete(["a"])
    assert (small.count(), large.count()) == (0, 0)


def test_a_text_that_says_nothing_is_near_to_nothing(database: Database) -> None:
    backend = vectors(database)
    put(backend, nothing=[0.0, 0.0], a=EAST)
    assert ids(backend.nearest(np.array(EAST), 9, ())) == ["a"]
    assert backend.nearest(np.zeros(2), 9, ()) == []
    assert backend.nearest(np.array(EAST), 0, ()) == []


def test_vectors_longer_than_an_index_can_hold_are_found_too(database: Database) -> None:
    backend = vectors(database)
    points = np.eye(3, 3072, dtype=np.float32)
    backend.upsert(["a", "b", "c"], points, [BARE] * 3)
    assert ids(backend.nearest(points[1], 1, ())) == ["b"]


def test_the_index_finds_what_comparing_everything_finds(database: Database) -> None:
    backend = vectors(database)
    generator = np.random.default_rng(7)
    points = generator.standard_normal((3000, 32)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    rare = frozenset({"rare"})
    metadatas = [VectorMetadata(marks=rare) if n % 100 == 0 else BARE for n in range(3000)]
    backend.upsert([str(n) for n in range(3000)], points, metadatas)
    query = points[5]
    best = [str(n) for n in np.argsort(-(points @ query))[:10]]
    found = ids(backend.nearest(query, 10, ()))
    assert len(set(found) & set(best)) >= 9
    # A narrow filter must not leave the answer empty.
    among = sorted(range(0, 3000, 100), key=lambda n: -float(points[n] @ query))[:10]
    assert ids(backend.nearest(query, 10, [rare])) == [str(n) for n in among]


def test_the_table_stands_beside_a_migrated_schema(database: Database) -> None:
    migrate(database)
    put(vectors(database), a=EAST)
    migrate(database)
    assert vectors(database).count() == 1


def test_two_that_start_at_once_both_succeed(url: str) -> None:
    failures: list[Exception] = []
    barrier = threading.Barrier(4)

    def start(name: str) -> None:
        with opened(url) as database:
            try:
                barrier.wait(30)
                put(vectors(database), **{name: EAST})
            except Exception as error:  # noqa: BLE001 - shown below
                failures.append(error)

    threads = [threading.Thread(target=start, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    with opened(url) as database:
        assert vectors(database).count() == 4


def test_a_server_without_pgvector_is_a_state_with_a_way_out(postgres_server: str) -> None:
    with opened(postgres_server) as database:
        backend = vectors(database)
        assert backend.available
        with pytest.raises(Unavailable, match="no pgvector"):
            backend.count()
        assert backend.status == "unusable"
        assert not backend.available


def test_a_user_who_may_not_switch_the_extension_on_is_told(server: str, url: str) -> None:
    execute(server, "DROP ROLE IF EXISTS plain")
    execute(server, "CREATE ROLE plain LOGIN")
    with opened(url.replace("postgres@", "plain@")) as database:
        backend = vectors(database)
        with pytest.raises(Unavailable, match="permission denied"):
            backend.connect()
        execute(url, "CREATE EXTENSION vector")
        execute(url, "GRANT CREATE ON SCHEMA public TO plain")
        put(backend, a=EAST)
        assert backend.count() == 1
    execute(url, "DROP OWNED BY plain")


def test_nobody_there_is_unreachable_and_tried_again_after_a_while() -> None:
    clock = [0.0]
    with opened(f"postgresql://postgres@127.0.0.1:{free_port()}/postgres") as database:
        backend = vectors(database, monotonic=lambda: clock[0])
        with pytest.raises(Unavailable):
            backend.nearest(np.array(EAST), 1, ())
        assert backend.status == "unreachable"
        assert not backend.available
        clock[0] += AGAIN_SECONDS + 1
        assert backend.available


def test_a_table_that_someone_dropped_fails_once_and_is_then_made_anew(
    url: str, database: Database
) -> None:
    backend = vectors(database)
    put(backend, a=EAST)
    before = backend.generation
    execute(url, "DROP TABLE memory_vectors")
    with pytest.raises(Unavailable):
        backend.count()
    assert backend.count() == 0
    assert backend.generation != before
    put(backend, a=EAST)
    assert ids(backend.nearest(np.array(EAST), 1, ())) == ["a"]


@pytest.mark.parametrize("version", [(0, 4), (0, 7)])
def test_older_versions_of_pgvector_are_searched_too(
    database: Database, version: tuple[int, ...]
) -> None:
    backend = vectors(database)
    backend._table = backend.connect()._replace(version=version)
    put(backend, a=EAST, b=NORTH)
    assert ids(backend.nearest(np.array(NORTH), 1, [frozenset({"all"})])) == ["b"]
