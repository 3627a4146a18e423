import subprocess
import threading
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from paige.memory.access import Reader
from paige.memory.index.index import Index
from paige.memory.intake.fingerprints import fact_slot, fingerprint, text_hash
from paige.memory.log.log import Log
from paige.memory.search_values import Ask
from tests.memory.indexing import EMBEDDER, START, CountingEmbedder, ListLog, found, texts
from tests.processes import line, python, tell

ANNA = Reader(person="anna")
BEN = Reader(person="ben", projects=frozenset())


@pytest.fixture
def log() -> ListLog:
    return ListLog()


@pytest.fixture
def index(tmp_path: Path, log: ListLog) -> Index:
    return Index(tmp_path, EMBEDDER, logs=[log])


def test_what_was_just_written_is_found(index: Index, log: ListLog) -> None:
    log.add("The tomatoes need water every morning")
    log.add("The school bus leaves at eight")

    assert found(index, "when does the bus leave", ANNA, k=1) == ["The school bus leaves at eight"]
    log.add("The bus leaves at nine on Fridays")
    assert "The bus leaves at nine on Fridays" in found(index, "when does the bus leave", ANNA)


def test_a_second_index_on_the_same_file_sees_what_the_first_applied(
    tmp_path: Path, log: ListLog
) -> None:
    first = Index(tmp_path, EMBEDDER, logs=[log])
    embedder = CountingEmbedder(EMBEDDER.name)
    second = Index(tmp_path, embedder, logs=[log])
    log.add("Roses are pruned in March")
    assert found(second, "roses", ANNA) == ["Roses are pruned in March"]
    log.add("Roses are watered in June")
    first.catch_up(log)
    embedder.texts.clear()

    assert len(found(second, "roses", ANNA)) == 2
    assert "Roses are watered in June" not in embedder.texts


