import os
import subprocess
import sys
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from paige.base.clock import to_iso
from paige.base.errors import Unavailable
from paige.base.platform import process_start
from paige.memory.lifecycle.held_memory import HeldMemory
from paige.memory.lifecycle.maintenance import (
    FIRST,
    JOBS,
    WHEN,
    Limits,
    MaintenanceReport,
    MemoryParts,
    current_book,
    cycle_stats,
    lease,
    ledger_path,
    maintain,
)
from tests import nursery
from tests.memory.life import DAY, LIFE, NOON, SmallMemory


def parts(memory: SmallMemory, folder: Path, **changes: Any) -> MemoryParts:
    fields: dict[str, Any] = {
        "folder": folder / "memory",
        "logs": memory.logs,
        "reading": memory,
        "write": memory.write,
        "lifecycle": LIFE,
        "catch_up": lambda _: 0,
        "erase": memory.erase,
    }
    return MemoryParts(**{**fields, **changes})


def states(report: MaintenanceReport) -> dict[str, str]:
    return {
        each.job: "failed" if each.failed else "skipped" if each.skipped else "ran"
        for each in report.jobs
    }


def lived(memory: SmallMemory) -> None:
    """A session with something to do for most jobs."""
    memory.add("likes tabs", type="preference", payload={"key": "indent"}, project="p1")
    for number in range(6):
        memory.add(f"Ada changed file {number} today.", type="turn", project="p1")
    for _ in range(3):
        memory.add("", type="recalled", payload={"ids": ["e1"]})
    memory.add("", type="outcome", payload={"success": True, "recalled": ["e1"]})


