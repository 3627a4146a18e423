import os
import stat
import threading
from pathlib import Path

import pytest

from paige.base.errors import BadInput, Unavailable
from paige.memory.log.log import Log
from paige.memory.log.segments import full_segments
from tests.memory.log_writer import add, event, kinds, texts
from tests.processes import line, obeying_permissions, python, run_python, tell

SMALL = 1500  # bytes of a segment: two or three events


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory" / "events.jsonl"


def test_events_come_back_in_order_with_gapless_numbers(path: Path) -> None:
    log = Log(path)
    assert [each.seq for each in add(log, "a", "b")] == [1, 2]
    assert [each.seq for each in add(log, "c")] == [3]
    assert texts(log) == ["a", "b", "c"]
    assert texts(log, after=2) == ["c"]
    assert [each.text for each in log.read(1, limit=1)] == ["b"]
    assert log.last_seq() == Log(path).last_seq() == 3
    assert log.verify().ok
    assert log.verify().events == 3


def test_an_empty_log_has_nothing(path: Path) -> None:
    log = Log(path)
    assert (texts(log), log.last_seq(), log.foreign()) == ([], 0, [])
    assert log.verify().ok
    assert not path.parent.exists()


def test_making_nothing_or_failing_writes_nothing(path: Path) -> None:
    log = Log(path)
    add(log, "a")
    assert log.append(lambda seq: []) == []
    with pytest.raises(RuntimeError):
        log.append(lambda seq: [][seq] if seq < 0 else raising())
    with pytest.raises(ValueError, match="event 7 stands where 2 belongs"):
        log.append(lambda seq: [event(7)])
    assert texts(log) == ["a"]
    assert [each.seq for each in add(log, "b")] == [2]


def raising() -> list:
    raise RuntimeError


def test_what_is_being_made_may_read_the_log(path: Path) -> None:
    log, other = Log(path), Log(path)
    add(log, "a")
    log.append(lambda seq: [event(seq, "+".join([*texts(log), *texts(other)]))])
    assert texts(log) == ["a", "a+a"]