def test_events_are_applied_once_whoever_applies_them(tmp_path: Path, log: ListLog) -> None:
    indexes = [Index(tmp_path, EMBEDDER) for _ in range(4)]
    for number in range(300):
        log.add(f"note number {number}")
    threads = [threading.Thread(target=each.catch_up, args=[log]) for each in indexes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert indexes[0].counts()["memories"] == 300
    assert indexes[0].verify([log]) == []


def test_a_superseded_memory_is_hidden_and_found_in_the_history(index: Index, log: ListLog) -> None:
    old = log.add("The meeting is on Monday")
    log.add("The meeting is on Tuesday", supersedes=old.id)

    assert found(index, "meeting", ANNA) == ["The meeting is on Tuesday"]
    assert len(found(index, "meeting", ANNA, history=True)) == 2


def test_a_later_fact_about_the_same_thing_takes_the_place_of_the_earlier(
    index: Index, log: ListLog
) -> None:
    log.add("Anna lives in Bonn", type="fact", payload={"key": "home"})
    new = log.add("Anna lives in Kiel", type="fact", payload={"key": "Home"})

    assert found(index, "where does Anna live", ANNA) == ["Anna lives in Kiel"]
    assert index.current_fact(fact_slot(new) or "") == new.id


def test_a_fact_that_arrives_late_does_not_replace_a_newer_one(index: Index, log: ListLog) -> None:
    log.add("Anna lives in Kiel", type="fact", payload={"key": "home"})
    log.add(
        "Anna lives in Bonn", type="fact", payload={"key": "home"}, at=START - timedelta(days=9)
    )

    assert found(index, "where does Anna live", ANNA) == ["Anna lives in Kiel"]


def test_imported_facts_never_supersede(index: Index, log: ListLog) -> None:
    for town in ("Bonn", "Kiel"):
        log.add(f"Anna: {town}", type="fact", payload={"key": "home", "source": "import"})

    assert len(found(index, "Anna", ANNA)) == 2


def test_the_same_event_delivered_twice_is_shown_once(index: Index, log: ListLog) -> None:
    first = log.add("Feed the cat", at=START, session="s1")
    log.add("Feed the cat", at=START, session="s1")

    assert found(index, "cat", ANNA) == ["Feed the cat"]
    assert index.find_duplicate(fingerprint(first)) == first.id
    assert index.counts()["duplicates"] == 1


def test_every_imported_line_is_its_own_result_with_its_meta(index: Index, log: ListLog) -> None:
    for number in range(3):
        log.add("yes", at=START, payload={"source": "import", "meta": {"n": [number, None]}})

    results = index.search(Ask(query="yes"), ANNA).results
    assert [result.meta for result in results] == [{"n": [n, None]} for n in range(3)]


@pytest.mark.parametrize("kind", ["forgotten", "retracted"])
def test_what_was_removed_is_nowhere(index: Index, log: ListLog, tmp_path: Path, kind: str) -> None:
    secret = log.add("The word is xylophonequark", type="fact", payload={"key": "word"})
    for number in range(50):
        log.add(f"something else number {number}")
    assert found(index, "word xylophonequark", ANNA, k=1) == [secret.text]
    log.add(type=kind, payload={"ids": [secret.id], "of": secret.id, "reason": "asked"})

    assert secret.text not in found(index, "xylophonequark", ANNA, k=100, history=True)
    assert index.counts()["facts"] == 0
    assert index.has_id(secret.id)
    assert index.verify() == []
    if kind == "forgotten":
        everything = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert b"xylophonequark" not in everything


def test_a_forgotten_memory_does_not_come_back_with_a_rebuild(index: Index, log: ListLog) -> None:
    log.add("a secret", id="secret")
    log.add(type="forgotten", payload={"ids": ["secret"]})
    index.rebuild()

    assert found(index, "secret", ANNA, history=True) == []


def test_something_forgotten_before_it_was_read_is_never_taken_in(
    tmp_path: Path, log: ListLog
) -> None:
    other = ListLog("/project/events.jsonl")
    other.add("a secret of the project", id="secret")
    log.add(type="forgotten", payload={"ids": ["secret"]})
    index = Index(tmp_path, EMBEDDER, logs=[log, other])

    assert found(index, "secret", ANNA, history=True) == []


def test_a_memory_of_another_log_can_be_superseded_before_it_is_read(
    tmp_path: Path, log: ListLog
) -> None:
    other = ListLog("/project/events.jsonl")
    other.add("The meeting is on Monday", id="old")
    log.add("The meeting is on Tuesday", supersedes="old")
    index = Index(tmp_path, EMBEDDER, logs=[log, other])

    assert found(index, "meeting", ANNA) == ["The meeting is on Tuesday"]


def test_a_promoted_memory_is_found_where_it_is_now(index: Index, log: ListLog) -> None:
    said = log.add("Use tabs in Makefiles", scope="session", session="s1")
    assert found(index, "makefiles", BEN) == []
    log.add(type="promoted", payload={"of": said.id, "from": "session", "to": "global"})

    result = index.search(Ask(query="makefiles", scope="global"), BEN).results[0]
    assert (result.id, result.scope, result.event.scope) == (said.id, "global", "global")
    assert found(index, "makefiles", ANNA, scope="session") == []


def test_a_rescoped_memory_belongs_to_its_new_project(index: Index, log: ListLog) -> None:
    said = log.add("The gate is blue")
    log.add(type="rescoped", payload={"of": said.id, "project": "house"})

    assert found(index, "gate", ANNA, project="garden") == []
    assert found(index, "gate", ANNA, project="house") == ["The gate is blue"]


def test_recalls_are_counted_and_remembered_for_the_session(index: Index, log: ListLog) -> None:
    said = log.add("The gate is blue")
    log.add(type="recalled", session="s7", payload={"ids": [said.id], "query": "gate"})

    assert index.recently_recalled("s7", text_hash("the gate  is BLUE"))
    assert not index.recently_recalled("s8", text_hash("The gate is blue"))
    with_use = index.search(Ask(query="gate"), ANNA).results[0]
    assert with_use.why["access"] > 0


def test_a_score_changes_the_importance(index: Index, log: ListLog) -> None:
    said = log.add("The gate is blue")
    log.add(type="importance", payload={"scores": {said.id: 0.9}, "reason": "used"})

    assert index.search(Ask(query="gate"), ANNA).results[0].why["importance"] > 0


def test_a_summary_moves_what_it_sums_up_to_another_tier(index: Index, log: ListLog) -> None:
    said = log.add("The gate is blue")
    log.add("Gates and colours", type="summary", payload={"of": [said.id], "tier": "warm"})
    index.catch_up(log)

    with index.reading() as connection:
        rows = connection.execute("SELECT id, tier FROM memories ORDER BY row").fetchall()
    assert rows == [(said.id, "warm"), (log.events[1].id, "hot")]


def test_answers_are_counted(index: Index, log: ListLog) -> None:
    log.add(
        "Which editor? Vim.",
        type="qa",
        payload={"question": "Which editor?", "answer": "Vim", "confidence": 0.9},
    )

    index.catch_up(log)
    assert index.counts()["qa"] == 1


def test_a_log_that_was_cut_and_went_on_is_read_from_the_start(index: Index, log: ListLog) -> None:
    for number in range(3):
        log.add(f"apple {number}")
    index.catch_up(log)
    del log.events[1:]
    log.add("pear one", id="new-2")
    log.add("pear two", id="new-3")
    log.add("pear three", id="new-4")

    assert set(found(index, "apple pear", ANNA)) == {
        "apple 0",
        "pear one",
        "pear two",
        "pear three",
    }


def test_a_log_that_became_shorter_is_read_from_the_start(index: Index, log: ListLog) -> None:
    for number in range(3):
        log.add(f"apple {number}")
    index.catch_up(log)
    del log.events[1:]

    assert found(index, "apple", ANNA) == ["apple 0"]


def test_verify_notices_what_is_missing(index: Index, log: ListLog) -> None:
    log.add("The gate is blue")
    log.add("The gate is green")
    index.catch_up(log)
    assert index.verify() == []
    log.events[0] = log.add("another", id="other")
    with index.writing() as connection:
        connection.execute("DELETE FROM vectors WHERE row = 1")
    problems = " ".join(problem.what for problem in index.verify())

    assert "the log has" in problems
    assert "not in the index" in problems
    assert "vectors" in problems


def test_another_embedder_makes_all_vectors_again(tmp_path: Path, log: ListLog) -> None:
    log.add("The gate is blue")
    Index(tmp_path, EMBEDDER, logs=[log]).catch_up_all()
    other = CountingEmbedder(dimension=100)
    index = Index(tmp_path, other, logs=[log])

    assert found(index, "blue gates", ANNA) == ["The gate is blue"]
    assert "The gate is blue" in other.texts
    assert index.verify() == []


def test_without_an_embedder_words_are_found_and_vectors_stay_as_they_are(
    tmp_path: Path, log: ListLog
) -> None:
    log.add("The gate is blue")
    Index(tmp_path, EMBEDDER, logs=[log]).catch_up_all()
    wordless = Index(tmp_path, None, logs=[log])
    log.add("The gate is green")
    answer = wordless.search(Ask(query="gate"), ANNA)
    assert len(answer.results) == 2
    assert not answer.vectors

    index = Index(tmp_path, EMBEDDER, logs=[log])
    log.add("The gate is red")
    assert len(found(index, "gate", ANNA)) == 3
    assert index.counts()["vectors"] == 3


def test_a_session_and_a_speaker_narrow_a_search(index: Index, log: ListLog) -> None:
    log.add("I like tea", type="turn", session="s1", payload={"speaker": "Mo"})
    log.add("I like tea too", type="turn", session="s1", payload={"speaker": "Li"})
    log.add("Tea is hot", type="turn", session="s2", payload={"speaker": "Mo"})

    assert found(index, "tea", ANNA, session="s2") == ["Tea is hot"]
    assert set(found(index, "tea", ANNA, speaker="Mo")) == {"I like tea", "Tea is hot"}
    assert found(index, "tea", ANNA, session="s1", speaker="Li") == ["I like tea too"]


def test_types_and_scopes_narrow_a_search(index: Index, log: ListLog) -> None:
    log.add("tea as a note")
    log.add("tea as a fact", type="fact", scope="global")

    assert found(index, "tea", ANNA, types=("fact", "qa")) == ["tea as a fact"]
    assert found(index, "tea", ANNA, scope="project") == ["tea as a note"]


@pytest.mark.parametrize(
    "query", ["", "?!", '"', "tea AND (", "NEAR(", "a-b c:d *", "'", "ก็ ไม่", "𞤀a𞤁", "x" * 5000]
)
def test_no_query_is_an_error(index: Index, log: ListLog, query: str) -> None:
    log.add("tea ก็ ไม่")
    index.search(Ask(query=query), ANNA)


def test_something_unrelated_is_not_an_answer(index: Index, log: ListLog) -> None:
    log.add("The tomatoes need water")

    assert found(index, "xyzzy", ANNA) == []


def test_the_newest_come_first_when_nothing_is_asked(index: Index, log: ListLog) -> None:
    log.add("old", at=START - timedelta(days=400))
    log.add("new", at=START)

    assert found(index, "", ANNA) == ["new", "old"]


def test_many_threads_search_while_one_writes(index: Index, log: ListLog) -> None:
    log.add("start tea")
    problems: list[Exception] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert index.search(Ask(query="tea"), ANNA).results
        except Exception as error:  # noqa: BLE001 - shown by the test
            problems.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(40):
        log.add(f"tea number {number}")
        assert len(found(index, "tea", ANNA, k=100)) == number + 2
    done.set()
    for thread in threads:
        thread.join()
    assert problems == []


FOLLOWER = """
import sys
from pathlib import Path
from paige.memory.access import Reader
from paige.memory.embedding import StaticEmbedder
from paige.memory.index.index import Index
from paige.memory.log.log import Log
from paige.memory.search_values import Ask
log = Log(Path(sys.argv[1]))
index = Index(Path(sys.argv[2]), StaticEmbedder(), logs=[log])
print("ready", flush=True)
while True:
    query = input()
    print(len(index.search(Ask(query=query, k=10000), Reader(person="anna")).results), flush=True)
"""


def test_processes_find_what_others_wrote_to_a_real_log(tmp_path: Path) -> None:
    log = Log(tmp_path / "events.jsonl")
    source = ListLog()
    with python(FOLLOWER, log.path, tmp_path / "index") as other, closing(log):
        assert line(other) == "ready"
        for count in range(1, 4):
            event = source.add(f"tea number {count}")
            log.append(lambda _, event=event: [event])
            tell(other, "tea")
            assert line(other) == str(count)


def test_a_killed_process_leaves_an_index_that_another_completes(tmp_path: Path) -> None:
    log = Log(tmp_path / "events.jsonl")
    source = ListLog()
    events = [source.add(f"tea number {n}", session=f"s{n % 7}") for n in range(6000)]
    log.append(lambda _: events)
    for _ in range(3):
        with python(FOLLOWER, log.path, tmp_path / "index") as other:
            assert line(other) == "ready"
            tell(other, "tea")
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(timeout=0.2)
            other.kill()
    index = Index(tmp_path / "index", EMBEDDER, logs=[log])

    assert len(texts(index.search(Ask(query="tea", k=10_000), ANNA).results)) == 6000
    assert index.verify() == []
    log.close()
