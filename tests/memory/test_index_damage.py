import os
import random
import threading
from pathlib import Path

import pytest

from paige.base.errors import Unavailable
from paige.memory.access import Reader
from paige.memory.index.index import Index
from paige.memory.log.log import Log
from paige.memory.search_values import Ask
from tests.memory.indexing import EMBEDDER, CountingEmbedder, ListLog, found
from tests.processes import line, python, run_python, tell

ANNA = Reader(person="anna")
COUNT = 400


@pytest.fixture
def log() -> ListLog:
    log = ListLog()
    words = ("tea", "bread", "rain", "school", "garden", "music", "river", "letter")
    for number in range(COUNT):
        log.add(f"{words[number % 8]} and {words[number % 5]} number {number}")
    return log


@pytest.fixture
def index(tmp_path: Path, log: ListLog) -> Index:
    index = Index(tmp_path, EMBEDDER, logs=[log])
    assert everything(index) == COUNT
    return index


def everything(index: Index) -> int:
    return len(index.search(Ask(query="", k=10 * COUNT), ANNA).results)


def overwrite(path: Path, start: int, data: bytes) -> None:
    """From another process: closing the file here would take SQLite's locks away."""
    script = """
import os, sys
handle = os.open(sys.argv[1], os.O_RDWR)
os.pwrite(handle, bytes.fromhex(sys.argv[3]), int(sys.argv[2]))
"""
    run_python(script, path, start, data.hex())


def test_a_deleted_file_is_made_again(index: Index, log: ListLog) -> None:
    index.path.unlink()

    assert everything(index) == COUNT
    log.add("tea at last")
    assert everything(index) == COUNT + 1
    assert index.verify() == []


def test_a_deleted_folder_is_made_again(index: Index, tmp_path: Path) -> None:
    for path in tmp_path.iterdir():
        path.unlink()
    tmp_path.rmdir()

    assert everything(index) == COUNT


def test_a_file_replaced_by_nonsense_is_made_again(index: Index, tmp_path: Path) -> None:
    index.path.unlink()
    index.path.write_bytes(b"nonsense" * 5000)

    assert everything(index) == COUNT


def test_a_truncated_file_is_made_again(tmp_path: Path, log: ListLog, index: Index) -> None:
    index.close()
    os.truncate(index.path, index.path.stat().st_size // 3)

    assert everything(Index(tmp_path, EMBEDDER, logs=[log])) == COUNT


def test_an_empty_file_is_filled(tmp_path: Path, log: ListLog) -> None:
    (tmp_path / "index.db").touch()

    assert everything(Index(tmp_path, EMBEDDER, logs=[log])) == COUNT


def test_a_file_of_another_version_is_made_again(
    index: Index, log: ListLog, tmp_path: Path
) -> None:
    with index.writing() as connection:
        connection.execute("UPDATE meta SET value = 'other' WHERE name = 'signature'")
    index.close()

    assert everything(Index(tmp_path, EMBEDDER, logs=[log])) == COUNT


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 8))]
)
def test_garbage_in_the_middle_never_stops_a_search(
    tmp_path: Path, log: ListLog, index: Index, seed: int
) -> None:
    """Every page but the first few is hit in one of the runs of the soak, closed or open."""
    chance = random.Random(seed)
    index.close()
    size = index.path.stat().st_size
    for _ in range(12):
        overwrite(index.path, chance.randrange(size), chance.randbytes(900))
    damaged = Index(tmp_path, EMBEDDER, logs=[log])
    for word in ("tea", "bread rain", "garden music river", ""):
        damaged.search(Ask(query=word, k=50), ANNA)
    damaged.rebuild()

    assert everything(damaged) == COUNT
    assert damaged.verify() == []


