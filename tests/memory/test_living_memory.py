"""The life cycle over the real log, broker and index."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.base.actor import Actor
from paige.language.names.gate import NameGate
from paige.memory.event import AgentRef, Draft, Event
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.lifecycle.job_run import as_owners
from paige.memory.lifecycle.maintenance import (
    MaintenanceReport,
    MemoryParts,
    Trigger,
    current_book,
    cycle_stats,
    ledger_path,
    maintain,
)
from paige.memory.lifecycle.outcomes import Outcome, outcome_draft
from paige.memory.lifecycle.queries import HeldMemories
from paige.memory.lifecycle.retention import Forget, forget, plan_forgetting
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from paige.memory.log.table_log import TableLog
from paige.store.engine import Database
from tests.memory.life import DAY, LIFE, NOON

pytestmark = pytest.mark.db


@dataclass
class Living:
    """A memory made of the real parts."""

    folder: Path
    log: KeptLog
    index: Index
    now: datetime = NOON
    count: int = 0

    def __post_init__(self) -> None:
        self.broker = Broker(
            self.log,
            self.index,
            now=lambda: self.now,
            randomness=self._randomness,
            names=NameGate(),
        )

    def _randomness(self, size: int) -> bytes:
        self.count += 1
        return (self.count.to_bytes(10) * (size // 10 + 1))[:size]

    def parts(self) -> MemoryParts:
        return MemoryParts(
            folder=self.folder / "cycle",
            logs=lambda: {"main": self.log},
            reading=HeldMemories(self.index),
            write=as_owners(self.broker.remember, "me"),
            lifecycle=LIFE,
            catch_up=lambda most: self.index.catch_up(self.log, limit=most),
            erase=self.log.forget,
        )

    def maintain(self, trigger: Trigger, session: str | None = None) -> MaintenanceReport:
        report = maintain(self.parts(), trigger, now=self.now, session=session)
        assert report.failures == {}
        assert report.refused == ()
        self.index.catch_up(self.log)
        return report

    def add(self, text: str, *, writer: Writer | None = None, **fields: Any) -> RememberResult:
        draft = Draft(text=text, **{"scope": "session", "session": "s1", **fields})
        (result,) = self.broker.remember([draft], writer or Writer())
        assert result.status == "stored", result.reason
        self.index.catch_up(self.log)
        return result

    def events(self, *types: str) -> list[Event]:
        return [each for each in self.log.read() if not types or each.type in types]

    def tiers(self, type: str) -> set[str]:
        page = HeldMemories(self.index).aged(NOON + 9000 * DAY, after=0, limit=1000)
        return {each.tier for each in page.held if each.event.type == type}


@pytest.fixture
def memory(tmp_path: Path, db: Database) -> Iterator[Living]:
    """With SQLite the log is a file, with PostgreSQL a table: the life is the same."""
    log = Log(tmp_path / "events.jsonl")
    if db.kind == "postgresql":
        log = TableLog(db, Actor(), now=lambda: NOON)
    with closing(Index(tmp_path / "index", None)) as index:
        yield Living(tmp_path, log, index)


def lived(memory: Living) -> str:
    """A session with turns, a preference that helped, and outcomes."""
    for number in range(6):
        text = f"In step {number} the parser module got {number + 3} new tests."
        memory.add(text, type="turn", project="p1", payload={"speaker": "user"})
        memory.now += timedelta(minutes=1)
    liked = memory.add(
        "prefers tabs", type="preference", project="p1", payload={"key": "indent"}
    ).id
    assert liked
    for number in range(4):
        memory.add("", type="recalled", payload={"ids": [liked], "query": f"indent {number}"})
        outcome = Outcome(at=memory.now, success=number > 0, recalled=(liked,), session="s1")
        memory.broker.remember([outcome_draft(outcome, task=f"task {number}")], Writer())
        memory.now += timedelta(minutes=1)
    return liked


def test_a_session_is_organised_and_the_cycle_is_complete(memory: Living) -> None:
    liked = lived(memory)
    memory.maintain("session_end", "s1")
    reading = HeldMemories(memory.index)
    (said,) = reading.get([liked])
    assert (said.recalls, said.current) == (4, False)
    assert said.importance > said.event.importance
    (kept,) = reading.newest(("preference",), 10)
    assert (kept.event.scope, kept.event.project, kept.event.text) == (
        "project",
        "p1",
        "prefers tabs",
    )
    assert (kept.importance, kept.event.at) == (said.importance, said.event.at)
    (summary,) = memory.events("summary")
    assert summary.payload["tier"] == "hot"
    assert memory.tiers("turn") == {"hot"}
    stats = cycle_stats(memory.parts(), now=memory.now)
    assert stats.cycle_complete
    assert stats.events == memory.log.last_seq()


def test_running_everything_again_writes_nothing(memory: Living) -> None:
    lived(memory)
    memory.maintain("compact", "s1")
    memory.maintain("compact", "s1")
    count = memory.log.last_seq()
    memory.maintain("compact", "s1")
    assert memory.log.last_seq() == count
    ledger_path(memory.parts().folder).unlink()
    memory.maintain("compact", "s1")
    assert memory.log.last_seq() == count


def test_a_rebuilt_index_says_the_same(memory: Living) -> None:
    liked = lived(memory)
    memory.maintain("compact", "s1")
    memory.now += 60 * DAY
    memory.maintain("compact")
    reading = HeldMemories(memory.index)
    before = reading.aged(memory.now + DAY, after=0, limit=1000).held
    memory.index.rebuild([memory.log])
    assert reading.aged(memory.now + DAY, after=0, limit=1000).held == before
    assert liked in {each.id for each in before}
    count = memory.log.last_seq()
    memory.maintain("compact")
    assert memory.log.last_seq() == count


def test_turns_leave_the_near_memory_with_a_summary_and_stay_in_the_log(memory: Living) -> None:
    lived(memory)
    memory.maintain("session_end", "s1")
    memory.now += 20 * DAY
    memory.maintain("compact")
    assert memory.tiers("turn") == {"cold"}
    assert {each.payload["boundary"] for each in memory.events("summary")} == {
        "session end",
        "retention",
    }
    assert len(memory.events("turn")) == 6
    assert memory.log.verify().ok


def test_a_stated_warning_holds_for_a_while_and_is_then_retired(memory: Living) -> None:
    stated = memory.add("that API does not sort", type="anti_pattern", scope="global")
    memory.now += 60 * DAY
    memory.maintain("compact")
    assert memory.events("retracted") == []
    memory.now += 60 * DAY
    memory.add("that API does not sort", type="anti_pattern", scope="global")
    memory.maintain("compact")
    assert [each.payload["of"] for each in memory.events("retracted")] == [[stated.id]]
    [left] = HeldMemories(memory.index).newest(("anti_pattern",), 10)
    assert left.event.at == memory.now


def test_each_job_writes_as_the_owner_and_keeps_it_private(memory: Living) -> None:
    for person in ("me", "bo"):
        agent = AgentRef(id=f"agent-of-{person}")
        for number in range(3):
            memory.add(
                f"run tests in a{number}.py",
                writer=Writer(person=person, agent=agent),
                type="episode",
                scope="agent",
                task=f"run tests in a{number}.py",
                outcome="failure",
                payload={"tool": "pytest"},
            )
            memory.now += timedelta(minutes=1)
    memory.maintain("compact")
    found = memory.events("anti_pattern")
    assert {(each.owner, each.scope, each.agent.id) for each in found} == {
        ("me", "agent", "agent-of-me"),
        ("bo", "agent", "agent-of-bo"),
    }
    agent = AgentRef(id="agent-of-bo")
    memory.add(
        "run tests in z.py",
        writer=Writer(person="bo", agent=agent),
        type="episode",
        scope="agent",
        task="run tests in z.py",
        outcome="failure",
        payload={"tool": "pytest"},
    )
    memory.now += timedelta(minutes=1)
    memory.maintain("compact")
    assert [each.owner for each in memory.events("anti_pattern")] == ["me", "bo", "bo"]
    assert memory.events("anti_pattern")[-1].supersedes is not None
    memory.now += 300 * DAY
    memory.maintain("compact")
    assert len(memory.events("retracted")) == 2


def test_class_notes_are_summarised_within_their_class(memory: Living) -> None:
    for class_id in ("2A", "3B"):
        for number in range(5):
            memory.add(
                f"the lesson on loops took {number + 40} minutes",
                scope="class",
                session=None,
                payload={"class_id": class_id},
            )
            memory.now += timedelta(minutes=1)
    memory.now += 60 * DAY
    memory.maintain("compact")
    found = memory.events("summary")
    assert sorted(str(each.class_id) for each in found) == ["2A", "3B"]
    assert {each.scope for each in found} == {"class"}


def test_what_is_forgotten_is_gone_from_summaries_too(memory: Living) -> None:
    lived(memory)
    secret = memory.add("the parser tests need the code word Rumpelstilz", type="turn").id
    assert secret
    memory.maintain("compact", "s1")
    memory.now += 20 * DAY
    memory.maintain("compact")
    plan = plan_forgetting(
        memory.log.read, Forget(ids=frozenset({secret})), lambda each: each.owner == "me"
    )
    lines = forget(plan, lambda draft: memory.broker.remember([draft], Writer()), memory.log.forget)
    memory.index.catch_up(memory.log)
    assert lines == len(plan.going)
    assert not any(b"Rumpelstilz" in line for _, line in memory.log.lines())
    assert memory.log.verify().ok
    count = memory.log.last_seq()
    memory.maintain("compact")
    assert not any(b"Rumpelstilz" in line for _, line in memory.log.lines())
    assert memory.log.last_seq() <= count + 2


def test_policies_learn_from_real_outcomes(memory: Living) -> None:
    for number in range(60):
        outcome = Outcome(
            at=memory.now, success=number % 2 == 0, session=f"s{number}", role="coder"
        )
        draft = outcome_draft(outcome, task=f"task {number}")
        (result,) = memory.broker.remember([draft], Writer())
        assert result.status == "stored"
        memory.now += timedelta(minutes=1)
    memory.maintain("session_start")
    memory.maintain("session_start")
    book = current_book(memory.parts().folder, LIFE)
    assert book.ignored == 0
    assert [line.stage for line in book.history()] == ["production", "experiment"]
    versions = {book.current("coder", None, f"s{n}").ref.version for n in range(60)}
    assert versions == {0, 1}


def test_of_two_sessions_that_disagree_the_later_word_holds_in_the_project(
    memory: Living,
) -> None:
    for session, text in (("s1", "prefers tabs"), ("s2", "prefers spaces")):
        memory.add(
            text, type="preference", session=session, project="p1", payload={"key": "indent"}
        )
        memory.now += timedelta(minutes=1)
    memory.maintain("session_end", "s2")
    memory.maintain("session_end", "s1")
    kept = HeldMemories(memory.index).newest(("preference",), 10)
    assert [each.event.text for each in kept] == ["prefers spaces"]