def test_files_are_private_and_missing_folders_are_made(path: Path) -> None:
    log = Log(path, segment_bytes=SMALL)
    for number in range(6):
        add(log, f"text {number}")
    modes = {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_symlink_leads_to_the_same_log(path: Path, tmp_path: Path) -> None:
    log = Log(path, segment_bytes=SMALL)
    (tmp_path / "link.jsonl").symlink_to(path)
    linked = Log(tmp_path / "link.jsonl", segment_bytes=SMALL)
    for number in range(8):
        add(linked if number % 2 else log, f"{number}")
    linked.forget(["e2"])
    assert texts(log) == texts(linked) == ["0", "", *(f"{n}" for n in range(2, 8))]
    assert (tmp_path / "link.jsonl").is_symlink()
    assert log.verify().ok


def test_full_segments_are_renamed_and_the_chain_goes_on(path: Path) -> None:
    log = Log(path, segment_bytes=SMALL)
    for number in range(20):
        add(log, f"{number}")
    names = [each.path.name for each in full_segments(path)]
    assert names[:2] == ["events-000000000001.jsonl", "events-000000000004.jsonl"]
    fresh = Log(path, segment_bytes=SMALL)
    assert fresh.last_seq() == 20
    for after in range(21):
        assert texts(fresh, after) == texts(log, after) == [f"{n}" for n in range(after, 20)]
    assert fresh.verify() == log.verify()
    assert (log.verify().events, log.verify().ok) == (20, True)


@pytest.mark.parametrize("new_file", [False, True])
def test_a_crash_while_a_new_segment_is_started_is_recovered(path: Path, new_file: bool) -> None:
    add(Log(path), "a", "b")
    path.rename(path.with_name("events-000000000001.jsonl"))
    if new_file:
        path.touch()
    log = Log(path)
    assert texts(log) == ["a", "b"]
    assert log.last_seq() == 2
    assert [each.seq for each in add(log, "c")] == [3]
    assert texts(Log(path)) == ["a", "b", "c"]
    assert log.verify().ok


def test_others_rotating_and_forgetting_are_noticed(path: Path) -> None:
    log, other = Log(path, segment_bytes=SMALL), Log(path, segment_bytes=SMALL)
    said = []
    for number in range(30):
        add((log, other)[number % 2], f"{number}")
        said.append(f"{number}")
        if number % 5 == 4:
            (other, log)[number % 2].forget([f"e{number}"])
            said[number - 1] = ""
        assert texts(log) == texts(other) == said
        assert log.last_seq() == other.last_seq() == number + 1
    assert log.verify().ok


def test_an_older_file_in_the_way_of_a_new_segment_is_kept(path: Path) -> None:
    log = Log(path, segment_bytes=SMALL)
    add(log, *"abcd")
    kept = path.with_name("events-000000000001.jsonl")
    kept.write_text('{"note":"mine"}\n')
    add(log, "e")
    assert kept.read_text() == '{"note":"mine"}\n'
    assert texts(log) == [*"abcde"]


def test_another_process_reads_what_was_just_written(path: Path) -> None:
    script = """
import sys
from pathlib import Path
from tests.memory.log_writer import Log, add, texts
log = Log(Path(sys.argv[1]), segment_bytes=1500)
print("ready", flush=True)
while (word := input()) != "end":
    print(*texts(log, int(word)), flush=True)
    add(log, f"heard{word}")
    print("written", flush=True)
"""
    log = Log(path, segment_bytes=SMALL)
    with python(script, path) as process:
        assert line(process) == "ready"
        for number in range(0, 20, 2):
            add(log, f"said{number}")
            tell(process, str(number))
            assert line(process) == f"said{number}"
            assert line(process) == "written"
            assert texts(log, number + 1) == [f"heard{number}"]
        tell(process, "end")
    assert log.verify().ok


def test_threads_share_a_log(path: Path) -> None:
    log = Log(path, segment_bytes=20_000)
    seen: list[list[str]] = []

    def write(name: str) -> None:
        for number in range(25):
            add(log, f"{name}{number}")
            seen.append(texts(log))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = texts(log)
    assert sorted(everything) == sorted(f"{name}{n}" for name in "abcd" for n in range(25))
    assert all(everything[: len(each)] == each for each in seen)
    assert log.verify().ok


def test_reading_the_end_of_a_long_log_reads_little_of_it(path: Path) -> None:
    log = Log(path)
    for _ in range(10):
        log.append(lambda seq: [event(seq + i, "word " * 30) for i in range(1000)])
    fresh = Log(path)
    before = bytes_read()
    assert [each.seq for each in fresh.read(9990)] == list(range(9991, 10001))
    assert bytes_read() - before < path.stat().st_size / 10
    before = bytes_read()
    assert [each.seq for each in fresh.read(9995)] == list(range(9996, 10001))
    assert bytes_read() - before < 100_000


def bytes_read() -> int:
    """What this process has read so far, from disk or memory."""
    return int(Path("/proc/self/io").read_text().split("rchar:")[1].split()[0])


def test_a_path_that_is_a_folder_is_explained(tmp_path: Path) -> None:
    log = Log(tmp_path)
    for attempt in (lambda: add(log, "a"), log.last_seq, log.verify, lambda: texts(log)):
        with pytest.raises(BadInput, match="is not a file") as caught:
            attempt()
        assert caught.value.hint == "Name a file for the memory, or move what is there away."


def test_a_folder_that_is_a_file_is_explained(tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("")
    log = Log(tmp_path / "memory" / "events.jsonl")
    with pytest.raises(Unavailable, match="could not be written"):
        add(log, "a")
    with pytest.raises(Unavailable, match="could not be read"):
        log.last_seq()


ATTEMPT = """
import sys
from pathlib import Path
from paige.base.errors import PaigeError
from tests.memory.log_writer import Log, add, texts
log = Log(Path(sys.argv[1]))
for attempt in (lambda: texts(log), lambda: add(log, "b")):
    try:
        print(attempt())
    except PaigeError as error:
        print(type(error).__name__, error.message, error.hint)
"""


def test_a_file_that_may_not_be_read_is_explained(path: Path) -> None:
    add(Log(path), "a")
    path.chmod(0)
    said = run_python(ATTEMPT, path, prefix=obeying_permissions()).splitlines()
    assert said == [
        f"Refused `{path}` may not be read: Permission denied Check who owns the file.",
        f"Refused `{path}` may not be written: Permission denied Check who owns the folder.",
    ]


def test_a_read_only_log_can_be_read_and_writing_is_explained(path: Path) -> None:
    add(Log(path), "a")
    path.chmod(0o400)
    said = run_python(ATTEMPT, path, prefix=obeying_permissions()).splitlines()
    assert said == [
        "['a']",
        f"Refused `{path}` may not be written: Permission denied Check who owns the folder.",
    ]
    path.chmod(0o600)
    path.with_name("events.jsonl.lock").chmod(0o400)
    path.parent.chmod(0o500)
    said = run_python(ATTEMPT, path, prefix=obeying_permissions()).splitlines()
    path.parent.chmod(0o700)
    assert said[0] == "['a']"
    assert said[1].startswith(f"Refused `{path}` may not be written")


def test_a_deleted_lock_file_is_made_again_and_everyone_uses_it(path: Path) -> None:
    log, other = Log(path), Log(path)
    add(log, "a")
    add(other, "b")
    path.with_name("events.jsonl.lock").unlink()
    entered = threading.Event()

    def make(seq: int) -> list:
        entered.set()
        return [event(seq, "from a thread")]

    def wait(seq: int) -> list:
        thread.start()
        return [event(seq, "seen" if entered.is_set() else "alone")]

    thread = threading.Thread(target=lambda: other.append(make))
    log.append(wait)
    thread.join()
    assert texts(log) == ["a", "b", "alone", "from a thread"]
    assert log.verify().ok


def test_a_forked_process_does_not_share_the_lock_of_its_parent(path: Path) -> None:
    script = """
import os, sys
from pathlib import Path
from tests.memory.log_writer import Log, add
log = Log(Path(sys.argv[1]))
add(log, "parent")
child = os.fork()
for number in range(100):
    add(log, f"{child == 0} {number}", id=f"{child == 0}-{number}")
if child:
    os.waitpid(child, 0)
    add(log, "end")
    print(log.last_seq(), log.verify().problems)
"""
    assert run_python(script, path) == "202 []"


def test_a_log_can_be_closed_and_used_again(path: Path) -> None:
    log = Log(path)
    add(log, "a")
    handles = len(os.listdir("/proc/self/fd"))
    log.close()
    assert len(os.listdir("/proc/self/fd")) == handles - 2
    add(log, "b")
    assert texts(log) == ["a", "b"]
    assert kinds(log) == []