def test_garbage_in_a_file_that_is_open_never_stops_a_search(index: Index) -> None:
    with index.writing() as connection:
        connection.execute("PRAGMA cache_size = 10")
    chance = random.Random(1)
    for _ in range(20):
        overwrite(index.path, chance.randrange(index.path.stat().st_size), chance.randbytes(900))
        index.search(Ask(query="tea bread", k=50), ANNA)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE blocks SET numbers = zeroblob(length(numbers)) WHERE block = 1",
        "UPDATE blocks SET bits = randomblob(length(bits)) WHERE block = 1",
        "UPDATE blocks SET count = count - 1 WHERE block = 1",
        "UPDATE vectors SET vector = randomblob(512) WHERE row = 200",
        "UPDATE vectors SET vector = randomblob(500) WHERE row = 200",
        "DELETE FROM vectors WHERE row = 200",
        "UPDATE memories SET body = randomblob(100) WHERE row = 200",
        "DROP TABLE blocks",
        "DROP TABLE memories",
        "DROP TABLE meta",
    ],
)
def test_what_cannot_be_right_is_noticed_and_made_again(
    tmp_path: Path, log: ListLog, index: Index, change: str
) -> None:
    with index.writing() as connection:
        connection.execute(change)
    index.close()
    other = Index(tmp_path, EMBEDDER, logs=[log])

    assert len(found(other, "tea and school number 200", ANNA, k=COUNT)) > 50
    assert everything(other) == COUNT
    assert other.verify() == []


def test_verify_says_so_when_the_file_is_damaged(index: Index) -> None:
    with index.writing() as connection:
        connection.execute("DROP TABLE vectors")

    assert [problem.what for problem in index.verify()]


def test_searches_go_on_while_the_file_is_deleted_again_and_again(
    index: Index, tmp_path: Path
) -> None:
    problems: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert everything(index) == COUNT
        except BaseException as error:  # noqa: BLE001 - shown by the test
            problems.append(error)

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        index.path.unlink(missing_ok=True)
        assert everything(index) == COUNT
    done.set()
    for thread in threads:
        thread.join()
    assert problems == []


SEARCHER = """
import sys
from pathlib import Path
from tests.memory.test_index_damage import ANNA, COUNT, EMBEDDER, Ask, Index, Log
log = Log(Path(sys.argv[1]))
index = Index(Path(sys.argv[2]), EMBEDDER, logs=[log])
print("ready", flush=True)
while True:
    input()
    print(len(index.search(Ask(query="", k=10 * COUNT), ANNA).results), flush=True)
"""


def test_a_process_notices_that_another_one_made_the_index_again(
    tmp_path: Path, log: ListLog
) -> None:
    real = Log(tmp_path / "events.jsonl")
    real.append(lambda _: log.events)
    index = Index(tmp_path / "index", EMBEDDER, logs=[real])
    with python(SEARCHER, real.path, tmp_path / "index") as other:
        assert line(other) == "ready"
        for _ in range(3):
            tell(other)
            assert line(other) == str(COUNT)
            index.rebuild()
            tell(other)
            assert line(other) == str(COUNT)
            assert everything(index) == COUNT
    real.close()


def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path, log: ListLog) -> None:
    script = """
import resource, signal, sys
from pathlib import Path
from tests.memory.test_index_damage import ANNA, COUNT, EMBEDDER, Ask, Index, ListLog
from paige.base.errors import Unavailable
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = ListLog()
for number in range(COUNT):
    log.add(f"tea number {number}")
index = Index(Path(sys.argv[1]), EMBEDDER, logs=[log])
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    index.search(Ask(query="tea"), ANNA)
except Unavailable as error:
    print(error.message)
"""
    said = run_python(script, tmp_path)
    assert str(tmp_path / "index.db") in said


def test_an_index_that_cannot_be_kept_is_unavailable_with_a_hint(
    tmp_path: Path, log: ListLog
) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be")
    with pytest.raises(Unavailable):
        Index(tmp_path / "taken", EMBEDDER, logs=[log]).search(Ask(query="tea"), ANNA)


def test_vectors_are_made_later_when_the_embedder_does_not_answer(tmp_path: Path) -> None:
    class Sometimes(CountingEmbedder):
        answers = False

        def embed(self, texts):
            if not self.answers:
                raise Unavailable("no answer")
            return super().embed(texts)

    log, embedder = ListLog(), Sometimes(EMBEDDER.name)
    index = Index(tmp_path, embedder, logs=[log])
    for number in range(5):
        log.add(f"tea number {number}")
    answer = index.search(Ask(query="tea"), ANNA)
    assert len(answer.results) == 5
    assert not answer.vectors
    log.add(type="forgotten", payload={"ids": [log.events[2].id]})
    embedder.answers = True
    log.add("tea at last")

    assert index.search(Ask(query="tea"), ANNA).vectors
    assert index.counts()["vectors"] == 5
    assert index.verify() == []
