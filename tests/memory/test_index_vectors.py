import random
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from paige.base.errors import Unavailable
from paige.memory.access import Reader
from paige.memory.index import classes
from paige.memory.index import search as vectors_module
from paige.memory.index.files import IndexFile, OpenIndex
from paige.memory.index.index import Index
from paige.memory.index.search import PREFILTERED, nearest_rows
from paige.memory.search_values import Ask
from paige.memory.vectors.backend import Neighbour
from tests.memory.indexing import EMBEDDER, ListLog

ANNA = Reader(person="anna")
PEOPLE = [
    "Anna",
    "Ben",
    "Cleo",
    "Dora",
    "Emil",
    "Fina",
    "Gus",
    "Hana",
    "Ivo",
    "Jana",
    "Karl",
    "Lena",
]
VERBS = [
    "met",
    "painted",
    "repaired",
    "forgot",
    "bought",
    "borrowed",
    "found",
    "planted",
    "cooked",
    "taught",
    "lost",
    "wrote",
]
THINGS = [
    "a bicycle",
    "the old piano",
    "tomatoes",
    "her algebra homework",
    "a red kite",
    "the school play",
    "bread",
    "a letter to the council",
    "the broken window",
    "a poem about rain",
    "her passport",
    "fresh strawberries",
    "the chess club",
    "a science project",
    "his violin",
    "the class hamster",
    "tickets",
    "a map of Norway",
]
PLACES = "in the park,at school,by the river,in Berlin,at the market,after lunch,last winter,"
TAILS = [
    "and was glad",
    "but told nobody",
    "because it rained",
    "with two friends",
    "for the exam",
    "again",
    "",
]


def sentences(count: int) -> list[str]:
    chance = random.Random(7)
    pick = chance.choice
    return [
        f"{pick(PEOPLE)} {pick(VERBS)} {pick(THINGS)} {pick(PLACES.split(','))} {pick(TAILS)}"
        f" {pick(PEOPLE)} {pick(VERBS)} {pick(THINGS)}"
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Index:
    log = ListLog()
    for text in sentences(20_000):
        log.add(text, payload={"source": "import"})
    index = Index(tmp_path_factory.mktemp("index"), EMBEDDER, logs=[log])
    index.catch_up_all()
    return index


def test_comparing_signs_first_finds_the_same_ten(filled: Index) -> None:
    with filled.reading() as connection:
        rows = connection.execute("SELECT row, vector FROM vectors ORDER BY row").fetchall()
    exact = np.frombuffer(b"".join(blob for _, blob in rows), np.float16).reshape(len(rows), -1)
    exact = exact.astype(np.float32)
    file = IndexFile(filled.path.parent)
    file.open()
    with closing(file), OpenIndex.open(file, EMBEDDER).searching() as state:
        queries = EMBEDDER.embed(sentences(20_100)[-100:])
        hits = 0
        for vector in queries:
            best = np.argsort(-(exact @ vector), kind="stable")[:10] + 1
            worst = exact[best[-1] - 1] @ vector
            near = nearest_rows(state.arrays, np.arange(1, len(rows) + 1), vector)
            assert len(near) <= 2 * PREFILTERED
            similar = np.sort(exact[near - 1] @ vector)[::-1][:10]
            hits += int((similar >= worst - 1e-6).sum())
    assert hits / (10 * len(queries)) >= 0.99


def test_a_large_scope_finds_what_a_small_one_finds(
    filled: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [Ask(query=f"who {verb} {thing}") for verb, thing in zip(VERBS, THINGS, strict=False)]
    large = [{r.id for r in filled.search(ask, ANNA).results} for ask in asked]
    filled.close()
    monkeypatch.setattr(classes, "SMALL", 10**6)
    small = [{r.id for r in filled.search(ask, ANNA).results} for ask in asked]
    filled.close()

    shared = sum(len(a & b) for a, b in zip(large, small, strict=True))
    assert shared / sum(map(len, small)) >= 0.7
    assert all(large)


def test_vectors_that_are_not_kept_in_memory_are_read_when_needed(
    filled: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Ask(query="who planted strawberries by the river")
    in_memory = filled.search(ask, ANNA).results
    filled.close()
    monkeypatch.setattr(vectors_module, "IN_MEMORY", 0)

    assert filled.search(ask, ANNA).results == in_memory
    filled.close()


def test_a_remote_store_is_asked_and_done_without_when_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "SMALL", 0)
    log = ListLog()
    wanted = log.add("Tomato plants need plenty of water")
    log.add("The bus leaves at eight")

    class Remote:
        name = "remote"
        available = True
        fails = False
        groups: object = None

        def nearest(self, vector, k, groups):
            self.groups = groups
            if self.fails:
                raise Unavailable("gone")
            return [Neighbour(wanted.id, 0.9), Neighbour("unknown here", 0.8)]

    remote = Remote()
    index = Index(tmp_path, EMBEDDER, logs=[log], remote=remote)  # type: ignore[arg-type]
    ask = Ask(query="vegetable gardening")

    assert [result.id for result in index.search(ask, ANNA).results] == [wanted.id]
    assert remote.groups
    remote.fails = True
    assert [result.id for result in index.search(ask, ANNA).results] == [wanted.id]