def test_the_end_of_a_session_organises_and_a_second_run_finds_nothing(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    mine = parts(memory, tmp_path)
    report = maintain(mine, "session_end", now=NOON, session="s1")
    assert report.failures == {}
    written = [each.type for each in memory.events[11:]]
    assert written == ["importance", "summary", "promoted", "preference", "promoted"]
    again = maintain(mine, "session_end", now=NOON, session="s1")
    assert again.written == 0


def test_each_trigger_runs_its_jobs_in_order() -> None:
    assert set(WHEN["compact"]) == {*FIRST, *JOBS}
    for jobs in WHEN.values():
        assert jobs[: len(FIRST)] == FIRST
        order = [list(JOBS).index(job) for job in jobs if job in JOBS]
        assert order == sorted(order)


def test_a_lost_ledger_is_made_again_and_nothing_is_written_twice(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    mine = parts(memory, tmp_path)
    maintain(mine, "compact", now=NOON, session="s1")
    count = len(memory.events)
    ledger_path(mine.folder).unlink()
    maintain(mine, "compact", now=NOON, session="s1")
    assert len(memory.events) == count


def test_a_replaced_log_is_read_from_the_start(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    maintain(parts(memory, tmp_path), "session_start", now=NOON)
    other = SmallMemory()
    other.add("something else", id="x1")
    mine = parts(other, tmp_path)
    assert cycle_stats(mine, now=NOON).events == 1


def test_a_failing_job_is_recorded_and_the_others_run(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)

    class Broken(SmallMemory):
        def newest(self, types: Collection[str], limit: int) -> list[HeldMemory]:
            raise ZeroDivisionError("no such thing")

    broken = Broken(events=memory.events)

    def drain(_: int) -> int:
        raise Unavailable("The spool cannot be read")

    report = maintain(parts(broken, tmp_path, drain=drain), "compact", now=NOON, session="s1")
    assert report.failures == {
        "drain": "The spool cannot be read",
        "decay": "ZeroDivisionError: no such thing",
        "promote_project": "ZeroDivisionError: no such thing",
    }
    assert states(report)["retention"] == "ran"
    assert "drain              failed: The spool cannot be read" in report.lines()


def test_jobs_that_write_wait_until_the_index_has_read_everything(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    clock = iter([False] * 6 + [True] * 100)

    def catch_up(most: int) -> int:
        return most  # there is always more

    report = maintain(
        parts(memory, tmp_path, catch_up=catch_up),
        "session_end",
        now=NOON,
        session="s1",
        limits=Limits(expired=lambda: next(clock)),
    )
    assert report.written == 0
    assert report.more
    failing = parts(memory, tmp_path, catch_up=lambda _: 1 // 0)
    report = maintain(failing, "session_end", now=NOON, session="s1")
    assert states(report)["promote_session"] == "skipped"


def test_time_that_is_up_skips_what_is_left_and_the_next_run_goes_on(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    mine = parts(memory, tmp_path)
    clock = iter([False] * 5 + [True] * 100)
    limits = Limits(expired=lambda: next(clock))
    report = maintain(mine, "compact", now=NOON, session="s1", limits=limits)
    assert states(report)["policy"] == "skipped"
    assert report.more
    maintain(mine, "compact", now=NOON, session="s1")
    assert len(memory.of_type("summary")) == 1


def test_spool_index_and_outbox_are_asked_first(tmp_path: Path) -> None:
    memory = SmallMemory()
    asked: list[tuple[str, int]] = []

    def job(name: str, done: int) -> Any:
        def work(most: int) -> int:
            asked.append((name, most))
            return done

        return work

    mine = parts(
        memory, tmp_path, drain=job("drain", 3), catch_up=job("index", 0), outbox=job("outbox", 1)
    )
    report = maintain(mine, "session_start", now=NOON, limits=Limits(events=50))
    assert asked == [("drain", 50), ("index", 50), ("outbox", 50)]
    assert report.jobs[0].did.seen == 3


def test_who_finds_a_living_lease_leaves_at_once(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    mine = parts(memory, tmp_path)
    maintain(mine, "session_start", now=NOON)
    with lease(mine.folder / "cycle.lease", NOON) as holder:
        assert holder is None
        report = maintain(mine, "compact", now=NOON)
        assert report.busy == f"process {os.getpid()} is doing this already"
        assert report.jobs == ()
    assert maintain(mine, "compact", now=NOON).busy is None


def test_the_lease_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    path = tmp_path / "cycle.lease"
    until = to_iso(NOON + DAY)
    dead = {"pid": int(done.stdout), "start": "1", "until": until}
    for content in (orjson.dumps(dead), b"{", b""):
        path.write_bytes(content)
        with lease(path, NOON) as holder:
            assert holder is None


def test_a_lease_ends_after_its_time_even_when_its_process_lives(tmp_path: Path) -> None:
    path = tmp_path / "cycle.lease"
    mine = {"pid": os.getpid(), "start": process_start(os.getpid()), "until": to_iso(NOON)}
    path.write_bytes(orjson.dumps(mine))
    with lease(path, NOON - timedelta(seconds=1)) as holder:
        assert holder == os.getpid()
    with lease(path, NOON) as holder:
        assert holder is None
    assert not path.exists()


CONTEND = """
import sys
from pathlib import Path
from paige.memory.lifecycle.maintenance import lease
from paige.base.clock import from_iso
print("ready", flush=True)
sys.stdin.readline()
with lease(Path(sys.argv[1]), from_iso(sys.argv[2])) as holder:
    print("busy" if holder else "mine", flush=True)
    sys.stdin.readline()
"""


def test_of_several_processes_exactly_one_gets_the_lease(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CONTEND, str(tmp_path / "cycle.lease"), to_iso(NOON)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    racers = [nursery.start(command, **pipes) for _ in range(4)]  # type: ignore[call-overload]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    words = [racer.stdout.readline().strip() for racer in racers]
    for racer in racers:
        racer.communicate("\n")
    assert sorted(words) == ["busy", "busy", "busy", "mine"]


def test_the_policy_in_force_is_known_without_a_run(tmp_path: Path) -> None:
    memory = SmallMemory()
    for number in range(60):
        payload = {"success": number % 2 == 0}
        memory.add("", type="outcome", payload=payload, session=f"s{number}")
    mine = parts(memory, tmp_path)
    assert current_book(mine.folder, LIFE).lineages == {}
    maintain(mine, "session_start", now=NOON)
    maintain(mine, "session_start", now=NOON)
    book = current_book(mine.folder, LIFE)
    assert [line.stage for line in book.history()] == ["production", "experiment"]


def test_statistics_come_from_events_alone(tmp_path: Path) -> None:
    memory = SmallMemory()
    lived(memory)
    mine = parts(memory, tmp_path)
    assert [each.phase for each in cycle_stats(mine, now=NOON).cycle if not each.ran] == [
        "organise",
        "improve",
    ]
    maintain(mine, "session_end", now=NOON, session="s1")
    stats = cycle_stats(mine, now=NOON)
    assert stats.cycle_complete
    assert stats.events == len(memory.events)


@pytest.mark.parametrize("trigger", list(WHEN))
def test_nothing_to_do_is_not_an_error(tmp_path: Path, trigger: Any) -> None:
    report = maintain(parts(SmallMemory(), tmp_path, catch_up=None), trigger, now=NOON)
    assert report.failures == {}
    assert report.written == 0
    assert replace(report, trigger="stop").trigger == "stop"


class Killed(BaseException):
    """The end of a process, as far as its code can see it."""


@pytest.mark.parametrize("after", range(5))
def test_a_run_that_is_killed_anywhere_is_made_good_by_the_next(tmp_path: Path, after: int) -> None:
    whole, cut = SmallMemory(), SmallMemory()
    lived(whole)
    lived(cut)
    maintain(parts(whole, tmp_path / "whole"), "compact", now=NOON, session="s1")
    calls = iter(range(100))

    def write(drafts: Any) -> Any:
        taken = cut.write(drafts)
        if next(calls) >= after:
            raise Killed  # after the log has it, before anybody else knows
        return taken

    mine = parts(cut, tmp_path / "cut")
    try:
        maintain(replace(mine, write=write), "compact", now=NOON, session="s1")
    except Killed:
        assert not ledger_path(mine.folder).exists()
    for _ in range(2):
        maintain(mine, "compact", now=NOON, session="s1")
    kinds = [sorted((each.type, each.id) for each in m.events) for m in (whole, cut)]
    assert kinds[1] == kinds[0]


def test_running_until_nothing_is_left_ends(tmp_path: Path) -> None:
    memory = SmallMemory()
    for session in range(8):
        for number in range(6):
            memory.add(f"step {number} of {session}", type="turn", session=f"s{session}")
    mine = parts(memory, tmp_path)
    later, limits = NOON + 30 * DAY, Limits(events=20)
    written = [maintain(mine, "compact", now=later, limits=limits).written for _ in range(30)]
    assert sum(written) > 8
    assert sum(written[15:]) == 0
    assert {each.tier for each in memory.all() if each.event.type == "turn"} == {"cold"}
